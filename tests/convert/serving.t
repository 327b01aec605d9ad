#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the results of programs that measure model servers: LoadGen, vLLM,
# AIPerf and GuideLLM.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data

# LoadGen
is "$(bench-convert "$data/convert/loadgen-single.txt" | columns kind,bench,scenario,mode,sample,metric,unit,value,status)" \
	'model,PySUT,SingleStream,PerformanceOnly,,throughput,1/s,897.66,ok
model,PySUT,SingleStream,PerformanceOnly,,throughput_net,1/s,902.48,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_min,ns,1044520,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_max,ns,3694622,ok
model,PySUT,SingleStream,PerformanceOnly,,latency,ns,1108057,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p50,ns,1100704,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p90,ns,1113943,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p95,ns,1122565,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p97,ns,1132400,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p99,ns,1215123,ok
model,PySUT,SingleStream,PerformanceOnly,,latency_p99.9,ns,3694622,ok' \
	'bench-convert reads rates and percentiles of a summary of LoadGen'
is "$(bench-convert "$data/convert/loadgen-server.txt" | columns scenario,metric,unit,value,status | grep 'rate\|put\|p99\|latency,')" \
	'Server,throughput,1/s,90.23,failed
Server,offered_rate,1/s,90.37,failed
Server,latency,ns,2259854,failed
Server,latency_p99,ns,8446847,failed
Server,latency_p99.9,ns,8446847,failed' 'bench-convert reads an invalid run of LoadGen as failed'
is "$(bench-convert "$data/convert/loadgen-offline.txt" | columns scenario,metric,value,status | head -2)" \
	'Offline,throughput,870.15,ok
Offline,latency_min,3693471,ok' 'bench-convert reads the rate of samples of the scenario Offline'
is "$(bench-convert "$data/convert/loadgen-tokens.txt" | columns metric,unit,value | grep 'token' | grep -v 'p[59]\|m[ai]')" \
	'token_rate,1/s,1472.14
first_token,ns,4052908
per_token,ns,1040691' 'bench-convert reads times and the rate of tokens of LoadGen'
is "$(bench-convert "$data/convert/loadgen-tokens.txt" | columns metric,value | grep 'token_p\(50\|99.9\)')" \
	'first_token_p50,3509146
first_token_p99.9,18817939
per_token_p50,1023834
per_token_p99.9,4281258' 'bench-convert reads percentiles of the times of tokens of LoadGen'
head -n 30 "$data/convert/loadgen-single.txt" >short.txt
bench-convert short.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" \
	'2,0,bench-convert: short.txt: no section "Test Parameters Used": the file is cut off, or LoadGen did not measure' \
	'bench-convert rejects a summary of LoadGen that is cut off'
cat "$data/convert/loadgen-single.txt" "$data/convert/loadgen-server.txt" >both.txt
bench-convert both.txt >out 2>err
is "$?,$(wc -c <out),$(cat err)" \
	'2,0,bench-convert: both.txt: 2 summaries of LoadGen in one file: convert each file separately' \
	'bench-convert rejects several summaries of LoadGen in one file'
sed 's/^No errors encountered during test.$/1 ERROR encountered. See detailed log./' "$data/convert/loadgen-single.txt" >errors.txt
is "$(bench-convert errors.txt 2>&1 >/dev/null)" 'bench-convert: errors.txt: LoadGen reports errors; see mlperf_log_detail.txt' \
	'bench-convert passes on that LoadGen reports errors'

# served FILE COLUMNS: these columns of its rows
served() { bench-convert "$data/$1" | columns "$2"; }

# vLLM
is "$(served convert/vllm.json bench,backend,request_rate,iterations,metric,unit,value,status | grep -v 'per_token\|_sd\|_p[59]')" \
	'tiny,openai-chat,50,10,first_token,ns,32466539.49991014,ok
