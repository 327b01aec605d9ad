# SPDX-License-Identifier: GPL-3.0-or-later
# Compares an engine's model files on its backend with a program of its own, for scripts that define
# "ours FILE THREADS" and "theirs FILE THREADS", which print the median time of an inference in us, and
# $rounds; source it after rounds.sh. Both take turns, and begin the rounds in turn.
# shellcheck shell=sh disable=SC2154

bench-list --export "$dir/resnet50.onnx" -M resnet50 >/dev/null
cp "$here/../device/engine_models/add.onnx" "$dir"
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for threads in 1 2; do
		for model in add resnet50; do
			if [ $((i % 2)) = 0 ]; then
				a=$(ours "$dir/$model.onnx" $threads)
				b=$(theirs "$dir/$model.onnx" $threads)
			else
				b=$(theirs "$dir/$model.onnx" $threads)
				a=$(ours "$dir/$model.onnx" $threads)
			fi
			echo "$a $b" >>"$dir/$model.$threads"
		done
	done
done
for model in add resnet50; do
	for threads in 1 2; do
		summary $model $threads <"$dir/$model.$threads"
	done
done
