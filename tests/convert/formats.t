#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the formats that pages in share/formats describe, with the values of files that
# the programs themselves wrote.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
# values FILE COLUMNS [OPTION...]: these columns of its rows
values() {
	file=$1 list=$2
	shift 2
	bench-convert "$@" "$data/$file" | columns "$list"
}
# listed FORMAT: its row of --list
listed() { bench-convert --csv --list | grep "^$1,"; }

# JMH
like "$(listed jmh)" '^jmh,yes,no,JSON of JMH' 'bench-convert --list shows the format of JMH'
is "$(values jmh.json mode,threads,process,sample,metric,unit,value | head -3)" \
	'avgt,1,0,0,wall,ns,3.5351836682938123
avgt,1,0,1,wall,ns,3.534842218739156
avgt,1,0,2,wall,ns,3.5884402526953774' 'bench-convert reads each iteration of JMH as a sample of its fork'
is "$(values jmh.json bench,metric | uniq -c | tr -s ' ')" \
	' 10 com.twineworks.collections.shapemap.BigMapBenchmark.accessor_get,wall
 10 com.twineworks.collections.shapemap.BigMapBenchmark.accessor_set,wall' \
	'bench-convert reads every benchmark of JMH'
is "$(values jmh-params.json computeType,mode,sample,metric,unit,value)" \
	'Caffeine,thrpt,0,throughput,1/s,152495705.9947031
Caffeine,thrpt,1,throughput,1/s,152724143.15072593
Caffeine,thrpt,2,throughput,1/s,152340547.88663682' \
	'bench-convert reads the parameters of JMH as factors, and operations per second as throughput'
sed '/"rawData"/,/^            \]/d; s|"ops/s",|"us/op"|; s/"thrpt"/"sample"/
	s/"secondaryMetrics": {}/"secondaryMetrics": {"gc.alloc.rate.norm": {"scoreUnit": "B\/op", "rawData": [[24, 16]]}}/' \
	"$data/jmh-params.json" >sample.json
is "$(bench-convert sample.json | columns process,sample,metric,unit,value)" \
	',,wall,ns,152520132344.02194
,,wall_min,ns,152340547886.6368
,,wall_median,ns,152495705994.7031
,,wall_p90,ns,152724143150.72592
,,wall_p99,ns,152724143150.72592
,,wall_max,ns,152724143150.72592
0,0,alloc_bytes,B,24
0,1,alloc_bytes,B,16' 'bench-convert reads the percentiles of JMH, and the bytes of its profiler gc'

# BenchmarkDotNet, whose names of jobs have commas
sed 's/(IterationCount=5, RunStrategy=ColdStart)//' "$data/benchmarkdotnet.json" >jobs.json
is "$(bench-convert jobs.json | columns bench,sample,metric,unit,value,status)" \
	'Fantomas.Benchmarks.CodePrinterTest.Format,0,wall,ns,48016226159,ok
Fantomas.Benchmarks.CodePrinterTest.Format,1,wall,ns,46011386499,ok
Fantomas.Benchmarks.CodePrinterTest.Format,2,wall,ns,46951833349,ok
Fantomas.Benchmarks.CodePrinterTest.Format,3,wall,ns,46910122331,ok
Fantomas.Benchmarks.CodePrinterTest.Format,4,wall,ns,49461322073,ok
Fantomas.Benchmarks.CodePrinterTest.Format,,alloc_bytes,B,23405419512,ok' \
	'bench-convert reads the values of BenchmarkDotNet and the bytes that it allocated'
sed '/"OriginalValues"/,/],/d; s/"Parameters": ""/"Parameters": "N=10\&Name=a b"/; s/"Fantomas.Benchmarks"/null/' \
	jobs.json >brief.json
is "$(bench-convert brief.json | columns bench,N,Name,metric,value | head -5)" \
	'CodePrinterTest.Format,10,a b,wall,47470178082.2
