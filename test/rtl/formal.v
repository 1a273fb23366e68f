// SPDX-License-Identifier: Apache-2.0 OR MIT
// The specification of one round, and the states that a core must be in before and after it.
//
// x is the state X7..X0 of the standard before round i, and y the state after it.  A core begins in the state that
// belongs to (x, mk, i), runs for one round, and must then be in the state that belongs to (y, mk, i + 1), or produce
// the ciphertext.  Together with the input of a block this is an induction over all 32 rounds.

`default_nettype none

module formal (
    input wire         clk_i,
    input wire [ 63:0] x,
    input wire [127:0] mk,
    input wire [  4:0] i
);
  // The chosen values do not change.
  reg [63:0] x_q;
  reg [127:0] mk_q;
  reg [4:0] i_q;
  always @(posedge clk_i) {x_q, mk_q, i_q} <= {x, mk, i};
  always @* assume (x == x_q && mk == mk_q && i == i_q);

  // ---- The standard.
  function [7:0] f0(input [7:0] a);
    f0 = {a[6:0], a[7]} ^ {a[5:0], a[7:6]} ^ {a[0], a[7:1]};
  endfunction
  function [7:0] f1(input [7:0] a);
    f1 = {a[4:0], a[7:5]} ^ {a[3:0], a[7:4]} ^ {a[1:0], a[7:2]};
  endfunction
  function [134*7-1:0] all_deltas(input dummy);
    integer n;
    reg [6:0] s;
    begin
      s = 7'b1011010;
      for (n = 0; n < 134; n = n + 1) begin
        all_deltas[7*n+:7] = s;
        s = {s[3] ^ s[0], s[6:1]};
      end
    end
  endfunction
  localparam [134*7-1:0] DELTAS = all_deltas(1'b0);
  function [7:0] mk_byte(input [127:0] key, input high, input [2:0] n);
    mk_byte = key[8*{high, n}+:8];
  endfunction
  wire [2:0] g = i[4:2];
  wire [7:0] sk0 = mk_byte(mk, i[1], {i[0], 2'd0} - g) + {1'b0, DELTAS[28*i+:7]};
  wire [7:0] sk1 = mk_byte(mk, i[1], {i[0], 2'd1} - g) + {1'b0, DELTAS[28*i+7+:7]};
  wire [7:0] sk2 = mk_byte(mk, i[1], {i[0], 2'd2} - g) + {1'b0, DELTAS[28*i+14+:7]};
  wire [7:0] sk3 = mk_byte(mk, i[1], {i[0], 2'd3} - g) + {1'b0, DELTAS[28*i+21+:7]};
  wire [63:0] y = {
    x[55:48], x[47:40] + (f1(x[39:32]) ^ sk2), x[39:32], x[31:24] ^ (f0(x[23:16]) + sk1),
    x[23:16], x[15:8] + (f1(x[7:0]) ^ sk0), x[7:0], x[63:56] ^ (f0(x[55:48]) + sk3)
  };
  wire [63:0] cipher = {
    y[7:0], y[63:56] ^ mk[31:24], y[55:48], y[47:40] + mk[23:16], y[39:32], y[31:24] ^ mk[15:8], y[23:16],
    y[15:8] + mk[7:0]
  };
  wire [63:0] plain = {
    x[63:56], x[55:48] ^ mk[127:120], x[47:40], x[39:32] - mk[119:112], x[31:24], x[23:16] ^ mk[111:104], x[15:8],
    x[7:0] - mk[103:96]
  };

  // ---- States: even and odd bytes, keys turned, delta, count.
  function [31:0] even(input [63:0] z);
    even = {z[55:48], z[39:32], z[23:16], z[7:0]};
  endfunction
  function [31:0] odd(input [63:0] z);
    odd = {z[63:56], z[47:40], z[31:24], z[15:8]};
  endfunction
  function [63:0] turned(input [63:0] half, input [2:0] n);  // byte k is byte k + n
    turned = {half, half} >> {n, 3'd0};
  endfunction
  wire [31:0] even_x = even(x), odd_x = odd(x), even_y = even(y), odd_y = odd(y);
  wire ones = 1'b1;

  // ---- Before and after the round of the core.  Encryption goes from x and i to y and i + 1, decryption backwards.
`ifdef DEC
  localparam DEC = 1;
  wire [63:0] from = y, to = x;
  wire [4:0] k = i - 5'd1;
  wire last = ~|i;
  wire [63:0] block = plain;
  wire [1:0] count_from = {~i[1], i[1] ^ i[0]}, count_to = {~k[1], k[1] ^ k[0]};
`else
  localparam DEC = 0;
  wire [63:0] from = x, to = y;
  wire [4:0] k = i + 5'd1;
  wire last = &i;
  wire [63:0] block = cipher;
  wire [1:0] count_from = {i[1], i[1] ^ i[0]}, count_to = {k[1], k[1] ^ k[0]};
`endif

