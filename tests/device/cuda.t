#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the backend cuda without a GPU, through the libraries of tests/device/fake_cuda.
# slow
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/trace.sh"

check="$BUILD/tests/op_check"
plugin="$BUILD/lib/benchutils/backend-cuda.so"
fakes="$BUILD/tests/fake_cuda"
[ -e "$fakes/libcuda.so.1" ] || { echo "1..0 # SKIP make tests builds the fake libraries" && exit; }
name='the backend cuda gives the results of ref on a fake device'
skip_unless g++ "$name" || { done_testing && exit; }
export LD_LIBRARY_PATH="$fakes" OP_CHECK_CACHE="$XDG_CACHE_HOME" TMPDIR="$T"

FAKE_CUDA_LOG=log timeout 300 "$check" "$plugin" >told 2>&1
is "$(grep -v '^# cuda' told | grep -E '^not ok|^#|SKIP|^op_check' | sed 's/^ok [0-9]* - //')" \
	'qgemm int8 # SKIP this operation is not supported in int8
qconv int8 # SKIP this operation is not supported in int8
qexperts int8 # SKIP this operation is not supported in int8' "$name"
is "$(grep -c "^ok" told)" 248 "op_check tests 48 groups in five types, products of int8 and drawn numbers on a fake device"

# op_check must reach each kernel. convolve_tiles and convolve_join are for machines without cuDNN; ATTENTION and
# EXPERTS each make several kernels.
{
	sed -nE 's/^KERNEL (.*\) )?([a-z_0-9]+)\(const.*/\2/p' "$BUILD"/share/benchutils/backends/*.cl | grep -vxE 'convolve_(tiles|join)'
	sed -nE 's/^(ATTENTION|EXPERTS)\(([a-z_0-9]+),.*/\2/p' "$BUILD"/share/benchutils/backends/*.cl
} | sort -u >kernels
sed -nE 's/^cuLaunchKernel ([a-z_0-9]+) .*/\1/p' log | sort -u >reached
is "$(wc -l <kernels) $(comm -23 kernels reached | paste -sd ' ')" "66 " "op_check runs each kernel on a fake device"
rm log

# Of convolutions of few channels, an infinity next to the kernel makes a result NaN.
is "$(timeout 100 "$check" "$plugin" 0 special 2>&1 | grep '^not ok' | grep -v ' conv ')" '' \
	"the backend cuda gives the results of ref for NaN and infinities"

# The fake device runs the threads of a block in turn, so that a missing barrier shows.
mkdir -p share && cp -r "$BUILD/share/benchutils/." share/
sed -i 's/^\tBARRIER;$//' share/backends/common.cl
like "$(BENCH_SHARE=$T/share timeout 100 "$check" "$plugin" 0 softmax 2>&1)" '^not ok .* softmax float32' \
	"op_check finds a missing barrier on a fake device"
cp "$BUILD/share/benchutils/backends/common.cl" share/backends/
sed -i 's/valid = row < rows && column < width/valid = column < width/' share/backends/attention.cl
like "$(BENCH_SHARE=$T/share timeout 100 "$check" "$plugin" 0 cache 2>&1)" '^not ok .* cache bfloat16' \
	"op_check finds attention on tensor cores that reads keys after the last one on a fake device"

FAKE_CUDA_LOG=log timeout 100 "$check" "$plugin" 0 gemm >told 2>&1
is "$(grep '^cublasGemmStridedBatchedEx 3,5,7 ' log | cut -d ' ' -f 4-5 | sort -u | paste -sd ' ')" \
	"type=0 compute=68 type=0 compute=77 type=1 compute=70 type=14 compute=68 type=2 compute=68" \
	"the backend cuda computes products with cuBLAS, and rounds to TF32 only in tf32"
