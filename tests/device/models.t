#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs kernels and models on each available backend, at a reduced size: compares the results with ref,
# and checks the metrics.
# slow
. "${0%/*}/../lib/tap.sh"

backends=
for pair in cpu:openblas opencl:opencl; do
	if skip_unless "${pair#*:}" "models run on the backend ${pair%:*}"; then
		backends=$backends${backends:+,}${pair%:*}
	fi
done
[ -n "$backends" ] || { done_testing && exit; }

# quick OPTIONS: runs bench-run briefly
quick() { timeout 300 bench-run -q -e none -r 1 -w 0 --processes 1 -b "$backends" "$@"; }
# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
# wrong FILE BENCH: prints what is wrong in the rows of a checked run of BENCH
wrong() {
	cells bench backend dtype metric status value <"$1" | awk -v bench="$2" '$1 == bench' >rows
	awk '$5 != "ok" && $4 != "peak_fraction"' rows # a busy machine has low peaks
	for backend in $(echo "$backends" | tr , ' '); do
		awk -v b="$backend" '$2 == b && $4 == "error" { found = 1; if (!($6 < 1e-4)) worse = 1 }
			END { exit !found || worse }' rows || echo "$backend does not give the results of ref"
	done
}
# table KIND: turns lines with a name and parameters into a table of subjects
table() {
	echo kind,bench,subject,args
	while read -r name small; do
		echo "$1,$name,$name,$small"
	done
}

# All models: name, type, and the parameters that make it small.
cp "$ROOT/tests/device/small_models.txt" models

while read -r model _ small; do
	echo "$model $small"
done <models | table model >models.csv
quick --no-peaks --check -I models.csv >checked.csv 2>err
is "$? $(cat err)" "0 " "bench-run --check measures all models without a message"
while read -r model arch _; do
	is "$(wrong checked.csv "$model")" '' "the model $model gives the results of ref"
	is "$(cells bench arch <checked.csv | sort -u | grep "^$model ")" "$model $arch" "the model $model has the type $arch"
done <models

# All kernels, in float32 and float64, on small and odd shapes.
cp "$ROOT/tests/device/small_kernels.txt" kernels
table kernel <kernels >kernels.csv
quick --no-peaks --check -I kernels.csv -P dtype=float32,float64 >checked.csv 2>err
is "$? $(cat err)" "0 " "bench-run --check measures all kernels without a message"
while read -r kernel _; do
	is "$(wrong checked.csv "$kernel")" '' "the kernel $kernel gives the results of ref"
done <kernels
is "$(timeout 60 bench-list --csv kernels | cells bench | sort -u | wc -l)" 32 "the kernels of this test are all kernels"
quick --no-peaks --check -k gemm -P dtype=int8 -P m=33 -P n=17 -P k=65 >int8.csv 2>err
is "$? $(cells metric value status <int8.csv | grep -c '^error 0 ok')" \
	"0 $(echo "$backends" | tr , '\n' | wc -l)" "matrix products of int8 are exact"

# The columns and metrics.
quick -M resnet50,vit_b_16 -P batch=1,2 -P image=32 -P width=8 -P layers=1 -P hidden=32 -P heads=2 -P ff=64 >sweep.csv
is "$?" 0 "bench-run measures several models, backends and batch sizes in one call"
like "$(head -n 1 sweep.csv)" ',kind,bench,' "rows of models have the columns kind and bench"
for column in arch backend device device_type dtype batch threads input_shape; do
	like "$(head -n 1 sweep.csv)" ",$column," "rows of models have the column $column"
done
is "$(cells kind bench backend batch <sweep.csv | sort -u | wc -l)" \
	$((4 * $(echo "$backends" | tr , '\n' | wc -l))) "each combination of model, backend and batch size is a subject"
is "$(cells batch input_shape bench <sweep.csv | sort -u | tr '\n' ';')" \
	"1 1x3x32x32 resnet50;1 1x3x32x32 vit_b_16;2 2x3x32x32 resnet50;2 2x3x32x32 vit_b_16;" "the column input_shape has the shape of each model"
metrics=$(cells metric <sweep.csv | sort -u | tr '\n' ' ')
for metric in wall throughput flop_rate peak_fraction peak_flop_rate open load compile first params macs max_rss ok; do
	like " $metrics" " $metric " "models have the metric $metric"
done
like "$(bench-stat -g backend,bench,batch -s n,median sweep.csv)" '^resnet50,1,(cpu|opencl),wall' "bench-stat summarizes the rows of models"

quick --no-peaks -M gpt2 -P layers=1 -P hidden=32 -P heads=2 -P ff=64 -P vocab=100 -P seq=8 -P new_tokens=1,5 >tokens.csv
is "$(cells backend new_tokens metric <tokens.csv | sort -u | grep -c -e ' 5 first_token' -e ' 5 per_token' -e ' 5 token_rate' \
	-e ' 5 inter_token' -e ' 5 user_token_rate')" $((5 * $(echo "$backends" | tr , '\n' | wc -l))) "a model that generates has metrics of its tokens"
is "$(cells new_tokens metric <tokens.csv | grep -c '^1 per_token')" 0 "a model that generates one token has no per_token"

