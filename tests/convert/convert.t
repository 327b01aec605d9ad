#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert: each format in and out, the traps of real files, and files that are none.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# rows FORMAT-OR-FILE [OPTION...]: the file's rows as bench,metric,unit,value,status
rows() {
	file=$1
	shift
	bench-convert "$@" "$file" >"$T/.rows" || return
	columns bench,sample,iterations,metric,unit,value,status <"$T/.rows"
}

# hyperfine
like "$(rows "$data/hyperfine.json")" '^echo 1,0,1,wall,ns,978790,ok$' \
	'hyperfine: each time is a sample in ns'
like "$(rows "$data/hyperfine.json")" '^echo 1,,4,user,ns,856000,ok$' \
	'and user the mean of four'
is "$(bench-convert "$data/hyperfine.json" | columns n,metric | sort | uniq -c | tr -s ' ')" \
	' 1 1,sys
 1 1,user
 4 1,wall
 1 2,sys
 1 2,user
 4 2,wall' 'a parameter is a factor'
cat >h.json <<'.'
{"results": [{"command": "a", "mean": 0.0003, "stddev": null, "median": 0.0003, "user": 0.1,
 "system": 0.07, "min": 0.0003, "max": 0.0003, "times": [0.0003, 0.0001], "exit_codes": [0, 3],
 "memory_usage_byte": [4096, 8192]}]}
.
is "$(rows h.json)" 'a,0,1,wall,ns,300000,ok
a,0,1,max_rss,B,4096,ok
a,1,1,wall,ns,100000,failed:exit=3
a,1,1,max_rss,B,8192,failed:exit=3
a,,2,user,ns,100000000,failed:exit=3
a,,2,sys,ns,70000000,failed:exit=3' 'numbers are scaled as decimals; memory; what failed is not ok'
bench-convert -t hyperfine h.json >out.json 2>"$T/.err"
is "$(cat "$T/.err")" 'bench-convert: h.json: 4 rows failed or were not measured: hyperfine has no place for them' \
	'what a format cannot tell is told'
echo '{"results": [{"command": "a", "mean": 0.5, "stddev": 0.1, "min": 0.4, "max": 0.7}]}' >h.json
is "$(rows h.json)" 'a,,,wall,ns,500000000,
a,,,wall_sd,ns,100000000,
a,,,wall_min,ns,400000000,
a,,,wall_max,ns,700000000,' 'a summary is no sample'

# Google Benchmark
is "$(bench-convert "$data/gbench.json" | columns bench,threads,label,sample,metric,status |
	grep -c wall)" 8 'Google Benchmark: a row for each repetition, none for aggregates'
like "$(rows "$data/gbench.json")" '^fails,0,1,wall,ns,,failed$' 'an error has no value'
like "$(bench-convert "$data/gbench.json" | columns bench,threads,label,metric)" \
	'^slow,2,with label,wall$' 'threads and a label are factors, real_time is none'
like "$(rows "$data/gbench.json")" '^copy/1024,0,[0-9]+,bandwidth,B/s,' 'bytes per second'
is "$(rows "$data/gbench-aggregates.json" | grep '^copy/1024.*wall' | cut -d, -f1-4)" \
	'copy/1024,,,wall
copy/1024,,,wall_median
copy/1024,,,wall_sd' 'aggregates where nothing else was kept'

# Go
is "$(rows "$data/go.txt" | grep -v bandwidth)" 'Sum,0,1434159,wall,ns,3.044,
Sum,1,1490371,wall,ns,1.595,
Sum,0,15637,wall,ns,151.5,
Sum,1,16980,wall,ns,145,
Alloc,0,87408,wall,ns,53.77,
Alloc,0,87408,misses/op,1,0.5,
Alloc,0,87408,alloc_bytes,B,112,
Alloc,0,87408,alloc_calls,1,1,
Alloc,1,54393,wall,ns,49.79,
Alloc,1,54393,misses/op,1,0.5,
Alloc,1,54393,alloc_bytes,B,112,
Alloc,1,54393,alloc_calls,1,1,' 'Go: every value of every line, numbered by name'
is "$(bench-convert "$data/go.txt" | columns pkg,procs,n,metric,value | grep bandwidth | head -1)" \
	'demo,2,10,bandwidth,26277370000' 'MB/s are bandwidth, what the name says are factors'

