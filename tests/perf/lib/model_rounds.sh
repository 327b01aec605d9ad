# SPDX-License-Identifier: GPL-3.0-or-later
# Compares an engine's model files on its backend with a program of its own, for scripts that define
# "ours FILE THREADS SECONDS", "theirs FILE THREADS SECONDS", "their_median FILE", and $rounds; source it
# after rounds.sh. In each round both run a model of one addition in turns of 20 ms (turns.c), and
# resnet50 one after the other; who begins changes from round to round. With one thread both run on the
# same processor: in a virtual machine, one may be twice as fast as another for a minute.
# shellcheck shell=sh disable=SC2154

bench-list --export "$dir/resnet50.onnx" -M resnet50 >/dev/null
cp "$here/../device/engine_models/add.onnx" "$dir"
cc -std=c17 -D_GNU_SOURCE -O2 -o "$dir/turns" "$here/turns.c"

# medians: prints the medians of both from their outputs, in us
medians() { echo "$(metric wall "$dir/ours" | awk '{ print $1 / 1000 }') $(their_median "$dir/theirs")"; }

# A processor on which this script may run
processor=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for threads in 1 2; do
		[ $threads = 1 ] && run="exec taskset -c $processor" || run="exec"
		ours="$run $(ours "$dir/add.onnx" $threads 2)"
		theirs="$run $(theirs "$dir/add.onnx" $threads 2)"
		if [ $((i % 2)) = 0 ]; then
			"$dir/turns" 20 "$dir/ours" "$dir/theirs" "$ours" "$theirs"
		else
			"$dir/turns" 20 "$dir/theirs" "$dir/ours" "$theirs" "$ours"
		fi
		medians >>"$dir/add.$threads"

		ours="$run $(ours "$dir/resnet50.onnx" $threads 0.4)"
		theirs="$run $(theirs "$dir/resnet50.onnx" $threads 0.4)"
		[ $((i % 2)) = 0 ] || sh -c "$theirs" >"$dir/theirs"
		sh -c "$ours" >"$dir/ours"
		[ $((i % 2)) = 1 ] || sh -c "$theirs" >"$dir/theirs"
		medians >>"$dir/resnet50.$threads"
	done
done
for model in add resnet50; do
	for threads in 1 2; do
		summary $model $threads <"$dir/$model.$threads"
	done
done
