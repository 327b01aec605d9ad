#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the results of SGLang's benchmark of a server.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert -n m "$data/sglang.json" | columns kind,bench,backend,dataset_name,request_rate,max_concurrency,iterations,metric,value,status |
	grep -v '_median\|_sd\|_p9')" 'model,m,sglang-oai,random-ids,50,,6,first_token,28015835.00210351,ok
model,m,sglang-oai,random-ids,50,,6,per_token,3232957.7922306876,ok
model,m,sglang-oai,random-ids,50,,,inter_token,3228353.958547814,ok
model,m,sglang-oai,random-ids,50,,6,latency,40947666.17102626,ok
model,m,sglang-oai,random-ids,50,,,throughput,36.92578352591146,ok
model,m,sglang-oai,random-ids,50,,,token_rate,184.6289176295573,ok
model,m,sglang-oai,random-ids,50,,,total_token_rate,406.18361878502606,ok
model,m,sglang-oai,random-ids,50,,,wall,162488089.00127187,ok
model,m,sglang-oai,random-ids,50,,,requests,6,ok' 'bench-convert reads the means and totals of SGLang'
is "$(bench-convert "$data/sglang.json" | columns metric,value | grep '^latency_')" 'latency_median,38331890.50783403
latency_sd,9367883.128000133
latency_p90,51960000.00432832
latency_p95,55915051.50732701
latency_p99,59079092.70972595' 'bench-convert reads the statistics of SGLang'
is "$(bench-convert "$data/sglang-detailed.json" | columns sample,metric,value,status | grep ',first_token')" \
	'0,first_token,20926512.996084057,ok
1,first_token,15067008.003825322,ok
2,first_token,15070983.994519338,ok
3,first_token,14726101.988344453,ok
4,first_token,15032227.005576715,ok
5,first_token,14123187.997029163,ok' 'bench-convert reads the requests of SGLang with --output-details as samples'
is "$(bench-convert "$data/sglang-detailed.json" | columns process,sample,metric,value | grep '^5,.*inter_token')" \
	'5,0,inter_token,2857710.9915204346
5,1,inter_token,3539912.9992583767
5,2,inter_token,3434687.008848414
5,3,inter_token,3360896.9970373437' 'bench-convert reads the times between the tokens of a request of SGLang'
is "$(bench-convert "$data/sglang-failed.json" | grep ',failed,')" \
	'model,sglang-oai,random-ids,50,4,,3,,first_token,ns,,failed,"Internal Server Error: {""error"":""no""}"' \
	'bench-convert reads a request of SGLang that failed, and the reason'
cat "$data/sglang-detailed.json" "$data/sglang-failed.json" >appended.jsonl
is "$(bench-convert appended.jsonl | columns run,metric,value | grep ',requests,' | cut -d , -f 2- | paste -sd ' ')" 'requests,6 requests,5' \
	'bench-convert reads a file to which SGLang appended a result'
sed 's/"server_info": null/"server_info": {"model_path": "org\/model"}/' "$data/sglang.json" >server.json
is "$(bench-convert server.json | columns bench | sort -u)" org/model \
	'bench-convert takes the name of the model from what the server of SGLang says about itself'
sed 's/"completed": 6/"completed": 0/' "$data/sglang.json" >none.json
is "$(bench-convert none.json | columns metric,status | grep '^requests')" requests,failed \
	'bench-convert reads a benchmark of SGLang in which no request succeeded as failed'
done_testing
