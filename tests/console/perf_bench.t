#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what perf bench prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
bench-convert "$data/perf-bench.txt" >rows.csv
# values BENCH COLUMNS: these columns of the rows of a benchmark
values() { bench-convert --filter "bench=$1" "$data/perf-bench.txt" | columns "$2"; }

is "$(values sched/pipe sample,metric,unit,value)" '0,wall,ns,366000000
0,operation_time,ns,36637.4
0,throughput,1/s,27294' 'bench-convert reads the times and the rate of perf bench'
is "$(values mem/memcpy function,size,value)" 'default,1MB,15887515672.117249
x86-64-unrolled,1MB,18396069704.4992
x86-64-movsq,1MB,20971520000
x86-64-movsb,1MB,21399510269.820927' 'bench-convert reads GB of perf bench mem as 2^30 bytes'
is "$(values futex/wake threads,process,sample,metric,value | head -3)" '4,0,0,wall,23000
4,0,1,wall,118000
4,0,2,wall,103000' 'bench-convert reads each run of perf bench futex as a sample'
is "$(values futex/wake value | wc -l)" 10 'bench-convert reads no mean of perf bench futex if the file has its runs'
sed '/^\[Run/d' "$data/perf-bench.txt" >silent.txt
is "$(bench-convert --filter bench=futex/wake silent.txt | columns sample,value)" 0,609400 \
	'bench-convert reads the mean of perf bench futex -s'
is "$(values mem/find_bit bits_set,bits,metric,value,status | head -2)" '1,1,for_each_set_bit,800,ok
1,1,test_bit,,skipped' 'bench-convert reads a time that perf bench rounded to 0 as missing'
is "$(columns bench,metric <rows.csv | grep -E 'hash|epoll|breakpoint|synth')" 'futex/hash,throughput_per_thread
epoll/wait,throughput_per_thread
epoll/ctl,add_operations_per_thread
epoll/ctl,mod_operations_per_thread
epoll/ctl,del_operations_per_thread
breakpoint/thread,wall
breakpoint/thread,operation_time
breakpoint/thread,operation_time_per_cpu
internals/synthesize,synthesis
internals/synthesize,data_synthesis' 'bench-convert reads the values of the other collections of perf bench'
is "$(bench-convert "$data/perf-bench-simple.txt" | columns bench,metric,unit,value)" 'sched/messaging,wall,ns,3734000000
sched/pipe,wall,ns,33974000000' 'bench-convert reads perf bench -f simple'
is "$(bench-convert "$data/perf-bench-numa.txt" | columns metric,unit,value | sed -n '1p;5p;8p')" 'runtime-max/thread,ns,378000000
data/thread,B,341000000
thread-speed,B/s,901000000' 'bench-convert reads perf bench numa, whose GB are 10^9 bytes'
{ cat "$data/perf-bench-simple.txt" && echo "# function 'default' (x)" && echo 14169945945.9; } >joined.txt
like "$(bench-convert joined.txt 2>&1)" '^bench-convert: joined.txt:7: a function of a benchmark that no line names' \
	'bench-convert rejects bytes per second after a benchmark whose value is a time'
{ cat "$data/perf-bench-simple.txt" && echo "# Running 'numa/mem' benchmark:"; } >failed.txt
is "$(bench-convert failed.txt | columns bench,metric,value,status | tail -n 1)" numa/mem,wall,,failed \
	'bench-convert reads a benchmark of perf without values as failed'
done_testing