CodePrinterTest.Format,10,a b,wall_sd,1320344603.1604276
CodePrinterTest.Format,10,a b,wall_median,46951833349
CodePrinterTest.Format,10,a b,wall_min,46011386499
CodePrinterTest.Format,10,a b,wall_max,49461322073' \
	'bench-convert reads statistics and parameters of BenchmarkDotNet, and a class without a namespace'
sed '/"Statistics"/,/^            },/d; /"Memory"/,/},/d' jobs.json >failed.json
is "$(bench-convert failed.json | columns bench,metric,unit,value,status)" \
	'Fantomas.Benchmarks.CodePrinterTest.Format,wall,ns,,failed' \
	'bench-convert reads a benchmark of BenchmarkDotNet without statistics as failed'
is "$(bench-convert "$data/benchmarkdotnet.json" | grep -c '"CodePrinterTest.Format: Job-ISNCHE(IterationCount=5, RunStrategy=ColdStart)"')" 6 \
	'bench-convert keeps jobs of BenchmarkDotNet apart by a factor'

# clang
is "$(values clang-time-trace.json time,phase,metric,unit,value | head -4)" \
	'2026-11-30T02:42:54.517044000Z,Total ExecuteCompiler,wall,ns,8106494000
2026-11-30T02:42:54.517044000Z,Total ExecuteCompiler,calls,1,1
2026-11-30T02:42:54.517044000Z,Total Frontend,wall,ns,6298408000
2026-11-30T02:42:54.517044000Z,Total Frontend,calls,1,2' \
	'bench-convert reads the totals of clang -ftime-trace, and its time without invented nanoseconds'
is "$(values clang-time-trace.json phase | sort -u | wc -l)" 7 'bench-convert reads no single events of clang -ftime-trace'

# vitest
is "$(values vitest.json bench,iterations,sample,metric,unit,value | head -8)" \
	'JS Implementation,10744,,wall,ns,46540.86001489247
JS Implementation,,,wall_sd,ns,19457.542325052957
JS Implementation,,,wall_median,ns,45131.00000008308
JS Implementation,,,wall_min,ns,40161.00000001188
JS Implementation,,,wall_max,ns,1463269.999999966
JS Implementation,,,wall_p75,ns,47857.0000000218
JS Implementation,,,wall_p99,ns,72892.00000002437
WASM Implementation,104,,wall,ns,4843074.605769228' \
	'bench-convert reads the statistics of vitest in ns'
is "$(values vitest.json group | sort -u)" \
	'__benchmarks__/pattern.bench.mts > Pattern Matcher Benchmark > Simple Pattern Matching' \
	'bench-convert reads the group of vitest as a factor'
sed 's/"samples": \[\]/"samples": [0.5, 0.25]/' "$data/vitest.json" >samples.json
is "$(bench-convert samples.json | columns bench,iterations,sample,metric,value | head -3)" \
	'JS Implementation,,0,wall,500000
JS Implementation,,1,wall,250000
WASM Implementation,,0,wall,500000' 'bench-convert reads the samples of vitest instead of its statistics'

# fio
is "$(values fio.json bench,bs,rw,direction,iterations,metric,unit,value | head -13)" \
	'random,4k,randrw,read,496,latency,ns,67504.546371
random,4k,randrw,read,,latency_sd,ns,96635.831256
random,4k,randrw,read,,latency_min,ns,40230
random,4k,randrw,read,,latency_max,ns,2189338
random,4k,randrw,read,496,clat,ns,67466.366935
random,4k,randrw,read,,clat_sd,ns,96628.079103
random,4k,randrw,read,,clat_median,ns,63232
random,4k,randrw,read,,clat_p90,ns,73216
random,4k,randrw,read,,clat_p99,ns,134144
random,4k,randrw,read,,clat_p99.9,ns,2179072
random,4k,randrw,read,,throughput,1/s,13405.405405
random,4k,randrw,read,,bandwidth,B/s,54908540
random,4k,randrw,write,528,latency,ns,4500.287879' \
	'bench-convert reads latencies and rates of fio, and its options as factors'
