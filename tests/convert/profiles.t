#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads profiles of ONNX Runtime and PyTorch, in which each run or step is a sample.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# profile FILE COLUMNS [OPTION...]: these columns of its rows
profile() {
	file=$1 list=$2
	shift 2
	bench-convert "$@" "$data/$file" | columns "$list"
}

# ONNX Runtime
is "$(profile onnxruntime.json kind,backend,operation,op_type,provider,sample,metric,unit,value)" \
	'model,onnxruntime,,,,,load,ns,19922000
model,onnxruntime,,,,0,wall,ns,197000
model,onnxruntime,000 /fc1/Gemm,Gemm,CPUExecutionProvider,0,wall,ns,105000
model,onnxruntime,001 /act/Erf,Erf,CPUExecutionProvider,0,wall,ns,15000
model,onnxruntime,002 /fc2/MatMul,MatMul,CPUExecutionProvider,0,wall,ns,8000
model,onnxruntime,003 /Softmax,Softmax,CPUExecutionProvider,0,wall,ns,13000
model,onnxruntime,,,,1,wall,ns,47000
model,onnxruntime,000 /fc1/Gemm,Gemm,CPUExecutionProvider,1,wall,ns,14000
model,onnxruntime,001 /act/Erf,Erf,CPUExecutionProvider,1,wall,ns,5000
model,onnxruntime,002 /fc2/MatMul,MatMul,CPUExecutionProvider,1,wall,ns,5000
model,onnxruntime,003 /Softmax,Softmax,CPUExecutionProvider,1,wall,ns,5000
model,onnxruntime,,,,2,wall,ns,34000
model,onnxruntime,000 /fc1/Gemm,Gemm,CPUExecutionProvider,2,wall,ns,8000
model,onnxruntime,001 /act/Erf,Erf,CPUExecutionProvider,2,wall,ns,5000
model,onnxruntime,002 /fc2/MatMul,MatMul,CPUExecutionProvider,2,wall,ns,4000
model,onnxruntime,003 /Softmax,Softmax,CPUExecutionProvider,2,wall,ns,4000' \
	'bench-convert reads each run of a profile of ONNX Runtime as a sample of each operation'
is "$(profile onnxruntime-loop.json operation,sample,value -M wall)" ',0,454000
000 first,0,124000
001 step/Identity,0,14000
002 step/MatMul,0,96000
003 step/Tanh,0,64000
004 loop,0,270000
,1,707000
000 first,1,60000
001 step/Identity,1,15000
002 step/MatMul,1,104000
003 step/Tanh,1,44000
004 loop,1,607000' \
	'bench-convert separates concurrent runs of ONNX Runtime, and adds up the operations of a loop'
is "$(bench-convert -n mlp -M wall "$data/onnxruntime.json" |
	bench-stat -g bench,operation -s median | columns bench,operation,median)" 'mlp,,47000
mlp,000 /fc1/Gemm,14000
mlp,001 /act/Erf,5000
mlp,002 /fc2/MatMul,5000
mlp,003 /Softmax,5000' 'bench-stat summarizes the operations of ONNX Runtime'
sed 's/"name" :"model_run"/"name" :"model_end"/' "$data/onnxruntime.json" >no-run.json
is "$(bench-convert no-run.json 2>&1 >out), $(columns metric,value <out)" \
	"bench-convert: no-run.json: 12 executions of operations are omitted, because the profile does not have the end of their run, load,19922000" 'bench-convert reports operations of ONNX Runtime whose run did not end'
sed '$d' "$data/onnxruntime.json" >open.json
status 2 'bench-convert rejects a profile of ONNX Runtime that was not ended' bench-convert open.json

# PyTorch
is "$(profile pytorch.json host,kind,backend,operation,category,sample,metric,unit,value | head -10)" \
	'box,model,pytorch,,,0,wall,ns,187799
