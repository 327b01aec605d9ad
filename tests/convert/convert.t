#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads and writes each format, handles the traps of real files and rejects other
# files.
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
like "$(rows "$data/hyperfine.json")" '^echo \{n\},0,1,wall,ns,978790,ok$' \
	'bench-convert reads each time of hyperfine as a sample in ns'
like "$(rows "$data/hyperfine.json")" '^echo \{n\},,4,user,ns,856000,ok$' \
	'bench-convert reads user of hyperfine as a mean of four times'
is "$(bench-convert "$data/hyperfine.json" | columns n,metric | sort | uniq -c | tr -s ' ')" \
	' 1 1,sys
 1 1,user
 4 1,wall
 1 2,sys
 1 2,user
 4 2,wall' 'bench-convert reads a parameter of hyperfine as a factor'
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
a,,2,sys,ns,70000000,failed:exit=3' 'bench-convert scales numbers of hyperfine as decimals and reads memory and failures'
echo '{"results": [{"command": "a", "mean": 0.5, "stddev": 0.1, "min": 0.4, "max": 0.7}]}' >h.json
is "$(rows h.json)" 'a,,,wall,ns,500000000,
a,,,wall_sd,ns,100000000,
a,,,wall_min,ns,400000000,
a,,,wall_max,ns,700000000,' 'bench-convert reads a summary of hyperfine as rows without a sample number'

# Google Benchmark
is "$(bench-convert "$data/gbench.json" | columns bench,threads,label,sample,metric,status |
	grep -c wall)" 8 'bench-convert reads a row for each repetition of Google Benchmark, and none for aggregates'
like "$(rows "$data/gbench.json")" '^fails,0,1,wall,ns,,failed$' 'bench-convert reads an error of Google Benchmark as a row without a value'
like "$(bench-convert "$data/gbench.json" | columns bench,threads,label,metric)" \
	'^slow,2,with label,wall$' 'bench-convert reads threads and label of Google Benchmark as factors, but not real_time'
like "$(rows "$data/gbench.json")" '^copy/1024,0,[0-9]+,bandwidth,B/s,' 'bench-convert reads bytes per second of Google Benchmark as bandwidth'
is "$(rows "$data/gbench-aggregates.json" | grep '^copy/1024.*wall' | cut -d, -f1-4)" \
	'copy/1024,,,wall
copy/1024,,,wall_median
copy/1024,,,wall_sd' 'bench-convert reads aggregates of Google Benchmark if there are no repetitions'

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
Alloc,1,54393,alloc_calls,1,1,' 'bench-convert reads every value of every line of Go, and numbers the samples by name'
is "$(bench-convert "$data/go.txt" | columns pkg,procs,n,metric,value | grep bandwidth | head -1)" \
	'demo,2,10,bandwidth,26277370000' 'bench-convert reads MB/s of Go as bandwidth, and the parts of a name as factors'

# perf stat
is "$(rows "$data/perf-counts.txt")" ',,,task-clock,ns,802114,ok
,,,page-faults,1,75,ok
,,,instructions,1,,unsupported
,,,wall,ns,11442779,ok' 'bench-convert reads the run time of task-clock of perf -x in ns, and an unsupported event without a value'
is "$(rows "$data/perf-repeated.txt")" ',,,task-clock,ns,759534,ok
,,,task-clock_error,%,0.82,ok
,,,page-faults,1,75,ok
,,,page-faults_error,%,0.89,ok
,,,instructions,1,,unsupported' 'bench-convert reads the variance of perf -r before the run time'
is "$(bench-convert "$data/perf-interval.txt" | columns t,metric,value,status)" \
	'18266796,task-clock,728617,ok
18266796,context-switches,1,ok
28442627,task-clock,,skipped
28442627,context-switches,,skipped
31150526,task-clock,31955,ok
31150526,context-switches,0,ok' 'bench-convert reads perf -I as a time series'
status 2 'bench-convert rejects a time series for a format of summaries' bench-convert -t bencher "$data/perf-interval.txt"
like "$(cat "$T/.err")" 'no successful row has a value outside a time series$' \
	'the message says that all values are points of a time series'
