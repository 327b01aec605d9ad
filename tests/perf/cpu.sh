#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The backend cpu compared with ONNX Runtime and OpenVINO, in float32: resnet50, vit_b_16 and bert-base-uncased (128 tokens) with
# one thread and batch 1, and with two threads and batches 1 and 4. cpu.sh [ROUNDS [MODEL...]]: in each round, each backend
# measures each case for half a second in a new process, and a different one goes first. Prints the medians, and the ratio of
# cpu to the fastest engine with its 95% interval, which is that of the median of the rounds' ratios.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-12}
[ $# -eq 0 ] || shift
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
[ $# -gt 0 ] || set -- resnet50 vit_b_16 bert-base-uncased
# shellcheck disable=SC2154 # rounds.sh sets dir
for model; do
	printf '%s\n' "$model 1 1" "$model 1 2" "$model 4 2"
done >"$dir/cases"
[ "$(nproc)" -gt 1 ] || sed -i '/ 2$/d' "$dir/cases"

# time_of BACKEND MODEL BATCH THREADS: prints the median time of an iteration, in ms
time_of() {
	bench-run -q -e none --processes 1 -w 2 -t 0.5s -b "$1" -M "$2" -P batch="$3" -P threads="$4" </dev/null >"$dir/out"
	metric wall "$dir/out" | awk '{ print $1 / 1e6 }'
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	while read -r model batch threads; do
		for k in 0 1 2; do
			case $(((i + k) % 3)) in
			0) cpu=$(time_of cpu "$model" "$batch" "$threads") ;;
			1) ort=$(time_of onnxruntime:cpu "$model" "$batch" "$threads") ;;
			2) vino=$(time_of openvino:cpu "$model" "$batch" "$threads") ;;
			esac
		done
		echo "$cpu $ort $vino" >>"$dir/$model.$batch.$threads"
	done <"$dir/cases"
done

lscpu | sed -n 's/^Model name: */processor: /p'
while read -r model batch threads; do
	figures=$dir/$model.$batch.$threads
	printf '%-18s batch %d' "$model" "$batch"
	for column in 1 2 3; do
		cut -d' ' -f$column "$figures" | median | awk -v name="$(echo cpu ORT OpenVINO | cut -d' ' -f$column)" '
			{ printf ", %s %.1f ms", name, $1 }'
	done
	# The fastest engine is that with the lower median.
	best=$(for column in 2 3; do
		echo "$(cut -d' ' -f$column "$figures" | median) $column"
	done | sort -g | awk 'NR == 1 { print $2 }')
	awk -v best="$best" '{ print $1, $best }' "$figures" | summary '' "$threads" | sed 's/0.98 to 1.02/at most 1.05/; s/; ours.*//'
done <"$dir/cases"
