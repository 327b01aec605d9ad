#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Models that ONNX Runtime has quantized give its results on ref, and those of ref on other backends.
. "${0%/*}/../lib/tap.sh"
use_engines

files=$ROOT/tests/fixtures/data/onnx
# checked BACKEND OPTIONS: prints the status and the error of --check
checked() {
	timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1us --no-peaks --check -b "$@" |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$at["metric"] == "error" { print $at["status"], $at["value"] < 1e-4 }'
}
is "$(checked cpu -P batch=2 -M "$files/quantized.onnx")" "ok 1" "the backend cpu gives the results of ref for a quantized model"

if ! skip_unless onnxruntime "quantized models on ref give the results of ONNX Runtime" ||
	! skip_unless onnx-python "ONNX Runtime quantizes models"; then
	done_testing && exit
fi
mkdir models
"$VENV/bin/python3" "$ROOT/tests/translate/quantized.py" "$BUILD/tests/ref_passes" models "$files/resnet.onnx" >results 2>err
is "$?" 0 "ONNX Runtime quantizes the models"
is "$(wc -l <results | tr -d " ")" 24 "ONNX Runtime quantizes two models in each way"
while read -r line; do
	name=${line%% *}
	case $name in
	no_*) like "$line" "^$name lack: " "the import refuses the model $name" ;;
	# ref computes in float64, so that a number halfway between two of 16 bits may be rounded to the other one.
	*) is "$(printf '%s\n' "$line" | awk 'NF != 3 || !($2 < ($1 ~ /int16/ ? 1e-4 : 1e-5) && $3 < 0.5)')" "" \
		"ref computes the model $name as ONNX Runtime does" ;;
	esac
done <results
for model in small_uint8 small_int8 small_axis small_int16 small_operators_uint8 small_operators_axis small_dynamic_axis; do
	is "$(checked cpu -M "models/$model.onnx")" "ok 1" "the backend cpu gives the results of ref for the model $model"
done
done_testing
