#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the text and the YAML of stress-ng.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# of NAME: the rows of a file
of() { bench-convert "$data/stress-ng$1" | columns bench,instances,metric,unit,value,status; }
is "$(of .txt | sed -n '1,6p;12,19p')" 'cpu,1,operations,1,896,ok
cpu,1,wall,ns,1020000000,ok
cpu,1,user,ns,540000000,ok
cpu,1,sys,ns,,skipped
cpu,1,throughput,1/s,875.63,ok
cpu,1,cpu_time_throughput,1/s,1653.69,ok
vm,1,cpu_time_throughput,1/s,91255.21,ok
pipe,1,operations,1,185581,ok
pipe,1,wall,ns,1000000000,ok
pipe,1,user,ns,60000000,ok
pipe,1,sys,ns,450000000,ok
pipe,1,throughput,1/s,185474.91,ok
pipe,1,cpu_time_throughput,1/s,364917.53,ok
pipe,1,mb-per-sec-pipe-write-rate,MB/s,90.65,ok' 'bench-convert reads stressors of stress-ng, and times that it rounded to 0 as missing'
is "$(of -metrics.txt | sed -n '7,8p;$p')" 'matrix,1,max_rss,B,2842624,ok
matrix,1,add-matrix-ops-per-sec,1/s,135300.13,ok
matrix,1,zero-matrix-ops-per-sec,1/s,947100.9,ok' 'bench-convert reads the memory and further values of stress-ng --metrics'
is "$(of -failed.txt | grep throughput)" 'cpu,1,throughput,1/s,1323.63,ok
cpu,1,cpu_time_throughput,1/s,1507.35,ok
hdd,1,throughput,1/s,,failed:exit=2' 'bench-convert reads a stressor of stress-ng that failed as failed'
is "$(bench-convert "$data/stress-ng-failed.txt" | tail -n 1 | sed 's/.*"\(.*\)"/\1/')" \
	'process [14160] (hdd) terminated with an error, exit status=2 (stressor failed)' \
	'bench-convert keeps the message about a stressor of stress-ng that failed'
is "$(of -skipped.txt | sed '1,13d')" 'rdrand,,throughput,1/s,,skipped
smi,,throughput,1/s,,skipped
watchdog,,throughput,1/s,,skipped' 'bench-convert reads stressors that stress-ng skipped as skipped'
is "$(of -killed.txt | head -n 6)" 'cpu,1,operations,1,222,failed
cpu,1,wall,ns,,failed
cpu,1,user,ns,,failed
cpu,1,sys,ns,,failed
cpu,1,throughput,1/s,,failed
cpu,1,cpu_time_throughput,1/s,,failed' 'bench-convert reads stressors of stress-ng that were killed as failed'
sed 's/(hdd)/(cpu)/' "$data/stress-ng-failed.txt" >cpu.txt
is "$(bench-convert cpu.txt | columns bench,metric,value,status | grep -w throughput)" 'cpu,throughput,1323.63,failed:exit=2' \
	'bench-convert reads values of a stressor of stress-ng that failed with its status'
grep -v 'run completed' "$data/stress-ng.txt" >cut.txt
is "$(bench-convert cut.txt | columns bench,metric,value,status | tail -n 1)" ,throughput,,failed \
	'bench-convert reads a run of stress-ng that did not end as failed'
cat "$data/stress-ng.txt" "$data/stress-ng-failed.txt" >runs.txt
is "$(bench-convert runs.txt | columns bench,sample,metric,value | grep -w wall)" 'cpu,0,wall,1020000000
vm,0,wall,1030000000
pipe,0,wall,1000000000
cpu,1,wall,1000000000' 'bench-convert reads several runs of stress-ng as samples of their stressors'

is "$(bench-convert "$data/stress-ng.yaml" | columns time,host,bench,metric,unit,value | sed -n '1,7p;$p')" \
	'2026-11-29T00:03:34.000000000Z,host,cpu,operations,1,896
2026-11-29T00:03:34.000000000Z,host,cpu,wall,ns,1023258000
2026-11-29T00:03:34.000000000Z,host,cpu,user,ns,538913000
2026-11-29T00:03:34.000000000Z,host,cpu,sys,ns,2906000
2026-11-29T00:03:34.000000000Z,host,cpu,throughput,1/s,875.634518
2026-11-29T00:03:34.000000000Z,host,cpu,cpu_time_throughput,1/s,1653.688778
2026-11-29T00:03:34.000000000Z,host,cpu,max_rss,B,6664192
2026-11-29T00:03:34.000000000Z,host,pipe,mb-per-sec-pipe-write-rate,MB/s,90.647276' 'bench-convert reads stress-ng --yaml'
is "$(bench-convert "$data/stress-ng-perf.yaml" | wc -l)" 16 \
	'bench-convert reads only the section metrics of stress-ng --yaml'
is "$(of -killed.yaml | sed -n '1,2p;7p')" 'cpu,,operations,1,222,failed
cpu,,wall,ns,,failed
cpu,,max_rss,B,,failed' 'bench-convert reads stressors that were killed in stress-ng --yaml as failed'
cat "$data/stress-ng.yaml" "$data/stress-ng.yaml" >two.yaml
is "$(bench-convert two.yaml | columns bench,sample,metric | grep -w wall)" 'cpu,0,wall
vm,0,wall
pipe,0,wall
cpu,1,wall
vm,1,wall
pipe,1,wall' 'bench-convert reads several documents of stress-ng as samples'
sed 's/wall-clock-time: .*/wall-clock-time: x/' "$data/stress-ng.yaml" >bad.yaml
status 2 'bench-convert rejects a value of stress-ng --yaml that is no number' bench-convert bad.yaml
is "$(cat "$T/.err")" "bench-convert: bad.yaml:$(grep -n clock-time bad.yaml | head -n 1 | cut -d : -f 1): no number" \
	'the message about a value of stress-ng --yaml that is no number has its line'
grep -v '^\.\.\.' "$data/stress-ng.yaml" >cut.yaml
status 2 'bench-convert rejects YAML of stress-ng without an end' bench-convert cut.yaml
{ cat "$data/stress-ng.yaml" && echo more; } >more.yaml
status 2 'bench-convert rejects lines after the YAML of stress-ng' bench-convert more.yaml
is "$(cat "$T/.err")" "bench-convert: more.yaml:$(grep -n more more.yaml | cut -d : -f 1): not a document of stress-ng --yaml" \
	'the message about lines after the YAML of stress-ng has their line'
for name in .txt .yaml; do
	head -c 600 "$data/stress-ng$name" >"cut$name"
	status 2 "bench-convert rejects a file *$name of stress-ng that ends within a line" bench-convert "cut$name"
done
done_testing
