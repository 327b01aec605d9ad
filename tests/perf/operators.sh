#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the backend cpu and ONNX Runtime spend the time of resnet50, vit_b_16 and bert-base-uncased (float32, one
# thread, batch 1): operators.sh [ROUNDS]. In each round, both profile each model in a new process, five iterations, and
# the other one begins. Prints the time of each kind of operation in an iteration, in ms: the median of the rounds.
# docs/performance.md has the result of a machine.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-3}
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

# A line for each kind: the pattern of the names of its operations, here and in ONNX Runtime, which fuses the
# activation and the addition after some of them, and names these after the last.
# shellcheck disable=SC2154 # rounds.sh sets dir
cat >"$dir/kinds" <<'EOF'
convolution 3x3	block.*(conv2|norm2)
convolution 1x1	block.*(conv1|conv3|norm1|norm3|project)
first convolution	^(conv|norm|norm/Relu.*|embedding[.]patch.*)$
product mlp.up and activation	mlp[.]up|[Gg]elu
product mlp.down	mlp[.]down
product attention.qkv	attention[.]qkv
product attention.proj	attention[.]proj
attention	attention[.]a
norms and additions	norm|add|LayerNormalization
other	.
EOF

# parts FILE: prints the time of each kind in an iteration, in ms, with the number of its line
parts() {
	awk -F '\t' '
		NR == FNR { kind[++kinds] = $2; next }
		FNR == 1 { n = split($0, name, ","); for (i = 1; i <= n; i++) at[name[i]] = i; next }
		{
			split($0, cell, ",")
			if (cell[at["metric"]] != "wall")
				next
			operation = cell[at["operation"]]
			if (operation == "")
				next
			samples += !(cell[at["sample"]] in seen)
			seen[cell[at["sample"]]]
			sub(/^[0-9]+ /, "", operation)
			sub(/[.][0-9]+(_nchwc)?$/, "", operation)
			for (k = 1; operation !~ kind[k]; k++)
				;
			sum[k] += cell[at["value"]] / 1e6
		}
		END { for (k = 1; k <= kinds; k++) if (k in sum) print k, sum[k] / samples }' "$dir/kinds" "$1"
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for model in resnet50 vit_b_16 bert-base-uncased; do
		order='cpu onnxruntime:cpu'
		[ $((i % 2)) -eq 1 ] || order='onnxruntime:cpu cpu'
		for backend in $order; do
			bench-run --ops -q -e none --processes 1 -w 2 -r 5 -P threads=1 -M $model -b "$backend" </dev/null >"$dir/out"
			parts "$dir/out" | while read -r kind time; do
				echo "$time" >>"$dir/$model.$kind.${backend%:*}"
			done
		done
	done
done

lscpu | sed -n 's/^Model name: */processor: /p'
for model in resnet50 vit_b_16 bert-base-uncased; do
	echo "$model"
	kind=0
	while IFS='	' read -r name _; do
		kind=$((kind + 1))
		[ -e "$dir/$model.$kind.cpu" ] || [ -e "$dir/$model.$kind.onnxruntime" ] || continue
		printf '  %-30s' "$name"
		for backend in cpu onnxruntime; do
			[ -e "$dir/$model.$kind.$backend" ] || echo 0 >"$dir/$model.$kind.$backend"
			printf ' %8.2f ms %s' "$(median <"$dir/$model.$kind.$backend")" "$backend"
		done
		echo
	done <"$dir/kinds"
done