# perf stat
is "$(rows "$data/perf-counts.txt")" ',,,task-clock,ns,800000,ok
,,,page-faults,1,75,ok
,,,instructions,1,,unsupported
,,,wall,ns,11442779,ok' 'perf -x: times in ns, what was not supported without a value'
is "$(rows "$data/perf-repeated.txt")" ',,,task-clock,ns,760000,ok
,,,task-clock_error,%,0.82,ok
,,,page-faults,1,75,ok
,,,page-faults_error,%,0.89,ok
,,,instructions,1,,unsupported' 'with -r the variance stands before the runtime'
is "$(bench-convert "$data/perf-interval.txt" | columns t,metric,value,status)" \
	'18266796,task-clock,730000,ok
18266796,context-switches,1,ok
28442627,task-clock,,skipped
28442627,context-switches,,skipped
31150526,task-clock,30000,ok
31150526,context-switches,0,ok' 'with -I a time series'
status 2 'of which others cannot tell' bench-convert -t bencher "$data/perf-interval.txt"
like "$(cat "$T/.err")" 'no row has a value, succeeded and is no point of a time series$' 'which is said'
is "$(bench-convert "$data/perf-processors.txt" | columns place,metric,value)" \
	'CPU0,cpu-clock,18450000
CPU1,cpu-clock,18960000
CPU0,context-switches,10
CPU1,context-switches,22' 'with -A the processors'
is "$(bench-convert "$data/perf-sockets.txt" | columns place,metric,value)" 'S0,cpu-clock,22500000
S0,context-switches,18' 'with --per-socket the sockets, and not how many processors they have'
is "$(bench-convert "$data/perf-semicolons.txt" | columns metric,value)" 'task-clock,710000
page-faults,77' 'with another separator, below a comment'
is "$(rows "$data/perf-threads.txt")" ',,,task-clock,ns,,skipped' 'with --per-thread'
status 2 'metrics alone are refused' bench-convert "$data/perf-metrics-only.txt"
cat >perf.txt <<'.'
0.80,msec,task-clock,802114,100.00,0.070,CPUs utilized
,,,,,0.5,insn per cycle
TopdownL1,802114,,,,
nan,Joules,power/energy-pkg/,1000,100.00,,
1.5,Joules,power/energy-ram/,1000,50.00,,
1000,,cycles:u,500,25.00,,
.
is "$(bench-convert perf.txt | columns metric,unit,value,status,running_pct)" \
	'task-clock,ns,800000,ok,100
power/energy-pkg/,J,,skipped,
power/energy-ram/,J,1.5,ok,50
cycles:u,1,1000,ok,25' 'nan, headers, metrics alone, and a count that is scaled already'
printf '%s\n' '7,,cpu/event=0x3c,umask=0x1/u,500,25.00,,' '8,,cpu/event=0x3c,umask=0x1/u,0.50%,500,25.00,,' >names.txt
is "$(bench-convert names.txt | tail -n +2)" 'command,"cpu/event=0x3c,umask=0x1/u",1,7,ok,25
command,"cpu/event=0x3c,umask=0x1/u",1,8,ok,25
command,"cpu/event=0x3c,umask=0x1/u_error",%,0.5,ok,' 'commas within a name are its own'
# As perf writes it under LC_ALL=de_DE.UTF-8: this is not 97 ms at 3 s.
printf '%s\n' '3,97,msec,task-clock,3971963,100,00,9,CPUs utilized' >comma-1
printf '%s\n' 'CPU0,33,24,msec,cpu-clock,0,00%,33241565,100,00,0,CPUs utilized' >comma-2
printf '%s\n' '4,06;msec;task-clock;4058138;100,00;1;CPUs utilized' >comma-3
printf '%s\n' '{"counter-value" : "4,065498", "unit" : "msec", "event" : "task-clock", "event-runtime" : 4065498, "pcnt-running" : 100,00, "metric-value" : 0,7}' >comma-4
for file in comma-1 comma-2 comma-3 comma-4; do
	status 2 "$file: a decimal comma is refused" bench-convert $file
	like "$(cat "$T/.err")" "^bench-convert: $file:1: numbers with a decimal comma: run it as LC_ALL=C" 'in one line'
