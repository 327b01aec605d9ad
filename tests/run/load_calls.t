#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions, kernels and models under load: bench-run --rate and --arrivals with -f, -k and -M.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_abort=0:detect_leaks=0"
gcc -O2 -g -shared -fPIC -I "$ROOT/include" -o servers.so "$ROOT/tests/fixtures/functions/servers.c" -lm || exit 1

# under_load OPTION...: two periods of servers.so, without counters
under_load() { bench-run -e none --processes 2 -w 1 "$@" >out 2>err; }
# requests: process, sample, latency, wait, service and status of each request in out, in their order
requests() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ key = $at["process"] " " $at["sample"]; m = $at["metric"] }
		m == "latency" { order[++n] = key; status[key] = $at["status"] }
		m == "latency" || m == "wait" || m == "service" { v[key, m] = $at["value"] == "" ? "-" : $at["value"] }
		END { for (i = 1; i <= n; i++) { k = order[i]
			print k, v[k, "latency"], v[k, "wait"], (k, "service") in v ? v[k, "service"] : "-", status[k] } }' out
}
# count METRIC: the number of its rows in out
count() { awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["metric"] == m' out | wc -l; }
# values METRIC: its values in out
values() { awk -F, -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["metric"] == m { print $at["value"] }' out; }
# within VALUE LOW HIGH
within() { awk -v v="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(v != "" && v >= lo && v <= hi) }'; }

# Arrivals of a Poisson process, 500 a second.
awk 'BEGIN { srand(7); for (i = 0; i < 150; i++) { t += -log(1 - rand()) / 500; printf "%.6f\n", t } }' >poisson.txt

# replay SERVERS: compares the requests in out with a queue of these servers in which each
# request takes as long as it did. Prints for each period the number of requests, of those whose
# latency is not wait + service, of those that began before they could, and the median of other delays
# in ns; then the mean wait of the queue without these delays over the measured one.
replay() {
	requests | awk -v servers="$1" '
		function earliest(free,   i, best) {
			best = 0
			for (i = 1; i < servers; i++) if (free[i] < free[best]) best = i
			return best
		}
		function end_period(   i, half) {
			half = 0
			for (i = 0; i < n; i++) { below = 0; for (j = 0; j < n; j++) below += late[j] < late[i]
				if (below <= n / 2 && late[i] >= half) half = late[i] }
			printf "%d %d %d %.0f %.3f\n", n, wrong, early, half, sum ? ideal / sum : 1
			n = wrong = early = sum = ideal = 0
			for (i = 0; i < servers; i++) free[i] = queue[i] = 0
		}
		NR == FNR { arrival[NR - 1] = $1 * 1e9; next }
		$1 != period && n { end_period() }
		{ period = $1; a = arrival[$2]; start = a + $4
			wrong += $3 - $4 - $5 > 1 || $4 + $5 - $3 > 1
			s = earliest(free); due = a > free[s] ? a : free[s]
			early += start < due - 1000; late[n] = start - due; free[s] = start + $5
			q = earliest(queue); begin = a > queue[q] ? a : queue[q]; queue[q] = begin + $5
			ideal += begin - a; sum += $4; n++ }
		END { end_period() }' poisson.txt -
}
judge() { # judge SERVERS WHAT: four tests of the requests in out
	replay "$1" >replayed
	is "$(awk '{ print $1, $2, $3 }' replayed | sort | uniq -c | sed 's/^ *//')" '2 150 0 0' \
		"$2: all requests are served in order, none early, with latency = wait + service"
	# Lindley's recursion: what the queue adds to the waits beyond the delays is at least nothing.
	ok "$2: the waits are at least those of Lindley's recursion" awk '$5 > 1.0001 { exit 1 }' replayed
	ok "$2: half of the requests begin within 2 ms of the moment when they can" awk '$4 > 2e6 { exit 1 }' replayed
}
under_load --arrivals ./poisson.txt -f servers.so:fixed -P us=1000
judge 1 'one server'
is "$(count wall) $(count worker_wall)" '0 0' 'requests have no wall time'
is "$(count load) $(count throughput) $(count utilization) $(count lag)" '2 2 2 2' 'the values of a process and of a period exist once in each'

under_load --arrivals ./poisson.txt -f servers.so:asleep -P us=2500 -J 2
judge 2 'two processes'
under_load --arrivals ./poisson.txt -f servers.so:asleep -P us=2500 -j 2
judge 2 'two threads'
under_load --arrivals ./poisson.txt -f servers.so:pauses
ok 'a pause of the function is part of a request' within "$(values service | sort -g | head -n 1)" 2.1e6 1e9

# Coordinated omission: a stall of 100 ms delays the requests that arrive meanwhile, which a closed
# loop does not make.
slow() { values latency | awk '{ n++; slow += $1 > 50e6 } END { print 100 * slow / n }'; }
under_load --processes 1 --rate 2000 -r 2000 -f servers.so:stalls
ok 'in an open loop, a stall in 1000 calls makes more than 5 percent of the requests late by half of it' within "$(slow)" 5 100
under_load --processes 1 --arrivals closed -r 2000 -f servers.so:stalls
ok 'in a closed loop, a stall in 1000 calls makes less than 1 percent of the requests late' within "$(slow)" 0.01 1
is "$(values wait | sort -u)" 0 'requests of a closed loop do not wait'
under_load --processes 1 --arrivals closed -t 0.1s -f servers.so:asleep
ok 'a closed loop with -t ends after that time' within "$(values latency | awk '{ s += $1 } END { print s }')" 5e7 3e8
under_load --arrivals burst -r 20 -f servers.so:asleep
is "$(count latency) $(values wait | awk '$1 > 10e6' | wc -l | awk '{ print ($1 >= 18) }')" '40 1' 'the requests of a burst wait for each other'

# Servers and generators that cannot keep up.
under_load --processes 1 --rate 2000 -r 200 -f servers.so:asleep -P us=2000
like "$(cat err)" '^bench-run: asleep us=2000 object=servers.so at 2000/s: the server completed [1-4][0-9.]*/s, so the queue and the latencies grow as long as the load lasts$' \
	'a rate above what the server can complete is reported'
under_load --processes 1 --rate 20 -r 10 -f servers.so:asleep -P us=2000
is "$(grep -c completed err)" 0 'a rate that the server can complete is not reported'
under_load --processes 1 --rate 1000 -t 0.1s -T 0.1s -f servers.so:asleep -P us=20000
is "$(requests | awk '{ print $6 }' | sort -u | tr '\n' ' ')" 'ok timeout ' 'requests that were not started in time have the status timeout'
ok 'requests that were not started have no service time' [ "$(count service)" -lt "$(count latency)" ]
# Four servers share one processor with a process that always computes.
cpu=$(awk '/^Cpus_allowed_list/ { split($2, c, /[-,]/); print c[1] }' /proc/self/status)
timeout 20 taskset -c "$cpu" sh -c 'while :; do :; done' &
under_load --processes 1 --rate 300 -r 150 -J 4 --cpu "$cpu" -f servers.so:fixed -P us=500
kill $!
like "$(cat err)" 'the generator was late by up to [0-9.]+ ms \(99%\); latencies include this$' 'a generator that is late is reported'

# The search for the highest rate. A service of 2 ms or more allows less than 500 requests a second.
under_load --processes 1 --rate max --slo latency=30ms,share=80% -f servers.so:asleep -P us=2000
ok 'the highest rate is between one that keeps the service level and one that breaks it, below the capacity' awk \
	-v low="$(values max_rate_low)" -v rate="$(values max_rate)" -v high="$(values max_rate_high)" \
	'BEGIN { exit !(low > 10 && low < 500 && rate > low && high > rate) }'
is "$(count latency) $(count offered_rate)" '0 0' 'a search has no rows of requests or periods'
under_load --processes 1 --rate max --slo latency=1us,share=50% -f servers.so:fixed -P us=300
is "$(values max_rate | tr -d '\n')|$(grep -c ',max_rate,1/s,,skipped,' out)|$(cat err)" \
	'|1|bench-run: fixed us=300 object=servers.so: 1 of 1 searches found no rate that keeps the service level' \
	'a service level that no rate keeps is reported'
# The requests of a period of this search would arrive for 30 s.
began=$(date +%s)
under_load --processes 1 --rate max -T 1s --slo latency=90ms -f servers.so:asleep -P us=20000
ok '-T ends a search within a period' test "$(($(date +%s) - began))" -lt 15
is "$(grep -c ',max_rate,1/s,,skipped,' out)|$(grep -c 'ended early' err)" '1|1' 'a search that -T ends within its first period finds no rate'
for line in '--rate max' '--rate max --slo wait=1ms -r 10' '--rate max --slo wait=1ms -t 1s'; do
	# shellcheck disable=SC2086
	bench-run $line -f servers.so:asleep >out 2>err
	is "$? $(wc -l <err)" '2 1' "bench-run $line is refused in one line"
done

# Failures.
under_load --rate 1000 -r 200 -J 2 -f servers.so:crashes
like "$(cat err)" "^bench-run: 2 samples failed; the first was of 'crashes': signal=SIGABRT" 'a server that crashes during a load is reported'
is "$(values latency | sort -u; grep -c ',latency,ns,,failed:signal=SIGABRT,' out)" '
2' 'a period in which a server crashes has one row without a value'
under_load --rate 1000 -r 200 --timeout 1ns -f servers.so:asleep
is $? 1 'a load whose set-up times out fails'
bench-run -q -e none --rate 100 -t 60s -f servers.so:asleep >out 2>err &
sleep 1
kill -TERM $!
wait $! 2>/dev/null
ok 'an interrupt during a load leaves complete rows' awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' out
bench-run -e none --rate 1000000 -t 60s -f servers.so:asleep >out 2>err
is "$? $(cat out err)" '2 bench-run: --rate: a period would have 10000000 requests, more than the limit of 4194304 (see bench-run --help)' 'a period of too many requests is refused'

# Counters and allocations are those of a request, without the waits.
bench-run -q --processes 1 -e task-clock --rate 20 -r 10 -f servers.so:fixed -P us=2000 >out 2>err
ok 'counters do not count the waits for requests' within "$(values task-clock)" 1e6 6e6
if skip_unless unsanitized 'allocations are those of a request'; then
	bench-run -q -e none --processes 1 --allocs --rate 20 -r 10 -f servers.so:fixed -P us=2000 >out 2>err
	is "$(values alloc_calls)" 0 'allocations are those of a request'
fi

# Kernels and models.
bench-run -q -e none --processes 1 -w 0 -r 10 --rate 100 -b ref -k relu -P n=100 >out 2>err
is "$(count latency) $(count throughput) $(cat err)" '10 1 ' 'kernels are measured under load'
bench-run -q -e none --processes 1 -w 0 -r 5 --rate 20 -J 2 --no-peaks -b cpu -M gpt2 -P layers=1 -P seq=8 -P vocab=1000 >out 2>err
is "$(count latency) $(count throughput)" '5 1' 'models are measured under load'
bench-run -q -e none --processes 1 -w 0 -r 10 --arrivals burst --batch-window 1ms -b ref -k relu -P n=100 >out 2>err
is "$? $(cat err)" '2 bench-run: --batch-window requires -P batch=N, for an N above 1 (see bench-run --help)' 'a batch window without a batch is refused'
bench-run -q -e none --processes 1 -w 0 -r 10 --batch-window 1ms -b ref -k relu -P n=100 >out 2>err
is "$? $(cat err)" '2 bench-run: --batch-window requires --rate, --arrivals or --scenario (see bench-run --help)' \
	'a batch window without a load is refused'
bench-run -q -e none --processes 1 -w 0 -r 10 --arrivals burst --batch-window 1ms --no-peaks -b cpu -M gpt2 -P layers=1 -P seq=8 -P vocab=1000 -P batch=4 >out 2>err
is "$(values batch_fill | cut -c1-6) $(values service | sort -u | wc -l)" '0.8333 3' 'three batches of four serve ten requests of a burst'
done_testing
