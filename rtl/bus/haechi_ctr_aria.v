// SPDX-License-Identifier: Apache-2.0 OR MIT
// ARIA-128 behind haechi_ctr: aria_wide with D = W bits a clock, or aria_serial, which takes a byte a clock.
//
// Key and block enter in the order of memory.  The key enters twice while the core is reset, so that more clocks pass than the
// key alone takes.

`default_nettype none

module haechi_ctr_aria #(
    parameter SERIAL = 0,  // aria_serial
    parameter D = 32  // W of aria_wide; D of aria_serial
) (
    input  wire         clk_i,
    input  wire         restart_i,
    input  wire         run_i,
    input  wire         full_i,
    input  wire [127:0] key_i,
    input  wire [127:0] block_i,
    input  wire [127:0] stream_i,
    output wire         entered_o,
    output wire         leaves_o,
    output wire         left_o,
    output wire [127:0] stream_o
);
  localparam W = SERIAL != 0 ? 8 : D;

  wire rst_n, stall, ready, valid, first;
  wire [7:0] n;
  haechi_ctr_pace #(.DIGITS(128 / W), .RESET(2 * 128 / W)) pace (
      .clk_i(clk_i), .restart_i(restart_i), .run_i(run_i), .full_i(full_i), .rst_no(rst_n), .stall_o(stall),
      .ready_i(ready), .valid_i(valid), .digit_o(n), .first_o(first), .entered_o(entered_o), .leaves_o(leaves_o),
      .left_o(left_o)
  );

  wire [W-1:0] key, data, result;
  haechi_ctr_digit #(.LANES(1), .BITS(128), .D(W)) keys (.digit_i(n), .lanes_i(key_i), .digit_o(key));
  haechi_ctr_digit #(.LANES(1), .BITS(128), .D(W)) blocks (.digit_i(n), .lanes_i(block_i), .digit_o(data));
  haechi_ctr_shift #(.LANES(1), .BITS(128), .D(W)) stream (.lanes_i(stream_i), .digit_i(result), .lanes_o(stream_o));
  generate
    if (SERIAL != 0) begin : g_core
      aria_serial #(.D(D)) core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end else begin : g_core
      aria_wide #(.W(W)) core (
          .clk_i(clk_i), .rst_ni(rst_n), .stall_i(stall), .dec_i(1'b0), .key_i(key), .data_i(data), .ready_o(ready),
          .valid_o(valid), .data_o(result)
      );
    end
  endgenerate
  wire unused = first;
endmodule

`default_nettype wire
