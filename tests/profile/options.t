#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Values of the options of bench-prof: those that completions offer, and those that are rejected.
. "${0%/*}/../lib/tap.sh"

is "$(bench-prof --list-options call-graph | paste -sd,)" fp,none,dwarf \
	'bench-prof lists the ways to find callers for completion'
is "$(bench-prof --list-options by | paste -sd,)" samples,event,alloc_bytes,alloc_calls,live_bytes,peak_bytes,blocked,waits,preempted \
	'bench-prof lists the metrics of --by for completion'

# rejects VALUE MESSAGE: bench-prof -g rejects the value
rejects() {
	is "$(bench-prof -g "$1" -- true 2>&1)" "bench-prof: --call-graph: $2 (see bench-prof --help)" \
		"bench-prof -g rejects '$1'"
}
rejects lbr "must be fp, none, dwarf or dwarf,SIZE, not 'lbr'"
rejects fp,8K "must be fp, none, dwarf or dwarf,SIZE, not 'fp,8K'"
rejects dwarf,64K 'the size of the copied stack must be 1K to 63K'
rejects dwarf,1 'the size of the copied stack must be 1K to 63K'
for way in fp none dwarf dwarf,1K dwarf,63K; do
	ok "bench-prof -g $way samples a command" bench-prof -q -e cpu-clock -g $way -o out.csv -- true
done
done_testing
