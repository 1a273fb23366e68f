// SPDX-License-Identifier: Apache-2.0 OR MIT
// The registers of haechi_ctr behind any bus: registers.toml says what they are.
//
// read_i or write_i is high for the one clock in which the bus makes its transfer.  refused_o says in the same clock that
// the transfer does nothing, and read_o is then zero.

`default_nettype none
`include "haechi_ctr_map.vh"

module haechi_ctr_registers (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        read_i,
    input  wire        write_i,
    input  wire [ 5:0] address_i,
    input  wire [31:0] word_i,
    output wire [31:0] read_o,
    output wire        refused_o
);
  reg [31:0] out_q;
  reg out_full_q;

  wire ready_word, open, in_valid, in_ready, out_valid;
  wire [31:0] out;
  wire [3:0] one = 4'd1 << address_i[3:2];
  wire at_control = address_i == `HAECHI_CTR_CONTROL, at_status = address_i == `HAECHI_CTR_STATUS;
  wire at_key = address_i[5:4] == 2'd1 & ~|address_i[1:0], at_count = address_i[5:4] == 2'd2 & ~|address_i[1:0];
  wire at_in = address_i == `HAECHI_CTR_DATA_IN, at_out = address_i == `HAECHI_CTR_DATA_OUT;
  wire at_id = address_i == `HAECHI_CTR_ID;

  wire clear = write_i & at_control & word_i[`HAECHI_CTR_CONTROL_CLEAR];
  wire busy = open | out_full_q;  // in the middle of a block
  wire start = write_i & at_control & word_i[`HAECHI_CTR_CONTROL_START] & ~clear & ~busy;
  assign in_valid = write_i & at_in;

  haechi_ctr ctr (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .start_i(start),
      .key_we_i(one & {4{write_i & at_key & ~busy}}), .count_we_i(one & {4{write_i & at_count & ~busy}}),
      .word_i(word_i), .valid_i(in_valid), .ready_o(in_ready), .data_i(word_i), .valid_o(out_valid),
      .ready_i(~out_full_q), .data_o(out), .ready_word_o(ready_word), .open_o(open)
  );

  always @(posedge clk_i)
    if (clear | ~rst_ni) {out_full_q, out_q} <= 33'd0;
    else if (out_valid & ~out_full_q) {out_full_q, out_q} <= {1'b1, out};
    else if (read_i & at_out) {out_full_q, out_q} <= 33'd0;

  wire write_refused = busy & (at_key | at_count | at_control & ~word_i[`HAECHI_CTR_CONTROL_CLEAR]) | at_in & ~in_ready
      | ~(at_key | at_count | at_control | at_in);
  wire read_refused = ~(at_id | at_control | at_status | at_key | at_count | at_in | at_out) | at_out & ~out_full_q;
  assign refused_o = write_i & write_refused | read_i & read_refused;
  assign read_o = {32{read_i & at_id}} & `HAECHI_CTR_ID_VALUE | {32{read_i & at_out}} & out_q
      | {32{read_i & at_status}} & {29'd0, busy, out_full_q, ready_word & ~out_full_q};
endmodule

`default_nettype wire
