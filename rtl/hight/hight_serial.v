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
//
// Each duty is a module of its own: hight_serial_control, _text, _f, _delta, _keys, _adders and _port.  With PLAIN = 1, the
// port is D bits wide and has the bytes in order; a slot of the way in and of the way out then takes twice as long.

`default_nettype none

module hight_serial #(
    parameter D = 1,
    parameter BOTH = 0,  // with decryption
    parameter PLAIN = 0,  // D bits of a block at once, instead of two lanes
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           stall_i,
    input  wire           dec_i,
    input  wire [  D-1:0] key_i,
    input  wire [D*(2-PLAIN)-1:0] data_i,
    output wire           ready_o,
    output wire           valid_o,
    output wire [D*(2-PLAIN)-1:0] data_o
);
  wire dec = BOTH != 0 ? dec_i : 1'b0;
  wire rst = ~rst_ni;
  wire clk_all, en_all, clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk_all), .en_o(en_all));

  wire [8/D-1:0] from;
  wire slot_end, mid_slot, last_slot, xors, pause, jump, first_x, rounds, in, out, last;
  wire [1:0] count;
  wire slot_waits;
  hight_serial_control #(.D(D)) control (
      .clk_i(clk_all), .en_i(en_all), .rst_i(rst), .dec_i(dec), .last_i(last), .wait_i(slot_waits), .from_o(from), .slot_end_o(slot_end),
      .mid_slot_o(mid_slot), .last_slot_o(last_slot), .xors_o(xors), .pause_o(pause), .jump_o(jump),
      .first_x_o(first_x), .count_o(count), .rounds_o(rounds), .in_o(in), .out_o(out)
  );

  wire [D-1:0] x, made;
  wire [2*D-1:0] data, result;
  generate
    if (PLAIN != 0) begin : g_port
      hight_serial_port #(.D(D)) bytes (
          .clk_i(clk_all), .en_i(en_all), .rst_i(rst), .slot_end_i(slot_end), .in_i(in), .out_i(out), .data_i(data_i),
          .data_o(data_o), .lanes_o(data), .lanes_i(result), .slot_waits_o(slot_waits), .clk_o(clk), .en_o(en)
      );
    end else begin : g_port
      assign {clk, en, slot_waits} = {clk_all, en_all, 1'b0};
      assign data = data_i;
      assign data_o = result;
    end
  endgenerate

  wire [7:0] f_byte, o_top;
  hight_serial_text #(.D(D), .BOTH(BOTH)) text (
      .clk_i(clk), .en_i(en), .in_i(in), .jump_i(jump), .first_x_i(first_x), .data_i(data), .made_i(made), .x_o(x),
      .f_o(f_byte), .o_top_o(o_top)
  );

  wire [D-1:0] f;
  hight_serial_f #(.D(D)) f0_f1 (
      .from_i(from), .rounds_i(rounds), .xors_i(xors), .f_i(f_byte), .o_top_i(o_top), .f_o(f)
  );

  wire [D-1:0] delta;
  hight_serial_delta #(.D(D), .BOTH(BOTH)) deltas (
      .clk_i(clk), .en_i(en), .rst_i(rst), .dec_i(dec), .from_i(from), .slot_end_i(slot_end), .last_slot_i(last_slot),
      .count_i(count), .rounds_i(rounds), .in_i(in), .delta_o(delta), .last_o(last)
  );

  wire [D-1:0] key;
  hight_serial_keys #(.D(D), .BOTH(BOTH)) keys (
      .clk_i(clk), .en_i(en), .rst_ni(rst_ni), .dec_i(dec), .last_slot_i(last_slot), .pause_i(pause), .last_i(last),
      .count_i(count), .rounds_i(rounds), .key_i(key_i), .key_o(key)
  );

  hight_serial_adders #(.D(D)) adders (
      .clk_i(clk), .en_i(en), .dec_i(dec), .mid_slot_i(mid_slot), .xors_i(xors), .key_i(key), .delta_i(delta), .f_i(f),
      .x_i(x), .made_o(made)
  );

  wire unused = dec_i;
  assign ready_o = in;
  assign valid_o = out;
  assign result  = {f_byte[D-1:0], made};
endmodule

`default_nettype wire
