#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Operators of ONNX files on ref give the results of ONNX Runtime, or are refused.
. "${0%/*}/../lib/tap.sh"
use_engines

if ! skip_unless onnxruntime "operators on ref give the results of ONNX Runtime" ||
	! skip_unless onnx-python "models of single operators are made"; then
	done_testing
fi
mkdir models
: >results
for part in operators fused_operators learning_operators function_operators; do
	"$VENV/bin/python3" -B "$ROOT/tests/translate/$part.py" "$BUILD/tests/ref_passes" models >>results 2>err
	is "$? $(cat err)" "0 " "ONNX Runtime runs the model of each operator of $part.py"
done
while read -r line; do
	name=${line%%[: ]*}
	case $name in
	no_*) like "$line" "^$name lack: " "the import refuses the model $name" ;;
	*) is "$(printf '%s\n' "$line" | awk 'NF != 2 || !($2 < 2e-5)')" "" "ref computes the model $name as ONNX Runtime does" ;;
	esac
done <results

# all_models: prints the models that the import accepts, separated by commas
all_models() {
	for name in models/*/; do
		case $name in
		models/no_*) ;;
		*) name=${name%/} && printf '%s/%s.onnx,' "$name" "${name##*/}" ;;
		esac
	done | sed 's/,$//'
}
# checked BACKEND: compares all models on a backend with ref
checked() {
	timeout 300 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1us -b "$1" --check -M "$(all_models)" >"$1.csv" 2>err
}
checked cpu
is "$? $(cat err)" "0 " "bench-run --check accepts the models of all operators on the backend cpu"
bench-run -q -e none -r 1 -w 0 --processes 1 -b cpu --ops -M models/group_query_step/group_query_step.onnx >ops.csv
is "$(grep -c 'GroupQueryAttention.0[.0-9]*,.*,wall,' ops.csv)" 16 \
	"attention of one token reads the keys and values of a cache where they are"
if skip_unless unsanitized "bench-run --check accepts positions that ONNX Runtime finds"; then
	checked onnxruntime
	is "$(awk -F, '/^run/ { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["bench"] == "argmax_1.onnx" && $at["metric"] ~ /^(error|choices_differing)$/ { print $at["metric"], $at["value"] }' \
		onnxruntime.csv)" "error 0
choices_differing 0" "bench-run --check compares positions of int64 with those of ref"
fi
done_testing