is "$(bench-convert "$data/perf-processors.txt" | columns place,metric,value)" \
	'CPU0,cpu-clock,18450000
CPU1,cpu-clock,18960000
CPU0,context-switches,10
CPU1,context-switches,22' 'bench-convert reads the processors of perf -A as a factor'
is "$(bench-convert "$data/perf-sockets.txt" | columns place,metric,value)" 'S0,cpu-clock,22500000
S0,context-switches,18' 'bench-convert reads the sockets of perf --per-socket, but not their numbers of processors'
is "$(bench-convert "$data/perf-semicolons.txt" | columns metric,value)" 'task-clock,707220
page-faults,77' 'bench-convert reads perf with another separator, after a comment'
is "$(rows "$data/perf-threads.txt")" ',,,task-clock,ns,,skipped' 'bench-convert reads perf --per-thread'
status 2 'bench-convert rejects a file of perf that has only derived metrics' bench-convert "$data/perf-metrics-only.txt"
cat >perf.txt <<'.'
0.80,msec,task-clock,802114,100.00,0.070,CPUs utilized
,,,,,0.5,insn per cycle
TopdownL1,802114,,,,
nan,Joules,power/energy-pkg/,1000,100.00,,
1.5,Joules,power/energy-ram/,1000,50.00,,
1000,,cycles:u,500,25.00,,
.
is "$(bench-convert perf.txt | columns metric,unit,value,status,running_pct)" \
	'task-clock,ns,802114,ok,100
power/energy-pkg/,J,,skipped,
power/energy-ram/,J,1.5,ok,50
cycles:u,1,1000,ok,25' 'bench-convert ignores headers and derived metrics of perf, and keeps scaled counts'
printf '%s\n' '7,,cpu/event=0x3c,umask=0x1/u,500,25.00,,' '8,,cpu/event=0x3c,umask=0x1/u,0.50%,500,25.00,,' >names.txt
is "$(bench-convert names.txt | tail -n +2)" 'command,"cpu/event=0x3c,umask=0x1/u",1,7,ok,25
command,"cpu/event=0x3c,umask=0x1/u",1,8,ok,25
command,"cpu/event=0x3c,umask=0x1/u_error",%,0.5,ok,' 'bench-convert keeps commas within the name of an event of perf'
# As perf writes it under LC_ALL=de_DE.UTF-8: this is not 97 ms at 3 s.
printf '%s\n' '3,97,msec,task-clock,3971963,100,00,9,CPUs utilized' >comma-1
printf '%s\n' 'CPU0,33,24,msec,cpu-clock,0,00%,33241565,100,00,0,CPUs utilized' >comma-2
printf '%s\n' '4,06;msec;task-clock;4058138;100,00;1;CPUs utilized' >comma-3
printf '%s\n' '{"counter-value" : "4,065498", "unit" : "msec", "event" : "task-clock", "event-runtime" : 4065498, "pcnt-running" : 100,00, "metric-value" : 0,7}' >comma-4
for file in comma-1 comma-2 comma-3 comma-4; do
	status 2 "bench-convert rejects a decimal comma of perf: $file" bench-convert $file
	like "$(cat "$T/.err")" "^bench-convert: $file:1: numbers with a decimal comma: run perf as LC_ALL=C" \
		"the message about a decimal comma names the line: $file"
done
is "$(bench-convert "$data/perf-repeated.jsonl" | columns metric,unit,value,status)" \
	'task-clock,ns,724728,ok
task-clock_error,%,2.11,ok
page-faults,1,75,ok
page-faults_error,%,0.77,ok
instructions,1,,unsupported' 'bench-convert reads perf -j'
is "$(bench-convert "$data/perf-interval.jsonl" | columns t,metric,value | head -2)" \
	'12720761,task-clock,751226
12720761,page-faults,75' 'bench-convert reads perf -j -I as a time series'
is "$(bench-convert "$data/perf-processors.jsonl" | columns place,metric,value | head -2)" \
	'0,cpu-clock,19987497
