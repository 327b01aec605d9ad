#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Models on the cpu backend compared with PyTorch (Debian's package) on the same cores: resnet50,
# vit_b_16, and BERT base at 128 tokens, for which PyTorch has only torch.nn.TransformerEncoder
# (ours also has the embeddings and the pooler). All use float32. Both have the same number of
# threads, 3 warm-ups, and at least 10 passes and 2 s in each round, in which they take turns.
# Prints medians over the rounds.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
python=/usr/bin/python3
. "$here/lib/rounds.sh"
if ! $python -c 'import torch' 2>/dev/null; then
	echo "no PyTorch for $python here: nothing is compared"
	exit 0
fi
unset OPENBLAS_CORETYPE

# ours MODEL BATCH THREADS, theirs MODEL BATCH: print a median, in ns
ours() {
	bench-run -q -e none --processes 1 -w 3 -t 2s -b cpu -M "$1" -P batch="$2" -P threads="$3" >"$dir/out"
	metric wall "$dir/out"
}
theirs() { $python "$here/models_theirs.py" "$1" "$2"; }

cases='resnet50 1
resnet50 4
vit_b_16 1
vit_b_16 4
bert-base-uncased 1'
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for threads in 1 2; do
		export OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
		echo "$cases" | while read -r model batch; do
			for side in ours theirs; do
				$side "$model" "$batch" $threads >>"$dir/$side.$model.$batch.$threads"
			done
		done
	done
done
for threads in 1 2; do
	echo "$cases" | while read -r model batch; do
		ours=$(median <"$dir/ours.$model.$batch.$threads")
		theirs=$(median <"$dir/theirs.$model.$batch.$threads")
		echo "$model $batch $threads $ours $theirs" | awk '{
			printf "%-18s batch %d, %d thread%s  ours %7.1f ms, theirs %7.1f ms, ratio %.3f [0.85]\n",
				$1, $2, $3, ($3 > 1 ? "s" : " "), $4 / 1e6, $5 / 1e6, $4 / $5 }'
	done
done