done
is "$(bench-convert "$data/perf-repeated.jsonl" | columns metric,unit,value,status)" \
	'task-clock,ns,724728,ok
task-clock_error,%,2.11,ok
page-faults,1,75,ok
page-faults_error,%,0.77,ok
instructions,1,,unsupported' 'perf -j'
is "$(bench-convert "$data/perf-interval.jsonl" | columns t,metric,value | head -2)" \
	'12720761,task-clock,751226
12720761,page-faults,75' 'perf -j -I'
is "$(bench-convert "$data/perf-processors.jsonl" | columns place,metric,value | head -2)" \
	'0,cpu-clock,19987497
1,cpu-clock,20038028' 'perf -j -A'

# pytest-benchmark
is "$(rows "$data/pytest.json" | grep -c wall)" 10 'pytest-benchmark: five rounds each of two'
like "$(rows "$data/pytest.json")" '^test_b.py::test_sort\[10\],0,4,wall,ns,409.9997568' 'in ns'
like "$(rows "$data/pytest.json")" ',cost,1,3,$' 'extra_info has a metric'
like "$(rows "$data/pytest-summary.json")" '^test_b.py::test_sort\[10\],,20,wall,ns,253.7' \
	'without data a mean of 20'
sed 's/"rounds": 5/"rounds": 50/' "$data/pytest.json" >short.json
ok 'fewer data than rounds' bench-convert short.json
like "$(cat "$T/.out")" 'only 5 of 50 rounds are in the file' 'are told'
is "$(bench-convert -q short.json 2>&1 >/dev/null)" '' 'unless -q'

# pyperf, asv, Criterion, llama-bench
is "$(bench-convert "$data/pyperf.json" | columns bench,process,sample,iterations,metric,unit,value)" \
	'sort,1,0,80,wall,ns,100000
sort,1,1,80,wall,ns,300000
sort,2,0,80,wall,ns,110000
sort,2,1,80,wall,ns,120000
load,0,0,,memory,B,1048576' 'pyperf: processes and samples, no warm-ups, no calibration'
is "$(bench-convert "$data/asv.json" | columns bench,param1,param2,sample,metric,value,status)" \
	"sorts.Suite.time_sort,10,'up',0,wall,200000,ok
