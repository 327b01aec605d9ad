#!/bin/sh
# The opencl backend's own matters: what it keeps on disk, and the kernels that it has for GPUs,
# on a processor. That its operations are right is tests/backend.t's.
. "${0%/*}/lib.sh"

plugin="$BUILD/lib/benchutils/backend-opencl.so"
check="$BUILD/tests/op_check"
if [ ! -e "$plugin" ] || [ ! -x "$check" ]; then
	echo "1..0 # SKIP the opencl backend is not built" && exit
fi
timeout 60 "$check" "$plugin" 0 nop 2>&1 | grep 'no device' && { echo "1..0 # SKIP no device" && exit; }
# as tests/backend.t explains
if [ -n "${SANITIZED:-}" ]; then
	export LSAN_OPTIONS=use_tls=0
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi

export XDG_CACHE_HOME="$T/cache"
kept="$T/cache/benchutils"
softmax() { timeout 120 bench-run -k softmax -b opencl -P n=64 -r 1 --processes 1 2>&1; }
like "$(softmax)" 'softmax,.*,ok,1,1,ok' "a kernel is compiled and runs"
is "$(find "$kept" -type f -name 'opencl-*' | wc -l)" 1 "its program is kept"
program=$(find "$kept" -type f -name 'opencl-*')
cp "$program" whole
inode=$(stat -c %i "$program")
softmax >told
is "$(stat -c %i "$program")" "$inode" "and used again"
for damage in 'truncate -s -9' 'truncate -s 0' 'sed -i s/GROUP/GRUOP/' 'cp /dev/null'; do
	case $damage in
	cp*) $damage "$program" ;;
	sed*) printf 'x' | dd of="$program" bs=1 seek=500 conv=notrunc 2>/dev/null ;;
	*) $damage "$program" ;;
	esac
	like "$(softmax)" 'softmax,.*,ok,1,1,ok' "a damaged one does no harm ($damage)"
	is "$(wc -c <"$program")" "$(wc -c <whole)" "and is built anew"
done
rm -rf "$kept" && : >"$kept"
like "$(softmax)" 'softmax,.*,ok,1,1,ok' "nor does a folder that cannot be made"

unset XDG_CACHE_HOME
like "$(BENCH_OPENCL_KERNELS=tpu timeout 60 "$check" "$plugin" 0 nop 2>&1)" \
	'BENCH_OPENCL_KERNELS is "tpu", not cpu or gpu' "kernels that there are not are refused"
for operation in layernorm topk experts gemm; do
	like "$(BENCH_OPENCL_KERNELS=gpu timeout 300 "$check" "$plugin" 0 $operation 2>&1)" \
		"ok 1 - $operation float32: .*
ok 2 - $operation float64: .*
1..2" "$operation is right with the kernels for GPUs, too"
done
done_testing
