#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast the backend cpu reads the weights for the next token of gpt2, t5-small and whisper-tiny, as a share of what
# the kernel dot reads: decode.sh [ROUNDS [THREADS]]. Each round measures dot and each model in a new process, in
# float32 and bfloat16. Prints the medians, and that of the rounds' shares.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-6} threads=${2:-1}
. "$here/lib/rounds.sh"
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

# numbers MODEL: prints how many weights and cached keys and values the step for a token reads: those of all layers of
# the decoder, in which attention to the encoder has no products for its keys and values, and the vocabulary.
numbers() {
	case $1 in
	gpt2) echo $((12 * (12 * 768 * 768 + 2 * 136 * 768) + 50257 * 768)) ;;
	t5-small) echo $((6 * (6 * 512 * 512 + 2 * 512 * 2048 + 2 * 136 * 512) + 32128 * 512)) ;;
	whisper-tiny) echo $((4 * (6 * 384 * 384 + 2 * 384 * 1536 + 2 * 1500 * 384) + 51865 * 384)) ;;
	esac
}
# shellcheck disable=SC2154 # rounds.sh sets dir
# run METRIC OPTION...: prints the median of a metric
run() {
	metric=$1
	shift
	bench-run -q -e none --processes 1 -b cpu -P threads="$threads" "$@" </dev/null >"$dir/out"
	metric "$metric" "$dir/out"
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for model in gpt2 t5-small whisper-tiny; do
		for dtype in float32 bfloat16; do
			most=$(run bandwidth -k dot -P n=67108864 -t 0.3s)
			time=$(run inter_token -w 1 -r 3 -M $model -P new_tokens=16 -P dtype=$dtype)
			bytes=$(($(numbers $model) * ($(echo $dtype | tr -dc 0-9) / 8)))
			echo "$most $time $bytes" >>"$dir/$model.$dtype"
		done
	done
done

lscpu | sed -n 's/^Model name: */processor: /p'
for model in gpt2 t5-small whisper-tiny; do
	for dtype in float32 bfloat16; do
		figures=$dir/$model.$dtype
		printf '%-14s %-9s %s thread(s): %6.1f MB' $model $dtype "$threads" "$(awk 'NR == 1 { print $3 / 1e6 }' "$figures")"
		awk '{ print $2 / 1e6 }' "$figures" | median | awk '{ printf ", %6.2f ms a token", $1 }'
		awk '{ print $3 / $2 }' "$figures" | median | awk '{ printf ", %5.1f GB/s", $1 }'
		awk '{ print $1 / 1e9 }' "$figures" | median | awk '{ printf ", dot %5.1f GB/s", $1 }'
		awk '{ print $3 / $2 * 1e9 / $1 }' "$figures" | median | awk '{ printf ", share %.2f\n", $1 }'
	done
done
