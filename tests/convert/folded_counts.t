#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of folded stacks with two counts in each line.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
status 2 'bench-convert rejects folded stacks with two counts' bench-convert "$data/folded-difference.txt"
like "$(cat "$T/.err")" 'folded-difference.txt: two counts in each line, as difffolded.pl writes them: convert the two profiles' \
	'the message about two counts says what to convert'
is "$(wc -c <"$T/.out")" 0 'bench-convert writes nothing of folded stacks with two counts'
printf 'main;case 7 3\nmain;other 4\n' >frame.folded
is "$(bench-convert frame.folded)" 'kind,stack,sample,metric,unit,value
command,main;case 7,0,samples,1,3
command,main;other,0,samples,1,4' 'bench-convert reads a frame that ends in a number'
done_testing
