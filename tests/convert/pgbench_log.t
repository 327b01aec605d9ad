#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -f pgbench-log reads the log of transactions of pgbench -l.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
read_log() { bench-convert -f pgbench-log "$1"; }
is "$(read_log "$data/pgbench-log.txt" | columns time,script,process,sample,metric,unit,value,status | sed -n '1,4p;$p')" \
	'2026-11-29T00:01:56.821783000Z,0,1,0,latency,ns,4582000,ok
2026-11-29T00:01:56.826387000Z,0,1,1,latency,ns,,skipped
2026-11-29T00:01:56.821698000Z,0,0,0,latency,ns,5465000,ok
2026-11-29T00:01:56.826668000Z,0,1,2,latency,ns,572000,ok
2026-11-29T00:01:56.854877000Z,0,1,7,latency,ns,404000,ok' \
	'bench-convert reads the transactions of pgbench -l, and those that were skipped'
is "$(read_log "$data/pgbench-log-failures.txt" | columns process,sample,value,status,x_message | sed -n '11,13p;20p')" \
	'0,2,3429000,ok,
1,0,,failed,serialization
3,8,,failed,serialization
2,1,,failed,serialization' 'bench-convert reads transactions of pgbench -l that failed as failed'
is "$(read_log "$data/pgbench-log-failures.txt" | grep -c .)" 21 'bench-convert reads every transaction of pgbench -l'
status 2 'bench-convert reads the log of pgbench only if -f names its format' bench-convert "$data/pgbench-log.txt"
is "$(echo '0 1 0 0 1795910514 591890' | bench-convert -f pgbench-log - | columns value,status)" ,skipped \
	'bench-convert reads a latency that pgbench -l rounded to 0 as missing'
for line in '0 1 4392 0 1795910514' '0 1 4392 0 1795910514 591890 0 0 0' '0 1 slow 0 1795910514 591890' \
	'x 1 4392 0 1795910514 591890' '0 1 4392 0 1795910514 1000000' '0 1 -4392 0 1795910514 591890' \
	'0 1 4392 0 9795910514000000000 591890' '0 1 9223372036854775807 0 1795910514 591890' \
	'0 1 1795910516 3416 89 3416' \
	'1795910512 8 23956 141527764 940 10385 3898 6485212 96 2425 0 0 0 0 0'; do
	{ head -n 2 "$data/pgbench-log.txt" && echo "$line"; } >bad.txt
	status 2 "bench-convert -f pgbench-log rejects the line '$line'" bench-convert -f pgbench-log bad.txt
	is "$(cat "$T/.err")" 'bench-convert: bad.txt:3: not a transaction in the log of pgbench -l (--aggregate-interval is not read)' \
		"bench-convert reports the place of the line '$line'"
done
head -c 50 "$data/pgbench-log.txt" >cut.txt
status 2 'bench-convert rejects a log of pgbench that ends within a line' bench-convert -f pgbench-log cut.txt
done_testing
