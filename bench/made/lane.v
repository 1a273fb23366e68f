// SPDX-License-Identifier: Apache-2.0 OR MIT
// The part of the test bench around one core: it shifts a key in, feeds batches of blocks without pauses and collects
// the results.  Keys and blocks come in the order in which the core needs them, the first digit lowest; cores.py has
// these orders.
//
// A change of key_go or go starts it.  busy falls when the key is in and every block of the batch is out.  Where the
// core asks for a block and there is none, it is stalled; with `stalls` it is also stalled at random.

`default_nettype none

module lane #(
    parameter KB = 128,    // bits of a key
    parameter KW = 1,      // bits of key_i that carry the key
    parameter LATE = 0,    // the key enters after the reset, with a flag in the bit above it
    parameter KEYED = 0,   // the key enters with every block
    parameter BB = 64,     // bits of a block
    parameter DW = 2,      // bits of data_i
    parameter BATCH = 16   // blocks
) (
    input  wire               clk,
    input  wire               select,
    input  wire               key_go,
    input  wire [     KB-1:0] key,
    input  wire               go,
    input  wire [        6:0] count,
    input  wire [BATCH*BB-1:0] blocks,
    input  wire               stalls,
    input  wire               dec,
    output reg                busy,
    output reg  [BATCH*BB-1:0] results,
    output reg  [       31:0] cycles,   // clocks without a stall since the batch began
    output wire               core_clk,
    output reg                core_rst_n,
    output wire               core_stall,
    output reg                core_dec,
    output wire [KW+LATE-1:0] core_key,
    output wire [     DW-1:0] core_data,
    input  wire               core_ready,
    input  wire               core_valid,
    input  wire [     DW-1:0] core_result
);
  localparam DIGITS = BB / DW;
  assign core_clk = clk & select;

  // In a netlist the clock passes gates: inputs must change after it, and before the outputs of the flip-flops.
`ifdef NETLIST
  wire #0.2 late_clk = core_clk;
`else
  wire late_clk = core_clk;
`endif

  reg key_seen, seen, active;
  reg [8:0] key_left;
  reg [KB-1:0] key_q;
  reg [BB-1:0] word_out;
  reg [7:0] digit_in, digit_out;
  reg [31:0] fed, got, base;
  reg [15:0] lfsr;
  // What the bench writes is copied at key_go and go, so that a lane whose clock rests costs the simulator no time.
  reg [BATCH*BB-1:0] blocks_q;
  reg [6:0] count_q;
  reg stalls_q;
  initial begin
    {blocks_q, count_q, stalls_q, core_dec} = 0;
    {key_seen, seen, active, busy, core_rst_n} = 0;
    {key_left, digit_in, digit_out, fed, got, base, cycles} = 0;
    lfsr = 16'hace1;
    key_q = 0;
    results = 0;
    word_out = 0;
  end

  wire keying = key_left != 0;
  wire entering = LATE ? core_rst_n & keying : ~core_rst_n;
  wire [31:0] at = fed - base;
  wire more = active && (at < count_q || got != base + count_q);  // a pipeline advances only when another block follows
  wire hungry = core_ready & core_rst_n & digit_in == 0 & ~more;
  assign core_stall = hungry | (stalls_q & lfsr[0]);
  assign core_key = LATE ? {entering, key_q[KW-1:0]} : KEYED ? key_q[KW*digit_in+:KW] : key_q[KW-1:0];
  wire [BB-1:0] word = at < count_q ? blocks_q[BB*at[3:0]+:BB] : {BB{1'b0}};
  assign core_data = word[DW*digit_in+:DW];
  wire [31:0] out = got - base;

  always @(posedge late_clk) begin
    lfsr <= {lfsr[14:0], lfsr[15] ^ lfsr[13] ^ lfsr[12] ^ lfsr[10]};
    if (key_go != key_seen) begin
      key_seen   <= key_go;
      key_q      <= key;
      core_dec   <= dec;
      stalls_q   <= stalls;
      core_rst_n <= 0;
      key_left   <= KEYED ? 5 : KB / KW + 5;
      active     <= 0;
      busy       <= 1;
      {digit_in, digit_out, fed, got, base} <= 0;
    end else begin
      if (go != seen && !(keying && !LATE)) begin
        seen     <= go;
        active   <= 1;
        busy     <= 1;
        base     <= fed;
        cycles   <= 0;
        blocks_q <= blocks;
        count_q  <= count;
        stalls_q <= stalls;
      end else if (!core_stall) begin
        cycles <= cycles + 1;
        if (keying) begin
          key_left <= key_left - 1;
          if (!KEYED && key_left <= KB / KW) key_q <= key_q >> KW;
          if (key_left == (LATE ? KB / KW + 1 : 1)) core_rst_n <= 1;
          if (key_left == 1 && !active) busy <= 0;
        end
        if (core_rst_n && core_ready && active) begin
          digit_in <= digit_in == DIGITS - 1 ? 0 : digit_in + 1;
          if (digit_in == DIGITS - 1) fed <= fed + 1;
        end
        if (core_rst_n && core_valid) begin
          word_out <= {core_result, word_out} >> DW;
          digit_out <= digit_out == DIGITS - 1 ? 0 : digit_out + 1;
          if (digit_out == DIGITS - 1) begin
            got <= got + 1;
            if (active && !out[31]) results[BB*out[3:0]+:BB] <= {core_result, word_out} >> DW;
            if (active && out + 1 == count_q) begin
              active <= 0;
              busy   <= 0;
            end
          end
        end
      end
    end
  end
endmodule

// Passes inputs on to a core, at once or after the falling edge of its clock.  A latch, not a flip-flop: stall_i may
// follow ready_o, which may follow rst_ni, and both must arrive in the same half of the clock.
module inputs #(
    parameter W = 1,
    parameter AFTER_FALL = 0
) (
    input  wire         clk,
    input  wire [W-1:0] d,
    output wire [W-1:0] q
);
  generate
    if (AFTER_FALL) begin : g_late
      reg [W-1:0] d_q;
      always @(*) if (!clk) d_q = d;
      assign q = d_q;
    end else begin : g_late
      assign q = d;
    end
  endgenerate
endmodule

`default_nettype wire
