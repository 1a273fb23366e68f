// SPDX-License-Identifier: Apache-2.0 OR MIT
// What stands around one core in the bench: it shifts a key in, feeds batches of blocks back to back and gathers what
// comes out.  Keys and blocks come in the order in which the core wants them, first digit low; cores.py knows the orders.
//
// key_go and go are toggled to start; busy falls when the key is in and every block of the batch is out.  With no block
// to give the core is stalled where it asks for one; with `stalls` also at random.

`default_nettype none

module lane #(
    parameter KW = 1,   // bits of key_i that carry the key
    parameter LATE = 0, // the key enters after the reset, with a flag above it
    parameter DW = 2    // bits of data_i
) (
    input  wire               clk,
    input  wire               select,
    input  wire               key_go,
    input  wire [      127:0] key,
    input  wire               go,
    input  wire [        6:0] count,
    input  wire [     1023:0] blocks,
    input  wire               stalls,
    input  wire               dec,
    output reg                busy,
    output reg  [     1023:0] results,
    output reg  [       31:0] cycles,   // clocks that were not stalled, since the batch began
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
  localparam DIGITS = 64 / DW;
  assign core_clk = clk & select;

  // A netlist's clock takes its time through gates: inputs change after it, and before what the flip-flops answer.
`ifdef NETLIST
  wire #0.2 late_clk = core_clk;
`else
  wire late_clk = core_clk;
`endif

  reg key_seen, seen, active;
  reg [8:0] key_left;
  reg [127:0] key_q;
  reg [63:0] word_out;
  reg [6:0] digit_in, digit_out;
  reg [31:0] fed, got, base;
  reg [15:0] lfsr;
  // What the bench writes is taken at key_go and go: a lane whose clock rests costs the simulator nothing.
  reg [1023:0] blocks_q;
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
  wire more = active && (at < count_q || got != base + count_q);  // a pipe wants to be pushed on
  wire hungry = core_ready & core_rst_n & digit_in == 0 & ~more;
  assign core_stall = hungry | (stalls_q & lfsr[0]);
  assign core_key = LATE ? {entering, key_q[KW-1:0]} : key_q[KW-1:0];
  wire [63:0] word = at < count_q ? blocks_q[64*at[3:0]+:64] : 64'd0;
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
      key_left   <= 128 / KW + 5;
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
          if (key_left <= 128 / KW) key_q <= key_q >> KW;
          if (key_left == (LATE ? 128 / KW + 1 : 1)) core_rst_n <= 1;
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
            if (active && !out[31]) results[64*out[3:0]+:64] <= {core_result, word_out} >> DW;
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

`default_nettype wire
