#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs conversions, models and kernels in the types of 16 bits on the backend opencl, and compares the
# results with ref. tests/device/backends_vs_ref.t tests each operation in these types. A device
# compiles slowly, so one model and a few kernels have to be enough.
# slow
. "${0%/*}/../lib/tap.sh"

plugin="$BUILD/lib/benchutils/backend-opencl.so"
check="$BUILD/tests/half_check"
if [ ! -e "$plugin" ] || [ ! -x "$check" ]; then
	echo "1..0 # SKIP the opencl backend is not built"
	exit
fi
# as tests/device/backends_vs_ref.t explains
if [ -n "${SANITIZED:-}" ]; then
	[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi
device=$(bench-list --csv devices opencl | grep '^opencl,0,')
[ -n "$device" ] || { echo "1..0 # SKIP the backend opencl finds no device" && exit; }
export POCL_CACHE_DIR="$XDG_CACHE_HOME/pocl/kcache" OP_CHECK_CACHE="$XDG_CACHE_HOME/benchutils"

like "$device" ',[^,]*float32 [^,]*float16 bfloat16 ' "a device of OpenCL computes in the types of 16 bits without an extension"
like "$device" '; float16 and bfloat16 in float32' "a device of OpenCL reports that it computes the types of 16 bits in float32"

is "$(timeout 300 "$check" "$plugin" 2>&1 | grep -oE '^(not ok|ok|1\.\.)' | tr '\n' ' ')" 'ok ok ok ok ok ok ok ok 1.. ' \
	"the backend opencl converts numbers of 16 bits as the library does"

{
	echo kind,bench,subject,args
	sed -nE 's/^(triad|gemv|gemm) /kernel,\1,\1,/p' "$ROOT/tests/device/small_kernels.txt"
} >kernels.csv
cp kernels.csv both.csv
sed -n 's/^gpt2 [^ ]* /model,gpt2,gpt2,/p' "$ROOT/tests/device/small_models.txt" >>both.csv
# checked DTYPE SUBJECTS: runs subjects with --check; prints messages, and how many succeed
checked() {
	timeout 300 bench-run -q -e none -r 1 -w 0 --processes 1 -b opencl --check -I "$2" -P dtype="$1" >checked.csv 2>err
	echo "$?$(cat err) $(unmarked checked.csv | grep -c ',error,1,')"
}
is "$(checked float16 both.csv)" "0 4" "a model and kernels on the backend opencl give the results of ref in float16"
is "$(checked bfloat16 kernels.csv)" "0 3" "kernels on the backend opencl give the results of ref in bfloat16"

# A matrix takes two bytes for each element on the device.
bench-run -q -e none -r 1 -w 0 --processes 1 -b opencl -k gemv -P m=1000 -P k=1000 -P dtype=bfloat16 >gemv.csv
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "device_memory" { print $at["value"] < 1.2 * 2 * 1000 * 1000 }' gemv.csv)" 1 \
	"a matrix of bfloat16 on the backend opencl takes two bytes for each element"
done_testing
