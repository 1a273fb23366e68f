// SPDX-License-Identifier: Apache-2.0 OR MIT
// The text of hight_serial in the registers E, F and O, which hight_serial.v draws.

`default_nettype none

module hight_serial_text #(
    parameter D = 1,
    parameter BOTH = 0  // with decryption
) (
    input  wire           clk_i,
    input  wire           en_i,
    input  wire           in_i,       // data_i enters: its low lane as x, its high lane into O
    input  wire           jump_i,     // E holds, and F takes the new byte
    input  wire           first_x_i,  // O holds, and the top of O gives x
    input  wire [2*D-1:0] data_i,
    input  wire [  D-1:0] made_i,     // the new byte
    output wire [  D-1:0] x_o,
    output wire [    7:0] f_o,
    output wire [    7:0] o_top_o     // O [31:24]
);
  reg [23:0] e_q;
  reg [ 7:0] f_q;
  reg [ 7:0] o_top_q;
  reg [23:0] o_q;

  wire [D-1:0] to_f = jump_i ? made_i : e_q[D-1:0];
  wire [D-1:0] to_o = in_i ? data_i[2*D-1:D] : f_q[D-1:0];
  wire clk_e, en_e, clk_o, en_o;
  haechi_gate gate_e (.clk_i(clk_i), .en_i(en_i), .hold_i(jump_i), .clk_o(clk_e), .en_o(en_e));
  generate
    if (BOTH != 0) begin : g_wait
      haechi_gate gate_o (.clk_i(clk_i), .en_i(en_i), .hold_i(first_x_i), .clk_o(clk_o), .en_o(en_o));
    end else begin : g_wait
      assign {clk_o, en_o} = {clk_i, en_i};
    end
    if (D == 8) begin : g_bytes
      always @(posedge clk_i) if (en_i) f_q <= to_f;
      always @(posedge clk_i) if (en_i) o_top_q <= to_o;
    end else begin : g_bytes
      always @(posedge clk_i) if (en_i) f_q <= {to_f, f_q[7:D]};
      always @(posedge clk_i) if (en_i) o_top_q <= {to_o, o_top_q[7:D]};
    end
  endgenerate
  always @(posedge clk_e) if (en_e) e_q <= {made_i, e_q[23:D]};
  always @(posedge clk_o) if (en_o) o_q <= {o_top_q[D-1:0], o_q[23:D]};

  assign x_o     = in_i ? data_i[D-1:0] : first_x_i ? o_top_q[D-1:0] : o_q[D-1:0];
  assign f_o     = f_q;
  assign o_top_o = o_top_q;
endmodule

`default_nettype wire