box,model,pytorch,aten::linear,cpu_op,0,wall,ns,93018
box,model,pytorch,aten::linear,cpu_op,0,self,ns,6821
box,model,pytorch,aten::linear,cpu_op,0,calls,1,2
box,model,pytorch,aten::t,cpu_op,0,wall,ns,13530
box,model,pytorch,aten::t,cpu_op,0,self,ns,6910
box,model,pytorch,aten::t,cpu_op,0,calls,1,2
box,model,pytorch,aten::transpose,cpu_op,0,wall,ns,6620
box,model,pytorch,aten::transpose,cpu_op,0,self,ns,4618
box,model,pytorch,aten::transpose,cpu_op,0,calls,1,2' \
	'bench-convert reads each step of a trace of PyTorch as a sample of each operation'
# The calls and times that key_averages() of the same profile returned.
is "$(profile pytorch.json operation,metric,value | awk -F, '
	$1 != "" { sum[$1 "," $2] += $3; if (!($1 in seen)) { seen[$1]; order[++n] = $1 } }
	END {
		for (i = 1; i <= n; i++)
			print order[i], sum[order[i] ",calls"], sum[order[i] ",wall"], sum[order[i] ",self"]
	}')" 'aten::linear 6 140749 9984
aten::t 6 21583 11106
aten::transpose 6 10477 6603
aten::as_strided 12 10053 10053
aten::addmm 6 109182 87049
aten::expand 6 9805 3626
aten::copy_ 6 11428 11428
aten::resolve_conj 12 900 900
aten::relu 3 9683 3294
aten::clamp_min 3 6389 6389
aten::softmax 3 13109 5947
aten::_softmax 3 7162 7162' 'bench-convert computes the times and calls that key_averages() of PyTorch returned'
is "$(profile pytorch-triton.json.gz operation,category,device,sample,metric,value)" ',,,0,wall,13336315805
TorchDynamo Cache Lookup,cpu_op,,0,wall,35591
TorchDynamo Cache Lookup,cpu_op,,0,self,35591
TorchDynamo Cache Lookup,cpu_op,,0,calls,1
Torch-Compiled Region: 0/0,cpu_op,,0,wall,1352964
Torch-Compiled Region: 0/0,cpu_op,,0,self,1257152
Torch-Compiled Region: 0/0,cpu_op,,0,calls,1
triton_poi_fused_add_cos_sin_0,cpu_op,,0,wall,95812
triton_poi_fused_add_cos_sin_0,cpu_op,,0,self,48044
triton_poi_fused_add_cos_sin_0,cpu_op,,0,calls,1
triton_poi_fused_add_cos_sin_0,kernel,0,0,wall,1760
triton_poi_fused_add_cos_sin_0,kernel,0,0,calls,1' \
	'bench-convert reads kernels of a trace of PyTorch with their device'
is "$(profile pytorch-kernels.json.gz operation,device,sample,metric,value | grep 'Memcpy\|mse_loss_b\|^,')" \
	',,0,wall,9288291
aten::mse_loss_backward,,0,wall,278909
aten::mse_loss_backward,,0,self,72708
aten::mse_loss_backward,,0,calls,2
Memcpy HtoD (Host -> Device),2,0,wall,38161
Memcpy HtoD (Host -> Device),2,0,calls,2
,,1,wall,49073' 'bench-convert counts the time of an operation that calls itself once, and reads copies to a GPU'
zcat "$data/pytorch-triton.json.gz" | sed 's/"ts": 2413669097444.592/"ts": 2413699097444.592/' >late.json
is "$(bench-convert late.json | columns operation,category,sample,metric,value | grep kernel)" \
	'triton_poi_fused_add_cos_sin_0,kernel,0,wall,1760
triton_poi_fused_add_cos_sin_0,kernel,0,calls,1' \
	'bench-convert reads kernels of PyTorch that ran after the end of the step that launched them'
sed '/"cbid"/s/"correlation"/"other"/' late.json >unlinked.json
is "$(bench-convert unlinked.json 2>&1 >out), $(grep -c kernel out)" \
	'bench-convert: unlinked.json: 1 execution of an operation is omitted, because it began outside of all steps, 0' \
	'bench-convert reports kernels of PyTorch that belong to no step'
sed 's/"ProfilerStep#/"Step#/' "$data/pytorch.json" >plain.json
is "$(bench-convert plain.json | columns operation,sample,metric,value | head -3)" 'aten::linear,0,wall,140749
aten::linear,0,self,9984
aten::linear,0,calls,6' 'bench-convert reads a trace of PyTorch without steps as one sample'
done_testing
