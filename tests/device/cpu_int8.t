#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs models in int8, at a reduced size, and compares the results with ref.
. "${0%/*}/../lib/tap.sh"

plugin="$BUILD/lib/benchutils/backend-cpu.so"
[ -e "$plugin" ] || { echo "1..0 # SKIP the backend cpu was not built" && exit; }
unset BENCH_CPU_DNN BENCH_CPU_ISA OPENBLAS_CORETYPE

{
	echo kind,bench,subject,args
	while read -r model _ small; do
		echo "model,$model,$model,$small"
	done <"$ROOT/tests/device/small_models.txt"
} >models.csv
quick() { timeout 200 bench-run -e none -r 1 -w 0 --processes 1 --no-peaks -P dtype=int8 "$@"; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}

for setting in A=1 BENCH_CPU_DNN=no BENCH_CPU_ISA=avx2 BENCH_CPU_ISA=baseline; do
	env "$setting" timeout 200 bench-run -q -e none -r 1 -w 0 --processes 1 --no-peaks -P dtype=int8 -P threads=2 -b cpu --check -I models.csv >rows.csv 2>err
	# A share above 1 of a peak that was measured while the machine was busy is skipped.
	is "$(cells bench metric status <rows.csv | grep -v -e ' ok$' -e ' peak_fraction ')" '' \
		"models in int8 give the results of ref with $setting"
	is "$(cells bench metric <rows.csv | grep -c ' error$')" 17 "all models in int8 are compared with $setting"
done
is "$(cells metric value <rows.csv | awk '$1 == "int8_share" && $2 >= 0.5 && $2 <= 1' | grep -c .)" 17 \
	"rows have the fraction of the multiply-adds that is computed in int8"

# One product, whose inputs are the same numbers on both sides: no rounding is decided otherwise.
printf '%s\n' op,out,in,args model,one,,arch=test input,x,,sizes=33:1000 linear,y,x,'out=2000 act=gelu' output,,y, >one.csv
quick -q -b cpu --check -M ./one.csv >one.rows 2>err
is "$(cells metric value <one.rows | awk '$1 == "error" { print $2 < 1e-6 }')" 1 "a product in int8 has the results of ref to the precision of float32"
bytes=$(cells metric value <one.rows | awk '$1 == "device_memory" { print $2 }')
bench-run -q -e none -r 1 -w 0 --processes 1 --no-peaks -b cpu -M ./one.csv >float.rows
floats=$(cells metric value <float.rows | awk '$1 == "device_memory" { print $2 }')
ok "weights in int8 take a quarter of the memory of float32" [ "${bytes:-0}" -gt 2000000 ] && [ "$bytes" -lt $((floats - 2000000)) ]

# One convolution, whose batch normalization is folded into the scales.
printf '%s\n' op,out,in,args model,one,,arch=test input,x,,sizes=2:40:15:15 'conv,y,x,out=70 kernel=3 pad=1 bias=0' \
	batchnorm,y,y, relu,y,y, output,,y, >conv.csv
quick -q -b cpu --check -M ./conv.csv >conv.rows 2>err
is "$(cells metric value <conv.rows | awk '$1 == "error" { print $2 < 1e-6 }')" 1 \
	"a convolution in int8 has the results of ref to the precision of float32"
quick -q -b cpu --ops -M ./conv.csv >ops.rows 2>err
is "$(cells operation metric <ops.rows | grep '^[0-9].* wall$')" '000 y wall' "a batch normalization is folded into a convolution in int8"

# Sums of more products may not fit in 32 bits, so such products are not quantized.
printf '%s\n' op,out,in,args model,long,,arch=test symbol,n,,value=66311 input,x,,sizes=1:n linear,y,x,out=3 output,,y, >long.csv
quick -q -b cpu --check -M ./long.csv -P n=66311,66312 >long.rows 2>err
is "$(cells n metric status <long.rows | grep -e ' error ' -e unsupported | cut -d ' ' -f 1,3 | sort)" "66311 ok
66312 unsupported" "products of at most 66311 numbers are computed in int8"

# The device says with which instructions it computes.
detail() { env "$@" bench-list --csv devices | grep '^cpu,'; }
like "$(detail BENCH_CPU_ISA=baseline)" ', int8 by baseline' "the device of the backend cpu names the kernels that compute int8"
if grep -q avx512_vnni /proc/cpuinfo && detail A=1 | grep -q oneDNN; then
	like "$(detail A=1)" ', int8 by VNNI' "the device of the backend cpu reports VNNI"
fi

printf '%s\n' op,out,in,args model,each,,arch=test input,x,,sizes=1:8:32:32 'conv,y,x,out=8 kernel=3 groups=8' \
	pool,y,y,mode=average reshape,y,y,sizes=1:8 linear,y,y,out=4 output,,y, >each.csv
status 2 "a model of convolutions of single channels fails in int8" quick -b cpu -M ./each.csv
like "$(cat "$T/.err")" 'int8 is for products and convolutions with constant weights, and these have only 0\.[0-9]*%' \
	"the message names what is in int8, and how little of the model it is"
done_testing
