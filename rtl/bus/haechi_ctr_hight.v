// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT behind haechi_ctr: hight_serial with D bits of the key a clock, hight_latch, hight_round, or hight_pipe.
//
// The key enters twice while the core is reset, which needs a few clocks more than the key alone; in hight_pipe three times, so
// that blocks of an older key have left its 33 stages, and in hight_latch behind the reset.  In hight_round and hight_pipe a
// digit is the whole block; in the others it is D bits, or one, of each of two lanes:
//
//   lane   block in      key stream out
//   low    P0 P2 P4 P6   C0 C2 C4 C6
//   high   P1 P3 P5 P7   C7 C1 C3 C5

`default_nettype none

module haechi_ctr_hight #(
    parameter ROUND = 0,  // hight_round
    parameter PIPE = 0,  // hight_pipe
    parameter LATCH = 0,  // hight_latch
    parameter D = 8  // of hight_serial
) (
    input  wire         clk_i,
    input  wire         restart_i,
    input  wire         run_i,
    input  wire         full_i,
    input  wire [127:0] key_i,
    input  wire [ 63:0] block_i,
    input  wire [ 63:0] stream_i,
    output wire         entered_o,
    output wire         leaves_o,
    output wire         left_o,
    output wire [ 63:0] stream_o
);
  localparam WHOLE = ROUND != 0 || PIPE != 0;
  localparam LANES = WHOLE ? 1 : 2, BITS = 64 / LANES, DIGIT = WHOLE ? 64 : LATCH != 0 ? 1 : D;
  localparam KEY_DIGIT = WHOLE ? 8 : DIGIT;
  localparam RESET = LATCH != 0 ? 5 : (PIPE != 0 ? 3 : 2) * 128 / KEY_DIGIT;

  wire rst_n, stall, ready, valid, first;
  wire [7:0] n;
  haechi_ctr_pace #(.DIGITS(BITS / DIGIT), .RESET(RESET), .LATE(LATCH != 0 ? 128 : 0)) pace (
      .clk_i(clk_i), .restart_i(restart_i), .run_i(run_i), .full_i(full_i), .rst_no(rst_n), .stall_o(stall),
      .ready_i(ready), .valid_i(valid), .digit_o(n), .first_o(first), .entered_o(entered_o), .leaves_o(leaves_o),
      .left_o(left_o)
  );

  wire [127:0] key_lane;
  wire [63:0] lanes_in, lanes_now, lanes_next;
  wire [KEY_DIGIT-1:0] key;
  wire [LANES*DIGIT-1:0] data, result;
  haechi_ctr_digit #(.LANES(1), .BITS(128), .D(KEY_DIGIT)) keys (.digit_i(n), .lanes_i(key_lane), .digit_o(key));
  haechi_ctr_digit #(.LANES(LANES), .BITS(BITS), .D(DIGIT)) blocks (.digit_i(n), .lanes_i(lanes_in), .digit_o(data));
  haechi_ctr_shift #(.LANES(LANES), .BITS(BITS), .D(DIGIT)) stream (
      .lanes_i(lanes_now), .digit_i(result), .lanes_o(lanes_next)
  );
  generate
    genvar i;
    if (WHOLE) begin : g_lanes
      for (i = 0; i < 16; i = i + 1) begin : g_key  // MK15 first
        assign key_lane[8*i+:8] = key_i[8*(15-i)+:8];
      end
      assign {lanes_in, lanes_now, stream_o} = {block_i, stream_i, lanes_next};
    end else begin : g_lanes
      assign key_lane = key_i;
      for (i = 0; i < 4; i = i + 1) begin : g_byte
        localparam HIGH = (2 * i + 7) % 8;  // 7, 1, 3, 5
        assign lanes_in[8*i+:8] = block_i[16*i+:8];
        assign lanes_in[32+8*i+:8] = block_i[16*i+8+:8];
        assign lanes_now[8*i+:8] = stream_i[16*i+:8];
        assign lanes_now[32+8*i+:8] = stream_i[8*HIGH+:8];
        assign stream_o[16*i+:8] = lanes_next[8*i+:8];
        assign stream_o[8*HIGH+:8] = lanes_next[32+8*i+:8];
      end
    end
    if (ROUND != 0) begin : g_core
      hight_round core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end else if (PIPE != 0) begin : g_core
      hight_pipe core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end else if (LATCH != 0) begin : g_core
      hight_latch core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i({first, key}), .data_i(data),
          .ready_o(ready), .valid_o(valid), .data_o(result)
      );
    end else begin : g_core
      hight_serial #(.D(D)) core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end
  endgenerate
  wire unused = first;
endmodule

`default_nettype wire
