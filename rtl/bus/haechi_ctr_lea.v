// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA behind haechi_ctr: lea_serial for keys of 128 bits, lea_long for longer ones, with D bits of each word a clock.
//
// A digit has D bits of each word of the block, and a digit of the key enters beside it.

`default_nettype none

module haechi_ctr_lea #(
    parameter KEY = 128,
    parameter D = 8
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
  wire rst_n, stall, ready, valid;
  wire [7:0] digit;
  haechi_ctr_pace #(.DIGITS(32 / D), .RESET(1)) pace (
      .clk_i(clk_i), .restart_i(restart_i), .run_i(run_i), .full_i(full_i), .rst_no(rst_n), .stall_o(stall),
      .ready_i(ready), .valid_i(valid), .digit_o(digit), .entered_o(entered_o), .leaves_o(leaves_o), .left_o(left_o)
  );

  wire [KEY/32*D-1:0] key;
  wire [4*D-1:0] data, result;
  haechi_ctr_digit #(.LANES(KEY / 32), .D(D)) keys (.digit_i(digit), .lanes_i(key_i), .digit_o(key));
  haechi_ctr_digit #(.D(D)) blocks (.digit_i(digit), .lanes_i(block_i), .digit_o(data));
  haechi_ctr_shift #(.D(D)) stream (.lanes_i(stream_i), .digit_i(result), .lanes_o(stream_o));
  generate
    if (KEY == 128) begin : g_core
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
endmodule

`default_nettype wire
