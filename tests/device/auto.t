#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -b auto measures a model on the device that was the fastest in a short trial, and keeps the result of the trial.
# The engine is a fake whose devices differ in speed: slow, fast, refusing, emulated.
. "${0%/*}/../lib/tap.sh"

mkdir plugins
cp "$BUILD/tests/plugins/backend-timed.so" plugins/
BENCH_BACKEND_PATH=$T/plugins
XDG_CACHE_HOME=$T/cache
FAKE_LOADS=$T/loads
export BENCH_BACKEND_PATH XDG_CACHE_HOME FAKE_LOADS
echo 'a model' >net.fake
run() { rm -f loads && timeout 100 bench-run -e none --no-peaks -r 1 -w 0 --processes 1 --sample-time 100us "$@" >out.csv 2>err; }
# devices: the measured devices
devices() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["metric"] == "wall" { print $at["device"] }' out.csv | sort -u | paste -sd' '; }
# trials: the number of trials, in each of which the device that refuses is loaded
trials() { grep -c refusing loads; }

run -M net.fake
is "$? $(devices) $(trials)" '0 fast device 1' "-b auto measures on the fastest device that is real"
like "$(cat err)" '^bench-run: backend auto: timed:fast for net.fake: [0-9.]+ [^ ]*s in a trial, timed:slow [0-9.]+ ms$' \
	"bench-run reports the choice of auto and the times of the trial"
run -M net.fake
is "$? $(devices) $(trials)" '0 fast device 0' "the result of a trial is kept"
like "$(cat err)" 'timed:fast for net.fake: [0-9.]+ [^ ]*s in an earlier trial' "bench-run reports that the trial was an earlier one"
run -M net.fake -q
is "$(cat err)" '' "-q suppresses the choice of auto"
run -M net.fake -P batch=2,3
is "$? $(devices) $(trials)" '0 fast device 1' "a model of another size has a trial of its own, with the first value of a sweep"
run -M net.fake -P batch=2
is "$(trials)" 0 "the trial of a sweep holds for its first value"
run -M net.fake
echo 'A MODEL' >net.fake
run -M net.fake
is "$(trials)" 1 "a changed file has a new trial"
run -M net.fake -J 2
is "$? $(trials) $(grep -c slow loads)" '0 1 4' "a trial has the workers of -J"
run -M net.fake -J 2
is "$? $(trials)" '0 0' "the result of a trial with workers is kept"
run -M net.fake -b auto,timed:slow
is "$? $(devices)" '0 fast device slow device' "auto can be one of several backends"
run -M net.fake -b timed:slow,timed:fast
is "$? $(devices) $(trials)" '0 fast device slow device 0' "no trial is made if auto is not requested"
for file in cache/benchutils/trial-*; do echo >"$file"; done
run -M net.fake
is "$? $(devices) $(trials)" '0 fast device 1' "a damaged result is replaced by a new trial"
XDG_CACHE_HOME=/proc/none
run -M net.fake
is "$? $(devices) $(trials)" '0 fast device 1' "auto needs no directory for the result"
export BENCH_RUN_OPTS='-d results'
run -M net.fake
is "$? $(find results -mindepth 1 -maxdepth 1 | wc -l)" '0 1' "the trial ignores options in the environment"
unset BENCH_RUN_OPTS BENCH_BACKEND_PATH

# Real engines also run lists.
if skip_unless unsanitized "auto tries engines for models of benchutils" &&
	skip_unless onnxruntime "auto tries engines for models of benchutils"; then
	use_engines
	export BENCH_OPENVINO=none XDG_CACHE_HOME="$T/cache"
	run -M resnet50 -P width=8 -P image=32
	like "$(cat err)" 'backend auto: [a-z]+:[a-z0-9]+ for resnet50: [0-9.]+ .s in a trial, (cpu:0|onnxruntime:cpu|ref:0|opencl:0) [0-9.]+ .s$' \
		"auto tries engines for models of benchutils"
	bench-list --export net.onnx --external-data -M resnet50 -P width=8 -P image=32
	run -M net.onnx
	touch -d yesterday net.onnx.data
	run -M net.onnx
	like "$(cat err)" 'for net.onnx: [0-9.]+ .s in a trial' "a model whose file of weights has changed has a new trial"
	run -k gemm -P m=16 -P n=16 -P k=16
	like "$(cat err)" '^bench-run: backend auto: [a-z]+ \(' "auto makes no trial for kernels"
fi
done_testing