is "$(values fio.json bench,bs,direction,time,status | sort | uniq -c | tr -s ' ')" \
	' 12 random,4k,read,2026-11-28T02:15:12.899000000Z,ok
 12 random,4k,write,2026-11-28T02:15:12.899000000Z,ok
 12 write,64k,write,2026-11-28T02:15:12.899000000Z,ok' \
	'bench-convert reads the directions of fio in which there was I/O, with their time'
sed 's/"error" : 0/"error" : 28/' "$data/fio.json" >failed.json
is "$(bench-convert failed.json | columns status | sort | uniq -c | tr -s ' ')" ' 36 failed:exit=28' \
	'bench-convert reads the errors of fio'

# nanobench
is "$(values nanobench.json bench,title,batch,sample,iterations,metric,unit,value)" \
	'copy,strings,64,0,64120,wall,ns,15.9700405489707
copy,strings,64,1,64384,wall,ns,16.0093967445328
copy,strings,64,2,71582,wall,ns,17.729359336146
append,strings,64,0,25736,wall,ns,39.7901771837115
append,strings,64,1,25841,wall,ns,39.7904879842111
append,strings,64,2,28765,wall,ns,40.6105683990961' \
	'bench-convert reads each measurement of nanobench as a sample'
sed 's/"median(instructions)": 0/"median(instructions)": 9/; s/"instructions": 0/"instructions": 9/' \
	"$data/nanobench.json" >counted.json
is "$(bench-convert counted.json | columns metric,value | sort | uniq -c | grep -v wall | tr -s ' ')" \
	' 6 context-switches,0
 6 instructions,9
 6 page-faults,0' 'bench-convert reads the counters of nanobench that count'

# Vegeta
is "$(values vegeta.json bench,time,iterations,metric,unit,value -n home)" \
	'home,2015-09-19T12:45:50.645818631Z,100,latency,ns,2371194
home,2015-09-19T12:45:50.645818631Z,,latency_median,ns,2854306
home,2015-09-19T12:45:50.645818631Z,,latency_p95,ns,3478629
home,2015-09-19T12:45:50.645818631Z,,latency_p99,ns,3530000
home,2015-09-19T12:45:50.645818631Z,,latency_max,ns,3660505
home,2015-09-19T12:45:50.645818631Z,,offered_rate,1/s,101.01010672380401
home,2015-09-19T12:45:50.645818631Z,,success_share,1,1' \
	'bench-convert reads the latencies and rates of Vegeta, and the time of its first request'

# Google Benchmark's CSV
is "$(values gbench.csv bench,sample,iterations,metric,unit,value,status | head -7)" \
	'copy/64,0,4237414,wall,ns,5.25607,ok
copy/64,0,4237414,cpu_time,ns,2.96623,ok
copy/64,0,4237414,bandwidth,B/s,21576200000,ok
copy/64,1,4237414,wall,ns,6.20469,ok
copy/64,1,4237414,cpu_time,ns,3.78259,ok
copy/64,1,4237414,bandwidth,B/s,16919600000,ok
copy/1024,0,1449743,wall,ns,18.1642,ok' \
	"bench-convert reads repetitions of Google Benchmark's CSV as samples"
is "$(bench-convert "$data/gbench.csv" | tail -3)" \
	'function,slow,"with label, quoted",0,5124,wall,ns,3747.03,ok,slow/min_time:0.010
function,slow,"with label, quoted",0,5124,cpu_time,ns,2745.12,ok,slow/min_time:0.010
function,fails,,0,,wall,ns,,failed,' \
	"bench-convert reads units, labels and errors of Google Benchmark's CSV, and no aggregates"
is "$(bench-convert "$data/gbench-counters.csv" | grep 'things\|fails')" \
	'function,copy/64,0,100,things,1,1.5,ok,copy/64/iterations:100/repeats:3
function,copy/64,1,100,things,1,1.5,ok,copy/64/iterations:100/repeats:3
function,copy/64,2,100,things,1,1.5,ok,copy/64/iterations:100/repeats:3
function,counts,0,10,things,1,2.5,ok,counts/iterations:10
function,fails,0,,wall,ns,,failed,fails/iterations:10' \
	"bench-convert reads user counters of Google Benchmark's CSV, and a failure, which has none"
