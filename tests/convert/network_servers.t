#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the files of programs that measure networks and servers: iperf3 and
# redis-benchmark.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/formats
is "$(bench-convert "$data/iperf3.json")" 'time,protocol,streams,reverse,block_size,target_bitrate,metric,unit,value,status
2026-11-28T20:32:30.000000000Z,TCP,1,0,131072,0,bitrate,bit/s,17210252758.83258,ok
2026-11-28T20:32:30.000000000Z,TCP,1,0,131072,0,bitrate_sent,bit/s,17238677955.291367,ok
2026-11-28T20:32:30.000000000Z,TCP,1,0,131072,0,retransmits,1,4,ok
2026-11-28T20:32:30.000000000Z,TCP,1,0,131072,0,wall,ns,2003293000,ok' 'bench-convert reads the totals of iperf3'
is "$(bench-convert "$data/iperf3-udp.json" | columns protocol,streams,target_bitrate,metric,unit,value)" \
	'UDP,2,100000000,bitrate,bit/s,200241371.8289553
UDP,2,100000000,bitrate_sent,bit/s,200255186.90869242
UDP,2,100000000,jitter,ns,10961.96089300511
UDP,2,100000000,packets,1,764
UDP,2,100000000,lost_packets,1,0
UDP,2,100000000,wall,ns,1000183000' 'bench-convert reads the jitter and the packets of iperf3 --udp, of which two streams repeat members'
is "$(bench-convert "$data/iperf3-failed.json")" 'metric,unit,value,status
bitrate,bit/s,,failed' 'bench-convert reads a failed run of iperf3 as failed'
is "$(bench-convert "$data/redis-benchmark.csv")" 'bench,metric,unit,value
SET,throughput,1/s,52631.58
SET,latency,ns,605000
SET,latency_min,ns,176000
SET,latency_median,ns,543000
SET,latency_p95,ns,871000
SET,latency_p99,ns,3959000
SET,latency_max,ns,4151000
GET,throughput,1/s,50000
GET,latency,ns,668000
GET,latency_min,ns,184000
GET,latency_median,ns,567000
GET,latency_p95,ns,1447000
GET,latency_p99,ns,4135000
GET,latency_max,ns,4335000' 'bench-convert reads the rates and latencies of redis-benchmark'
done_testing
