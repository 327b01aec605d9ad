#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of measuring: 1,000 runs of an empty static program under bench-run and its peers,
# interleaved. Prints medians over the rounds and their ratios.
# shellcheck disable=SC2034
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-7}
. "$here/lib/rounds.sh"
echo 'int main(void){return 0;}' | gcc -x c -O2 -static -o "$dir/empty" -
gcc -O2 -D_GNU_SOURCE -o "$dir/loop" "$here/spawn_loop.c"

wall() { metric wall "$dir/out" | awk '{ print $1 / 1000 }'; }

i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	elapsed bare "$dir/loop" "$dir/empty"
	cut -d' ' -f2 "$dir/out" >>"$dir/bare.wall"
	elapsed none bench-run -q -e none -w 10 -r 1000 -- "$dir/empty"
	wall >>"$dir/none.wall"
	elapsed software bench-run -q -e task-clock,page-faults,context-switches,cpu-migrations \
		-w 10 -r 1000 -- "$dir/empty"
	wall >>"$dir/software.wall"
	elapsed default bench-run -q -w 10 -r 1000 -- "$dir/empty"
	wall >>"$dir/default.wall"
	if command -v hyperfine >/dev/null; then
		elapsed hyperfine hyperfine -N -w 10 -r 1000 "$dir/empty"
	fi
	if command -v perf >/dev/null; then
		elapsed perf perf stat -r 1000 "$dir/empty"
	fi
done

show() { [ ! -s "$dir/$1" ] || printf '%-34s %8.3f s\n' "$2" "$(median <"$dir/$1")"; }
show bare 'bare posix_spawn + wait4, 1000 runs'
show none 'bench-run -e none'
show software 'bench-run, software counters'
show default 'bench-run, default counters'
show hyperfine 'hyperfine -N'
show perf 'perf stat -r'
printf '%-34s %8.1f us, bench-run -e none %.1f us, with counters %.1f us\n' 'median run: bare loop' \
	"$(median <"$dir/bare.wall")" "$(median <"$dir/none.wall")" "$(median <"$dir/default.wall")"
# compare WHAT A B GOAL
compare() {
	if [ -s "$dir/$2" ] && [ -s "$dir/$3" ]; then
		printf '%-48s %s (goal: at most %s)\n' "$1" "$(ratio "$(median <"$dir/$2")" "$(median <"$dir/$3")")" "$4"
	fi
}
compare 'elapsed, -e none / hyperfine -N' none hyperfine 1
compare 'elapsed, -e none / bare loop' none bare 1.15
compare 'elapsed, default counters / perf stat' default perf 0.65
compare 'median wall, -e none / bare loop' none.wall bare.wall 1.02
compare 'median wall, software counters / bare loop' software.wall bare.wall 1.15
compare 'median wall, default counters / bare loop' default.wall bare.wall 1.15
