#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-report writes a page of very many subjects without delay, and says what it leaves out.
. "${0%/*}/../lib/tap.sh"

# many N: samples of N subjects
many() {
	awk -v n="$1" 'BEGIN { print "bench,n,metric,unit,value"
		for (i = 0; i < n; i++) print "x," i ",wall,ns," 1e6 + i * 7919 % 10007 }'
}

many 20000 >many.csv
status 0 "bench-report writes a page of 20000 subjects in less than a minute" \
	timeout 60 bench-report -o many.html many.csv
like "$(cat many.html)" '20000 subjects are too many to compare on a page' \
	"the page says that very many subjects are not compared"
many 100 | bench-report -o few.html -
unlike "$(cat few.html)" 'too many to compare' "the page compares a hundred subjects"

for i in $(seq 100); do many 2 >"part$i.csv"; done
# shellcheck disable=SC3045 # all shells of Linux have -n
few_descriptors() { (ulimit -n 64 && "$@"); }
ok 'bench-report reads more files than a process may have open' \
	few_descriptors bench-report -o parts.html part*.csv
done_testing
