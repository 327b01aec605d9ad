#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Model files on the backend onnxruntime compared with a plain loop in C over the interface of ONNX
# Runtime, with the same library and number of threads. Both take turns, in rounds. Prints the median of the
# rounds' ratios and its 95% confidence interval; a model of one addition also in microseconds for each
# call, of which at most 2 may be ours.
set -eu
here=$(cd "${0%/*}" && pwd)
root=$here/../..
PATH=${BUILD:-$root/build}/bin:$PATH
rounds=${1:-100}
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"
if ! bench-list --csv devices onnxruntime | grep -q ^onnxruntime,0,; then
	echo "no ONNX Runtime here (make deps-engines installs it): nothing is compared"
	exit 0
fi
# shellcheck disable=SC2154 # rounds.sh sets dir
cc -std=c17 -D_GNU_SOURCE -O2 -iquote "$root" -iquote "$root/include" -iquote "$root/backends/engine" \
	-o "$dir/loop" "$here/onnxruntime_loop.c" "$root/backends/engine/onnxruntime_api.c" \
	"$root/backends/library/library.c" -ldl

# ours FILE THREADS SECONDS, theirs FILE THREADS SECONDS: print the command that takes the times
ours() {
	echo "bench-run -q -e none --processes 1 -w 1 -t $3s -b onnxruntime:cpu -M '$1' -P threads=$2"
}
theirs() { echo "'$dir/loop' '$1' $2 $3"; }
# their_median FILE: prints the median time of a call, in us, from the output of their command
their_median() { cat "$1"; }

. "$here/lib/model_rounds.sh"
