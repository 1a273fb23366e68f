# SPDX-License-Identifier: Apache-2.0 OR MIT
# Timing constraints of every core in this folder, in chips. Set hight_period (ns) before this file is read.
#
# An OR gates a clock while the clock is high, so the inputs that reach a gate (rst_ni, stall_i, dec_i) must be stable
# while the clock is low: the clock gating check demands them before the falling edge. Where HIGHT_ICG is defined there
# is no such demand; set hight_icg to 1, and all inputs have until shortly before the rising edge.

if {![info exists hight_period]} { set hight_period 10.0 }
if {![info exists hight_icg]} { set hight_icg 0 }

create_clock -name hight_clk -period $hight_period [get_ports clk_i]

# The flip-flops around the core drive its inputs: control within 20 % of a period after the rising edge and, like
# everything with HIGHT_ICG, data within 60 %. They take the outputs up to 20 % before the next rising edge.
set early [get_ports {rst_ni stall_i dec_i}]
set late [get_ports {key_i* data_i*}]
set_input_delay -clock hight_clk -min 0 [get_ports {rst_ni stall_i dec_i key_i* data_i*}]
set_input_delay -clock hight_clk -max [expr {($hight_icg ? 0.6 : 0.2) * $hight_period}] $early
set_input_delay -clock hight_clk -max [expr {0.6 * $hight_period}] $late
set_output_delay -clock hight_clk -max [expr {0.2 * $hight_period}] [all_outputs]
set_clock_gating_check -setup 0 -hold 0 [get_clocks hight_clk]
