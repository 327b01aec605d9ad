#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the backend cuda without a GPU, through the libraries of tests/device/fake_cuda.
# slow
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check"
plugin="$BUILD/lib/benchutils/backend-cuda.so"
fakes="$BUILD/tests/fake_cuda"
[ -e "$fakes/libcuda.so.1" ] || { echo "1..0 # SKIP make tests builds the fake libraries" && exit; }
name='the backend cuda gives the results of ref on a fake device'
skip_unless g++ "$name" || { done_testing && exit; }
export LD_LIBRARY_PATH="$fakes" OP_CHECK_CACHE="$XDG_CACHE_HOME" TMPDIR="$T"

timeout 300 "$check" "$plugin" >told 2>&1
is "$(grep -v '^# cuda' told | grep -E '^not ok|^#|SKIP|^op_check')" '' "$name"
is "$(grep -c "^ok" told)" 161 "op_check tests 39 groups in four types, a product of int8 and drawn numbers on a fake device"

# The fake device runs the threads of a block in turn, so that a missing barrier shows.
mkdir -p share && cp -r "$BUILD/share/benchutils/." share/
sed -i 's/^\tBARRIER;$//' share/backends/common.cl
like "$(BENCH_SHARE=$T/share timeout 100 "$check" "$plugin" 0 softmax 2>&1)" '^not ok .* softmax float32' \
	"op_check finds a missing barrier on a fake device"

FAKE_CUDA_LOG=log timeout 100 "$check" "$plugin" 0 gemm >told 2>&1
like "$(cat log)" '^cublasGemmStridedBatchedEx 3,5,7 batch=1 type=0 ' "the backend cuda computes products with cuBLAS"
like "$(FAKE_CUDA_FAIL=cuInit timeout 100 "$check" "$plugin" 0 nop 2>&1)" 'no device 0: cuda: CUDA_ERROR_UNKNOWN' \
	"the backend cuda reports that the driver does not start"
like "$(FAKE_CUDA_FAIL=cuMemAlloc_v2 bench-run -k scale -b cuda -r 1 --processes 1 2>&1)" \
	'a buffer of [0-9]+ bytes: CUDA_ERROR_UNKNOWN' "bench-run reports that the device has no memory"
done_testing
