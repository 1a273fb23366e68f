# SPDX-License-Identifier: Apache-2.0 OR MIT
# Timing constraints of every core in this folder, in chips. Set haechi_period (ns) before this file is read.
#
# An OR gates a clock while the clock is high, so the inputs that reach a gate (rst_ni, stall_i, dec_i) must be stable
# while the clock is low: the clock gating check demands them before the falling edge. Where HAECHI_ICG is defined there
# is no such demand; set haechi_icg to 1, and all inputs have until shortly before the rising edge.

if {![info exists haechi_period]} { set haechi_period 10.0 }
if {![info exists haechi_icg]} { set haechi_icg 0 }

create_clock -name haechi_clk -period $haechi_period [get_ports clk_i]

# The flip-flops around the core drive its inputs: control within 20 % of a period after the rising edge and, like
# everything with HAECHI_ICG, data within 60 %. They take the outputs up to 20 % before the next rising edge.
set early [get_ports {rst_ni stall_i dec_i}]
set late [get_ports {key_i* data_i*}]
set_input_delay -clock haechi_clk -min 0 [get_ports {rst_ni stall_i dec_i key_i* data_i*}]
set_input_delay -clock haechi_clk -max [expr {($haechi_icg ? 0.6 : 0.2) * $haechi_period}] $early
set_input_delay -clock haechi_clk -max [expr {0.6 * $haechi_period}] $late
set_output_delay -clock haechi_clk -max [expr {0.2 * $haechi_period}] [all_outputs]
set_clock_gating_check -setup 0 -hold 0 [get_clocks haechi_clk]
