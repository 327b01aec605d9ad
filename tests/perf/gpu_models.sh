#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Models on the cuda backend compared with PyTorch on the same GPU: the fastest of eager, a CUDA
# graph, both with channels last, and torch.compile for four models in bfloat16 (its time counts
# by itself). gpu_models.sh [ROUNDS [PART...]]; PYTHON names the interpreter that has torch, torchvision,
# transformers and diffusers. Both sides take turns by rounds, and wait for the device after each
# pass. Neither uses TF32. Prints medians over the rounds, and geometric means of the ratios. The parts
# are bfloat16, mixtral, types and compile. Without PyTorch, only ours are measured. The table is also
# printed when the script is terminated. With KEEP=DIR, times are added to those in that directory, so
# that one table can be measured in several calls.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-3}
[ $# -eq 0 ] || shift
parts=" ${*:-bfloat16 mixtral types compile} "
python=${PYTHON:-python3}
seconds=${SECONDS_EACH:-0.4}
. "$here/lib/rounds.sh"
. "$here/lib/gpu_sides.sh"

all='resnet50 vit_b_16 bert-base-uncased bert-large-uncased distilbert-base-uncased gpt2 t5-small
	switch-base-8 vit-gpt2 whisper-tiny wav2vec2-base clip-vit-base-patch32 ddpm-cifar10 sd15-unet'
some='resnet50 vit_b_16 bert-base-uncased gpt2 t5-small whisper-tiny'
compiled='resnet50 vit_b_16 bert-base-uncased gpt2'
commas() { echo "$@" | sed 's/  */,/g'; }

# ours MODELS BATCHES DTYPES: appends model,batch,dtype,us
ours() {
	for model in $1; do
		for batch in $2; do
			for dtype in $3; do
				bench-run -q -e none --processes 1 -w 5 -t "${seconds}s" -b cuda -M "$model" \
					-P batch="$batch" -P dtype="$dtype" >"$dir/out" 2>"$dir/err" || {
					sed "s/^/$model $batch $dtype: /" "$dir/err" >&2
					continue
				}
				echo "$model,$batch,$dtype,$(metric wall "$dir/out" | awk '{ print $1 / 1e3 }')" >>"$times/ours"
			done
		done
	done
}
# theirs MODELS BATCHES DTYPES MODES
# shellcheck disable=SC2086
theirs() {
	[ "$peer" = yes ] || return 0
	$python "$here/gpu_models_theirs.py" "$(commas $1)" "$(commas $2)" "$(commas $3)" "$4" "$seconds" \
		>>"$times/theirs"
}

modes=eager,graph,eager-nhwc,graph-nhwc
# part NAME MODELS BATCHES DTYPES: measures both sides, if the part is wanted
part() {
	case $parts in *" $1 "*) ;; *) return 0 ;; esac
	ours "$2" "$3" "$4"
	theirs "$2" "$3" "$4" $modes
}
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	part bfloat16 "$all" '1 16' bfloat16
	part mixtral mixtral-small '1 8' bfloat16
	part types "$some" '1 16' 'float32 float16'
	case $parts in *' compile '*) theirs "$compiled" '1 16' bfloat16 compile ;; esac
done
