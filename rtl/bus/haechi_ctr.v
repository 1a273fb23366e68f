// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA-128 in counter mode: a stream of words in, and the encrypted or decrypted stream out.
//
//   key, counter --> lea_serial (8 bits of each word a clock) --> one block of key stream --> XOR with the message
//
// A word is 32 bits, the first byte of the message lowest.  A word moves in a clock in which valid and ready are both high
// at the input; it leaves in the same clock.  The core makes the next block of key stream while the last one is used, and
// then stalls.  The counter is the whole block, big-endian, and wraps.
//
// start_i discards the key stream and begins with key and counter as they are; the first word can move 106 clocks later.
// The counter goes on by one whenever a block of it has entered the core.  clear_i sets key, counter and key stream to
// zero at once, and lets zeros pass the registers of the core in the clocks that follow, so that nothing of the key is
// left 8 clocks later.

`default_nettype none

module haechi_ctr (
    input  wire        clk_i,
    input  wire        rst_ni,      // low: as clear_i
    input  wire        clear_i,
    input  wire        start_i,
    input  wire [ 3:0] key_we_i,    // write this word of the key
    input  wire [ 3:0] count_we_i,  // write this word of the counter
    input  wire [31:0] word_i,
    input  wire        valid_i,
    output wire        ready_o,
    input  wire [31:0] data_i,
    output wire        valid_o,
    input  wire        ready_i,
    output wire [31:0] data_o,
    output wire        ready_word_o,  // key stream is there for the next word
    output wire        open_o         // a block is begun and not finished
);
  reg [127:0] key_q, count_q, stream_q;
  reg [1:0] fed_q, word_q;
  reg [2:0] wipe_q;  // clocks of zeros that are left
  reg full_q, run_q, rst_q;

  wire clear = clear_i | ~rst_ni;
  wire core_ready, core_valid;
  wire [31:0] core_key, core_data, core_result;
  wire wiping = wipe_q != 3'd0;
  wire core_stall = ~rst_q & (run_q ? core_valid & full_q : ~wiping);
  wire moves = ~core_stall & ~rst_q;

  lea_serial #(.D(8)) core (
      .clk_i(clk_i), .rst_ni(~rst_q), .stall_i(core_stall), .dec_i(1'b0), .key_i(core_key), .data_i(core_data),
      .ready_o(core_ready), .valid_o(core_valid), .data_o(core_result)
  );

  // ---- A digit is a byte of each word, the first byte of the words first.
  wire [127:0] stream_next;
  generate
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_word
      wire [31:0] key = key_q[32*i+:32], count = count_q[32*i+:32];
      wire [15:0] key_half = fed_q[1] ? key[31:16] : key[15:0];
      wire [15:0] count_half = fed_q[1] ? count[31:16] : count[15:0];
      assign core_key[8*i+:8] = fed_q[0] ? key_half[15:8] : key_half[7:0];
      assign core_data[8*i+:8] = fed_q[0] ? count_half[15:8] : count_half[7:0];
      assign stream_next[32*i+:32] = {core_result[8*i+:8], stream_q[32*i+8+:24]};
    end
  endgenerate

  // ---- The counter is a number whose highest byte is the first of the block.
  wire [127:0] number, next;
  wire [127:0] sum = number + 128'd1;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      assign number[8*i+:8] = count_q[8*(15-i)+:8];
      assign next[8*i+:8] = sum[8*(15-i)+:8];
    end
  endgenerate

  wire enters = run_q & moves & core_ready;
  wire leaves = run_q & moves & core_valid;
  wire taken = ready_o & valid_i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_write
      always @(posedge clk_i)
        if (clear) key_q[32*i+:32] <= 32'd0;
        else if (key_we_i[i]) key_q[32*i+:32] <= word_i;
      always @(posedge clk_i)
        if (clear) count_q[32*i+:32] <= 32'd0;
        else if (count_we_i[i]) count_q[32*i+:32] <= word_i;
        else if (enters & fed_q == 2'd3) count_q[32*i+:32] <= next[32*i+:32];
    end
  endgenerate

  always @(posedge clk_i) begin
    rst_q  <= clear | start_i;
    run_q  <= ~clear & (start_i | run_q);
    wipe_q <= clear ? 3'd5 : wiping & ~rst_q ? wipe_q - 3'd1 : wipe_q;
    if (clear | start_i) {fed_q, word_q, full_q} <= 5'd0;
    else begin
      if (enters) fed_q <= fed_q + 2'd1;
      if (taken) word_q <= word_q + 2'd1;
      if (leaves & fed_q == 2'd3) full_q <= 1'b1;
      else if (taken & word_q == 2'd3) full_q <= 1'b0;
    end
    if (clear) stream_q <= 128'd0;
    else if (leaves) stream_q <= stream_next;
    else if (taken) stream_q <= {32'd0, stream_q[127:32]};
  end

  assign ready_word_o = full_q;
  assign open_o  = word_q != 2'd0;
  assign ready_o = full_q & ready_i;
  assign valid_o = full_q & valid_i;
  assign data_o  = {32{full_q}} & (data_i ^ stream_q[31:0]);
endmodule

`default_nettype wire
