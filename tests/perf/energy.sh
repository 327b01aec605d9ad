#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of measuring energy: one reading of all counters, on this machine and on recorded ones
# (where they are files), and 1,000 runs of an empty static program with and without it. Prints
# medians over the rounds.
set -eu
here=$(cd "${0%/*}" && pwd)
BUILD=${BUILD:-$here/../../build}
PATH=$BUILD/bin:$PATH
rounds=${1:-7}
. "$here/lib/rounds.sh"
echo 'int main(void){return 0;}' | gcc -x c -O2 -static -o "$dir/empty" -
gcc -std=c17 -O2 -D_GNU_SOURCE -iquote "$here/../../lib" -o "$dir/power_read" \
	"$here/power_read.c" "$BUILD/libbench.a" -lm

printf '%-34s %s\n' 'a reading, this machine' "$("$dir/power_read" || true)"
for tree in intel-laptop amd-server; do
	printf '%-34s %s\n' "a reading, $tree" "$(BENCH_ROOT=$here/../fixtures/machines/$tree "$dir/power_read")"
done

BENCH_ROOT=$here/../fixtures/machines/intel-laptop
export BENCH_ROOT
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	elapsed without bench-run -q -e none -w 10 -r 1000 -- "$dir/empty"
	elapsed with bench-run -q -e none --energy --energy-idle 0 -w 10 -r 1000 -- "$dir/empty"
done
without=$(median <"$dir/without") with=$(median <"$dir/with")
echo "$without $with" | awk '{
	printf "%-34s %8.3f s\n", "1000 runs, -e none", $1
	printf "%-34s %8.3f s, %.1f us more a run (ratio %.3f)\n", "the same with --energy, 5 counters", $2, ($2 - $1) * 1e3, $2 / $1 }'
