// SPDX-License-Identifier: Apache-2.0 OR MIT
// The smallest use of aria_serial: it encrypts the vector of the standard.  The real bench is test/rtl/test_rtl.py.

`default_nettype none
`timescale 1ns / 1ps

module aria_tb #(
    parameter D = 1
);
  // Byte 0 is highest.
  localparam [127:0] KEY = 128'h000102030405060708090a0b0c0d0e0f;
  localparam [127:0] PLAIN = 128'h00112233445566778899aabbccddeeff;
  localparam [127:0] CIPHER = 128'hd718fbd6ab644c739da95f3be6451778;

  reg clk = 1'b0, rst_n = 1'b0;
  reg [127:0] key, text, got;
  wire ready, valid;
  wire [7:0] result;
  integer n;
  always #5 clk = ~clk;

  aria_serial #(.D(D)) core (
      .clk_i(clk), .rst_ni(rst_n), .stall_i(1'b0), .dec_i(1'b0), .key_i(key[127:120]), .data_i(text[127:120]),
      .ready_o(ready), .valid_o(valid), .data_o(result)
  );

  always @(posedge clk) begin
    if (~rst_n) key <= {key[119:0], key[127:120]};
    if (rst_n & ready) text <= {text[119:0], text[127:120]};
    if (rst_n & valid) got <= {got[119:0], result};
  end

  initial begin
    key = KEY;
    text = PLAIN;
    repeat (32) @(posedge clk);  // the key enters twice; the second time counts
    rst_n <= 1'b1;
    for (n = 0; n < 16; n = n + 1) begin
      @(posedge clk);
      while (!valid) @(posedge clk);
    end
    #1;
    if (got == CIPHER) $display("aria_tb: passed");
    else $display("aria_tb: FAILED, %h", got);
    $finish(0);  // without a message
  end
endmodule

`default_nettype wire