1,cpu-clock,20038028' 'bench-convert reads the processors of perf -j -A'

# pytest-benchmark
is "$(rows "$data/pytest.json" | grep -c wall)" 10 'bench-convert reads five rounds of each benchmark of pytest-benchmark'
like "$(rows "$data/pytest.json")" '^test_b.py::test_sort,0,4,wall,ns,409.9997568' 'bench-convert reads rounds of pytest-benchmark in ns'
like "$(rows "$data/pytest.json")" ',cost,1,3,$' 'bench-convert reads extra_info of pytest-benchmark as a metric'
like "$(rows "$data/pytest-summary.json")" '^test_b.py::test_sort,,20,wall,ns,253.7' \
	'bench-convert reads a summary of pytest-benchmark as a mean of 20'
sed 's/"rounds": 5/"rounds": 50/' "$data/pytest.json" >short.json
ok 'bench-convert reads pytest-benchmark with fewer data than rounds' bench-convert short.json
like "$(cat "$T/.out")" 'the file has only 5 of 50 rounds' 'bench-convert reports missing rounds of pytest-benchmark'
is "$(bench-convert -q short.json 2>&1 >/dev/null)" '' 'bench-convert -q does not report missing rounds'

# asv
is "$(bench-convert "$data/asv.json" | columns bench,param1,param2,sample,iterations,metric,value,status |
	sed '/,[1-7],[0-9]*,wall,/d')" \
	"b.Sort.time_sort,10,up,0,1,wall,1381.999027216807,ok
b.Sort.time_sort,10,down,0,1,wall,1341.9994502328336,ok
b.Sort.time_sort,1000,up,,,wall,,skipped
b.Sort.time_sort,1000,down,,,wall,,failed
b.time_boom,,,,,wall,,failed
b.time_short,,,0,4973,wall,440.6694153562265,ok
b.mem_list,,,,,memory,2104,ok
b.peakmem_list,,,,,memory,24780800,ok
b.track_widgets,,,,,track,0.75,ok" 'bench-convert reads samples, iterations, parameters, skips and failures of asv'
is "$(bench-convert "$data/asv.json" | columns time,bench | tail -1)" '2026-11-24T13:21:11.763000000Z,b.track_widgets' \
	'bench-convert reads the milliseconds of asv exactly'
sed 's/"b.time_boom": \[null, \[\]/"b.time_boom": [null, [["1", "2"], ["3", "4", "5"]]/' "$data/asv.json" >params.json
is "$(bench-convert params.json | columns bench,param1,param2,status | grep time_boom)" 'b.time_boom,1,3,failed
b.time_boom,1,4,failed
b.time_boom,1,5,failed
b.time_boom,2,3,failed
b.time_boom,2,4,failed
b.time_boom,2,5,failed' 'bench-convert reads a failure of asv for each combination of parameters'
sed 's/"version": 2/"version": 1/' "$data/asv.json" >asv1.json
status 2 'bench-convert rejects version 1 of asv' bench-convert asv1.json

# Folded stacks
is "$(bench-convert "$data/folded.txt" | sed -n '1p; 3,6p')" 'kind,stack,sample,metric,unit,value
command,thread (2241);Thread._bootstrap (threading.py:1002);Thread._bootstrap_inner (threading.py:1045);Thread.run (threading.py:982);work (parse.py:19);digest (parse.py:5),0,samples,1,8
command,thread (2198): MainThread;<module> (parse.py:22);Thread.start (threading.py:964),0,samples,1,2
command,thread (2198): MainThread;<module> (parse.py:23);work (parse.py:18);parse (parse.py:11),0,samples,1,18
command,thread (2241),0,samples,1,1' 'bench-convert reads the folded stacks of py-spy'
is "$(bench-convert "$data/folded-perf.txt")" 'kind,stack,sample,metric,unit,value
command,two_phases;__libc_start_call_main;main;hash;mix,0,samples,1,404
command,two_phases;__libc_start_call_main;main;sum;mix,0,samples,1,137' 'bench-convert reads the folded stacks of perf'
is "$(bench-convert "$data/folded.txt" | bench-convert -t folded)" "$(cat "$data/folded.txt")" \
	'bench-convert writes the folded stacks that it read'