# The constant matrix has 4 tiles; the other has 9, and is also transposed when its product is tried.
is "$(grep '^cuLaunchKernel transpose ' log | sort | uniq -c | sed 's/^ *//')" "1 cuLaunchKernel transpose 4,1,1 256,1,1
2 cuLaunchKernel transpose 9,1,1 256,1,1" \
	"the backend cuda transposes int8 matrices: constant ones once, and others before each product"

# Lists of operations are graphs, and one graph serves all steps of a model.
is "$(OP_CHECK_EACH=1 timeout 100 "$check" "$plugin" 0 cache 2>&1 | grep -c '^ok')" 5 \
	"the backend cuda gives the results of ref without graphs"
# gpt2 [VARIABLE=VALUE...] [-- OPTION...]: generates four tokens, without computing, and records the calls
gpt2() {
	rm -f log
	variables=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		variables="$variables $1"
		shift
	done
	[ $# -eq 0 ] || shift
	# shellcheck disable=SC2086 # variables are words
	env FAKE_CUDA_IDLE=1 FAKE_CUDA_LOG=log $variables timeout 100 bench-run -q -e none --no-peaks -b cuda -M gpt2 -P new_tokens=4 \
		-P layers=1 -P seq=8 -P hidden=32 -P heads=2 -P vocab=97 -P dtype=bfloat16 -r 3 -w 0 --processes 1 "$@" >gpt2.csv 2>&1
}
gpt2
is "$(grep -c ',graph,1,1,ok,' gpt2.csv)" 1 "bench-run reports that the phases of a model run as graphs"
like "$(cat log)" '^cuGraphLaunch [0-9]+$' "a model is run by starting a graph"
is "$(grep '^cuMemsetD32Async' log | sort -u | cut -d ' ' -f 2 | paste -sd ' ')" '0 10 8 9' \
	"the number of earlier tokens is written to the device before each step"
gpt2 BENCH_GPU_GRAPH=no
is "$(grep -c ',graph,1,0,ok,' gpt2.csv) $(grep -c cuGraphLaunch log)" '1 0' "BENCH_GPU_GRAPH=no starts operations one by one"
gpt2 FAKE_CUDA_FAIL=cuGraphInstantiateWithFlags
is "$(grep -c ',graph,1,0,ok,' gpt2.csv) $(grep -c ',wall,ns,.*,ok' gpt2.csv)" '1 3' \
	"a model runs without a graph if the driver cannot make one"
gpt2 FAKE_CUDA_FAIL=cuGraphLaunch
is "$(grep -c ',graph,1,0,ok,' gpt2.csv) $(grep -c ',wall,ns,.*,ok' gpt2.csv)" '1 3' \
	"a model runs without a graph if the driver cannot start one"

# The clock of the fake device advances by 10 us with a kernel, and by 20 us with a product.
gpt2 -- --ops
# op_times: prints the times of operations
op_times() { sed -nE 's/.*,(step )?[0-9]{3} [^,]*,.*,wall,ns,([^,]*),ok,.*/\2/p' gpt2.csv | sort -nu; }
is "$(op_times | paste -sd ' ')" '10000 20000' "bench-run --ops prints the times that the device measured"
like "$(cat log)" '^cuEventRecordWithFlags 1$' "bench-run --ops measures operations in a graph"
gpt2 BENCH_GPU_GRAPH=no -- --ops
is "$(op_times | paste -sd ' ')" '10000 20000' "bench-run --ops prints the times of the device without graphs"
if skip_unless python3 "the spans of operations follow each other on the clock of the device"; then
	gpt2 -- --timeline gpu.json
	trace_spans gpu.json | awk -F '\t' '$3 == "operation" && $4 !~ /^step/' >spans
	is "$(awk -F '\t' 'NR > 1 && $5 != end { gaps++ } { end = $5 + $6 } END { print (NR > 10) + 0, gaps + 0 }' spans)" "1 0" \
		"the spans of operations follow each other on the clock of the device"
	is "$(cut -f 6 spans | sort -nu | paste -sd ' ') $(sed -n 's/.*clock=//p' spans | sort -u)" "10000 20000 device;" \
		"the spans of operations have the times that the device measured"
fi
gpt2 FAKE_CUDA_FAIL=cuEventCreate -- --ops
like "$(op_times)" '^[0-9]+[.0-9]*$' \
	"bench-run --ops prints the times of the host if the device has no events"

# The memory of the fake device is given in units of 2 MiB; a module takes 64 KiB, the context 400 MiB.
gpt2
is "$(sed -n 's/.*,device_memory_context,B,\([^,]*\),ok,.*/\1/p' gpt2.csv)" 419430400 "bench-run prints the memory of the device's context"
memory=$(sed -n 's/.*,device_memory,B,\([^,]*\),ok,.*/\1/p' gpt2.csv)
modules=$((memory - 36 * 1048576 + 2 * 1048576))
ok "device_memory includes buffers, the workspace and modules ($memory)" \
	[ $((modules % 65536)) -eq 0 -a "$modules" -ge 65536 -a "$modules" -le 1048576 ]
like "$(bench-list devices)" ',"580.159.04, CUDA 13.0",' "bench-list devices shows the version of the driver"
like "$(FAKE_CUDA_FAIL=nvmlInit_v2 bench-list devices)" ',CUDA 13.0,' "bench-list devices shows the version of CUDA if that of the driver is unknown"

# executed [VARIABLE=VALUE...]: prints how often op_check ran convolutions by cuDNN, by type and layout
executed() {
	rm -f log
	env FAKE_CUDA_LOG=log "$@" timeout 200 "$check" "$plugin" 0 join >told 2>&1
	[ "$(grep -c '^ok' told)" -eq 5 ] || cat told
	grep -s '^cudnnBackendExecute' log | sort | uniq -c | sed 's/^ *//'
}
is "$(executed BENCH_CUDNN= | cut -d ' ' -f 2-4 | uniq)" "cudnnBackendExecute type=0 last=1
cudnnBackendExecute type=2 last=1
cudnnBackendExecute type=9 last=1" "the backend cuda convolves with cuDNN, with channels last, in tf32 and 16 bits"
FAKE_CUDA_LOG=log timeout 100 "$check" "$plugin" 0 gemm >told 2>&1
is "$(grep '^cublasLtMatmul ' log | cut -d ' ' -f 1-4 | sort -u)" "cublasLtMatmul 100,7,515 epilogue=4 add=0
cublasLtMatmul 3,5,7 epilogue=6 add=0
cublasLtMatmul 4,15,7 epilogue=36 add=1
cublasLtMatmul 41,3,70 epilogue=6 add=1
cublasLtMatmul 5,6,8 epilogue=4 add=1
cublasLtMatmul 65,67,130 epilogue=1 add=1
cublasLtMatmul 70,2,97 epilogue=4 add=1
cublasLtMatmul 70,5,133 epilogue=4 add=0" "the backend cuda joins a bias, an addend and an activation with products in cublasLt"
is "$(grep '^cublasLtMatmul ' log | cut -d ' ' -f 5-6 | sort -u | paste -sd ' ')" \
	"type=0 compute=68 type=0 compute=77 type=14 compute=68 type=2 compute=68" \
	"joined products are rounded to TF32 only in tf32"
like "$(FAKE_CUDA_FAIL=cublasLtMatmulAlgoGetHeuristic timeout 100 "$check" "$plugin" 0 gemm 2>&1)" \
	'ok 6 - gemm int8' "products that cublasLt cannot join are finished by another kernel"
is "$(executed BENCH_CUDNN=none)" '' "BENCH_CUDNN=none computes convolutions without cuDNN"
like "$(cat log)" 'cuLaunchKernel convolve_tiles' "convolutions without cuDNN are computed with tiles on tensor cores"
rm -f log
is "$(BENCH_CUDNN=none FAKE_CUDA_LOG=log timeout 200 "$check" "$plugin" 0 conv 2>&1 | grep -c '^ok')" 5 \
	"convolutions without cuDNN give the results of ref"
like "$(cat log)" 'cuLaunchKernel convolve_join' "groups share the steps of few tiles"
is "$(executed FAKE_CUDA_FAIL=cudnnPlan)" '' "convolutions for which cuDNN has no plan are computed without it"
is "$(executed FAKE_CUDA_FAIL=cudnnCreate)" '' "convolutions are computed without cuDNN if it does not start"
like "$(FAKE_CUDA_FAIL=cudnnBackendExecute timeout 100 "$check" "$plugin" 0 join 2>&1)" \
	'cuDNN: running a convolution: CUDNN_STATUS_BAD_PARAM' "op_check reports a convolution that cuDNN cannot run"
like "$(BENCH_CUDNN=/none.so timeout 100 "$check" "$plugin" 0 nop 2>&1)" 'no device 0: BENCH_CUDNN: /none.so does not exist' \
	"op_check reports that the library in BENCH_CUDNN does not exist"
like "$(BENCH_CUDNN=none bench-list devices 2>&1)" 'compute capability 9.0, no cuDNN' "bench-list reports that there is no cuDNN"
export FAKE_CUDA_DEVICES=2
is "$(bench-list --csv devices cuda | awk -F , 'NR > 1 { print $3, $8, $(NF - 1) }')" 'Fake GPU cuda:0 0000:3b:00.0
Fake GPU cuda:1 0000:3c:00.0' "two GPUs of one model have numbers and PCI addresses"
# opened DEVICE...: prints the devices that a kernel opens
opened() {
	rm -f log
	FAKE_CUDA_LOG=log bench-run -q -e none --no-peaks -r 1 -w 0 --processes 1 -k triad -P n=1000 "$@" >two.csv 2>&1
	sed -n 's/^cuDevicePrimaryCtxRetain //p' log | sort -u | paste -sd ' '
}
is "$(opened -b cuda:1) $(grep -c ',wall,ns,.*,ok' two.csv)" '1 1' "bench-run measures a kernel on the second GPU"
is "$(opened -b cuda:0000:3c:00.0)" 1 "the PCI address selects the second GPU"
is "$(opened -b cuda:0+1 -J 2)" '0 1' "two workers use two GPUs"
unset FAKE_CUDA_DEVICES
like "$(bench-list --csv devices cuda)" ',0000:3b:00.0,$' "the backend cuda writes PCI addresses as Linux does"
like "$(bench-list devices 2>&1)" 'compute capability 9.0, cuDNN 9.10.2' "bench-list shows the version of cuDNN"
like "$(FAKE_CUDA_FAIL=cuInit timeout 100 "$check" "$plugin" 0 nop 2>&1)" 'no device 0: the driver finds no device: CUDA_ERROR_UNKNOWN; check that nvidia-smi lists a GPU' \
	"the backend cuda reports that the driver does not start"
like "$(FAKE_CUDA_FAIL=cuMemAlloc_v2 bench-run -k scale -b cuda -r 1 --processes 1 2>&1)" \
	'memory for the matrix library: CUDA_ERROR_UNKNOWN' "bench-run reports that the device has no memory"
FAKE_CUDA_OTHERS=8000000000 bench-run -e none -k scale -P n=100000000 -b cuda -r 1 --processes 1 >free.csv 2>err
like "$(cat err)" "it needs 0.7 GiB, and the device has 0.[0-6] GiB free" "bench-run reports that the free memory is not enough"
like "$(cat free.csv)" ',wall,ns,,skipped' "a subject that exceeds the free memory is skipped"
is "$(NVIDIA_TF32_OVERRIDE=0 bench-list devices | grep -c '^cuda,.* tf32 ') $(bench-list devices | grep -c '^cuda,.* tf32 ')" "0 1" \
	"a device has no tf32 if NVIDIA_TF32_OVERRIDE turns it off"
done_testing
