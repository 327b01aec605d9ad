#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels on the cuda backend compared with PyTorch on the same GPU: products of square matrices, by
# cuBLAS there, and streams; gpu_kernels.sh [ROUNDS]. PYTHON names the interpreter that has torch. Both
# sides take turns by rounds. Prints medians over the rounds: the ratio of our rate to theirs, and each
# stream's bandwidth as a share of the fastest triad of both. Without PyTorch, only ours are measured.
# The table is also printed when the script is terminated. With KEEP=DIR, times are added to those in
# that directory, so that one table can be measured in several calls.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-3}
python=${PYTHON:-python3}
seconds=${SECONDS_EACH:-0.3}
. "$here/lib/rounds.sh"
. "$here/lib/gpu_sides.sh"

sizes=${SIZES:-1024,2048,4096,8192}
dtypes=float32,float64,float16,bfloat16,tf32,int8
elements=${ELEMENTS:-268435456}
# ours KERNEL SIZE DTYPE OPTION...: appends kernel,size,dtype,us
ours() {
	kernel=$1 row=$1,$2,$3 dtype=$3
	shift 3
	bench-run -q -e none --processes 1 -t "${seconds}s" -b cuda -k "$kernel" -P dtype="$dtype" "$@" >"$dir/out" 2>"$dir/err" || {
		sed "s/^/$row: /" "$dir/err" >&2
		return 0
	}
	echo "$row,$(metric wall "$dir/out" | awk '{ print $1 / 1e3 }')" >>"$times/ours"
}
product() {
	ours gemm "$1" "$2" -P m="$1" -P n="$1" -P k="$1" -P transpose="$([ "$2" = int8 ] && echo 1 || echo 0)"
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for type in $(echo $dtypes | tr , ' '); do
		for size in $(echo "$sizes" | tr , ' '); do
			product "$size" "$type"
		done
	done
	for type in float32 float64 float16 bfloat16; do
		for stream in copy scale triad axpy dot; do
			ours "$stream" "$elements" "$type" -P n="$elements"
		done
	done
	[ "$peer" = no ] || $python "$here/gpu_kernels_theirs.py" "$seconds" "$sizes" $dtypes "$elements" >>"$times/theirs"
done
