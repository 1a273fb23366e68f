// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT with D = 1, 2, 4 or 8 bits a clock.  README.md explains the idea, the ports, and how to load and unload.
//
// A round pairs a byte A, which passes unchanged, with a byte B, to which it adds F(A).  B becomes an A of the next
// round and A becomes a B.  In encryption the bytes A are the even ones, upwards, and B the odd ones.  In decryption A
// are the odd ones, downwards.
//
//              +------- encrypting, last byte of a round: E holds, F takes it ------+
//              |                                                                    v
//   new ---> E [23:0] ----------------------------------------------------------> F [7:0] ---> O [31:0] ---> x
//    ^                                                                               |            |          |
//    |                                  a window of 8 bits, over what is still in F and what      |          |
//    |                                  is in O already: the byte A, rotated by any amount        |          |
//    |                                                                               |                       |
//    +-- x + (F1 ^ SK)   slots 0 and 2 (decrypting: x - (F1 ^ SK) in 1 and 3)  <-- F0, F1 of A               |
//    +-- x ^ (F0 + SK)   slots 1 and 3 (0 and 2)  <----------------------------------------------------------+
//
// In decryption E never holds.  Instead the first x of a round is the last A of the previous round: O [31:24] gives it,
// and O [23:0] holds.
//
// A slot is the time of a byte: T = 8/D clocks.  A window is four slots: a round, or the way in, or the way out.
//
//   window   rounds  count            text                         keys
//   in       0       10               data_i to E and O, whitened  upper ring
//   round    1       00, 01, 11, 10   one round, 32 windows        two windows lower, two upper
//   out      0       00               data_o, whitened             lower ring
//
// A ring that is in use turns as its bytes are used.  A ring at rest turns too, except for one slot, and in this way the
// bytes of the key move by one place, as the key schedule demands.  In decryption everything runs backwards through
// bytes that were loaded backwards, so the control is the same.