sorts.Suite.time_sort,10,'up',1,wall,400000,ok
sorts.Suite.time_sort,10,'down',,wall,,failed
sorts.Suite.time_sort,1000,'up',0,wall,1000000,ok
sorts.Suite.time_sort,1000,'up',1,wall,3000000,ok
sorts.Suite.time_sort,1000,'down',,wall,,failed
sorts.time_short,,,,wall,100000,ok
sorts.peakmem_sort,,,,memory,2097152,ok
sorts.track_ratio,,,,track,0.75,ok" 'asv: columns that are left out, parameters, null and NaN'
sed 's/"version": 2/"version": 1/' "$data/asv.json" >asv1.json
status 2 'version 1 is refused' bench-convert asv1.json
mkdir -p target/criterion/sort/quick/new
cp "$data/criterion-estimates.json" target/criterion/sort/quick/new/estimates.json
is "$(rows target/criterion/sort/quick/new/estimates.json)" 'sort/quick,,,wall,ns,101,
sort/quick,,,wall_median,ns,100.5,
sort/quick,,,wall_mad,ns,0.5,
sort/quick,,,wall_sd,ns,0.75,' 'Criterion: estimates, named by their folder'
is "$(rows "$data/criterion-sample.json" -n mine)" 'mine,0,10,wall,ns,101,
mine,1,20,wall,ns,102,
mine,2,30,wall,ns,100,' 'samples'
is "$(rows "$data/llama-bench.json" | head -5)" 'llama 7B Q4_0,0,1,wall,ns,213837238,
llama 7B Q4_0,0,1,token_rate,1/s,2394.34,
llama 7B Q4_0,1,1,wall,ns,211635853,
llama 7B Q4_0,1,1,token_rate,1/s,2419.25,
llama 7B Q4_0,,,wall,ns,977425219,' 'llama-bench: samples where there are some'
is "$(bench-convert "$data/llama-bench.csv" | columns n_prompt,n_gen,metric,value | head -4)" \
	'512,0,wall,212155977
512,0,wall_sd,732372
512,0,token_rate,2413.341687
512,0,token_rate_sd,8.305961' 'its CSV'
sed '$s/,"0.371342"//' "$data/llama-bench.csv" >short.csv
status 2 'with a field too few' bench-convert short.csv
is "$(cat "$T/.err")" 'bench-convert: short.csv:3: 13 fields where the header has 14' 'is refused'

# Folded stacks
is "$(bench-convert "$data/folded.txt")" 'kind,stack,sample,metric,unit,value
command,prog;main;parse;strtod,0,samples,1,42
command,prog;main;write,0,samples,1,12
command,prog;main;parse,0,samples,1,3' 'equal stacks are added up'
is "$(bench-convert "$data/folded.txt" | bench-convert -t folded)" 'prog;main;parse;strtod 42
prog;main;write 12
prog;main;parse 3' 'and come back'
printf '[unknown];a b;c 3\n[x] 4\n' >bracket
is "$(bench-convert -t folded bracket)" "$(cat bracket)" 'frames with brackets and spaces'
printf 'comm,stack,metric,value\np,a;b,alloc_bytes,10\np,a;b,alloc_calls,2\n' >heap.csv
status 2 'stacks of two metrics are refused' bench-convert -t folded heap.csv
awk 'BEGIN { print "stack,metric,value"; for (i = 0; i < 20000; i++) print "main;f" i ",x,1"; print "a,y,1" }' >late.csv
status 2 'also late in the file' bench-convert -t folded late.csv
is "$(wc -c <"$T/.out")" 0 'and nothing is written of it'
is "$(bench-convert -t folded -M alloc_calls heap.csv)" 'p;a;b 2' 'but not one of them'

# What is written for services
is "$(bench-convert -t github-smaller "$data/go.txt" | tr -d '\n ' | cut -c1-66)" \
	'[{"name":"Sum/pkg=demo/procs=2/n=10","unit":"ns","value":2.3195,"r' 'github-action-benchmark'
unlike "$(bench-convert -t github-smaller "$data/go.txt")" bandwidth 'has what is better smaller'
is "$(bench-convert -t github-bigger "$data/go.txt" | grep -c bandwidth)" 2 'and bigger apart'
like "$(bench-convert -t bencher "$data/go.txt")" '"latency": \{"value": 2.3195\}' 'Bencher'
printf 'bench,1st,a-b,a b,metric,unit,value\n"x\\""\ny",1,2,3,wall,ns,1500\n' >odd.csv
bench-convert -t prometheus odd.csv >odd.prom
like "$(cat odd.prom)" \
	'^bench_wall_seconds\{bench="x\\\\\\"\\ny",x1st="1",a_b="2",a_b_="3",statistic="median"\} 0.0000015$|^bench_wall_seconds\{bench="x\\\\\\"\\ny",x1st="1",a_b="2",a_b_="3",statistic="median"\} 1.5e-06$' \
	'Prometheus: names and labels are escaped'
