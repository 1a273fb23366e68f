// SPDX-License-Identifier: Apache-2.0 OR MIT
// A core in counter mode: a stream of words in, and the encrypted or decrypted stream out.
//
//   key, counter --> the core, digit by digit --> one block of key stream --> XOR with the message
//
// A word is 32 bits, the first byte of the message lowest.  A word moves in a clock in which valid and ready are both high
// at the input; it leaves in the same clock.  The core makes the next block of key stream while the last one is used, and
// then stalls.  The counter is the whole block, big-endian, and wraps.
//
// start_i discards the key stream and begins with key and counter as they are.  The counter goes on by one whenever a block
// of it has entered the core.  A write to a word of key or counter discards the key stream too, and there is none until
// start_i, so that no block is made of old and new words.  clear_i sets key, counter and key stream to zero at once, and lets the core begin anew with
// these zeros until a block of them has entered, so that nothing of the key is left there either.  README.md has the clocks
// of both.
//
// CORE is the name of the core's module.  All that depends on it stands in a module for each cipher, whose ports are those of
// haechi_ctr_lea: it takes key and counter whole, and moves the key stream on by each digit that leaves the core.

`default_nettype none
`include "haechi_ctr_map.vh"

module haechi_ctr #(
    parameter [95:0] CORE = "lea_serial",  // or another core: see the list of localparams
    parameter KEY = 128,  // bits of the key: 128, and 192 or 256 with lea_long
    parameter D = 8  // of the core, where it has one; W of aria_wide
) (
    input  wire        clk_i,
    input  wire        rst_ni,      // low: as clear_i
    input  wire        clear_i,
    input  wire        start_i,
    input  wire [ 7:0] key_we_i,    // write this word of the key
    input  wire [ 3:0] count_we_i,  // write this word of the counter
    input  wire [31:0] word_i,
    input  wire        valid_i,
    output wire        ready_o,
    input  wire [31:0] data_i,
    output wire        valid_o,
    input  wire        ready_i,
    output wire [31:0] data_o,
    output wire        ready_word_o,  // key stream is there for the next word
    output wire        open_o,        // a block is begun and not finished
    output wire [15:0] kind_o         // the cipher, and the words of block and key: the lower half of the register ID
);
  localparam [95:0] LEA_SERIAL = "lea_serial", LEA_LONG = "lea_long", LEA_LATCH = "lea_latch";
  localparam [95:0] HIGHT_SERIAL = "hight_serial", HIGHT_LATCH = "hight_latch";
  localparam [95:0] HIGHT_ROUND = "hight_round", HIGHT_PIPE = "hight_pipe";
  localparam [95:0] ARIA_WIDE = "aria_wide", ARIA_SERIAL = "aria_serial";
  localparam LEA = KEY == 128 ? CORE == LEA_SERIAL || CORE == LEA_LATCH : (KEY == 192 || KEY == 256) && CORE == LEA_LONG;
  localparam HIGHT = KEY == 128 && (CORE == HIGHT_SERIAL || CORE == HIGHT_LATCH || CORE == HIGHT_ROUND || CORE == HIGHT_PIPE);
  localparam ARIA = KEY == 128 && (CORE == ARIA_WIDE || CORE == ARIA_SERIAL);
  localparam BLOCK = HIGHT ? 64 : 128;
  localparam CIPHER = LEA ? `HAECHI_CTR_ID_CIPHER_LEA : HIGHT ? `HAECHI_CTR_ID_CIPHER_HIGHT : `HAECHI_CTR_ID_CIPHER_ARIA;
  localparam [31:0] KIND = CIPHER << `HAECHI_CTR_ID_CIPHER | BLOCK / 32 << `HAECHI_CTR_ID_BLOCK | KEY / 32 << `HAECHI_CTR_ID_KEY;
  localparam [31:0] LAST = BLOCK / 32 - 1;

  reg [KEY-1:0] key_q;
  reg [BLOCK-1:0] count_q, stream_q;
  reg [1:0] word_q;
  reg full_q, run_q;

  wire clear = clear_i | ~rst_ni;
  wire changed = |{key_we_i, count_we_i};
  wire restart = clear | start_i | changed;
  wire entered, leaves, left;
  wire [BLOCK-1:0] stream_next;
  generate
    if (LEA) begin : g_cipher
      haechi_ctr_lea #(.KEY(KEY), .LATCH(CORE == LEA_LATCH), .D(D)) cipher (
          .clk_i(clk_i), .restart_i(restart), .run_i(run_q), .full_i(full_q), .key_i(key_q), .block_i(count_q),
          .stream_i(stream_q), .entered_o(entered), .leaves_o(leaves), .left_o(left), .stream_o(stream_next)
      );
    end else if (HIGHT) begin : g_cipher
      haechi_ctr_hight #(
          .ROUND(CORE == HIGHT_ROUND), .PIPE(CORE == HIGHT_PIPE), .LATCH(CORE == HIGHT_LATCH), .D(D)
      ) cipher (
          .clk_i(clk_i), .restart_i(restart), .run_i(run_q), .full_i(full_q), .key_i(key_q), .block_i(count_q),
          .stream_i(stream_q), .entered_o(entered), .leaves_o(leaves), .left_o(left), .stream_o(stream_next)
      );
    end else if (ARIA) begin : g_cipher
      haechi_ctr_aria #(.SERIAL(CORE == ARIA_SERIAL), .D(D)) cipher (
          .clk_i(clk_i), .restart_i(restart), .run_i(run_q), .full_i(full_q), .key_i(key_q), .block_i(count_q),
          .stream_i(stream_q), .entered_o(entered), .leaves_o(leaves), .left_o(left), .stream_o(stream_next)
      );
    end else begin : g_cipher
      haechi_ctr_has_no_such_core cipher ();
    end
  endgenerate

  // ---- The counter is a number whose highest byte is the first of the block.
  wire [BLOCK-1:0] number, next;
  wire [BLOCK-1:0] sum = number + 1'b1;
  generate
    genvar i;
    for (i = 0; i < BLOCK / 8; i = i + 1) begin : g_byte
      assign number[8*i+:8] = count_q[BLOCK-8*(i+1)+:8];
      assign next[8*i+:8] = sum[BLOCK-8*(i+1)+:8];
    end
  endgenerate

  wire taken = ready_o & valid_i;
  wire last_word = &(word_q | ~LAST[1:0]);
  generate
    for (i = 0; i < KEY / 32; i = i + 1) begin : g_key
      always @(posedge clk_i)
        if (clear) key_q[32*i+:32] <= 32'd0;
        else if (key_we_i[i]) key_q[32*i+:32] <= word_i;
    end
    for (i = 0; i < BLOCK / 32; i = i + 1) begin : g_count
      always @(posedge clk_i)
        if (clear) count_q[32*i+:32] <= 32'd0;
        else if (count_we_i[i]) count_q[32*i+:32] <= word_i;
        else if (entered & run_q) count_q[32*i+:32] <= next[32*i+:32];
    end
  endgenerate

  always @(posedge clk_i) begin
    run_q <= ~clear & (start_i | run_q & ~changed);
    if (restart) {word_q, full_q} <= 3'd0;
    else begin
      if (taken) word_q <= last_word ? 2'd0 : word_q + 2'd1;
      if (left) full_q <= 1'b1;
      else if (taken & last_word) full_q <= 1'b0;
    end
    if (clear | changed) stream_q <= {BLOCK{1'b0}};
    else if (leaves) stream_q <= stream_next;
    else if (taken) stream_q <= {32'd0, stream_q[BLOCK-1:32]};
  end

  assign ready_word_o = full_q;
  assign open_o  = word_q != 2'd0;
  assign ready_o = full_q & ready_i;
  assign valid_o = full_q & valid_i;
  assign data_o  = {32{full_q}} & (data_i ^ stream_q[31:0]);
  assign kind_o  = KIND[15:0];
endmodule

`default_nettype wire