`default_nettype none

module hight_serial #(
    parameter D = 1,
    parameter BOTH = 0,  // with decryption
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           stall_i,
    input  wire           dec_i,
    input  wire [  D-1:0] key_i,
    input  wire [2*D-1:0] data_i,
    output wire           ready_o,
    output wire           valid_o,
    output wire [2*D-1:0] data_o
);
  localparam T = 8 / D;
  localparam [D-1:0] TOP = 1 << (D - 1);

  reg [23:0] e_q;
  reg [ 7:0] f_q;
  reg [ 7:0] o_top_q;
  reg [23:0] o_q;
  reg [63:0] lower_q, upper_q;  // MK7..MK0 and MK15..MK8
  reg [ 6:0] delta_q;
  reg [ 1:0] slot_q, count_q;
  reg        rounds_q;

  wire [31:0] o = {o_top_q, o_q};
  wire rst = ~rst_ni;
  wire dec = BOTH != 0 ? dec_i : 1'b0;
  wire clk, en;
  hight_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- The clocks of a slot.  from[n] is 1 from clock n on.  The counter is a Johnson counter, so each is one gate.
  wire [T-1:0] from;
  wire         slot_end = from[T-1];
  assign from[0] = 1'b1;
  generate
    if (T > 1) begin : g_clocks
      localparam J = T / 2;
      reg [J-1:0] clock_q;
      wire [J:0] moved = {clock_q, ~(clock_q[J-1] | rst)};
      wire unused = moved[J];
      always @(posedge clk) if (en) clock_q <= moved[J-1:0];
      genvar n;
      for (n = 1; n < T; n = n + 1) begin : g_from
        if (n < J) assign from[n] = clock_q[J-1] | clock_q[n-1];
        else if (n == J) assign from[n] = clock_q[J-1];
        else assign from[n] = clock_q[J-1] & ~clock_q[n-J-1];
      end
    end
  endgenerate

  // ---- Slots and windows.
  wire last_slot = &slot_q;
  wire in = ~rounds_q & count_q[1];
  wire out = ~(rounds_q | count_q[1]);
  wire xors = slot_q[0] ^ dec;  // a byte that F0 changes
  wire pause = rounds_q & last_slot;
  wire jump = pause & ~dec;
  wire first_x = rounds_q & ~(slot_q[1] | slot_q[0]) & dec;
  wire last;  // the last round: count 10, and the delta that only this one has
  wire mid_slot = ~(slot_end | rst);
  wire clk_slot, en_slot, clk_window, en_window;
  hight_gate gate_slot (.clk_i(clk), .en_i(en), .hold_i(mid_slot), .clk_o(clk_slot), .en_o(en_slot));
  hight_gate gate_window (
      .clk_i(clk), .en_i(en), .hold_i(~(slot_end & last_slot | rst)), .clk_o(clk_window), .en_o(en_window)
  );
  always @(posedge clk_slot) if (en_slot) slot_q <= rst ? 2'd0 : slot_q + 2'd1;
  always @(posedge clk_window)
    if (en_window) begin
      count_q  <= {rst | out | count_q[0], rounds_q & ~count_q[1]};
      rounds_q <= ~(rst | out | last);
    end

  // ---- F0 and F1.  a[7] is the first bit of the present clock and a[6] the bit below it; below bit 0 comes bit 7
  // again.
  wire [D+6:0] a;
  wire [D+6:1] pair = a[D+6:1] ^ a[D+5:0];
  wire [D-1:0] f;
  assign a[7+:D] = f_q[D-1:0];
  generate
    genvar u;
    for (u = 1; u < 8; u = u + 1) begin : g_a
      localparam N = (u + D - 1) / D;  // from clock N on the bit is in O
      if (N >= T) assign a[7-u] = f_q[8-u];
      else assign a[7-u] = from[N] ? o[32-u] : f_q[8-u];
    end
    // Both forms are the same function; the second one is smaller where there is no window.
    if (D < 8) begin : g_f
      assign f = {D{rounds_q}} & ((xors ? pair[6+:D] : pair[4+:D]) ^ (xors ? a[0+:D] : a[1+:D]));
    end else begin : g_f
      wire [D-1:0] f0 = {D{rounds_q & xors}}, f1 = {D{rounds_q & ~xors}};
      assign f = (f0 & pair[6+:D] | f1 & pair[4+:D]) ^ (f0 & a[0+:D] | f1 & a[1+:D]);
    end
  endgenerate

  // ---- Delta, which is s[n+6]..s[n] of the sequence s[n+7] = s[n+3] ^ s[n].  The register turns once in a slot (7
  // steps of 8) and takes in the feedback in its last step.  Bit 7 of delta is 0.  In decryption the state goes a step
  // back; delta_127 = delta_0.
  localparam [6:0] DELTA_0 = 7'b1011010;
  wire [D-1:0] delta;
  wire [6:0] now;  // the state in the last clock of a slot, with the turn undone
  wire [6:0] earlier = {now[5:0], now[6] ^ now[2]};
  generate
    if (D == 8) begin : g_delta
      wire start = in & last_slot;
      wire stay = ~(rst | last & last_slot);
      wire [6:0] next = dec ? earlier : {now[3] ^ now[0], now[6:1]};
      always @(posedge clk) if (en) delta_q <= {7{stay}} & next | {7{start}} & DELTA_0;
      assign now = delta_q;
      assign delta = {1'b0, delta_q};
    end else begin : g_delta
      wire [D-1:0] turn = delta_q[D-1:0] ^ (TOP & {D{slot_end & delta_q[D+2]}});
      wire [7:0] first = {DELTA_0, 1'b0};
      wire [D-1:0] start;
      if (D == 1) assign start = from[2] & ~from[3] | from[4] & ~from[6] | from[7];
      if (D == 2) assign start = from[2] ? (from[3] ? first[7:6] : first[5:4]) : from[1] ? first[3:2] : first[1:0];
      if (D == 4) assign start = from[1] ? first[7:4] : first[3:0];
      wire [6:0] next = {rounds_q ? turn : start, delta_q[6:D]};
      wire back = dec & rounds_q & slot_end;
      always @(posedge clk) if (en) delta_q <= back ? earlier : next;
      wire [13:0] turned = {delta_q, delta_q} >> (D - 1);
      wire unused = &{turned, first};
      assign now = turned[6:0];
      assign delta = delta_q[D-1:0] & {D{rounds_q}} & ~(TOP & {D{slot_end}});
    end
  endgenerate
  assign last = count_q[1] & ~count_q[0] & now[1] & ~now[2] & (BOTH != 0 ? ~now[0] & rounds_q : 1'b1);

  // ---- Keys. A ring at rest stands still for one slot.  In decryption the lower ring would have to do so before it is
  // used, and not after the last round.  At 8 bits it does.  At fewer bits the last round is known too late, so the
  // rounds read one byte lower.
  wire hold_lower = BOTH != 0 && D == 8 ? last_slot & count_q[1] & (dec ? ~(count_q[0] | last) : count_q[0])
                                   : pause & count_q[1] & count_q[0];
  wire hold_upper = pause & ~(count_q[1] | count_q[0]);
  wire clk_lower, en_lower, clk_upper, en_upper;
  hight_gate gate_lower (
      .clk_i(clk), .en_i(en), .hold_i(hold_lower), .clk_o(clk_lower), .en_o(en_lower)
  );
  hight_gate gate_upper (
      .clk_i(clk), .en_i(en), .hold_i(hold_upper), .clk_o(clk_upper), .en_o(en_upper)
  );
  always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ? upper_q[D-1:0] : key_i, upper_q[63:D]};
  always @(posedge clk_lower) if (en_lower) lower_q <= {rst_ni ? lower_q[D-1:0] : upper_q[D-1:0], lower_q[63:D]};
  wire [D-1:0] key_lower = D < 8 & dec & rounds_q ? lower_q[24+:D] : lower_q[32+:D];
  wire [D-1:0] key_upper = rounds_q & ~dec ? upper_q[40+:D] : upper_q[32+:D];
  wire [D-1:0] key = count_q[1] ? key_upper : key_lower;

  // ---- Adders: SK = key + delta, and then x + (F1 ^ SK) or x ^ (F0 + SK), or in decryption x - (F1 ^ SK).  One chain
  // of carries or borrows serves all three.
  wire [D-1:0] x = in ? data_i[D-1:0] : first_x ? o[24+:D] : o[D-1:0];
  wire [D-1:0] sk, made;
  // verilator lint_off UNOPTFLAT
  wire [D:0] sk_carry, carry;
  // verilator lint_on UNOPTFLAT
  generate
    genvar i;
    for (i = 0; i < D; i = i + 1) begin : g_add
      if (D == 8 && i == 0) assign {sk_carry[1], sk[0]} = {key[0] & delta[0], key[0] ^ delta[0]};
      else if (D == 8 && i == 7) assign {sk_carry[8], sk[7]} = {1'b0, key[7] ^ sk_carry[7]};
      else hight_add add_delta (.a_i(key[i]), .b_i(delta[i]), .c_i(sk_carry[i]), .s_o(sk[i]), .c_o(sk_carry[i+1]));
      wire f_sk = f[i] ^ sk[i];
      wire half = x[i] ^ f_sk;
      assign made[i] = half ^ carry[i];
      assign carry[i+1] = xors ? f[i] & sk[i] | f_sk & carry[i] : (x[i] ^ dec) & f_sk | (half ^ dec) & carry[i];
    end
    if (D == 8) begin : g_carry
      assign sk_carry[0] = 1'b0;
      assign carry[0] = 1'b0;
    end else begin : g_carry
      reg sk_carry_q, carry_q;
      always @(posedge clk)
        if (en) begin
          sk_carry_q <= sk_carry[D] & mid_slot;
          carry_q    <= carry[D] & mid_slot;
        end
      assign sk_carry[0] = sk_carry_q;
      assign carry[0] = carry_q;
    end
  endgenerate

  // ---- Text.
  wire [D-1:0] to_f = jump ? made : e_q[D-1:0];
  wire [D-1:0] to_o = in ? data_i[2*D-1:D] : f_q[D-1:0];
  wire clk_e, en_e, clk_o, en_o;
  hight_gate gate_e (.clk_i(clk), .en_i(en), .hold_i(jump), .clk_o(clk_e), .en_o(en_e));
  generate
    if (BOTH != 0) begin : g_wait
      hight_gate gate_o (.clk_i(clk), .en_i(en), .hold_i(first_x), .clk_o(clk_o), .en_o(en_o));
    end else begin : g_wait
      assign {clk_o, en_o} = {clk, en};
    end
    if (D == 8) begin : g_bytes
      always @(posedge clk) if (en) f_q <= to_f;
      always @(posedge clk) if (en) o_top_q <= to_o;
    end else begin : g_bytes
      always @(posedge clk) if (en) f_q <= {to_f, f_q[7:D]};
      always @(posedge clk) if (en) o_top_q <= {to_o, o_top_q[7:D]};
    end
  endgenerate
  always @(posedge clk_e) if (en_e) e_q <= {made, e_q[23:D]};
  always @(posedge clk_o) if (en_o) o_q <= {o_top_q[D-1:0], o_q[23:D]};

  wire unused = &{dec_i, o, pair, delta, sk_carry, carry};
  assign ready_o = in;
  assign valid_o = out;
  assign data_o  = {f_q[D-1:0], made};
endmodule

`default_nettype wire