tiny,openai-chat,50,,first_token_median,ns,27035568.500650696,ok
tiny,openai-chat,50,,inter_token,ns,3909856.8857298233,ok
tiny,openai-chat,50,,inter_token_median,ns,5143708.000105107,ok
tiny,openai-chat,50,10,latency,ns,59835537.700018905,ok
tiny,openai-chat,50,,latency_median,ns,59270399.99914996,ok
tiny,openai-chat,50,,throughput,1/s,38.604702217860904,ok
tiny,openai-chat,50,,token_rate,1/s,308.83761774288723,ok
tiny,openai-chat,50,,total_token_rate,1/s,772.0940443572181,ok
tiny,openai-chat,50,,wall,ns,259035802.00065336,ok
tiny,openai-chat,50,,requests,1,10,ok
tiny,openai-chat,50,,failed_requests,1,0,ok' 'bench-convert reads the summary of vLLM'
is "$(served convert/vllm.json metric,value | grep 'per_token\|first_token_[sp]')" 'first_token_sd,10582130.031878782
first_token_p50,27035568.500650696
first_token_p90,45468397.49928039
first_token_p99,47406091.6488088
per_token,3909856.885729824
per_token_median,5150947.214263267
per_token_sd,1623728.8002431612
per_token_p50,5150947.214263267
per_token_p90,5259929.557126139
per_token_p99,5324605.627062867' 'bench-convert reads percentiles and standard deviations of vLLM'
is "$(served convert/vllm-detailed.json metric | grep -v "_p[59]" | sort | uniq -c | tr -s ' ')" ' 1 failed_requests
 10 first_token
 1 goodput
 70 inter_token
 10 latency
 1 per_token
 1 per_token_median
 1 per_token_sd
 1 requests
 1 throughput
 1 token_rate
 1 total_token_rate
 1 wall' 'bench-convert reads each request of vLLM as a sample'
is "$(served convert/vllm-detailed.json process,sample,metric,value | grep '^,9,\|^9,6,')" ',9,first_token,21669875.999577925
9,6,inter_token,5101409.999042517
,9,latency,58023521.99862071' 'bench-convert reads the tokens of a request of vLLM as a process'
# The mean of the samples is the one that vLLM computed.
is "$(bench-convert -M first_token,latency "$data/convert/vllm-detailed.json" | bench-stat -g metric -s mean |
	columns metric,mean | awk -F, '{ printf "%s %.3f\n", $1, $2 }')" 'first_token 31595745.300
latency 61319084.300' 'bench-stat computes the means of vLLM from its requests'
is "$(served convert/vllm-failed.json sample,metric,value,status,x_message | grep '^[123],\(first\|lat\)\|requests')" \
	'1,first_token,22303450.999970663,ok,
2,first_token,,failed,Service Unavailable
3,first_token,42594992.9995113,ok,
1,latency,59441375.00046054,ok,
2,latency,,failed,Service Unavailable
3,latency,58827025.00093728,ok,
,requests,8,ok,
,failed_requests,2,ok,' 'bench-convert reads requests of vLLM that failed as such, and not their times of 0'
is "$(bench-convert -M first_token "$data/convert/vllm-failed.json" | bench-stat -g metric -s mean,n,failed |
	columns metric,mean,n,failed | awk -F, '{ printf "%s %.3f %s %s\n", $1, $2, $3, $4 }')" \
	'first_token 32967311.875 8 2' 'bench-stat computes the mean time to the first token without requests of vLLM that failed'
sed 's/"completed": 10/"completed": 0/; s/\("mean_[a-z0-9]*_ms"\): [0-9.]*/\1: 0.0/g' "$data/convert/vllm.json" >none.json
is "$(bench-convert none.json | columns metric,value,status | grep 'token,\|token_[mp]\|latency\|requests')" 'requests,0,failed
failed_requests,0,failed' 'bench-convert reads a benchmark of vLLM without a successful request as failed'

# AIPerf
is "$(served formats/aiperf.json bench,endpoint,streaming,load,concurrency,iterations,metric,unit,value,status | grep -v '_')" \
	'tiny,chat,true,concurrency,2,12,latency,ns,89268196.66666667,ok
