#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the backend hip without a GPU, through the libraries of tests/device/fake_hip.
# slow
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check"
plugin="$BUILD/lib/benchutils/backend-hip.so"
[ -e "$BUILD/tests/fake_hip/libamdhip64.so.6" ] || { echo "1..0 # SKIP make tests builds the fake libraries" && exit; }
name='the backend hip gives the results of ref on a fake device'
skip_unless g++ "$name" || { done_testing && exit; }
export LD_LIBRARY_PATH="$BUILD/tests/fake_hip:$BUILD/tests/fake_cuda" OP_CHECK_CACHE="$XDG_CACHE_HOME" TMPDIR="$T"

FAKE_CUDA_LOG=log timeout 300 "$check" "$plugin" >told 2>&1
is "$(grep -v '^# hip' told | grep -E '^not ok|^#|SKIP|^op_check' | sed 's/^ok [0-9]* - //')" \
	'qgemm int8 # SKIP this operation is not supported in int8
qconv int8 # SKIP this operation is not supported in int8
qexperts int8 # SKIP this operation is not supported in int8' "$name"
is "$(grep -c "^ok" told)" 200 "op_check tests 48 groups in four types, products of int8 and drawn numbers on a fake device of AMD"
is "$(grep -E '^cuLaunchKernel (attention|attention_split|experts_64|softmax_warps|layernorm_warps) ' log | sort -u)" '' \
	"the backend hip uses no kernel for the warps or tensor cores of NVIDIA"
rm log
is "$(timeout 100 "$check" "$plugin" 0 special 2>&1 | grep -B 8 '^not ok')" '' \
	"the backend hip gives the results of ref for NaN and infinities"
is "$(bench-list devices | grep '^hip,' | cut -d , -f 2-4,7-11)" \
	'0,Fake Radeon,gpu,float32 float64 float16 bfloat16 int8 int32 uint8,hip:0,ok,GFX 11.0,HIP 6.4.43484' \
	"bench-list devices describes a device of AMD"
like "$(bench-list devices | grep '^hip,')" ',0000:3b:00.0,$' "the backend hip writes PCI addresses as Linux does"
like "$(FAKE_CUDA_FAIL=cuInit timeout 100 "$check" "$plugin" 0 nop 2>&1)" \
	'no device 0: the driver finds no device: hipErrorUnknown; check that this machine has a GPU of AMD' \
	"the backend hip reports that the driver does not start"
timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 -b hip --check -P dtype=float32,float16 \
	-M gpt2,distilbert-base-uncased -P layers=1 -P seq=8 -P hidden=32 -P heads=2 -P ff=64 -P vocab=97 >models.csv 2>err
is "$(grep -c ',error,1,.*,ok,' models.csv) $(grep -c ',graph,1,1,ok,' models.csv) $(cat err)" '4 4 ' \
	"models give the results of ref on a fake device of AMD, as graphs"
FAKE_CUDA_IDLE=1 timeout 100 bench-run -q -e none --no-peaks -r 2 -w 0 --processes 1 -b hip -M gpt2 -P new_tokens=3 \
	-P layers=1 -P seq=8 -P hidden=32 -P heads=2 -P ff=64 -P vocab=97 >steps.csv 2>err
is "$(grep -c ',graph,1,0.5,ok,' steps.csv) $(cat err)" '1 ' \
	"the steps of a model are a graph on a fake device of AMD, and its prompt is none"
like "$(FAKE_CUDA_FAIL=cublasGemmStridedBatchedEx timeout 100 "$check" "$plugin" 0 gemm 2>&1)" 'hip: .*(rocBLAS|matrix).* status' \
	"op_check reports that rocBLAS fails"
done_testing
