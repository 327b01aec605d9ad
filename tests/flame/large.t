#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Flame graphs of very many frames are cut, and say so; the table of functions has all functions.
. "${0%/*}/../lib/tap.sh"

header=bench,stack,metric,unit,value,status
# deep LEVELS FUNCTIONS: two stacks of a recursion through functions
deep() {
	awk -v n="$1" -v names="$2" -v header=$header 'BEGIN { print header
		for (k = 1; k <= 2; k++) {
			s = "main"
			for (i = 0; i < n; i++) s = s ";f" i % names "_" (i < n / 2 ? 0 : k)
			print "b," s ",samples,1," k ",ok"
		} }'
}
frames() { grep -c '^<g class="f[" ]' "$1"; }

deep 498 3 >shallow.csv
bench-plot flame -o shallow.svg shallow.csv
is "$(frames shallow.svg)" 749 "a flame graph of 500 levels is complete"
unlike "$(grep '<desc>' shallow.svg)" 'left out' "a complete flame graph has no statement about frames that are left out"
deep 499 3 >deeper.csv
bench-plot flame -o deeper.svg deeper.csv
like "$(grep '<desc>' deeper.svg)" '; 2 narrower or deeper frames left out' "a flame graph has at most 500 levels and counts the deeper frames"
# 300 stacks of 100 frames, all of the same width
awk -v header=$header 'BEGIN { print header
	for (k = 0; k < 300; k++) {
		s = "main"
		for (i = 0; i < 100; i++) s = s ";s" k "_" i
		print "b," s ",samples,1,1,ok"
	} }' >many.csv
bench-plot flame -o many.svg many.csv
is "$(frames many.svg)" 20001 "a flame graph has at most 20,000 frames and the root"
like "$(grep '<desc>' many.svg)" '; 10001 narrower or deeper frames left out' "a flame graph counts the frames beyond 20,000"
is "$(sed -n 's/.*<rect x="[0-9.]*" y="\([0-9]*\)".*/\1/p' many.svg | sort -n | uniq -c | awk '{ print $1 }' | sort -n | uniq -c | tr -s ' \n' ' ')" \
	' 2 1 1 199 66 300 ' "no frame is left out before its callees"
is "$(bench-plot flame --functions -q many.csv | grep -c '^s0_')" 100 "the table of functions includes functions whose frames are left out"

printf '%s\n' $header 'b,main;f,samples,1,5,ok' 'b,main;g,samples,1,7,failed:exit=3' 'b,main;h,samples,1,1,timeout' >failed.csv
is "$(bench-plot flame --functions -q failed.csv 2>&1 >/dev/null)" 'bench-plot: 2 stacks of failed runs left out' \
	"bench-plot flame --functions counts the stacks of failed runs"
done_testing