head -c -6 "$data/gbench-counters.csv" >cut.csv
status 2 "bench-convert rejects Google Benchmark's CSV that is cut off in a row" bench-convert cut.csv

# k6
is "$(values k6.json bench,metric,unit,value -n grpc)" 'grpc,fake_trend,1,495.4465847071392
grpc,grpc_req_duration,ns,1033118.3109724373
grpc,vus_min,1,2
grpc,fake_trend_min,1,0.027554032425586142
grpc,grpc_req_duration_min,ns,185891
grpc,fake_trend_median,1,494.75583605571484
grpc,grpc_req_duration_median,ns,758751
grpc,vus_max,1,9
grpc,fake_trend_max,1,999.8552055148207
grpc,grpc_req_duration_max,ns,8499031
grpc,fake_trend_p90,1,899.9373840182885
grpc,grpc_req_duration_p90,ns,2019405.0000000002
grpc,fake_trend_p95,1,948.0369835185951
grpc,grpc_req_duration_p95,ns,2522843.1999999997
grpc,vus,1,9
grpc,grpc_reqs_count,1,9615
grpc,data_sent_count,B,2538291
grpc,data_sent_rate,B/s,748036.930094427
grpc,fake_rate_rate,1,0.4998439937597504
grpc,grpc_reqs_rate,1/s,2833.5502441831595
grpc,fake_rate_passes,1,4806
grpc,fake_rate_fails,1,4809' 'bench-convert names metrics after those of k6, in ns, bytes and per second'

# IOR, whose summary has the means in MiB
is "$(values ior.json access,api,tasks,transfer_size,sample,metric,unit,value | head -n 4)" \
	'write,POSIX,1,1048576,0,bandwidth,B/s,253136837.0176
write,POSIX,1,1048576,0,throughput,1/s,241.4485
write,POSIX,1,1048576,0,wall,ns,265100000
write,POSIX,1,1048576,0,latency,ns,4100000' 'bench-convert reads the repetitions of IOR as samples'
is "$(bench-convert "$data/ior.json" | bench-stat --csv -s mean --filter metric=bandwidth | column mean | awk '{ printf "%.2f\n", $1 / 1048576 }')" \
	"$(sed -n 's/.*"bwMeanMIB": \(.*\), */\1/p' "$data/ior.json" | awk '{ printf "%.2f\n", $1 }')" \
	'the means of the samples of IOR are those that its summary has'

# rt-tests
is "$(values cyclictest.json host,thread,cpu,iterations,metric,unit,value)" 'host,0,0,469,latency,ns,1452310
host,0,0,,latency_min,ns,28000
host,0,0,,latency_max,ns,33874000
host,1,1,522,latency,ns,1066710
host,1,1,,latency_min,ns,70000
host,1,1,,latency_max,ns,157935000' 'bench-convert reads the threads of cyclictest'
is "$(values cyclictest-ns.json thread,metric,unit,value)" '0,latency,ns,430901.14
0,latency_min,ns,39673
0,latency_max,ns,4967406' 'bench-convert reads cyclictest -N, whose times are in ns'
is "$(values pmqtest.json thread,cpu,iterations,metric,unit,value)" '0,0,734,latency,ns,6150
0,0,,latency_min,ns,3000
0,0,,latency_max,ns,71000' 'bench-convert reads the receivers of pmqtest'
sed 's/"return_code": 0/"return_code": 1/' "$data/cyclictest.json" >failed.json
is "$(bench-convert failed.json | column status | uniq)" failed:exit=1 'bench-convert reads cyclictest that failed as failed'
sed 's/"cycles": 469/"cycles": 0/' "$data/cyclictest.json" >idle.json
is "$(bench-convert idle.json | columns thread,status | uniq)" '0,skipped
1,ok' 'a thread of cyclictest without cycles is read as skipped'

done_testing
