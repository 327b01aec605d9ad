#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs models in int8 on engines, at a reduced size, and compares the results with ref.
. "${0%/*}/../lib/tap.sh"
use_engines

# The libraries of engines cannot be loaded into a program with sanitizers.
skip_unless unsanitized "models run on engines in int8" || { done_testing && exit; }
quick() { timeout 200 bench-run -e none -r 1 -w 0 --sample-time 1ms --processes 1 -P dtype=int8 "$@"; }
cells() {
	awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
{
	echo kind,bench,subject,args
	grep -e '^distilbert' -e '^gpt2' -e '^t5' -e '^mamba' -e '^resnet' -e '^wav2vec2' -e '^mixtral' "$ROOT/tests/device/small_models.txt" | while read -r model _ small; do
		echo "model,$model,$model,$small"
	done
} >models.csv

if skip_unless onnxruntime "ONNX Runtime runs models in int8"; then
	quick --check -b onnxruntime -I models.csv >rows.csv 2>err
	if grep -q -e avx512_vnni -e avx_vnni /proc/cpuinfo || [ "$(uname -m)" != x86_64 ]; then
		is "$(cells bench metric status <rows.csv | grep -c ' error ok')" 7 "ONNX Runtime gives the results of ref in int8"
	else
		like "$(cat err)" 'neither AVX512-VNNI nor AVX-VNNI' "the message names the instruction that ONNX Runtime lacks for int8"
	fi
fi
if skip_unless openvino "OpenVINO refuses models in int8"; then
	quick -b openvino -I models.csv >rows.csv 2>err
	is "$(cells bench status <rows.csv | grep -c ' unsupported$')" 7 \
		"models in int8 are not supported on OpenVINO"
	like "$(cat err)" 'OpenVINO computes MatMulInteger in float32' "the message says why OpenVINO does not run models in int8"
fi
done_testing