cat "$data/folded-perf.txt" "$data/folded-perf.txt" >twice.folded
is "$(bench-convert -t folded twice.folded)" 'two_phases;__libc_start_call_main;main;hash;mix 808
two_phases;__libc_start_call_main;main;sum;mix 274' 'bench-convert adds up equal folded stacks'
printf '[unknown];a b;c 3\n[x] 4\n' >bracket
is "$(bench-convert -t folded bracket)" "$(cat bracket)" 'bench-convert keeps folded frames with brackets and spaces'
printf 'comm,stack,metric,value\np,a;b,alloc_bytes,10\np,a;b,alloc_calls,2\n' >heap.csv
status 2 'bench-convert rejects folded stacks of two metrics' bench-convert -t folded heap.csv
awk 'BEGIN { print "stack,metric,value"; for (i = 0; i < 20000; i++) print "main;f" i ",x,1"; print "a,y,1" }' >late.csv
status 2 'bench-convert rejects a second metric of stacks late in the file' bench-convert -t folded late.csv
is "$(wc -c <"$T/.out")" 0 'bench-convert writes nothing of a file with stacks of two metrics'
is "$(bench-convert -t folded -M alloc_calls heap.csv)" 'p;a;b 2' 'bench-convert -M chooses one of two metrics of stacks'
is "$(bench-convert -M 'alloc_b*' heap.csv | grep -c alloc),$(bench-convert -M 'alloc_bytes,*calls' --metric 'alloc_?ytes' heap.csv | grep -c alloc)" \
	1,2 'bench-convert -M takes patterns and lists and is repeatable'
status 2 'bench-convert rejects a -M that matches nothing' bench-convert -M alloc_calls,nope heap.csv
is "$(cat .err)" "bench-convert: --metric: no metric matches 'nope' (there are: alloc_bytes, alloc_calls)" \
	'bench-convert lists the metrics of the file when -M matches none'
printf 'metric,value\n"cpu/event=1,umask=2/",3\nwall,4\n' >comma.csv
is "$(bench-convert -M 'cpu/event=1,umask=2/' comma.csv | sed 1d)" '"cpu/event=1,umask=2/",,3' \
	'a metric whose name has a comma can be selected by its name'

# Formats of services
is "$(bench-convert -t github-smaller "$data/go.txt" | tr -d '\n ' | cut -c1-66)" \
	'[{"name":"Sum/pkg=demo/procs=2/n=10","unit":"ns","value":2.3195,"r' 'bench-convert writes names, units and medians for github-action-benchmark'
unlike "$(bench-convert -t github-smaller "$data/go.txt")" bandwidth 'bench-convert writes only metrics that are better smaller as github-smaller'
is "$(bench-convert -t github-bigger "$data/go.txt" | grep -c bandwidth)" 2 'bench-convert writes only metrics that are better bigger as github-bigger'
like "$(bench-convert -t bencher "$data/go.txt")" '"latency": \{"value": 2.3195\}' 'bench-convert writes wall as the latency of Bencher'
printf 'bench,1st,a-b,a b,metric,unit,value\n"x\\""\ny",1,2,3,wall,ns,1500\n' >odd.csv
bench-convert -t prometheus odd.csv >odd.prom
like "$(cat odd.prom)" \
	'^bench_wall_median_seconds\{bench="x\\\\\\"\\ny",x1st="1",a_b="2",a_b_="3"\} 1.5e-06$' \
	'bench-convert escapes names and labels of Prometheus'
is "$(grep -c '^# TYPE bench_wall_median_seconds gauge$' odd.prom)" 1 'bench-convert writes a gauge of Prometheus'
like "$(bench-convert -t markdown "$data/go.txt")" '^\| Alloc \| wall \| 2 \| 51.78 ns' \
	'bench-convert writes a table in Markdown'
