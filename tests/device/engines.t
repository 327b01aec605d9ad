#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs all models on ONNX Runtime and OpenVINO, at a reduced size: the results are compared with ref.
# slow
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/trace.sh"
use_engines

# The libraries of engines cannot be loaded into a program with sanitizers.
skip_unless unsanitized "bench-run measures models on ONNX Runtime and OpenVINO" || { done_testing && exit; }
engines=
for engine in onnxruntime openvino; do
	skip_unless $engine "models run on $engine" && engines=$engines${engines:+,}$engine
done
[ -n "$engines" ] || { done_testing && exit; }

# cells COLUMN...: prints columns of the CSV rows on standard input
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] != "rows" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
quick() { timeout 300 bench-run -q -e none -r 1 -w 0 --sample-time 1ms --processes 1 -b "$engines" "$@"; }

echo kind,bench,subject,args >models.csv
while read -r model _ small; do
	echo "model,$model,$model,$small"
done <"$ROOT/tests/device/small_models.txt" >>models.csv
quick --check -I models.csv >checked.csv 2>err
cells bench backend metric value status <checked.csv >rows
sed 1d models.csv | cut -d, -f 2 | while read -r model; do
	for engine in $(echo "$engines" | tr , ' '); do
		echo "$model $engine"
	done
done >wanted
while read -r model engine; do
	is "$(awk -v m="$model" -v e="$engine" '$1 == m && $2 == e && $3 == "error" { print $4 < 1e-4 }' rows)" 1 \
		"$engine gives the results of ref for $model"
done <wanted
like "$(cells engine <checked.csv | sort -u | tr '\n' ' ')" '[0-9]+\.[0-9]+\.[0-9]+' "rows name the version of the engine"
like " $(cells metric <checked.csv | sort -u | tr '\n' ' ')" ' error fallback_ops first first_token flop_rate inter_token load macs max_rss ok open params per_token ' \
	"models on engines have the metrics of models and of tokens"

fixtures=$ROOT/tests/fixtures/data/onnx
quick --check -P batch=2 -M "$fixtures/resnet.onnx,$fixtures/dense.onnx" >files.csv
quick --check -P batch=2 -P tokens=5 -M "$fixtures/bert.onnx,$fixtures/gpt2.onnx" >>files.csv
quick --check -M "$fixtures/vit.onnx,$fixtures/mixed.onnx" >>files.csv
for file in resnet dense bert gpt2 vit mixed; do
	is "$(awk -F, '/^run/ { for (i = 1; i <= NF; i++) at[$i] = i } $at["metric"] == "error" && $at["value"] < 1e-5 &&
		$at["bench"] == "'$file'.onnx"' files.csv | wc -l)" "$(echo "$engines" | tr , '\n' | wc -l)" \
		"engines give the results of ref for the file $file.onnx"
done
printf '\010\010\072\077\012\020\012\001\170\022\001\171\042\010\111dentity\022\001\147Z\023\012\001\170\022\016\012\014\010\020\022\010\012\002\010\004\012\002\010\003\142\023\012\001\171\022\016\012\014\010\020\022\010\012\002\010\004\012\002\010\003\102\004\012\000\020\021' >bfloat16.onnx
quick --check -M bfloat16.onnx >bfloat16.csv 2>err
is "$(cells metric status <bfloat16.csv | grep -c '^error ok')" "$(echo "$engines" | tr , '\n' | wc -l)" \
	"--check allows the rounding of the types of a model file"

like "$(cells bench metric value <files.csv | grep '^resnet.onnx macs')" '^resnet.onnx macs [0-9]+$' "rows of an ONNX file have its multiply-adds"

quick --check -k gemm,layernorm,attention -P dtype=float32,float16 -P m=33 -P n=17 -P k=65 -P rows=5 -P columns=33 -P seq=9 -P kv_heads=4 \
	-P heads=4 -P head_size=8 >kernels.csv 2>err
is "$(cells bench dtype metric status <kernels.csv | grep -c ' error ok')" $((6 * $(echo "$engines" | tr , '\n' | wc -l))) \
	"kernels run on engines in float32 and float16"
# derived ENGINE: prints how the spans of its operations are marked
derived() { [ "$1" != openvino ] || echo 'start=derived;'; }
for engine in $(echo "$engines" | tr , ' '); do
	timeout 100 bench-run -q -e none -r 1 -w 0 --processes 1 -b "$engine" -M resnet50 --ops --timeline ops.json -P image=32 -P width=8 \
		>ops.csv 2>err
	trace_spans ops.json | awk -F '\t' '$3 == "operation"' >spans
	is "$(cut -f 4 spans | sort -u)" "$(cells operation metric <ops.csv | sed -n '/^ /d; s/ wall$//p' | sort -u)" \
		"a time line has the operations of $engine"
	is "$(cut -f 7 spans | sed 's/^kind=[^;]*;//' | sort -u)" "clock=engine;$(derived "$engine")" \
		"the spans of operations have the times of $engine"
	ok "the spans of the operations of $engine have about the time of their rows" \
		awk -F '\t' '{ ns += $6 } END { exit !(ns > rows / 50 && ns < rows * 50) }' \
		rows="$(cells operation metric value <ops.csv | awk '/^[0-9].* wall / { ns += $NF } END { printf "%.0f", ns }')" spans
	like "$(cells operation metric value status <ops.csv | grep '^00')" '^000 .* wall [0-9.]+ ok$' "--ops has rows for the operations of $engine"
	status 2 "$engine rejects an unknown option" timeout 100 bench-run -e none -r 1 -w 0 --processes 1 -b "$engine" \
		-k copy -P n=100 --engine-option nonesuch=1
	like "$(cat "$T/.err")" nonesuch "$engine reports an unknown option"
done
done_testing
