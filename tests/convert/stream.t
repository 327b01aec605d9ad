#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what STREAM prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
bench-convert "$data/stream.txt" >rows.csv
is "$(columns bench,element_bytes,array_size,threads,iterations,metric,unit,value,status <rows.csv | head -n 4)" \
	'Copy,8,4000000,2,,bandwidth_max,B/s,34857200000,ok
Copy,8,4000000,2,9,wall,ns,2287000,ok
Copy,8,4000000,2,,wall_min,ns,1836000,ok
Copy,8,4000000,2,,wall_max,ns,2616000,ok' 'bench-convert reads the rate and the times of a kernel of STREAM'
is "$(columns bench,metric,value <rows.csv | grep bandwidth | sed 's/00000$//; s/,.*,/ /')" \
	"$(sed -n 's/^\([A-Z][a-z]*\): *\([0-9]*\)\.\([0-9]\) .*/\1 \2\3/p' "$data/stream.txt")" \
	'bench-convert reads the best rate of each kernel of STREAM'
is "$(bench-convert "$data/stream-failed.txt" | columns bench,status | sort -u | tr '\n' ' ')" \
	'Add,failed Copy,failed Scale,failed Triad,failed ' 'kernels of STREAM whose results are wrong have failed'
cat "$data/stream.txt" "$data/stream-failed.txt" >runs.txt
is "$(bench-convert runs.txt | columns bench,threads,sample,metric,status | grep 'Triad.*_max,' | tr '\n' ' ')" \
	'Triad,2,0,bandwidth_max,ok Triad,2,0,wall_max,ok Triad,,1,bandwidth_max,failed Triad,,1,wall_max,failed ' \
	'each run of STREAM is a sample with its own threads and validity'
sed '/^Solution/d' "$data/stream.txt" >cut.txt
status 2 'bench-convert rejects a run of STREAM without a verdict on its results' bench-convert cut.txt
like "$(cat "$T/.err")" 'cut.txt: .* no line that says whether its results are valid' 'the message about STREAM without a verdict names the file'
cat cut.txt "$data/stream.txt" >first-cut.txt
status 2 'bench-convert rejects a file whose first run of STREAM has no verdict' bench-convert first-cut.txt
sed 's/^Copy: .*/Copy:                inf     0.000000     0.000000     0.002616/' "$data/stream.txt" >short.txt
is "$(bench-convert short.txt | columns bench,metric,value,status | head -n 4)" 'Copy,bandwidth_max,,skipped
Copy,wall,,skipped
Copy,wall_min,,skipped
Copy,wall_max,2616000,ok' 'times that STREAM rounded to 0 are missing, and the rate that follows from them'
sed 's/^Copy: .*/Copy:   34.857,2     0.002287     0.001836     0.002616/' "$data/stream.txt" >comma.txt
status 2 'bench-convert rejects a rate of STREAM that is no number' bench-convert comma.txt
sed 's/^Copy:  */&34 /' "$data/stream.txt" >space.txt
status 2 'bench-convert rejects a kernel of STREAM with too many numbers' bench-convert space.txt
done_testing
