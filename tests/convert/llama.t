#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert of llama-bench: tests on other machines or with other models are other series, and
# the output formats of llama-bench agree.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

is "$(bench-convert "$data/llama-bench.json" | columns time,env,commit,kind,bench,model_filename,flash_attn,use_mmap,n_prompt,sample,metric,unit,value | sed -n '1,2p;11p')" \
	'2025-04-24T11:58:50.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,model,qwen2 7B Q4_K - Medium,models/Qwen2.5-7B-Instruct-Q4_K_M.gguf,0,1,512,0,wall,ns,74601900
2025-04-24T11:58:50.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,model,qwen2 7B Q4_K - Medium,models/Qwen2.5-7B-Instruct-Q4_K_M.gguf,0,1,512,0,token_rate,1/s,6863.1
2025-04-24T11:58:51.000000000Z,AMD Ryzen 7 7800X3D 8-Core Processor + NVIDIA GeForce RTX 4080,8cf427ff,model,qwen2 7B Q4_K - Medium,models/Qwen2.5-7B-Instruct-Q4_K_M.gguf,0,1,0,0,wall,ns,1075361300' \
	'bench-convert reads the machine, the model and the samples of llama-bench'
is "$(bench-convert "$data/llama-bench.jsonl" | columns n_prompt,sample,metric,value | grep wall)" '512,0,wall,71551000
512,1,wall,71222800
512,2,wall,70364100
512,3,wall,69439100
512,4,wall,69909100
0,0,wall,1066331700
0,1,wall,1064864900
0,2,wall,1079042600
0,3,wall,1063328400
0,4,wall,1066824400' 'bench-convert reads the JSON lines of llama-bench'

is "$(bench-convert "$data/llama-bench.csv" | columns n_prompt,n_gen,metric,value | head -4)" \
	'512,0,wall,70285660
512,0,wall_sd,982040
512,0,token_rate,7285.676949
512,0,token_rate_sd,100.064434' 'bench-convert reads the CSV of llama-bench'

# groups FILE...: the number of samples of each group of bench-stat for the rate of prompts
groups() {
	for file; do
		bench-convert "$file"
	done | bench-stat --metric token_rate -s n | columns n_prompt,n | grep '^512,' | paste -sd' '
}
for format in json jsonl; do
	sed 's/RTX 4080/RTX 4090/' "$data/llama-bench.$format" >gpu.$format
	sed 's/7800X3D/9800X3D/' "$data/llama-bench.$format" >cpu.$format
	sed 's/Q4_K_M.gguf/Q4_K_M-v2.gguf/' "$data/llama-bench.$format" >model.$format
done
for other in gpu cpu model; do
	is "$(groups "$data/llama-bench.json" $other.json)" '512,5 512,5' \
		"bench-stat does not mix tests of llama-bench with another $other"
	is "$(groups "$data/llama-bench.jsonl" $other.jsonl)" '512,5 512,5' \
		"bench-stat does not mix JSON lines of llama-bench with another $other"
done
sed 's/RTX 4080/RTX 4090/' "$data/llama-bench.csv" >gpu.csv
is "$(groups "$data/llama-bench.csv" gpu.csv)" '512,1 512,1' 'bench-stat does not mix the CSV of llama-bench with another gpu'
is "$(groups "$data/llama-bench.json" "$data/llama-bench.csv" "$data/llama-bench.jsonl")" 512,11 \
	'bench-stat takes the JSON, the CSV and the JSON lines of one test of llama-bench as one subject'
bench-convert gpu.json >new.csv
bench-convert "$data/llama-bench.json" >old.csv
like "$(bench-compare old.csv new.csv 2>&1)" 'env' 'bench-compare warns if GPUs of llama-bench differ'

# Broken files
sed '$s/,"0.430617"//' "$data/llama-bench.csv" >short.csv
status 2 'bench-convert rejects a CSV of llama-bench with a missing field' bench-convert short.csv
is "$(cat "$T/.err")" 'bench-convert: short.csv:3: 32 fields where the header has 33' 'the message about a missing field names the line'
head -c 1500 "$data/llama-bench.jsonl" >cut.jsonl
status 2 'bench-convert rejects JSON lines of llama-bench that are cut off' bench-convert cut.jsonl
like "$(cat "$T/.err")" '^bench-convert: cut.jsonl:2:' 'the message about cut JSON lines names the line'
{ cat "$data/llama-bench.jsonl" && echo '{"n_prompt": 1}'; } >other.jsonl
status 2 'bench-convert rejects a line of llama-bench without a result' bench-convert other.jsonl
is "$(cat "$T/.err")" 'bench-convert: other.jsonl: test 3 has no avg_ts' 'the message about a missing result names the test'
done_testing
