// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA behind haechi_ctr: lea_serial for keys of 128 bits, lea_long for longer ones, with D bits of each word a clock, or
// lea_latch, which takes the words one after the other.
//
// A digit has D bits of each word of the block, or one bit, and a digit of the key enters beside it.

`default_nettype none

module haechi_ctr_lea #(
    parameter KEY = 128,
    parameter LATCH = 0,  // lea_latch
    parameter D = 8  // of the other cores
) (
    input  wire           clk_i,
    input  wire           restart_i,
    input  wire           run_i,
    input  wire           full_i,
    input  wire [KEY-1:0] key_i,
    input  wire [  127:0] block_i,
    input  wire [  127:0] stream_i,
    output wire           entered_o,
    output wire           leaves_o,
    output wire           left_o,
    output wire [  127:0] stream_o
);
  localparam BITS = LATCH != 0 ? 128 : 32;  // of a lane
  localparam LANES = 128 / BITS, KEY_LANES = KEY / BITS, DIGIT = LATCH != 0 ? 1 : D;

  wire rst_n, stall, ready, valid, first;
  wire [7:0] digit;
  haechi_ctr_pace #(.DIGITS(BITS / DIGIT), .RESET(1)) pace (
      .clk_i(clk_i), .restart_i(restart_i), .run_i(run_i), .full_i(full_i), .rst_no(rst_n), .stall_o(stall),
      .ready_i(ready), .valid_i(valid), .digit_o(digit), .first_o(first), .entered_o(entered_o), .leaves_o(leaves_o),
      .left_o(left_o)
  );

  wire [KEY-1:0] key_lanes;
  wire [127:0] lanes_in, lanes_now, lanes_next;
  wire [KEY_LANES*DIGIT-1:0] key;
  wire [LANES*DIGIT-1:0] data, result;
  haechi_ctr_digit #(.LANES(KEY_LANES), .BITS(BITS), .D(DIGIT)) keys (
      .digit_i(digit), .lanes_i(key_lanes), .digit_o(key)
  );
  haechi_ctr_digit #(.LANES(LANES), .BITS(BITS), .D(DIGIT)) blocks (
      .digit_i(digit), .lanes_i(lanes_in), .digit_o(data)
  );
  haechi_ctr_shift #(.LANES(LANES), .BITS(BITS), .D(DIGIT)) stream (
      .lanes_i(lanes_now), .digit_i(result), .lanes_o(lanes_next)
  );
  generate
    genvar i;
    if (LATCH != 0) begin : g_lanes
      assign key_lanes = {key_i[31:0], key_i[95:64], key_i[127:96], key_i[63:32]};  // T1, T3, T2, T0
      for (i = 0; i < 4; i = i + 1) begin : g_word  // X3, X2, X1, X0
        assign lanes_in[32*i+:32] = block_i[32*(3-i)+:32];
        assign lanes_now[32*i+:32] = stream_i[32*(3-i)+:32];
        assign stream_o[32*i+:32] = lanes_next[32*(3-i)+:32];
      end
    end else begin : g_lanes
      assign {key_lanes, lanes_in, lanes_now, stream_o} = {key_i, block_i, stream_i, lanes_next};
    end
    if (LATCH != 0) begin : g_core
      lea_latch core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end else if (KEY == 128) begin : g_core
      lea_serial #(.D(D)) core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end else begin : g_core
      lea_long #(.D(D), .WORDS(KEY / 32)) core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end
  endgenerate
  wire unused = first;
endmodule

`default_nettype wire
