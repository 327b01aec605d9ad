#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The opencl backend's own matters: what it keeps on disk, and the kernels that it has for GPUs,
# on a processor. That its operations are right is tests/device/backends_vs_ref.t's.
# slow
. "${0%/*}/../lib/tap.sh"

plugin="$BUILD/lib/benchutils/backend-opencl.so"
check="$BUILD/tests/op_check"
if [ ! -e "$plugin" ] || [ ! -x "$check" ]; then
	echo "1..0 # SKIP the opencl backend is not built"
	exit
fi
timeout 60 "$check" "$plugin" 0 nop 2>&1 | grep 'no device' && { echo "1..0 # SKIP no device" && exit; }
# as tests/device/backends_vs_ref.t explains
if [ -n "${SANITIZED:-}" ]; then
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi

export XDG_CACHE_HOME="$T/cache"
kept="$T/cache/benchutils"
rmsnorm() { timeout 120 bench-run -k rmsnorm -b opencl -r 1 --processes 1 2>&1; }
like "$(rmsnorm)" 'rmsnorm,.*,ok,1,1,ok' "a kernel is compiled and runs"
program=$(find "$kept" -type f -name 'opencl-*' | head -n 1)
ok "its program is kept" [ -s "$program" ]
inode=$(stat -c %i "$program")
rmsnorm >told
is "$(stat -c %i "$program")" "$inode" "and used again"
# damaged FILE WHAT: with it in the program's place the kernel runs, and it is built anew
damaged() {
	cp "$1" "$program"
	like "$(rmsnorm)" 'rmsnorm,.*,ok,1,1,ok' "$2 does no harm"
	if cmp -s "$1" "$program"; then result 1 "and is built anew"; else result 0 "and is built anew"; fi
}
head -c 2000 "$program" >short
damaged short "a program cut short"
: >empty
damaged empty "an empty one"
{ head -c 500 "$program" && printf 'other' && tail -c +506 "$program"; } >changed
damaged changed "a changed one"
rm -rf "$kept" && : >"$kept"
like "$(rmsnorm)" 'rmsnorm,.*,ok,1,1,ok' "nor does a folder that cannot be made"

unset XDG_CACHE_HOME
like "$(BENCH_OPENCL_KERNELS=tpu timeout 60 "$check" "$plugin" 0 nop 2>&1)" \
	'BENCH_OPENCL_KERNELS is "tpu", not cpu or gpu' "kernels that there are not are refused"
for operation in layernorm topk experts; do
	like "$(BENCH_OPENCL_KERNELS=gpu timeout 300 "$check" "$plugin" 0 $operation 2>&1 | tr '\n' ' ')" \
		"ok 1 - $operation float32: .*ok 2 - $operation float64: .* 1..2" \
		"$operation is right with the kernels for GPUs, too"
done
# CLBlast compiles for long, so one product of it must do
export BENCH_OPENCL_KERNELS=gpu
like "$(timeout 300 bench-run -k gemm -b opencl -P m=40 -P n=50 -P k=60 -r 1 --processes 1 --check 2>&1)" \
	'gemm,.*,ok,1,1,ok' "and so is CLBlast's product"
done_testing