one=${backends%%,*}
small='-P image=32 -P width=8'
# shellcheck disable=SC2086 # words
timeout 100 bench-run -q -e none -r 2 -w 0 --processes 1 --no-peaks -b "$one" -M resnet50 $small --ops >ops.csv
like "$(cells operation metric value <ops.csv | grep '^[0-9]* [^ ]* wall' | head -n 1)" '^000 .* wall [0-9.]+$' \
	"--ops has a row for each operation"
# shellcheck disable=SC2086 # words
timeout 100 bench-run -q -e none -r 2 -w 0 --processes 1 --no-peaks -b "$one" -M resnet50 $small -J 1,2 >workers.csv
like "$(cells workers metric <workers.csv | sort -u | tr '\n' ' ')" '2 speedup.* 2 throughput' "-J measures the speed-up of concurrent processes"
# shellcheck disable=SC2086 # words
timeout 100 bench-run -q -e none -r 2 -w 0 --processes 1 --no-peaks -b "$one" -M resnet50 $small -j 2 >workers.csv
like "$(cells workers metric <workers.csv | sort -u | tr '\n' ' ')" '2 speedup.* 2 throughput' "-j measures the speed-up of threads of one process"

# Sanitizers delay the release of freed memory.
if skip_unless unsanitized "max_rss excludes the memory for measuring peaks"; then
	timeout 100 bench-run -q -e none -r 1 -w 0 --processes 2 -b "$one" -k copy -P n=1000 >peak.csv
	is "$(cells metric process value <peak.csv |
		awk '$1 == "max_rss" { of[$2] = $3 } END { print (of[0] < 2 * of[1]) }')" 1 \
		"max_rss excludes the memory for measuring peaks"
fi

# Input from files.
awk 'BEGIN { for (i = 0; i < 2 * 3 * 32 * 32; i++) printf "%c%c%c%c", 0, 0, 128, 63 }' >two.raw
ok "--input accepts a file of the right size" timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 --check \
	--no-peaks -b "$one" -M resnet50 -P batch=2 -P image=32 -P width=8 --input image=two.raw
{
	printf '\223NUMPY\001\000\166\000'
	printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 32, 32), }"
	cat two.raw
} >two.npy
ok "--input accepts a file of NumPy" timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 --check \
	--no-peaks -b "$one" -M resnet50 -P batch=2 -P image=32 -P width=8 --input image=two.npy
status 1 "--input rejects a file of NumPy of another shape" timeout 100 bench-run -e none -r 1 -w 0 --processes 1 \
	--no-peaks -b "$one" -M resnet50 -P batch=1 -P image=32 -P width=8 --input image=two.npy
like "$(cat "$T/.err")" 'two.npy: its shape is 2x3x32x32 instead of 1x3x32x32' "--input reports the shape of a file of NumPy"
status 1 "--input rejects a file of another size" timeout 100 bench-run -e none -r 1 -w 0 --processes 1 \
	--no-peaks -b "$one" -M resnet50 -P batch=1 -P image=32 -P width=8 --input image=two.raw
like "$(cat "$T/.err")" 'two.raw: the file has [0-9]+ bytes, but ' "--input reports the size of a wrong file"

# Invalid requests.
status 2 "--input rejects the name of an input that no subject has" bench-run -k gemm -b ref --input q=/dev/null
like "$(cat "$T/.err")" '--input q: no subject has an input' "--input reports the unknown input"
status 2 "-P rejects a parameter that a model lacks" bench-run -M vit_b_16 -b ref -P layerz=1
like "$(cat "$T/.err")" "-P: vit_b_16 has no parameter 'layerz'; did you mean layers" "-P reports the unknown parameter"
status 2 "-M rejects an unknown model" bench-run -M nonesuch -b ref
status 2 "bench-run rejects parameters whose shapes do not fit" bench-run -M vit_b_16 -b ref -P heads=7
status 2 "bench-run rejects an unknown dtype" bench-run -M vit_b_16 -b ref -P dtype=float7
timeout 100 bench-run -e none -r 1 -w 0 -M vit_b_16 -b ref -P dtype=float16 -P layers=1 >none.csv 2>err
is "$(cells metric value status <none.csv)" "wall  unsupported" "a dtype that the device lacks is unsupported"
like "$(cat err)" 'vit_b_16: unsupported: reference does not compute in float16 .plain C, double precision' "bench-run reports a dtype that the device lacks, and what the device has"
timeout 100 bench-run -e none -r 1 -w 0 -k gemm -b ref -P m=2000000 -P n=2000000 -P k=8 >none.csv 2>err
is "$(cells metric value status <none.csv)" "wall  skipped" "a subject that does not fit the memory is skipped"
like "$(cat err)" 'gemm: skipped: it needs [0-9.]+ TiB' "bench-run reports the memory that a skipped subject needs"
status 2 "bench-run rejects --check for commands" bench-run --check -- true
status 2 "bench-run rejects options of commands for kernels" bench-run -k gemm -b ref --prepare true
timeout 60 bench-list --csv kernels gemm | timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 -b ref \
	-P m=8 -P n=8 -P k=8 -I - >piped.csv
is "$(cells kind bench metric <piped.csv | grep -c '^kernel gemm wall')" 1 "bench-run -I measures a table of bench-list"
done_testing
