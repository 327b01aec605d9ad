#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows whose first column has a name that looks like the beginning of JSON or of a compressed file can be
# read again.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

for name in '{}' '[]' '[[' '[{' '{'; do
	printf 'metric,value,%s\nwall,1,x\n' "$name" >in.csv
	bench-convert in.csv >out.csv
	is "$(bench-convert out.csv)" "$(cat out.csv)" "bench-convert reads rows again whose first column is $name"
	is "$(bench-convert -t json out.csv | bench-convert - -t csv)" "$(cat out.csv)" \
		"bench-convert keeps the column $name in JSON"
done
printf 'metric,value,size\nwall,1,[1]\n' >in.csv
is "$(bench-convert in.csv)" 'size,metric,unit,value
[1],wall,,1' 'bench-convert does not quote a cell in brackets that is not the beginning of rows in JSON'
printf 'metric,value,\037\213x\nwall,1,a\n' >in.csv
bench-convert in.csv >out.csv
is "$(bench-convert out.csv | cksum)" "$(cksum <out.csv)" 'bench-convert reads rows again whose first column begins as compressed files do'
done_testing
