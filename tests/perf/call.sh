#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions: bench-run -f compared with Google Benchmark on the same bodies (call_bodies.h),
# interleaved. Prints medians over the rounds; three functions have more and shorter rounds. The
# spread of a function is that of its values over the rounds, (max - min) / median; the spread of a
# side is the median over the functions.
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
rounds=${1:-5}
. "$here/lib/rounds.sh"
gcc -O2 -shared -fPIC -I "$here/../../include" -o "$dir/ours.so" "$here/call_ours.c"
g++ -O2 -o "$dir/theirs" "$here/call_theirs.cc" -lbenchmark -pthread

# medians: name and median wall of each function in $dir/out
medians() {
	bench-stat -s median,ci_lo,ci_hi "$dir/out" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == "wall" { print $at["bench"], $at["median"],
			($at["ci_hi"] - $at["ci_lo"]) / 2 / $at["median"] }'
}

i=0
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	elapsed theirs.time "$dir/theirs" --benchmark_format=csv
	awk -F, 'NR > 1 && $3 > 0 { gsub(/"/, "", $1); print $1, $3 }' "$dir/out" >>"$dir/theirs.ns"
	elapsed ours.time bench-run -q -e none -f "$dir/ours.so"
	medians >>"$dir/ours.ns"
	elapsed precise.time bench-run -q -e none -t 0.1s -p 1% -f "$dir/ours.so"
	medians | awk '{ print 100 * $3 }' >>"$dir/precise.pct"
done

# Both sides take turns, because the speed of a machine changes.
i=0
while [ "$i" -lt $((5 * rounds)) ]; do
	i=$((i + 1))
	for f in empty imul100 plain100; do
		"$dir/theirs" --benchmark_filter="^$f\$" --benchmark_min_time=0.1 --benchmark_format=csv 2>/dev/null |
			awk -F, 'NR > 1 { gsub(/"/, "", $1); print $1, $3 }' >>"$dir/theirs-close.ns"
		bench-run -q -e none -t 0.1s -f "$dir/ours.so:$f" >"$dir/out"
		medians >>"$dir/ours-close.ns"
	done
done

# Phases of known length, on a machine that lets a sleeper wake in time.
gcc -O2 -shared -fPIC -pthread -I "$here/../../include" -o "$dir/good.so" "$here/../fixtures/functions/good.c"
SLOW_LOAD=1 bench-run -q -e none --processes 5 -r 10 -f "$dir/good.so:phases" >"$dir/phases.csv"
bench-stat -s median "$dir/phases.csv" | awk -F, '
	BEGIN { want["load"] = 60; want["setup"] = 50; want["first"] = 40; want["wall"] = 30 }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] in want { m = $at["metric"]
		printf "%-44s %.3f of the %d ms that it sleeps [1 to 1.02]\n", m, $at["median"] / 1e6 / want[m], want[m] }'

of() { awk -v name="$2" '$1 == name { print $2 }' "$dir/$1.ns" | median; }
spread() {
	cut -d' ' -f1 "$dir/$1.ns" | sort -u | while read -r name; do
		awk -v name="$name" '$1 == name { print $2 }' "$dir/$1.ns" | sort -g >"$dir/one"
		echo "$(head -n 1 "$dir/one") $(tail -n 1 "$dir/one") $(median <"$dir/one")" |
			awk '{ print 100 * ($2 - $1) / $3 }'
	done | median
}
printf '%-44s ours %8.3f ns, theirs %8.3f ns, difference %.3f ns [+0.1]\n' 'empty body' \
	"$(of ours-close empty)" "$(of theirs-close empty)" \
	"$(echo "$(of ours-close empty) $(of theirs-close empty)" | awk '{ print $1 - $2 }')"
for f in imul100 plain100; do
	printf '%-44s ours %8.3f ns, theirs %8.3f ns, ratio %.4f [%s]\n' "$f" \
		"$(of ours-close $f)" "$(of theirs-close $f)" \
		"$(echo "$(of ours-close $f) $(of theirs-close $f)" | awk '{ print $1 / $2 }')" \
		"$([ $f = imul100 ] && echo '1 +- 0.01' || echo '1 +- 0.03')"
done
printf '%-44s ours %.2f%%, theirs %.2f%%\n' "spread from round to round" \
	"$(spread ours)" "$(spread theirs)"
# The interval of a median needs six values, and Google Benchmark has one for each function by default.
ours=$(median <"$dir/precise.time")
theirs=$(median <"$dir/theirs.time")
printf '%-44s %.1f s, theirs %.1f s without an interval (%.2f), %.1f s with one of 6 figures (%.3f) [0.5]\n' \
	'whole time, -p 1%' "$ours" "$theirs" \
	"$(echo "$ours $theirs" | awk '{ print $1 / $2 }')" \
	"$(echo "$theirs" | awk '{ print 6 * $1 }')" \
	"$(echo "$ours $theirs" | awk '{ print $1 / $2 / 6 }')"
printf '%-44s %.2f%%, largest %.2f%%\n' 'interval reached (half its width), median' \
	"$(median <"$dir/precise.pct")" "$(sort -g "$dir/precise.pct" | tail -n 1)"
