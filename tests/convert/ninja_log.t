#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the log of builds of ninja.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

log=$ROOT/tests/fixtures/data/convert/ninja-log.txt
is "$(bench-convert "$log" | columns bench,sample,metric,unit,value)" 'b.o,0,wall,ns,21000000
c.o,0,wall,ns,41000000
a.o,0,wall,ns,15396000000
b.o,1,wall,ns,28000000
c.o,1,wall,ns,19000000
a.o,1,wall,ns,2996000000' 'bench-convert reads each command of .ninja_log once, and each build as a sample'
printf '# ninja log v6\n5\t5\t1\tx\tab\n' >fast.txt
is "$(bench-convert fast.txt | columns bench,value,status)" x,,skipped \
	'bench-convert reads a time of ninja that was rounded to 0 as missing'
for line in '9\t5\t1\tx\tab' '1\t5\t1\tx' '1,2\t5\t1\tx\tab'; do
	# shellcheck disable=SC2059 # it is a format
	{ cat "$log" && printf "$line\\n"; } >damaged.txt
	is "$(bench-convert damaged.txt 2>&1)" 'bench-convert: damaged.txt:10: no times, output and hash: the file is damaged' \
		"bench-convert rejects a line of .ninja_log that is damaged: $line"
done
printf '# ninja log v4\n0\t5\t1\tx\tab\n' >old.txt
is "$(bench-convert old.txt 2>&1)" 'bench-convert: old.txt:1: no log of ninja of version 5 or later' \
	'bench-convert rejects an old version of .ninja_log'
done_testing