tiny,chat,true,concurrency,2,,throughput,1/s,19.552544420264734,ok
tiny,chat,true,concurrency,2,,wall,ns,606892544,ok
tiny,chat,true,concurrency,2,,requests,1,12,ok' 'bench-convert reads the load and its latency of AIPerf'
is "$(served formats/aiperf.json iterations,metric,unit,value | grep 'token\|chunk' | grep -v '_sd\|_m[ai]\|_p95')" \
	'12,first_token,ns,69339252.08333331
,first_token_median,ns,48453090.49999999
,first_token_p90,ns,145225146.10000002
,first_token_p99,ns,189633345.49
12,per_token,ns,2846992.0833333335
,per_token_median,ns,2119056.7142857146
,per_token_p90,ns,5832586.971428571
,per_token_p99,ns,6135142.637142858
84,inter_chunk,ns,2846992.0833333335
,inter_chunk_median,ns,1731244
,inter_chunk_p90,ns,6107032.9
,inter_chunk_p99,ns,10046182.840000002
,user_token_rate,1/s,469.70402363966514
,token_rate,1/s,156.42035536211787
,total_token_rate,1/s,391.0508884052947' 'bench-convert reads times and rates of tokens of AIPerf'
is "$(served formats/aiperf-failed.json time,load,request_rate,metric,value,status | grep 'good\|slo\|requests')" \
	'2026-11-28T04:53:50.133390000Z,poisson,50,goodput,29.584610946297914,ok
2026-11-28T04:53:50.133390000Z,poisson,50,slo_share,0.6666666666666666,ok
2026-11-28T04:53:50.133390000Z,poisson,50,requests,9,ok
2026-11-28T04:53:50.133390000Z,poisson,50,failed_requests,3,ok' \
	'bench-convert reads requests of AIPerf that failed or missed the service level'
sed 's/"was_cancelled": false/"was_cancelled": true/' "$data/formats/aiperf.json" >canceled.json
is "$(bench-convert canceled.json | columns metric,value,status | head -1)" 'latency,89268196.66666667,failed' \
	'bench-convert reads a canceled benchmark of AIPerf as failed'

# GuideLLM
is "$(served formats/guidellm.json kind,bench,endpoint,load,request_rate,output_tokens,metric,unit,value | sed -n '1p;9p;17p;$p')" \
	'model,mock,/v1/chat/completions,poisson,8,12,latency,ns,224121093.75
model,mock,/v1/chat/completions,poisson,8,12,first_token,ns,85997819.9005127
model,mock,/v1/chat/completions,poisson,8,12,per_token,ns,9673768.823797053
model,mock,/v1/chat/completions,poisson,8,12,failed_requests,1,0' 'bench-convert reads the requests of GuideLLM as samples'
is "$(served formats/guidellm.json metric,unit,value,status | tail -n 8)" \
	'throughput,1/s,7.656424157790495,ok
goodput,1/s,3.8282120788952474,ok
slo_share,1,0.5,ok
token_rate,1/s,91.87708989348593,ok
total_token_rate,1/s,184.7112328066957,ok
wall,ns,1044874191.2841797,ok
requests,1,8,ok
failed_requests,1,0,ok' 'bench-convert reads rates and the service level of GuideLLM'
is "$(served formats/guidellm-failed.json concurrency,metric,value,status | grep 'latency\|requests')" \
	'2,latency,425469636.91711426,ok
2,latency,450755357.7423096,ok
2,latency,177450180.05371094,ok
2,latency,214626789.09301758,ok
2,requests,4,ok
2,failed_requests,3,ok' 'bench-convert counts requests of GuideLLM that failed'
is "$(served formats/guidellm-none.json metric,value,status | grep 'latency\|requests')" 'requests,0,failed
failed_requests,3,failed' 'bench-convert reads a benchmark of GuideLLM without a successful request as failed'
done_testing
