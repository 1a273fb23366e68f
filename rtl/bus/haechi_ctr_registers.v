// SPDX-License-Identifier: Apache-2.0 OR MIT
// The registers of haechi_ctr behind any bus: registers.toml says what they are.
//
// read_i or write_i is high for the one clock in which the bus makes its transfer.  refused_o says in the same clock that
// the transfer does nothing, and read_o is then zero.

`default_nettype none
`include "haechi_ctr_map.vh"

module haechi_ctr_registers #(
    parameter [95:0] CORE = "lea_serial",  // and the rest as in haechi_ctr.v
    parameter KEY = 128,
    parameter D = 8
) (
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

  wire ready_word, open, in_ready, out_valid;
  wire [31:0] out;
  wire [15:0] kind;

  // ---- Which register it is.  The counter is in the second quarter of the addresses, the key in the upper half.
  wire aligned = ~|address_i[1:0];
  wire [3:0] nth = {1'b0, address_i[4:2]};
  wire at_id = address_i == `HAECHI_CTR_ID, at_control = address_i == `HAECHI_CTR_CONTROL;
  wire at_status = address_i == `HAECHI_CTR_STATUS, at_data = address_i == `HAECHI_CTR_DATA;
  wire at_count = aligned & ~address_i[5] & address_i[4] & {2'd0, nth[1:0]} < kind[`HAECHI_CTR_ID_BLOCK+:4];
  wire at_key = aligned & address_i[5] & nth < kind[`HAECHI_CTR_ID_KEY+:4];

  wire clear = write_i & at_control & word_i[`HAECHI_CTR_CONTROL_CLEAR];
  wire busy = open | out_full_q;  // in the middle of a block
  wire start = write_i & at_control & word_i[`HAECHI_CTR_CONTROL_START] & ~clear & ~busy;

  haechi_ctr #(.CORE(CORE), .KEY(KEY), .D(D)) ctr (
      .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .start_i(start),
      .key_we_i(8'd1 << nth & {8{write_i & at_key & ~busy}}),
      .count_we_i(4'd1 << nth[1:0] & {4{write_i & at_count & ~busy}}), .word_i(word_i), .valid_i(write_i & at_data),
      .ready_o(in_ready), .data_i(word_i), .valid_o(out_valid), .ready_i(~out_full_q), .data_o(out),
      .ready_word_o(ready_word), .open_o(open), .kind_o(kind)
  );

  always @(posedge clk_i)
    if (clear | ~rst_ni) {out_full_q, out_q} <= 33'd0;
    else if (out_valid & ~out_full_q) {out_full_q, out_q} <= {1'b1, out};
    else if (read_i & at_data) {out_full_q, out_q} <= 33'd0;

  wire write_refused = busy & (at_key | at_count | at_control & ~word_i[`HAECHI_CTR_CONTROL_CLEAR]) | at_data & ~in_ready
      | ~(at_key | at_count | at_control | at_data);
  wire read_refused = ~(at_id | at_control | at_status | at_data | at_count | at_key) | at_data & ~out_full_q;
  assign refused_o = write_i & write_refused | read_i & read_refused;
  assign read_o = {32{read_i & at_id}} & {`HAECHI_CTR_ID_DEVICE_VALUE, kind} | {32{read_i & at_data}} & out_q
      | {32{read_i & at_status}} & {29'd0, busy, out_full_q, ready_word & ~out_full_q};
endmodule

`default_nettype wire
