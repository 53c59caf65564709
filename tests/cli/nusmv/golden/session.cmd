# A session that NuSMV 2.6 answers with the same lines.
check_invar
read_model
check_invar
read_model
flatten_hierarchy
show_vars
show_vars -D; show_vars -i -t; show_vars -s -V
flatten_hierarchy
encode_variables
check_invar
build_model
build_model
show_traces
print_current_state
simulate -k 2
check_property -n 0
check_invar -n 0
check_invar -n 99
check_invar -n x
check_invar -P nope
check_invar -P low
check_invar -p "x < 9"
check_invar -p "x +"
check_ctlspec -p "AG b"
show_property
show_property -f
show_property -s
show_traces
show_traces -v 2
show_traces 2.2
show_traces 2.2:3
show_traces -t
show_traces 9
show_traces -p 2
show_traces -p 3
show_traces -p 4
show_traces -p 5
show_traces -p 7
show_plugins
print_reachable_states
check_fsm
compute_reachable
print_fair_states
pick_state -c "x = 1"
pick_state -c "b"
print_current_state -v
simulate -k 2 -v -c "go"
simulate -k 1 -t "next(x) = 0"
goto_state 9.9
goto_state 3.2
show_traces -t
dynamic_var_ordering
set counter_examples 0
check_ctlspec -p "AG x = 0"
set counter_examples
set nosuch 3; echo $nosuch; unset nosuch; unset nosuch
set verbose_level x
alias st show_traces; st -t; unalias st; st
bogus
echo one  "two three"
reset
check_invar
quit
