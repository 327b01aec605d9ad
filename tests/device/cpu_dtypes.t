#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs operations and models in the types of 16 bits on the backend cpu, and compares the results with
# ref. tests/device/cpu.t also runs the operations in other configurations.
# slow
. "${0%/*}/../lib/tap.sh"

check="$BUILD/tests/op_check" plugin="$BUILD/lib/benchutils/backend-cpu.so"
[ -x "$check" ] || { echo "1..0 # SKIP no $check; make tests builds it" && exit; }
[ -e "$plugin" ] || { echo "1..0 # SKIP the backend cpu was not built" && exit; }
unset BENCH_CPU_DNN BENCH_CPU_ISA OPENBLAS_CORETYPE

timeout 300 "$check" "$plugin" >told 2>&1
for dtype in float16 bfloat16; do
	is "$(grep -c "^ok .* $dtype: " told)" 48 "the backend cpu computes 35 operations and 13 chains in $dtype"
done
is "$(grep -c '^ok .* int8: ' told) $(grep -e SKIP -e unsupported told)" '4 ' "the backend cpu supports all cases in each type"

# The kernels that round are different for each width of vectors.
for setting in A=1 BENCH_CPU_ISA=avx2 BENCH_CPU_ISA=baseline; do
	is "$(env "$setting" "$BUILD/tests/half_check" "$plugin" 2>&1 | grep -c '^ok ') $?" '8 0' \
		"the backend cpu converts and rounds numbers of 16 bits like the library with $setting"
done

# The device says with which instructions it computes.
detail() { env "$@" bench-list --csv devices | grep '^cpu,'; }
if grep -q avx512_bf16 /proc/cpuinfo && detail | grep -q oneDNN; then
	like "$(detail)" '; bfloat16 by AVX512-BF16' "the device of the backend cpu reports that it multiplies bfloat16"
else
	like "$(detail)" '; bfloat16 in float32' "the device of the backend cpu reports that it computes bfloat16 in float32"
fi
like "$(detail BENCH_CPU_ISA=avx2)" '; bfloat16 in float32' "the device of the backend cpu computes bfloat16 in float32 with narrower vectors"
like "$(detail BENCH_CPU_DNN=no)" '; bfloat16 in float32' "the device of the backend cpu computes bfloat16 in float32 without oneDNN"
unlike "$(detail BENCH_CPU_DNN=no)" 'VNNI' "the device of the backend cpu does not report instructions that only oneDNN uses"

# All models and kernels.
{
	echo kind,bench,subject,args
	while read -r model _ small; do
		echo "model,$model,$model,$small"
	done <"$ROOT/tests/device/small_models.txt"
	while read -r kernel small; do
		echo "kernel,$kernel,$kernel,$small"
	done <"$ROOT/tests/device/small_kernels.txt"
} >subjects.csv
subjects=$(($(grep -c . subjects.csv) - 1))
# checked SETTING... -- OPTION...: runs all subjects with --check; prints messages, and how many succeed
checked() {
	settings=
	while [ "$1" != -- ]; do
		settings="$settings $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	timeout 600 env $settings bench-run -q -e none -r 1 -w 0 --processes 1 --no-peaks -b cpu --check -I subjects.csv "$@" >checked.csv 2>err
	echo "$?$(cat err) $(unmarked checked.csv | grep -c ',error,1,')"
}
for dtype in float16 bfloat16; do
	is "$(checked -- -P dtype=$dtype)" "0 $subjects" "models and kernels give the results of ref in $dtype"
	is "$(checked BENCH_CPU_DNN=no -- -P dtype=$dtype -P threads=2)" "0 $subjects" \
		"models and kernels give the results of ref in $dtype without oneDNN"
done

# Matrices of products are not copied to float32 as a whole.
small='-q -e none -r 1 -w 0 --processes 1 --no-peaks -b cpu -k gemm -P m=9 -P n=4000 -P k=4000'
for dtype in float16 bfloat16; do
	# shellcheck disable=SC2086 # words
	is "$(BENCH_CPU_DNN=no bench-run $small -P dtype=$dtype |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["metric"] == "device_memory" { print $at["value"] < 1.2 * 2 * 4000 * 4000 }')" 1 \
		"a matrix of $dtype takes two bytes for each element"
done
done_testing