for to in json hyperfine gbench github-smaller bencher; do
	if skip_unless jq "jq reads the JSON that bench-convert writes as $to"; then
		ok "jq reads the JSON that bench-convert writes as $to" sh -c 'bench-convert -t $0 "$1" | jq -e .' $to "$data/go.txt"
	fi
done

# Round trips
values() { columns bench,metric,unit,value | grep -E ',(wall|user|sys|cpu_time|bandwidth),.*[0-9]$'; }
for to in csv json; do
	is "$(bench-convert -t $to "$data/gbench.json" | bench-convert)" \
		"$(bench-convert "$data/gbench.json")" "bench-convert reads the rows back from $to"
done
is "$(bench-convert -q -t gbench "$data/gbench.json" | bench-convert | values)" \
	"$(bench-convert "$data/gbench.json" | values)" 'bench-convert reads the values back from gbench'
# gbench_cpu ROWS: cpu_time of what is made of them
gbench_cpu() {
	printf 'bench,sample,metric,unit,value\nx,0,wall,ns,9\n%b' "$1" |
		bench-convert -t gbench 2>"$T/.err" | sed -n 's/ *"cpu_time": \(.*\),/\1/p'
}
is "$(gbench_cpu 'x,0,user,ns,5\nx,0,sys,ns,2\n')" 7 "bench-convert writes the sum of user and sys as cpu_time of gbench"
is "$(gbench_cpu 'x,0,task-clock,ns,6\n')" 6 'bench-convert writes task-clock as cpu_time of gbench'
is "$(gbench_cpu ''),$(cat "$T/.err")" \
	',bench-convert: x: no processor time was measured, and compare.py fails without it' \
	'bench-convert reports a missing cpu_time of gbench'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert | values)" \
	"$(bench-convert "$data/hyperfine.json" | values)" 'bench-convert reads the values back from hyperfine'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert -t hyperfine | md5sum)" \
	"$(bench-convert -t hyperfine "$data/hyperfine.json" | md5sum)" 'bench-convert writes the same file of hyperfine again'

is "$(bench-convert -t go "$data/go.txt" | bench-convert | columns bench,metric,unit,value)" \
	"$(bench-convert "$data/go.txt" | columns bench,metric,unit,value)" "bench-convert reads the values back from the text of Go"
is "$(printf 'bench,metric,unit,value\nx,p99-wait,ns,5\n' | bench-convert -t go | bench-convert)" \
	'kind,bench,sample,iterations,metric,unit,value
function,x,0,1,p99-wait,ns,5' 'bench-convert reads back a metric and its unit from the text of Go'

# Fields of more than 32 bytes are looked through in another way than short ones.
long=$(printf '%050d' 0)
{
	echo bench,metric,unit,value
	printf '"%s",m,1,5\n' "$long,$long" "$long\"\"$long" "$long
$long" "$long$(printf '\r')$long" "a,b" 'a""b'
	printf '%s,m,1,5\n' "$long" "a'b"
} >quoted.csv
is "$(bench-convert quoted.csv)" "$(cat quoted.csv)" 'bench-convert quotes short and long fields if they need it'

# A foreign table
printf 'size,secs\n1,0.5\n2,0.7\n' >wide.csv
is "$(bench-convert -m secs:s -n mine wide.csv)" 'bench,size,metric,unit,value
mine,1,secs,s,0.5
mine,2,secs,s,0.7' 'bench-convert -m -n melts a foreign CSV and names it'

