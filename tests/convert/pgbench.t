#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what pgbench prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# of TEST: the rows of a file
of() { bench-convert "$data/pgbench$1.txt" | columns bench,clients,t,iterations,metric,unit,value,status; }
# statements TEST: the rows of statements of a file, whose texts get no commas, for columns()
statements() { sed '/random/s/, /;/' "$data/pgbench$1.txt" | bench-convert - | columns position,metric,unit,value,status | grep '^[0-9]'; }
b='<builtin: TPC-B (sort of)>,2'
is "$(of '' | sed -n '1,4p;13,18p')" "$b,1000000000,,interval_throughput,1/s,2751,ok
$b,1000000000,,interval_latency,ns,716000,ok
$b,1000000000,,interval_latency_sd,ns,878000,ok
$b,1000000000,,interval_failed_transactions,1,0,ok
$b,,,transactions,1,6748,ok
$b,,,failed_transactions,1,0,ok
$b,,6748,latency,ns,884000,ok
$b,,,latency_sd,ns,1103000,ok
$b,,,initial_connection_time,ns,7094000,ok
$b,,,throughput,1/s,2251.920039,ok" 'bench-convert reads the progress and the summary of pgbench'
is "$(bench-convert "$data/pgbench.txt" | columns scale,query_mode,threads,max_tries | sort -u)" 1,simple,2,1 \
	'bench-convert reads the settings of pgbench'
is "$(of -rate | sed -n '5,6p;9,10p;13,14p')" "$b,1000000000,,interval_schedule_lag,ns,230000,ok
$b,1000000000,,interval_skipped_transactions,1,0,ok
$b,,,skipped_transactions,1,0,ok
$b,,,late_transactions,1,14,ok
$b,,,schedule_lag,ns,245000,ok
$b,,,schedule_lag_max,ns,4222000,ok" 'bench-convert reads the lag and the limit of pgbench --rate'
is "$(of -failures | sed -n '1,8p')" 'fail.sql,4,,,transactions,1,97,ok
fail.sql,4,,,failed_transactions,1,23,ok
fail.sql,4,,,serialization_failures,1,23,ok
fail.sql,4,,,deadlock_failures,1,0,ok
fail.sql,4,,,retried_transactions,1,49,ok
fail.sql,4,,,retries,1,84,ok
fail.sql,4,,97,latency,ns,1206000,ok
fail.sql,4,,,latency_sd,ns,1736000,ok' 'bench-convert reads how many transactions of pgbench failed'
is "$(statements -failures | sed -n '1,6p')" '1,latency,ns,,skipped
1,failures,1,0,ok
1,retries,1,0,ok
2,latency,ns,190000,ok
2,failures,1,0,ok
2,retries,1,0,ok' 'bench-convert reads the statements of pgbench -r, and latencies that it rounded to 0 as missing'
is "$(bench-convert "$data/pgbench-failures.txt" | grep -c ',3,UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid = :n;,')" 3 \
	'bench-convert reads the text of the statements of pgbench'
is "$(bench-convert "$data/pgbench-scripts.txt" | columns bench,script,position,metric,value | grep -E '(transactions|throughput|latency),' |
	grep -v ',[0-9],[0-9],')" 'multiple scripts,,,transactions,40
multiple scripts,,,failed_transactions,0
multiple scripts,,,latency,534000
multiple scripts,,,throughput,3745.66907
<builtin: simple update>,1,,transactions,32
<builtin: simple update>,1,,throughput,2996.535256
<builtin: simple update>,1,,failed_transactions,0
<builtin: simple update>,1,,latency,526000
<builtin: select only>,2,,transactions,8
<builtin: select only>,2,,throughput,749.133814
<builtin: select only>,2,,failed_transactions,0
<builtin: select only>,2,,latency,149000' 'bench-convert reads the scripts of pgbench'
is "$(of -aborted | sed -n '1p;$p')" 'err.sql,2,,,transactions,1,5,failed
err.sql,2,,,throughput,1/s,887.784091,failed' 'bench-convert reads a run of pgbench whose clients were aborted as failed'
grep -v '^pgbench: error' "$data/pgbench-aborted.txt" >aborted.txt
is "$(bench-convert aborted.txt | columns status | sort -u)" failed \
	'bench-convert reads a run of pgbench that lacks transactions as failed without its messages'
is "$(bench-convert -n b "$data/pgbench-failed.txt" | columns bench,metric,value,status,x_message)" \
	'b,throughput,,failed,"connection to server on socket ""/run/postgresql/.s.PGSQL.5432"" failed: FATAL:  database ""nobase"" does not exist"' \
	'bench-convert reads a run of pgbench without a connection as failed, with its message'
cat "$data/pgbench-rate.txt" "$data/pgbench-failed.txt" "$data/pgbench-aborted.txt" "$data/pgbench-rate.txt" >runs.txt
is "$(bench-convert runs.txt | columns bench,sample,metric,value,status | grep ,throughput,)" '<builtin: TPC-B (sort of)>,0,throughput,98.467722,ok
,0,throughput,,failed
err.sql,0,throughput,887.784091,failed
<builtin: TPC-B (sort of)>,1,throughput,98.467722,ok' 'bench-convert reads several runs of pgbench as samples of their subjects'
sed 's/^tps = \(.*\) (without.*/tps = 98 (including connections establishing)\ntps = \1 (excluding connections establishing)/' \
	"$data/pgbench-rate.txt" >old.txt
is "$(bench-convert old.txt | columns metric,value | grep ^throughput)" 'throughput_with_connections,98
throughput,98.467722' 'bench-convert reads both rates of older versions of pgbench'
sed 's/^progress: 1.0 s, 94.0 tps, lat 2.129 ms/progress: 1795910512.500 s, 0.0 tps, lat 0.000 ms/' "$data/pgbench-rate.txt" >idle.txt
is "$(bench-convert idle.txt | columns t,metric,value,status | head -n 2)" '0,interval_throughput,0,ok
0,interval_latency,,skipped' 'bench-convert reads the latency of an interval of pgbench without transactions as missing'
sed 's/^\(number of transactions actually processed: \).*/\19223372036854775808/' "$data/pgbench-rate.txt" >many.txt
is "$(bench-convert many.txt | columns iterations,metric,value | grep -E ',(transactions|latency),')" \
	',transactions,9.223372036854776e+18
1000000000000000,latency,1996000' 'bench-convert reads an impossible number of transactions of pgbench'
sed 's/^latency average = .*/latency average = ?/' "$data/pgbench-rate.txt" >bad.txt
status 2 'bench-convert rejects a value of pgbench that is no number' bench-convert bad.txt
is "$(cat "$T/.err")" "bench-convert: bad.txt:$(grep -n 'latency average' bad.txt | cut -d : -f 1): no number" \
	'the message about a value of pgbench that is no number has its line'
done_testing
