// SPDX-License-Identifier: Apache-2.0 OR MIT
// The adders of hight_serial: SK = key + delta, and then x + (F1 ^ SK) or x ^ (F0 + SK), or in decryption
// x - (F1 ^ SK).  One chain of carries or borrows serves all three.

`default_nettype none

module hight_serial_adders #(
    parameter D = 1
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         dec_i,
    input  wire         mid_slot_i,  // the carries go on to the next clock
    input  wire         xors_i,      // x ^ (F0 + SK)
    input  wire [D-1:0] key_i,
    input  wire [D-1:0] delta_i,
    input  wire [D-1:0] f_i,         // F0 or F1
    input  wire [D-1:0] x_i,
    output wire [D-1:0] made_o
);
  wire [D-1:0] sk;
  // verilator lint_off UNOPTFLAT
  wire [D:0] sk_carry, carry;
  // verilator lint_on UNOPTFLAT
  generate
    genvar i;
    for (i = 0; i < D; i = i + 1) begin : g_add
      if (D == 8 && i == 0) assign {sk_carry[1], sk[0]} = {key_i[0] & delta_i[0], key_i[0] ^ delta_i[0]};
      else if (D == 8 && i == 7) assign {sk_carry[8], sk[7]} = {1'b0, key_i[7] ^ sk_carry[7]};
      else haechi_add add_delta (.a_i(key_i[i]), .b_i(delta_i[i]), .c_i(sk_carry[i]), .s_o(sk[i]), .c_o(sk_carry[i+1]));
      wire f_sk = f_i[i] ^ sk[i];
      wire half = x_i[i] ^ f_sk;
      assign made_o[i] = half ^ carry[i];
      assign carry[i+1] = xors_i ? f_i[i] & sk[i] | f_sk & carry[i]
                                 : (x_i[i] ^ dec_i) & f_sk | (half ^ dec_i) & carry[i];
    end
    if (D == 8) begin : g_carry
      assign sk_carry[0] = 1'b0;
      assign carry[0] = 1'b0;
      wire unused = &{clk_i, en_i, mid_slot_i, delta_i[7], sk_carry, carry};
    end else begin : g_carry
      reg sk_carry_q, carry_q;
      always @(posedge clk_i)
        if (en_i) begin
          sk_carry_q <= sk_carry[D] & mid_slot_i;
          carry_q    <= carry[D] & mid_slot_i;
        end
      assign sk_carry[0] = sk_carry_q;
      assign carry[0] = carry_q;
    end
  endgenerate
endmodule

`default_nettype wire
