#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what the OSU micro-benchmarks print.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert/osu
is "$(bench-convert "$data-latency.txt" | columns bench,datatype,size,sample,metric,unit,value,status)" \
	'OSU MPI Latency Test,MPI_CHAR,1,0,latency,ns,3310,ok
OSU MPI Latency Test,MPI_CHAR,2,0,latency,ns,2530,ok
OSU MPI Latency Test,MPI_CHAR,4,0,latency,ns,108920,ok
OSU MPI Latency Test,MPI_CHAR,8,0,latency,ns,2470,ok
OSU MPI Latency Test,MPI_CHAR,1,1,latency,ns,3910,ok
OSU MPI Latency Test,MPI_CHAR,2,1,latency,ns,2660,ok
OSU MPI Latency Test,MPI_CHAR,4,1,latency,ns,188970,ok
OSU MPI Latency Test,MPI_CHAR,8,1,latency,ns,2760,ok' \
	'bench-convert reads sizes of an OSU benchmark as factors, and repeated tests as samples'
is "$(bench-convert "$data-messages.txt" | columns pairs,window_size,size,metric,unit,value | sed -n '1,2p')" \
	'1,64,1,bandwidth,B/s,40000
1,64,1,message_rate,1/s,37063.38' 'bench-convert reads the rate of messages, and pairs and window as factors'
is "$(bench-convert "$data-allreduce.txt" | columns size,iterations,metric,unit,value | head -n 6)" \
	'4,50,latency,ns,2212250
4,50,latency_min,ns,2136300
4,50,latency_max,ns,2288210
4,50,latency_p50,ns,1130
4,50,latency_p90,ns,13958360
4,50,latency_p99,ns,17440350' 'bench-convert reads the full format and the percentiles of an OSU benchmark'
is "$(bench-convert "$data-barrier.txt" | columns iterations,metric,value | head -n 1)" 50,latency,17176730 \
	'bench-convert reads an OSU benchmark without sizes'
is "$(bench-convert "$data-init.txt" | columns processes,metric,unit,value)" '2,wall,ns,190000000
2,wall_max,ns,194000000
2,wall_min,ns,186000000' 'bench-convert reads the times of osu_init'
is "$(bench-convert "$data-validation.txt" | columns size,metric,unit,status | sed -n '1,4p')" '1,bandwidth,B/s,ok
1,bandwidth_p50,B/s,ok
1,bandwidth_p90,B/s,ok
1,bandwidth_p99,B/s,ok' 'bench-convert separates columns of an OSU benchmark that have one space between them'
sed 's/^2 \(.*\)Pass/2 \1Fail/' "$data-validation.txt" >wrong.txt
is "$(bench-convert wrong.txt | columns size,status | uniq)" '1,ok
2,failed
4,ok' 'a size of an OSU benchmark whose result is wrong is read as failed'
sed 's/ 3.31$/ 0.00/; s/^8 .*/[host:1] a line of mpirun/' "$data-latency.txt" >odd.txt
is "$(bench-convert odd.txt | columns size,sample,value,status | sed -n '1p;3,4p')" '1,0,,skipped
4,0,108920,ok
1,1,3910,ok' 'a latency that was rounded to 0 is missing, and lines of mpirun are ignored'
sed '/^[0-9]/d' "$data-bandwidth.txt" >empty.txt
is "$(bench-convert empty.txt | columns bench,value,status)" 'OSU MPI Bandwidth Test,,failed' \
	'an OSU benchmark that printed no numbers is read as failed'
sed 's/^4 .*/4 x/' "$data-latency.txt" >bad.txt
is "$(bench-convert bad.txt 2>&1)" 'bench-convert: bad.txt:7: no number in each column: the file is damaged' \
	'bench-convert rejects a line of an OSU benchmark that is damaged'
done_testing
