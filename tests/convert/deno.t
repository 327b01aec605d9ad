#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the benchmarks of Deno.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
bench-convert "$data/deno.json" | sed 's/"sort, 64"/sort 64/' >rows.csv
is "$(columns bench,group,iterations,metric,unit,value,status <rows.csv | sed -n '1,7p')" 'url parse,,646529,wall,ns,774,ok
url parse,,,wall_min,ns,190,ok
url parse,,,wall_p75,ns,361,ok
url parse,,,wall_p99,ns,681,ok
url parse,,,wall_max,ns,26746220,ok
throws,,,wall,ns,,failed
sort 64,sort,455,wall,ns,25149,ok' 'bench-convert reads the statistics of deno bench, and benchmarks that failed'
is "$(columns kind,origin <rows.csv | sort -u)" 'function,file:///home/user/b.ts' \
	'the file of a benchmark of Deno is a factor'
done_testing
