#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Loads: the mean wait of functions with a known service time compared with queueing theory, at
# utilizations of 0.3, 0.6 and 0.9, and how late the generator begins 10,000 calls a second on one
# processor. Use an idle machine: a processor that does something else is a slower server.
#
# The waits of a period are not independent, but the periods are: the interval is that of the mean
# of their means, by Student's t for the default of 10 periods (2.262).
set -eu
here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
seconds=${1:-20}
. "$here/lib/rounds.sh"
gcc -O2 -shared -fPIC -I "$here/../../include" -o "$dir/servers.so" "$here/../fixtures/functions/servers.c" -lm
cpu=$(awk '/^Cpus_allowed_list/ { split($2, c, /[-,]/); print c[1] }' /proc/self/status)

# Theory: Pollaczek and Khinchine's mean wait, rate E(S^2) / (2 (1 - rate E(S))), of the measured
# service times S. For equal ones it is utilization E(S) / (2 (1 - utilization)), for exponential
# ones twice that.
for function in fixed exponential; do
	for utilization in 0.3 0.6 0.9; do
		rate=$(awk -v u=$utilization 'BEGIN { print u / 200e-6 }')
		bench-run -q -e none --processes 10 -t "${seconds}s" --cpu "$cpu" --rate "$rate" \
			-f "$dir/servers.so:$function" -P us=200 >"$dir/out"
		awk -F, -v name="$function" -v aim=$utilization -v rate="$rate" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["metric"] == "service" { n++; s = $at["value"] / 1e9; sum += s; squares += s * s }
			$at["metric"] == "wait" { p = $at["process"]; waits[p]++; wait[p] += $at["value"] / 1e9 }
			$at["metric"] == "offered_rate" { offered += $at["value"] / 10 }
			END {
				for (p in wait) { m = wait[p] / waits[p]; k++; all += m; all2 += m * m }
				mean = all / k
				half = 2.262 * sqrt((all2 / k - mean * mean) / (k - 1))
				theory = offered * squares / n / 2 / (1 - offered * sum / n)
				printf "%-12s utilization %.3f: mean wait %8.1f us, interval %8.1f to %8.1f; theory %8.1f us: %s\n",
					name, offered * sum / n, mean * 1e6, (mean - half) * 1e6, (mean + half) * 1e6, theory * 1e6,
					(theory >= mean - half && theory <= mean + half ? "inside" : "OUTSIDE")
			}' "$dir/out"
	done
done

# The generator: calls that take 20 us.
bench-run -e none --processes 5 -t "${seconds}s" --cpu "$cpu" --rate 10000 \
	-f "$dir/servers.so:fixed" -P us=20 >"$dir/out" 2>"$dir/err"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "lag" { print $at["value"] / 1e3 }' "$dir/out" >"$dir/lags"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "throughput" { print $at["value"] }' "$dir/out" >"$dir/rates"
printf 'generator at 10000/s on one processor: completed %.0f/s, 99 %% of calls begin within %.2f us [100]\n' \
	"$(median <"$dir/rates")" "$(median <"$dir/lags")"
sed 's/^/  /' "$dir/err"
