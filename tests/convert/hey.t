#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the requests of hey.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
bench-convert -n ping "$data/hey.csv" >rows.csv
is "$(columns bench,sample,metric,unit,value <rows.csv | head -n 3)" 'ping,0,latency,ns,4300000
ping,0,connect,ns,400000
ping,0,response_delay,ns,3400000' 'bench-convert reads the latency of a request of hey and its parts'
is "$(grep -c ',latency,' rows.csv)" 40 'bench-convert reads each request of hey as a sample'
is "$(grep -c ',connect,' rows.csv)" "$(tail -n +2 "$data/hey.csv" | cut -d, -f2 | grep -vc '^0.0000$')" \
	'a request of hey on an open connection has no time of connecting'
sed '2s/,200,/,404,/; 3s/,200,/,503,/' "$data/hey.csv" >errors.csv
is "$(bench-convert errors.csv | columns sample,metric,status | grep ,latency, | head -n 3 | tr '\n' ' ')" \
	'0,latency,failed 1,latency,failed 2,latency,ok ' 'bench-convert reads requests of hey that the server refused as failed'
head -n 1 "$data/hey.csv" >none.csv
status 2 'bench-convert rejects a file of hey without a request' bench-convert none.csv
done_testing
