#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Model files on the backend openvino compared with OpenVINO's benchmark_app, which takes the same
# number of inferences at a time, streams and threads, and the same precision. Both take turns, in
# rounds. Prints the median of the rounds' ratios and its 95% confidence interval, from the order
# statistics of a binomial distribution; a model of one addition also in microseconds for each inference.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-100}
. "$here/lib/rounds.sh"
. "$here/lib/engines_here.sh"
app=$VIRTUAL_ENV/bin/benchmark_app
if [ ! -x "$app" ]; then
	echo "no benchmark_app here (make deps-engines installs it): nothing is compared"
	exit 0
fi

# ours FILE THREADS SECONDS, theirs FILE THREADS SECONDS: print the command that takes the times
ours() {
	echo "bench-run -q -e none --processes 1 -w 1 -t $3s -b openvino:cpu -M '$1' -P threads=$2"
}
# benchmark_app takes whole seconds. Fractions are for resnet50, of which six inferences take about as long.
theirs() {
	case $3 in
	*.*) limit='-niter 6' ;;
	*) limit="-t $3" ;;
	esac
	# shellcheck disable=SC2154 # rounds.sh sets dir
	echo "'$app' -m '$1' -d CPU -hint none -api sync -nireq 1 -nstreams 1 -nthreads $2 -infer_precision f32 $limit"
}
# their_median FILE: prints the median time of an inference, in us, from the output of their command
their_median() { awk '$4 == "Median:" { print $5 * ($6 == "ms" ? 1000 : 1) }' "$1"; }

. "$here/lib/model_rounds.sh"