`ifdef ROUND
  wire [6:0] delta_from = DELTAS[28*i+:7], delta_to = DELTAS[28*k+:7];
  wire [63:0] lower_from = turned(mk[63:0], -g), upper_from = turned(mk[127:64], -g);
  wire [63:0] lower_to = turned(mk[63:0], -k[4:2]), upper_to = turned(mk[127:64], -k[4:2]);
  function [31:0] b_of(input [63:0] z);
    b_of = DEC ? {z[7:0], z[55:48], z[39:32], z[23:16]} : odd(z);
  endfunction
  wire [31:0] a_from = DEC ? odd(from) : even(from), a_to = DEC ? odd(to) : even(to);
  wire [31:0] b_from = b_of(from), b_to = b_of(to);
  wire [63:0] result;
  wire valid;
  hight_round #(.BOTH(DEC), .STALL(0)) core (
      .clk_i(clk_i), .rst_ni(1'b1), .stall_i(1'b0), .dec_i(1'b1), .key_i(8'd0), .data_i(64'd0), .ready_o(),
      .valid_o(valid), .data_o(result)
  );
`endif

`ifdef SERIAL
`ifdef DEC  // A the odd bytes, downwards
  function [63:0] reversed(input [63:0] half);
    reversed = {half[7:0], half[15:8], half[23:16], half[31:24], half[39:32], half[47:40], half[55:48], half[63:56]};
  endfunction
  wire [63:0] lower = reversed(mk[127:64]), upper = reversed(mk[63:0]);
  function [2:0] lower_turn(input [4:0] n);
    if (`SERIAL == 8) lower_turn = n[4:2] - 3'd4 + {~n[0], 2'd0};
    else lower_turn = n[4:2] - 3'd3 + (n[1:0] == 2 ? 3'd4 : n[1:0] == 0 ? 3'd3 : 3'd0);
  endfunction
  function [2:0] upper_turn(input [4:0] n);
    upper_turn = n[4:2] - 3'd3 + (n[1:0] == 3 ? 3'd0 : n[1:0] == 1 ? 3'd7 : 3'd3);
  endfunction
  wire [6:0] delta_from = DELTAS[28*i+21+:7], delta_to = DELTAS[28*k+21+:7];
  function [31:0] a_of(input [63:0] z);
    a_of = {z[15:8], z[31:24], z[47:40], z[63:56]};
  endfunction
  function [31:0] b_of(input [63:0] z);
    b_of = {z[7:0], z[23:16], z[39:32], z[55:48]};
  endfunction
`else
  wire [63:0] lower = mk[63:0], upper = mk[127:64];
  function [2:0] lower_turn(input [4:0] n);
    lower_turn = {n[1:0] == 1 ? 3'd0 : n[1:0] == 3 ? 3'd7 : 3'd4} - n[4:2];
  endfunction
  function [2:0] upper_turn(input [4:0] n);
    upper_turn = {n[1:0] == 0 ? 3'd4 : n[1:0] == 2 ? 3'd3 : 3'd7} - n[4:2];
  endfunction
  wire [6:0] delta_from = DELTAS[28*i+:7], delta_to = DELTAS[28*k+:7];
  function [31:0] a_of(input [63:0] z);
    a_of = even(z);
  endfunction
  function [31:0] b_of(input [63:0] z);
    b_of = odd(z);
  endfunction
`endif
  wire [63:0] lower_from = turned(lower, lower_turn(i)), upper_from = turned(upper, upper_turn(i));
  wire [63:0] lower_to = turned(lower, lower_turn(k)), upper_to = turned(upper, upper_turn(k));
  wire [23:0] e_from, e_to, o_from, o_to;
  wire [7:0] f_from, f_to, top_from, top_to;
  assign {e_from, f_from} = a_of(from);
  assign {e_to, f_to} = a_of(to);
  assign {top_from, o_from} = b_of(from);
  assign {top_to, o_to} = b_of(to);
  hight_serial #(.D(`SERIAL), .BOTH(DEC), .STALL(0)) core (
      .clk_i(clk_i), .rst_ni(1'b1), .stall_i(1'b0), .dec_i(1'b1), .key_i({`SERIAL{1'b0}}),
      .data_i({`SERIAL{2'b0}}), .ready_o(), .valid_o(), .data_o()
  );
`endif

`ifdef LATCH
  // Row 7 of a store is the byte that is used next, row 6 the one after it, and so on.
  function [2:0] lower_turn(input [4:0] n);
    lower_turn = (n[1:0] == 0 ? 3'd0 : n[1:0] == 1 ? 3'd4 : 3'd7) - n[4:2];
  endfunction
  function [2:0] upper_turn(input [4:0] n);
    upper_turn = (n[1:0] == 3 ? 3'd4 : 3'd0) - n[4:2];
  endfunction
  wire [63:0] lower_from = turned(mk[63:0], lower_turn(i)), upper_from = turned(mk[127:64], upper_turn(i));
  wire [63:0] lower_to = turned(mk[63:0], lower_turn(k)), upper_to = turned(mk[127:64], upper_turn(k));
  wire [7:0] s_from = i[1] ? upper_from[7:0] : lower_from[7:0], s_to = k[1] ? upper_to[7:0] : lower_to[7:0];
  wire [23:0] e_from = even_x[31:8], e_to = even_y[31:8];
  wire [7:0] f_from = even_x[7:0], f_to = even_y[7:0];
  wire [31:0] o_from = odd_x, o_to = odd_y;
  wire [6:0] delta_from = DELTAS[28*i+:7], delta_to = DELTAS[28*k+:7];
  wire [1:0] window_from = i[1:0], window_to = k[1:0];
  hight_latch #(.STALL(0)) core (
      .clk_i(clk_i), .rst_ni(1'b1), .stall_i(1'b0), .dec_i(1'b0), .key_i(2'b0), .data_i(2'b0), .ready_o(), .valid_o(),
      .data_o()
  );
`endif
endmodule

`default_nettype wire
