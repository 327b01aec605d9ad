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

# Theory: Welch's mean wait of a queue whose server also takes time between requests ("On a generalized M/G/1
# queuing process in which the first customer of each busy period receives exceptional service", Operations
# Research 12, 1964). A request that finds the server busy takes S1, its service and the time since the end of the
# one before; a request that finds it free takes S0, its service and the time since its arrival. With p0, the
# probability of a free server, the mean wait until the server turns to a request is
#   rate E(S1^2) / (2 (1 - rate E(S1))) + rate (E(S0^2) - E(S1^2)) / (2 (1 - rate E(S1) + rate E(S0))),
# which is Pollaczek and Khinchine's if S0 and S1 are equal. The measured wait also has the time before the service.
cat >"$dir/theory.awk" <<'AWK'
# Returns the time of day in seconds.
function day_time(text) {
	split(text, part, /[T:Z]/)
	return part[2] * 3600 + part[3] * 60 + part[4]
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["metric"] == "wait" { wait = $at["value"] / 1e9; arrival = day_time($at["time"]) }
$at["metric"] == "service" {
	service = $at["value"] / 1e9
	p = $at["process"]
	waits[p]++
	waited[p] += wait
	if (p in end) {
		busy = arrival < end[p]
		before = busy ? arrival + wait - end[p] : wait
		n[busy]++
		gap[busy] += before
		sum[busy] += before + service
		squares[busy] += (before + service) ^ 2
	}
	end[p] = arrival + wait + service
}
$at["metric"] == "offered_rate" { offered += $at["value"] / 10 }
$at["metric"] == "utilization" { used += $at["value"] / 10 }
END {
	for (p in waited) { m = waited[p] / waits[p]; k++; all += m; all2 += m * m }
	mean = all / k
	half = 2.262 * sqrt((all2 / k - mean * mean) / (k - 1))
	for (busy = 0; busy < 2; busy++) {
		e[busy] = offered * sum[busy] / n[busy]
		e2[busy] = offered * squares[busy] / n[busy]
	}
	free = (1 - e[1]) / (1 - e[1] + e[0])
	theory = e2[1] / 2 / (1 - e[1]) + (e2[0] - e2[1]) / 2 / (1 - e[1] + e[0]) + \
		free * gap[0] / n[0] + (1 - free) * gap[1] / n[1]
	printf "%-12s utilization %.3f: mean wait %8.1f us, interval %8.1f to %8.1f; theory %8.1f us: %s (%.1f and %.1f us before a service)\n",
		name, used, mean * 1e6, (mean - half) * 1e6, (mean + half) * 1e6, theory * 1e6,
		(theory >= mean - half && theory <= mean + half ? "inside" : "OUTSIDE"), gap[0] / n[0] * 1e6, gap[1] / n[1] * 1e6
}
AWK
for function in fixed exponential; do
	for utilization in 0.3 0.6 0.9; do
		rate=$(awk -v u=$utilization 'BEGIN { print u / 200e-6 }')
		bench-run -q -e none --processes 10 -t "${seconds}s" --cpu "$cpu" --rate "$rate" \
			-f "$dir/servers.so:$function" -P us=200 >"$dir/out"
		awk -F, -v name="$function" -f "$dir/theory.awk" "$dir/out"
	done
done

# The generator: calls that take 20 us.
bench-run -e none --processes 5 -t "${seconds}s" --cpu "$cpu" --rate 10000 \
	-f "$dir/servers.so:fixed" -P us=20 >"$dir/out" 2>"$dir/err"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "lag" { print $at["value"] / 1e3 }' "$dir/out" >"$dir/lags"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "throughput" { print $at["value"] }' "$dir/out" >"$dir/rates"
printf 'generator at 10000/s on one processor: completed %.0f/s, 99%% of calls begin within %.2f us [100]\n' \
	"$(median <"$dir/rates")" "$(median <"$dir/lags")"
sed 's/^/  /' "$dir/err"