is "$(grep -c '^# TYPE bench_wall_seconds gauge$' odd.prom)" 1 'as a gauge'
like "$(bench-convert -t markdown "$data/go.txt")" '^\| Alloc/pkg=demo/procs=2 \| wall \| 2 \| 51.78 ns' \
	'Markdown'
for to in json hyperfine gbench github-smaller bencher; do
	if skip_unless jq "jq reads $to"; then
		ok "jq reads $to" sh -c 'bench-convert -t $0 "$1" | jq -e .' $to "$data/go.txt"
	fi
done

# Round trips
values() { columns bench,metric,unit,value | grep -E ',(wall|user|sys|cpu_time|bandwidth),.*[0-9]$'; }
for to in csv json; do
	is "$(bench-convert -t $to "$data/gbench.json" | bench-convert)" \
		"$(bench-convert "$data/gbench.json")" "$to gives back the rows"
done
is "$(bench-convert -q -t gbench "$data/gbench.json" | bench-convert | values)" \
	"$(bench-convert "$data/gbench.json" | values)" 'so does gbench'
# gbench_cpu ROWS: cpu_time of what is made of them
gbench_cpu() {
	printf 'bench,sample,metric,unit,value\nx,0,wall,ns,9\n%b' "$1" |
		bench-convert -t gbench 2>"$T/.err" | sed -n 's/ *"cpu_time": \(.*\),/\1/p'
}
is "$(gbench_cpu 'x,0,user,ns,5\nx,0,sys,ns,2\n')" 7 "the processor's time is user and sys"
is "$(gbench_cpu 'x,0,task-clock,ns,6\n')" 6 'or task-clock, of functions'
is "$(gbench_cpu ''),$(cat "$T/.err")" \
	',bench-convert: x: no time of the processor was measured, without which compare.py fails' 'or missing, which is told'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert | values)" \
	"$(bench-convert "$data/hyperfine.json" | values)" 'and hyperfine'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert -t hyperfine | md5sum)" \
	"$(bench-convert -t hyperfine "$data/hyperfine.json" | md5sum)" 'to the byte'

is "$(bench-convert -t go "$data/go.txt" | bench-convert | columns bench,metric,unit,value)" \
	"$(bench-convert "$data/go.txt" | columns bench,metric,unit,value)" "and Go's text"
is "$(printf 'bench,metric,unit,value\nx,p99-wait,ns,5\n' | bench-convert -t go | bench-convert)" \
	'kind,bench,sample,iterations,metric,unit,value
function,x,0,1,p99-wait,ns,5' 'with units of ours behind metrics'

# Fields of more than 32 bytes are looked through in another way than short ones.
long=$(printf '%050d' 0)
{
	echo bench,metric,unit,value
	printf '"%s",m,1,5\n' "$long,$long" "$long\"\"$long" "$long
$long" "$long$(printf '\r')$long" "a,b" 'a""b'
	printf '%s,m,1,5\n' "$long" "a'b"
} >quoted.csv
is "$(bench-convert quoted.csv)" "$(cat quoted.csv)" 'fields long and short are quoted where they have to be'

# A foreign table
printf 'size,secs\n1,0.5\n2,0.7\n' >wide.csv
is "$(bench-convert -m secs:s -n mine wide.csv)" 'bench,size,metric,unit,value
mine,1,secs,s,0.5
mine,2,secs,s,0.7' 'a foreign CSV is melted, and gets a name'

