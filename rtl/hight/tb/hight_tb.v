// SPDX-License-Identifier: Apache-2.0 OR MIT
// The smallest use of hight_serial: it encrypts a vector of the standard twice, back to back.  The real bench is
// test/rtl/test_rtl.py.

`default_nettype none
`timescale 1ns / 1ps

module hight_tb #(
    parameter D = 1
);
  localparam DIGITS = 32 / D;
  localparam [127:0] KEY = 128'hffeeddccbbaa99887766554433221100;  // MK15..MK0
  localparam [31:0] P_LOW = 32'h11335577, P_HIGH = 32'h00224466;  // P6 P4 P2 P0 and P7 P5 P3 P1
  localparam [31:0] C_LOW = 32'hce7243d8, C_HIGH = 32'h9fe5e623;  // C6 C4 C2 C0 and C5 C3 C1 C7

  reg clk = 1'b0, rst_n = 1'b0;
  reg [127:0] key;
  reg [31:0] low, high, got_low, got_high;
  wire ready, valid;
  wire [2*D-1:0] result;
  integer n;
  always #5 clk = ~clk;

  hight_serial #(.D(D)) core (
      .clk_i(clk), .rst_ni(rst_n), .stall_i(1'b0), .dec_i(1'b0), .key_i(key[D-1:0]),
      .data_i({high[D-1:0], low[D-1:0]}), .ready_o(ready), .valid_o(valid), .data_o(result)
  );

  always @(posedge clk)
    if (rst_n & ready) {high, low} <= {high[D-1:0], high[31:D], low[D-1:0], low[31:D]};

  initial begin
    {high, low} = {P_HIGH, P_LOW};
    key = KEY;
    repeat (5) @(posedge clk);
    for (n = 0; n < 128 / D; n = n + 1) @(posedge clk) key <= key >> D;
    rst_n <= 1'b1;
    repeat (2) begin
      for (n = 0; n < DIGITS; n = n + 1) begin
        @(posedge clk);
        while (!valid) @(posedge clk);
        {got_high, got_low} = {result[2*D-1:D], got_high[31:D], result[D-1:0], got_low[31:D]};
      end
      if ({got_high, got_low} == {C_HIGH, C_LOW}) $display("hight_tb: passed");
      else $display("hight_tb: FAILED, %h %h", got_high, got_low);
    end
    $finish(0);  // without a message
  end
endmodule

`default_nettype wire
