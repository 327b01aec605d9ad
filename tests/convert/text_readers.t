#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what other programs print as text: times of commands, totals of Valgrind,
# benchmarks of libtest, tests of HTTP servers.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# rows FILE: the file's rows as bench,sample,metric,unit,value,status
rows() { bench-convert "$1" | columns bench,sample,metric,unit,value,status; }
# cut_off FILE LINES MESSAGE: the file without its last lines is rejected with this message
cut_off() {
	head -n "-$2" "$1" >short.txt
	bench-convert short.txt >out 2>err
	is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: short.txt: $3" "bench-convert rejects ${1##*/} without its last lines"
}

# Times
is "$(rows "$data/time-verbose.txt" | grep -v 'faults\|block\|context')" 'sleep 0.01,0,wall,ns,10000000,ok
sleep 0.01,0,user,ns,0,ok
sleep 0.01,0,sys,ns,0,ok
sleep 0.01,0,max_rss,B,1597440,ok
sleep 0.02,0,wall,ns,20000000,ok
sleep 0.02,0,user,ns,0,ok
sleep 0.02,0,sys,ns,0,ok
sleep 0.02,0,max_rss,B,1818624,ok
sh -c exit 3,0,wall,ns,0,failed:exit=3
sh -c exit 3,0,user,ns,0,failed:exit=3
sh -c exit 3,0,sys,ns,0,failed:exit=3
sh -c exit 3,0,max_rss,B,1503232,failed:exit=3
sh -c kill -9 $$,0,wall,ns,0,failed:signal=SIGKILL
sh -c kill -9 $$,0,user,ns,0,failed:signal=SIGKILL
sh -c kill -9 $$,0,sys,ns,0,failed:signal=SIGKILL
sh -c kill -9 $$,0,max_rss,B,1675264,failed:signal=SIGKILL' \
	"bench-convert reads times, memory, exit codes and signals of GNU time -v"
is "$(rows "$data/time-verbose.txt" | grep 'kill.*\(faults\|block\|context\)' | cut -d, -f3-5)" 'major-faults,1,0
minor-faults,1,86
context-switches,1,2
block_in,B,0
block_out,B,0' "bench-convert reads faults and context switches of GNU time -v"
cut_off "$data/time-verbose.txt" 1 'a block of time -v has no line "Exit status": the file is cut off'
is "$(rows "$data/time-gnu.txt" | grep -v block)" ',0,wall,ns,10000000,ok
,0,user,ns,0,ok
,0,sys,ns,0,ok
,0,max_rss,B,1720320,ok
,0,major-faults,1,0,ok
,0,minor-faults,1,98,ok
,1,wall,ns,0,failed:exit=3
,1,user,ns,0,failed:exit=3
,1,sys,ns,0,failed:exit=3
,1,max_rss,B,1585152,failed:exit=3
,1,major-faults,1,0,failed:exit=3
,1,minor-faults,1,84,failed:exit=3' "bench-convert reads the default format of GNU time"
is "$(rows "$data/time-bash.txt")" ',0,wall,ns,20000000,ok
,0,user,ns,2000000,ok
,0,sys,ns,0,ok
,1,wall,ns,1471000000,ok
,1,user,ns,561000000,ok
,1,sys,ns,4000000,ok
,2,wall,ns,10000000,ok
,2,user,ns,0,ok
,2,sys,ns,0,ok' "bench-convert reads times of bash, in its format and in that of POSIX"
is "$(rows "$data/time-posix.txt")" ',0,wall,ns,20000000,ok
,0,user,ns,0,ok
,0,sys,ns,0,ok' "bench-convert reads times of GNU time -p"
is "$(rows "$data/time-zsh.txt" | grep wall)" 'sleep 0.01,0,wall,ns,16000000,ok
gzip -9c /usr/bin/git,0,wall,ns,917000000,ok
( sleep 0.01; true; ),0,wall,ns,15000000,ok
sleep 61.2,0,wall,ns,61210000000,ok' "bench-convert reads times and commands of zsh"
printf 'real\t12m3.004s\nuser\t0m0.001s\nsys\t0m0.1s\n' >long.txt
is "$(rows long.txt | head -1)" ',0,wall,ns,723004000000,ok' "bench-convert reads minutes of bash"
for comma in 'real\t0m0,014s\nuser\t0m0,002s\n' 'real 0,01\nuser 0,00\n'; do
	# shellcheck disable=SC2059 # it is a format
	printf "$comma" >comma.txt
	status 2 "bench-convert rejects a decimal comma of time: $comma" bench-convert comma.txt
	is "$(cat "$T/.err")" "bench-convert: comma.txt:1: numbers with a decimal comma: run time as LC_ALL=C" \
		"the message about a decimal comma of time says what to do: $comma"
done
sed 's/\./,/g' "$data/time-gnu.txt" >comma.txt
is "$(bench-convert comma.txt 2>&1)" "bench-convert: comma.txt:1: numbers with a decimal comma: run time as LC_ALL=C" \
	"bench-convert rejects a decimal comma in the default format of GNU time"
# damaged FIXTURE LINE SED WHAT: a file changed by the script is rejected at the line
damaged() {
	sed "$3" "$data/$1" >damaged.txt
	is "$(bench-convert damaged.txt 2>&1)" "bench-convert: damaged.txt:$2: no value, or one more value: the file is damaged" \
		"bench-convert rejects times with $4"
}
damaged time-verbose.txt 11 10p 'a maximum of memory that occurs twice'
damaged time-verbose.txt 10 's/1560/1,560/' 'a comma in the maximum of memory'
damaged time-gnu.txt 3 2p 'page faults that occur twice'
damaged time-gnu.txt 2 's/98minor/9,8minor/' 'a comma in the page faults'
damaged time-bash.txt 3 's/0m0.002s/0m0.0x2s/' 'a letter in the user time'
{ cat "$data/time-bash.txt" && echo 'user alice logged in'; } >logged.txt
is "$(rows logged.txt)" "$(rows "$data/time-bash.txt")" 'bench-convert ignores a message that begins with the word user'
for shell in bash zsh; do
	if skip_unless "$shell" "bench-convert reads times of the installed $shell"; then
		"$shell" -c 'time sleep 0.02' 2>times.txt
		like "$(rows times.txt | grep wall)" ',0,wall,ns,[2-9][0-9]000000,ok$' "bench-convert reads times of the installed $shell"
	fi
done
if skip_unless /usr/bin/time "bench-convert reads times of the installed GNU time"; then
	/usr/bin/time -v -o times.txt sleep 0.02
	like "$(rows times.txt | grep wall)" '^sleep 0.02,0,wall,ns,[2-9]0000000,ok$' "bench-convert reads times of the installed GNU time"
fi

# Valgrind
is "$(rows "$data/callgrind-cache.out")" './tiny one two,0,Ir,1,14324,
./tiny one two,0,Dr,1,1102,
./tiny one two,0,Dw,1,1103,
./tiny one two,0,I1mr,1,2,
./tiny one two,0,D1mr,1,63,
./tiny one two,0,D1mw,1,2,
./tiny one two,0,ILmr,1,2,
./tiny one two,0,DLmr,1,63,
./tiny one two,0,DLmw,1,2,
./tiny one two,0,Bc,1,1102,
./tiny one two,0,Bcm,1,18,
./tiny one two,0,Bi,1,0,
./tiny one two,0,Bim,1,0,' "bench-convert reads the count of each event of callgrind"
is "$(rows "$data/callgrind.out")" './tiny,0,Ir,1,14321,' "bench-convert reads the instructions of callgrind"
is "$(rows "$data/cachegrind.out" | cut -d, -f3-5 | tr '\n' ' ')" \
	'Ir,1,14324 I1mr,1,2 ILmr,1,2 Dr,1,1102 D1mr,1,63 DLmr,1,63 Dw,1,1103 D1mw,1,2 DLmw,1,2 ' \
	"bench-convert reads the count of each event of cachegrind"
is "$(rows "$data/massif.out")" './hello,,heap_peak,B,4096,
./hello,,heap_extra_peak,B,8,
./hello,,stacks_peak,B,0,' "bench-convert reads the greatest sizes of massif"
cut_off "$data/callgrind.out" 1 'no line "totals:" at the end: the file is cut off'
cut_off "$data/cachegrind.out" 1 'no line "summary:" at the end: the file is cut off'
cut_off "$data/massif.out" 1 'the last snapshot is not complete: the file is cut off'
sed 's/^summary: .*/summary: 1 2/' "$data/callgrind.out" >many.out
status 2 "bench-convert rejects more counts than events" bench-convert many.out
if skip_unless valgrind "bench-convert reads what callgrind_annotate prints"; then
	for tool in callgrind cachegrind; do
		valgrind -q --tool=$tool --$tool-out-file=out.$tool "$(command -v true)" 2>err
	done
	# total PROGRAM: the instructions of the whole program, as it prints them
	total() { "$1" "$2" | awk '/PROGRAM TOTALS/ { gsub(/,/, "", $1); print $1 }'; }
	is "$(bench-convert -M Ir out.callgrind | column value)" "$(total callgrind_annotate out.callgrind)" \
		"bench-convert reads what callgrind_annotate prints"
	is "$(bench-convert -M Ir out.cachegrind | column value)" "$(total cg_annotate out.cachegrind)" \
		"bench-convert reads what cg_annotate prints"
fi

# Benchmarks of Rust
is "$(rows "$data/libtest.txt")" 'add_two,0,wall,ns,1.05,ok
add_two,0,wall_range,ns,0.39,ok
copy,0,wall,ns,80.39,ok
copy,0,wall_range,ns,44.44,ok
copy,0,bandwidth,B/s,51200000000,ok
fails,0,wall,ns,,failed
inner::sort,0,wall,ns,66092.31,ok
inner::sort,0,wall_range,ns,20689.49,ok' "bench-convert reads benchmarks and failures of libtest"
is "$(cat "$data/libtest.txt" "$data/libtest.txt" | bench-convert | columns bench,sample,metric | grep '^copy.*wall$')" 'copy,0,wall
copy,1,wall' "bench-convert numbers the samples of several runs of libtest"
printf 'test a ... bench:   1,234,567 ns/iter (+/- 12,345)\n' >old.txt
is "$(rows old.txt)" 'a,0,wall,ns,1234567,ok
a,0,wall_range,ns,12345,ok' "bench-convert reads whole numbers of libtest"

# Catch2
is "$(bench-convert "$data/catch2.xml" | columns bench,sample,iterations,metric,unit,value,status)" \
	'Fibonacci & <more>/fib 10,,2180,wall,ns,280.353,ok
Fibonacci & <more>/fib 10,,2180,wall_sd,ns,136.434,ok
Fibonacci & <more>/fib 16,,120,wall,ns,4399.21,ok
Fibonacci & <more>/fib 16,,120,wall_sd,ns,27.537,ok
vectors/sorted/sort,,160,wall,ns,3808.34,ok
vectors/sorted/sort,,160,wall_sd,ns,609.088,ok
vectors/throws,,,wall,ns,,failed' "bench-convert reads means and failures of benchmarks of Catch2"
cut_off "$data/catch2.xml" 1 'the last element is open: the file is cut off'

# HTTP servers
is "$(bench-convert "$data/wrk.txt" | columns bench,threads,connections,sample,metric,unit,value,status)" \
	'http://127.0.0.1:18099/,1,2,0,latency,ns,2820000,ok
http://127.0.0.1:18099/,1,2,0,latency_sd,ns,2610000,ok
http://127.0.0.1:18099/,1,2,0,latency_max,ns,24290000,ok
http://127.0.0.1:18099/,1,2,0,requests,1,787,ok
http://127.0.0.1:18099/,1,2,0,wall,ns,1000000000,ok
http://127.0.0.1:18099/,1,2,0,throughput,1/s,784.42,ok
http://127.0.0.1:18099/,1,2,0,bandwidth,B/s,146688,ok
http://127.0.0.1:18099/,1,2,0,latency_p50,ns,1900000,ok
http://127.0.0.1:18099/,1,2,0,latency_p75,ns,4050000,ok
http://127.0.0.1:18099/,1,2,0,latency_p90,ns,6120000,ok
http://127.0.0.1:18099/,1,2,0,latency_p99,ns,10610000,ok' "bench-convert reads latencies, rates and parameters of wrk"
is "$(rows "$data/wrk-errors.txt" | grep errors)" 'http://127.0.0.1:18099/none,0,http_errors,1,1446,ok' \
	"bench-convert reads the number of error responses of wrk"
cut_off "$data/wrk.txt" 1 'a test has no line "Transfer/sec:": it is cut off'

# Damaged headers and values
# rejects FILE SED MESSAGE: the file is rejected with this message after the edit
rejects() {
	sed "$2" "$data/$1" >damaged.txt
	bench-convert damaged.txt >out 2>err
	is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: damaged.txt:$3" "bench-convert rejects $1 after the edit $2"
}
rejects osu-latency.txt 's/Latency(us)/Latency(us/' "5: column 'Avg Latency(us' has no known unit: the file is damaged"
rejects sockperf.txt 's/= *30.912/= 3x.912/' "20: '3x.912' is not a number: the file is damaged"
rejects perf-bench.txt 's/ [0-9.]* ops.sec/ 7o ops\/sec/' "6: '7o' is not a number: the file is damaged"
rejects likwid-bench.txt 's/^MByte.s:.*/MByte\/s:	1,5e/' "26: '1,5e' is not a number: the file is damaged"

done_testing