# comes_back DESCRIPTION: the rows of in.csv are the same after they have been JSON
comes_back() {
	bench-convert in.csv >"$T/.before" && bench-convert -t json in.csv >"$T/.json" &&
		bench-convert "$T/.json" >"$T/.after" && cmp "$T/.before" "$T/.after" >"$T/.err" 2>&1
	result $? "$1"
}
printf 'bench,metric,unit,value\na,,,5\nb,wall,ns,\n' >in.csv
comes_back 'bench-convert reads rows without a metric back from JSON'
printf 'metric,value,process,sample,t,iterations\nm,-0,9007199254740993,9223372036854775807,-9007199254740993,1000000000000000\n' >in.csv
comes_back 'bench-convert reads integers above 2^53 and negative zero back from JSON'
printf 'metric,value,"a\nb\t",[x\nm,1,"\\",\033[1m\n' >in.csv
comes_back 'bench-convert reads names and texts with control characters back from JSON'
printf 'metric,value,b,a\nm,1,,x\nm,1,y,\n' >in.csv
comes_back 'bench-convert reads columns back from JSON in their order'
printf '[{"metric": "m", "value": 1, "sample": 1.5}]' >bad.json
status 2 'bench-convert rejects a sample that is not an integer' bench-convert bad.json
like "$(cat "$T/.err")" 'bad.json:1: sample: .1.5. is not a whole number' 'the message about a sample that is not an integer names its line'
printf 'metric,value,a\377b,a\\xffb\nm,1,\377,\376\n' >in.csv
is "$(bench-convert -t json in.csv | bench-convert)" 'a\xffb_,a\xffb,metric,unit,value
\xff,\xfe,m,,1' 'bench-convert writes bytes that are not UTF-8 as escapes in JSON'

for file in hyperfine.json go.txt perf-counts.txt folded.txt llama-bench.csv; do
	{ printf '\357\273\277' && sed 's/$/\r/' "$data/$file"; } >windows
	is "$(bench-convert windows)" "$(bench-convert "$data/$file")" "bench-convert reads $file with a byte order mark and CRLF"
done

# Output files
echo old >out.json
status 2 'bench-convert rejects input without the columns of bench-csv(5) or -m' bench-convert -t hyperfine -o out.json -m value wide.csv
is "$(cat out.json)" old 'bench-convert leaves the output file unchanged if it cannot read the input'
ok 'bench-convert -o writes a file' bench-convert -t hyperfine -o out.json "$data/hyperfine.json"
is "$(bench-convert out.json | wc -l)" 13 'bench-convert -o writes all rows'
is "$(ls out.json*)" out.json 'bench-convert -o leaves no temporary file'
mkfifo slow
bench-convert -o slow.csv slow &
converting=$!
{
	# It has the pipe open for reading when this one is open for writing.
	echo bench,metric,value
	kill $converting
	wait $converting 2>/dev/null
} >slow
is "$(ls slow*)" slow 'bench-convert leaves no file if it is stopped while it reads'
status 2 'bench-convert reports a full disk' sh -c 'bench-convert "$1" >/dev/full' sh "$data/gbench.json"

# refused SUBJECT TEXT: one line, status 2, nothing on standard output
refused() {
	printf '%b' "$2" >bad
	bench-convert bad >"$T/.out" 2>"$T/.err"
	is "$?,$(wc -c <"$T/.out"),$(wc -l <"$T/.err")" 2,0,1 "bench-convert rejects $1 in one line"
}
refused 'an empty file' ''
refused 'prose' 'Dear Sir or Madam\n'
refused 'a NUL byte' 'metric,value\nwall,\0001\n'
refused 'half a JSON document' '{"results": [{"command": '
refused 'JSON with two members of one name' '{"results": [{"command": "a", "command": "b", "mean": 1}]}'
refused 'JSON that is not UTF-8' '{"results": [{"command": "a\0377", "mean": 1}]}'
refused 'a number outside the range of doubles' '{"results": [{"command": "a", "mean": 1, "times": [1e999]}]}'
refused 'a file without measurements' '{"results": [{"command": "a", "mean": null}, {"mean": 1}]}'
{ yes '[' | head -10000 | tr -d '\n' && yes ']' | head -10000 | tr -d '\n'; } >deep
status 2 'bench-convert rejects JSON that is nested too deeply' bench-convert deep
status 2 'bench-convert rejects an unknown format' bench-convert -f nothing "$data/gbench.json"
like "$(cat "$T/.err")" "cannot read the format 'nothing' .there are: " 'the message about an unknown format lists the known ones'
done_testing
