// SPDX-License-Identifier: Apache-2.0 OR MIT
// The smallest use of lea_serial: it encrypts the vector of the standard.  The real bench is test/rtl/test_rtl.py.

`default_nettype none
`timescale 1ns / 1ps

module lea_tb #(
    parameter D = 1
);
  // The words 3, 2, 1 and 0.
  localparam [127:0] KEY = 128'hf0e1d2c3_b4a59687_78695a4b_3c2d1e0f;
  localparam [127:0] PLAIN = 128'h1f1e1d1c_1b1a1918_17161514_13121110;
  localparam [127:0] CIPHER = 128'hfd8b6404_a7c73255_18c6c628_354ec89f;

  reg clk = 1'b0, rst_n = 1'b0;
  reg [127:0] key, text, got;
  wire ready, valid;
  wire [4*D-1:0] key_digit, digit, result;
  integer n;
  always #5 clk = ~clk;

  lea_serial #(.D(D)) core (
      .clk_i(clk), .rst_ni(rst_n), .stall_i(1'b0), .dec_i(1'b0), .key_i(key_digit), .data_i(digit),
      .ready_o(ready), .valid_o(valid), .data_o(result)
  );

  // A digit is D bits of each word, low bits first.
  generate
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_word
      assign key_digit[D*i+:D] = key[32*i+:D];
      assign digit[D*i+:D] = text[32*i+:D];
      always @(posedge clk) begin
        if (rst_n & ready) begin
          key[32*i+:32]  <= {key[32*i+:D], key[32*i+:32]} >> D;
          text[32*i+:32] <= {text[32*i+:D], text[32*i+:32]} >> D;
        end
        if (rst_n & valid) got[32*i+:32] <= {result[D*i+:D], got[32*i+:32]} >> D;
      end
    end
  endgenerate

  initial begin
    key = KEY;
    text = PLAIN;
    repeat (5) @(posedge clk);
    rst_n <= 1'b1;
    for (n = 0; n < 32 / D; n = n + 1) begin
      @(posedge clk);
      while (!valid) @(posedge clk);
    end
    #1;
    if (got == CIPHER) $display("lea_tb: passed");
    else $display("lea_tb: FAILED, %h", got);
    $finish(0);  // without a message
  end
endmodule

`default_nettype wire
