#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the Markdown and the SQL of llama-bench.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# refused MESSAGE SUBJECT FILE: one line with the message, and no output
refused() {
	bench-convert "$3" >out 2>err
	is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: $1" "bench-convert rejects $2"
}

# Markdown
is "$(bench-convert "$data/llama-bench-ubatch.md" |
	columns commit,kind,bench,size,params,backends,n_gpu_layers,n_ubatch,flash_attn,use_mmap,n_prompt,n_gen,n_depth,sample,metric,unit,value,status |
	sed -n '1,4p;$p')" '2f68ce7cf,model,gpt-oss 20B MXFP4 MoE,11.27 GiB,20.91 B,CUDA,99,2048,1,0,2048,0,,,token_rate,1/s,3782.76,ok
2f68ce7cf,model,gpt-oss 20B MXFP4 MoE,11.27 GiB,20.91 B,CUDA,99,2048,1,0,2048,0,,,token_rate_sd,1/s,11.95,ok
2f68ce7cf,model,gpt-oss 20B MXFP4 MoE,11.27 GiB,20.91 B,CUDA,99,2048,1,0,0,32,,,token_rate,1/s,84.1,ok
2f68ce7cf,model,gpt-oss 20B MXFP4 MoE,11.27 GiB,20.91 B,CUDA,99,2048,1,0,0,32,,,token_rate_sd,1/s,0.52,ok
2f68ce7cf,model,gpt-oss 20B MXFP4 MoE,11.27 GiB,20.91 B,CUDA,99,2048,1,0,0,32,32768,,token_rate_sd,1/s,0.12,ok' \
	"bench-convert reads rates, factors and the commit of llama-bench's Markdown"
is "$(bench-convert -M token_rate "$data/llama-bench-threads.md" | columns n_threads,n_prompt,n_gen,value,commit)" '1,64,0,6.17,
1,0,16,4.05,
2,64,0,12.31,
2,0,16,7.8,
4,64,0,23.18,
4,0,16,12.22,' "bench-convert reads the names of tests that old versions of llama-bench write"
printf '%s\n' '| model | test | t/s |' '| --- | --- | --: |' '| m | pp512+tg128 | 9.00 ± 0.10 |' '| m | x9 | 8.00 ± 0.20 |' >tests.md
is "$(bench-convert -M token_rate tests.md | columns bench,n_prompt,n_gen,test,value)" 'm,512,128,,9
m,,,x9,8' "bench-convert keeps the name of a test of llama-bench that it does not know"
cat "$data/llama-bench-ubatch.md" "$data/llama-bench-threads.md" >two.md
is "$(bench-convert -M token_rate two.md | columns commit,backends | uniq -c | tr -s ' ')" ' 10 2f68ce7cf,CUDA
 6 ,CPU' "bench-convert reads several tables of llama-bench, each with its commit"
sed '3s/99 |//' "$data/llama-bench-ubatch.md" >cells.md
refused "cells.md:3: 9 cells where the table's title has 10" "a row of llama-bench's Markdown without a cell" cells.md
sed '4s/84.10 ± 0.52/-/' "$data/llama-bench-ubatch.md" >rate.md
refused 'rate.md:4: the last cell is not a rate and its standard deviation' "a row of llama-bench's Markdown without a rate" rate.md

# SQL
is "$(bench-convert "$data/llama-bench.sql" | columns time,env,commit,bench,backends,n_gpu_layers,n_prompt,n_gen,metric,unit,value)" \
	'2025-04-24T12:00:08.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,512,0,wall,ns,69905000
2025-04-24T12:00:08.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,512,0,wall_sd,ns,519516
2025-04-24T12:00:08.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,512,0,token_rate,1/s,7324.546977
2025-04-24T12:00:08.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,512,0,token_rate_sd,1/s,54.032613
2025-04-24T12:00:09.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,0,128,wall,ns,1063608780
2025-04-24T12:00:09.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,0,128,wall_sd,ns,4464130
2025-04-24T12:00:09.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,0,128,token_rate,1/s,120.346696
2025-04-24T12:00:09.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,qwen2 7B Q4_K - Medium,CUDA,99,0,128,token_rate_sd,1/s,0.504647' \
	"bench-convert reads times, rates, factors and the machine of llama-bench's SQL"
is "$(bench-convert -M token_rate "$data/llama-bench-1275.sql" | columns env,n_prompt,opencl,value)" \
	'13th Gen Intel(R) Core(TM) i9-13900K + NVIDIA GeForce RTX 3090 Ti,512,0,2407.240204
13th Gen Intel(R) Core(TM) i9-13900K + NVIDIA GeForce RTX 3090 Ti,0,0,130.891159' "bench-convert reads the SQL of an old version of llama-bench"
if skip_unless sqlite3 "bench-convert reads the values that SQLite reads of llama-bench's SQL"; then
	is "$(bench-convert -M token_rate "$data/llama-bench.sql" | column value)" \
		"$(sqlite3 :memory: ".read $data/llama-bench.sql" 'select avg_ts from test')" \
		"bench-convert reads the values that SQLite reads of llama-bench's SQL"
fi
sed "s/'CUDA', //" "$data/llama-bench.sql" >values.sql
refused 'values.sql:37: 32 values for 33 columns' "a statement of llama-bench with fewer values than columns" values.sql
sed "s/ '519516'/ 519516/" "$data/llama-bench.sql" >quotes.sql
refused 'quotes.sql:37: the statement is damaged' "a value of llama-bench's SQL without quotes" quotes.sql
sed "s/'519516'/'many'/" "$data/llama-bench.sql" >number.sql
refused "number.sql:37: stddev_ns: 'many' is not a decimal number" "a text instead of a number in llama-bench's SQL" number.sql
cat "$data/llama-bench.sql" "$data/llama-bench-1275.sql" >two.sql
refused 'two.sql:69: columns other than those of the lines before: convert each file separately' "SQL of two versions of llama-bench in one file" two.sql
sed "s/'qwen2 7B Q4_K - Medium'/'it''s, \"so\"'/" "$data/llama-bench.sql" >quoted.sql
is "$(bench-convert --json -M wall quoted.sql | grep -o '"bench": "[^,]*, ..so..' | sort -u)" '"bench": "it'"'"'s, \"so\"' \
	"bench-convert reads quotes and commas in llama-bench's SQL"
done_testing
