// SPDX-License-Identifier: Apache-2.0 OR MIT
// haechi_ctr as an APB slave (AMBA APB4 without strobes).  Every transfer takes one access cycle.

`default_nettype none

module haechi_ctr_apb #(
    parameter [95:0] CORE = "lea_serial",  // and the rest as in haechi_ctr.v
    parameter KEY = 128,
    parameter D = 8
) (
    input  wire        pclk_i,
    input  wire        presetn_i,
    input  wire        psel_i,
    input  wire        penable_i,
    input  wire        pwrite_i,
    input  wire [ 5:0] paddr_i,
    input  wire [31:0] pwdata_i,
    output wire        pready_o,
    output wire [31:0] prdata_o,
    output wire        pslverr_o
);
  wire access = psel_i & penable_i;
  haechi_ctr_registers #(.CORE(CORE), .KEY(KEY), .D(D)) registers (
      .clk_i(pclk_i), .rst_ni(presetn_i), .read_i(access & ~pwrite_i), .write_i(access & pwrite_i),
      .address_i(paddr_i), .word_i(pwdata_i), .read_o(prdata_o), .refused_o(pslverr_o)
  );
  assign pready_o = 1'b1;
endmodule

`default_nettype wire
