#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels: a product of matrices in one thread of the cpu backend, as a fraction of the peak of
# multiply-adds measured in the same process; one on the first OpenCL device, compared with CLBlast
# with its default parameters and with the cpu backend; and the time of the executor for 1,000
# operations that do nothing. All take turns. Prints medians over the rounds.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
. "$here/lib/rounds.sh"
cat >"$dir/nothing.csv" <<'END'
op,out,in,args
model,nothing,1000 operations that do nothing,
repeat,i,,name=operation times=1000
nop,,,
end,,,
END
device=$(bench-list --csv devices opencl | sed -n 's/^opencl,0,\([^,]*\),.*/\1/p')
theirs=
if [ -z "$device" ]; then
	echo "no OpenCL device here: CLBlast is not compared"
elif gcc -O2 -D_GNU_SOURCE -o "$dir/theirs" "$here/gemm_clblast.c" -lclblast -lOpenCL; then
	theirs=$dir/theirs
fi

# ours NAME METRIC OPTION...: appends the median of a metric to the file NAME
ours() {
	name=$1 wanted=$2
	shift 2
	bench-run -q -e none --processes 1 -t 1s "$@" >"$dir/out"
	metric "$wanted" "$dir/out" >>"$dir/$name"
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	ours sgemm peak_fraction -b cpu -k gemm -P m=2048 -P n=2048 -P k=2048 -P threads=1
	ours cpu flop_rate -b cpu -k gemm
	if [ -n "$device" ]; then
		ours opencl flop_rate -b opencl -k gemm
		[ -z "$theirs" ] || "$theirs" "$device" 1024 >>"$dir/clblast"
	fi
	for backend in ref cpu; do
		ours "nothing.$backend" wall -b $backend -M "$dir/nothing.csv"
	done
done

printf '%-44s %.3f [0.9]\n' 'gemm 2048, one thread / ceiling' "$(median <"$dir/sgemm")"
# rates WHAT A B GOAL
rates() {
	[ ! -s "$dir/$2" ] || [ ! -s "$dir/$3" ] || echo "$(median <"$dir/$2") $(median <"$dir/$3")" |
		awk -v what="$1" -v goal="$4" '{
			printf "%-44s %.1f and %.1f Gflop/s, ratio %.3f [%s]\n", what, $1 / 1e9, $2 / 1e9, $1 / $2, goal }'
}
rates 'gemm 1024, opencl / CLBlast by itself' opencl clblast 1
rates 'gemm 1024, opencl / cpu' opencl cpu 0.25
for backend in ref cpu; do
	median <"$dir/nothing.$backend" | awk -v what="1,000 operations that do nothing, $backend" '{
		printf "%-44s %.1f us [50]\n", what, $1 / 1e3 }'
done
