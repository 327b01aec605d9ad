#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The times of generated tokens on ONNX Runtime and OpenVINO, compared with those of a plain loop in C, which
# loads the same models and stamps each token itself. tokens.sh [ROUNDS [THREADS [SECONDS]]]: both take turns, in
# short rounds, and begin the rounds in turn, because the state of a host stays for some seconds. Prints the median
# of the rounds' ratios of medians, of 90% and of 99% quantiles, and its interval.
set -eu
here=$(cd "${0%/*}" && pwd)
root=$here/../..
PATH=${BUILD:-$root/build}/bin:$PATH
rounds=${1:-100}
threads=${2:-$(nproc)}
seconds=${3:-0.4}
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"

# shellcheck disable=SC2154 # rounds.sh sets dir
cc -std=c17 -D_GNU_SOURCE -O2 -iquote "$root" -iquote "$root/include" -iquote "$root/backends/engine" \
	-o "$dir/loop" "$here/tokens_loop.c" "$root/backends/engine/onnxruntime_api.c" \
	"$root/backends/engine/onnxruntime_type.c" "$root/backends/engine/openvino_api.c" \
	"$root/backends/engine/openvino_types.c" "$root/backends/library/library.c" \
	"$root/backends/engine/engine_mute.c" -ldl
cat >"$dir/models" <<'END'
gpt2 16 -P layers=6 -P hidden=384 -P heads=6 -P vocab=10000 -P seq=64
whisper-tiny 16 -P frames=600 -P audio_positions=300
END
# figures FILE: prints the median and the 90% and 99% quantiles of the first token and of the gaps, in us
figures() {
	bench-stat -g metric --metric first_token,inter_token -s median,p90,p99 "$1" |
		awk -F, 'NR > 1 { printf "%s %s %s ", $(NF - 2) / 1000, $(NF - 1) / 1000, $NF / 1000 } END { print "" }'
}
# ours ENGINE, theirs ENGINE: print the figures of a round
ours() {
	# shellcheck disable=SC2086 # words
	bench-run -q -e none --processes 1 -w 3 -t "${seconds}s" -b "$1:cpu" -M "$model" $options \
		-P new_tokens="$tokens" -P threads="$threads" >"$dir/ours" </dev/null
	figures "$dir/ours"
}
theirs() {
	"$dir/loop" "$1" "$dir/prompt.onnx" "$dir/step.onnx" "$tokens" "$threads" "$seconds" \
		>"$dir/theirs" 2>"$dir/err" </dev/null
	figures "$dir/theirs"
}

while read -r model tokens options; do
	# shellcheck disable=SC2086 # words
	{
		bench-list --export "$dir/prompt.onnx" -M "$model" $options -P new_tokens="$tokens"
		bench-list --export "$dir/step.onnx" -M "$model" $options -P new_tokens="$tokens" --step
	}
	i=0
	while [ $i -lt "$rounds" ]; do
		i=$((i + 1))
		for engine in onnxruntime openvino; do
			if [ $((i % 2)) = 0 ]; then
				a=$(ours $engine)
				b=$(theirs $engine)
			else
				b=$(theirs $engine)
				a=$(ours $engine)
			fi
			echo "$a $b" >>"$dir/$model.$engine"
		done
	done
	for engine in onnxruntime openvino; do
		column=0
		for what in first_token first_token-p90 first_token-p99 inter_token inter_token-p90 inter_token-p99; do
			column=$((column + 1))
			echo "$model $engine $what: $(awk -v c=$column '{ print $c, $(c + 6) }' "$dir/$model.$engine" | summary "" "$threads" |
				sed 's/0.98 to 1.02/0.99 to 1.01/')"
		done
	done
done <"$dir/models"