# comes_back DESCRIPTION: the rows of in.csv are the same after they have been JSON
comes_back() {
	bench-convert in.csv >"$T/.before" && bench-convert -t json in.csv >"$T/.json" &&
		bench-convert "$T/.json" >"$T/.after" && cmp "$T/.before" "$T/.after" >"$T/.err" 2>&1
	result $? "$1"
}
printf 'bench,metric,unit,value\na,,,5\nb,wall,ns,\n' >in.csv
comes_back 'rows without a metric come back from JSON'
printf 'metric,value,process,sample,t,iterations\nm,-0,9007199254740993,9223372036854775807,-9007199254740993,1000000000000000\n' >in.csv
comes_back 'integers above 2^53 and negative zero come back from JSON'
printf 'metric,value,"a\nb\t",[x\nm,1,"\\",\033[1m\n' >in.csv
comes_back 'names and texts with control characters come back from JSON'
printf 'metric,value,b,a\nm,1,,x\nm,1,y,\n' >in.csv
comes_back 'columns come back from JSON in their order'
printf '[{"metric": "m", "value": 1, "sample": 1.5}]' >bad.json
status 2 'a sample that is not an integer is refused' bench-convert bad.json
like "$(cat "$T/.err")" 'row 1: sample is not a whole number' 'the message about a sample that is not an integer names its row'
printf 'metric,value,a\377b,a\\xffb\nm,1,\377,\376\n' >in.csv
is "$(bench-convert -t json in.csv | bench-convert)" 'a\xffb_,a\xffb,metric,unit,value
\xff,\xfe,m,,1' 'bytes that are no UTF-8 are readable escapes in JSON'

for file in hyperfine.json go.txt perf-counts.txt folded.txt llama-bench.csv; do
	{ printf '\357\273\277' && sed 's/$/\r/' "$data/$file"; } >windows
	is "$(bench-convert windows)" "$(bench-convert "$data/$file")" "$file with a byte order mark and CRLF"
done

# Output files
echo old >out.json
status 2 'what cannot be read' bench-convert -t hyperfine -o out.json -m value wide.csv
is "$(cat out.json)" old 'leaves the old file'
ok 'a file is written' bench-convert -t hyperfine -o out.json "$data/hyperfine.json"
is "$(bench-convert out.json | wc -l)" 13 'whole'
is "$(ls out.json*)" out.json 'and nothing beside it'
mkfifo slow
bench-convert -o slow.csv slow &
converting=$!
{
	# It has the pipe open for reading when this one is open for writing.
	echo bench,metric,value
	kill $converting
	wait $converting 2>/dev/null
} >slow
is "$(ls slow*)" slow 'nor of one that was stopped while its input came'
status 2 'a full disk is told' sh -c 'bench-convert "$1" >/dev/full' sh "$data/gbench.json"

# refused DESCRIPTION TEXT: one line, status 2, nothing on standard output
refused() {
	printf '%b' "$2" >bad
	bench-convert bad >"$T/.out" 2>"$T/.err"
	is "$?,$(wc -c <"$T/.out"),$(wc -l <"$T/.err")" 2,0,1 "$1"
}
refused 'an empty file' ''
refused 'prose' 'Dear Sir or Madam\n'
refused 'a NUL' 'metric,value\nwall,\0001\n'
refused 'half a document' '{"results": [{"command": '
refused 'a member named twice' '{"results": [{"command": "a", "command": "b", "mean": 1}]}'
refused 'no UTF-8' '{"results": [{"command": "a\0377", "mean": 1}]}'
refused 'a number beyond doubles' '{"results": [{"command": "a", "mean": 1, "times": [1e999]}]}'
refused 'no measurements' '{"results": [{"command": "a", "mean": null}, {"mean": 1}]}'
{ yes '[' | head -10000 | tr -d '\n' && yes ']' | head -10000 | tr -d '\n'; } >deep
status 2 '10,000 brackets' bench-convert deep
status 2 'a format that is none' bench-convert -f nothing "$data/gbench.json"
like "$(cat "$T/.err")" "no format 'nothing' to read, only " 'with those that are'
status 2 'two files' bench-convert "$data/gbench.json" "$data/gbench.json"
done_testing
