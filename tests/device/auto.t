#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -b auto measures a model file on the engine that was the fastest in a short trial, and keeps the result of the
# trial. The engine is a fake whose devices differ in speed: slow, fast, refusing, emulated.
. "${0%/*}/../lib/tap.sh"

mkdir plugins
cp "$BUILD/tests/plugins/backend-timed.so" plugins/
BENCH_BACKEND_PATH=$T/plugins
XDG_CACHE_HOME=$T/cache
FAKE_LOADS=$T/loads
export BENCH_BACKEND_PATH XDG_CACHE_HOME FAKE_LOADS
echo 'a model' >net.fake
run() { rm -f loads && timeout 100 bench-run -e none -r 1 -w 0 --processes 1 --sample-time 100us -M net.fake "$@" >out.csv 2>err; }
# devices: the measured devices
devices() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["metric"] == "wall" { print $at["device"] }' out.csv | sort -u | paste -sd' '; }
# trials: the number of trials, in each of which the device that refuses is loaded
trials() { grep -c refusing loads; }

run
is "$? $(devices) $(trials)" '0 fast device 1' "-b auto measures on the fastest device that is real"
like "$(cat err)" '^bench-run: backend auto: timed:fast for net.fake: [0-9.]+ .s in a trial, timed:slow [0-9.]+ ms$' \
	"bench-run reports the choice of auto and the times of the trial"
run
is "$? $(devices) $(trials)" '0 fast device 0' "the result of a trial is kept"
like "$(cat err)" 'timed:fast for net.fake: [0-9.]+ .s in an earlier trial' "bench-run reports that the trial was an earlier one"
run -q
is "$(cat err)" '' "-q suppresses the choice of auto"
run -P batch=2,3
is "$? $(devices) $(trials)" '0 fast device 1' "a model of another size has a trial of its own, with the first value of a sweep"
run -P batch=2
is "$(trials)" 0 "the trial of a sweep holds for its first value"
run
echo 'A MODEL' >net.fake
run
is "$(trials)" 1 "a changed file has a new trial"
run -b auto,timed:slow
is "$? $(devices)" '0 fast device slow device' "auto can be one of several backends"
run -b timed:slow,timed:fast
is "$? $(devices) $(trials)" '0 fast device slow device 0' "no trial is made if auto is not requested"
for file in cache/benchutils/trial-*; do echo >"$file"; done
run
is "$? $(devices) $(trials)" '0 fast device 1' "a damaged result is replaced by a new trial"
XDG_CACHE_HOME=/proc/none
run
is "$? $(devices) $(trials)" '0 fast device 1' "auto needs no directory for the result"
export BENCH_RUN_OPTS='-J 2'
run
is "$? $(grep -c slow loads)" '0 2' "the trial ignores options in the environment: one process loads each model, after one that describes it"
done_testing
