#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows whose first column has a name that looks like the beginning of JSON, of a compressed file or of a file
# with a byte order mark can be read again, or are refused.
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
printf '{"results":[{"command":"a","times":[1],"parameters":{"\\ufeffstatus":"2"}}]}\n' >hyperfine.json
bench-convert -f hyperfine hyperfine.json >out.csv
like "$(head -n 1 out.csv)" ',_.*status,sample,' 'a parameter whose name begins with a byte order mark gets an underscore'
is "$(bench-convert out.csv)" "$(cat out.csv)" 'bench-convert reads rows again that have a parameter with a byte order mark'
printf 'metric,value,\357\273\277status\nwall,1,ok\n' >in.csv
printf '[{"metric":"wall","value":1,"\\ufeffstatus":"ok"}]\n' >in.json
for file in in.csv in.json; do
	status 2 "bench-convert refuses a later column of $file with a byte order mark" bench-convert "$file"
	is "$(cat "$T/.err")" "bench-convert: $file:1: the name of column 3 of the header begins with a byte order mark" \
		"the message names the column of $file"
done
done_testing
