#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the CSV of hyperfine.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

csv=$data/hyperfine-parameters.csv
is "$(bench-convert "$csv" | columns kind,bench,n,s,sample,iterations,metric,unit,value | head -7)" \
	'command,echo {n} 1 a{s},1,a,,,wall,ns,1651320.5
command,echo {n} 1 a{s},1,a,,,wall_sd,ns,64116.90738409029
command,echo {n} 1 a{s},1,a,,,wall_median,ns,1651320.5
command,echo {n} 1 a{s},1,a,,,user,ns,1363500
command,echo {n} 1 a{s},1,a,,,sys,ns,0
command,echo {n} 1 a{s},1,a,,,wall_min,ns,1605983
command,echo {n} 1 a{s},1,a,,,wall_max,ns,1696658.0000000002' 'bench-convert reads each statistic of the CSV of hyperfine in ns'
is "$(bench-convert "$csv" | grep -c '^command,"echo x, ""y""",2,b,')" 7 'bench-convert reads quoted commands of the CSV of hyperfine'
printf '%s\n' command,mean,stddev,median,user,system,min,max true,0.5,0,0.5,,0.1,0.5,0.5 >one.csv
is "$(bench-convert one.csv | columns metric,value)" 'wall,500000000
wall_median,500000000
sys,100000000
wall_min,500000000
wall_max,500000000' 'bench-convert reads no deviation of a single run, and no empty field, from the CSV of hyperfine'
sed '2s/,0.5,0,/,0.5,fast,/' one.csv >bad.csv
status 2 'bench-convert rejects a text in a column of numbers of hyperfine' bench-convert bad.csv
is "$(cat "$T/.err")" "bench-convert: bad.csv:2: stddev: 'fast' is not a decimal number" \
	'the message about a text in a column of hyperfine names the line and the column'
sed '2s/$/,1/' one.csv >bad.csv
status 2 'bench-convert rejects a row of hyperfine with too many fields' bench-convert bad.csv
done_testing
