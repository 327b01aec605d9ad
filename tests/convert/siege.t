#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the JSON of Siege.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
is "$(bench-convert -n home "$data/siege.json" | columns bench,iterations,metric,unit,value,status)" 'home,,wall,ns,2590000000,ok
home,100,latency,ns,70000000,ok
home,,latency_max,ns,310000000,ok
home,,throughput,1/s,38.61,ok
home,,bandwidth,B/s,40485519.36,ok
home,,requests,1,100,ok
home,,successful_requests,1,100,ok
home,,failed_requests,1,0,ok
home,,concurrency,1,2.64,ok' 'bench-convert reads the values of Siege, except a time that was rounded to 0'
is "$(bench-convert "$data/siege-errors.json" | columns metric,value,status | grep _req)" \
	'successful_requests,0,failed
failed_requests,0,failed' 'bench-convert reads a run of Siege that got only errors of HTTP as failed'
is "$(bench-convert "$data/siege-refused.json" | columns metric,value,status)" \
	'wall,10000000,failed
throughput,0,failed
requests,0,failed
successful_requests,0,failed
failed_requests,20,failed
concurrency,0,failed' 'bench-convert reads no times of a run of Siege without a connection'
sed 's/"transactions":[^,]*,/"transactions": "many",/' "$data/siege.json" >bad.json
is "$(bench-convert bad.json | columns metric,value,status | grep ^requests)" requests,,skipped \
	'bench-convert reads a word instead of a number of Siege as a missing value'
done_testing
