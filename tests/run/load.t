#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --rate and --arrivals: commands under load, their rows, messages and end.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -e none -w 0 "$@"; }
# column NAME METRIC FILE: a column of these rows
column() {
	awk -F, -v name="$1" -v metric="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == metric { print $at[name] }' "$3"
}
line() { tr '\n' ' '; }
# requests FILE: period, number, latency, wait and service of each request
requests() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ metric = $at["metric"]; value = $at["value"] }
		metric == "latency" { latency = value }
		metric == "wait" { wait = value }
		metric == "service" { printf "%d %d %d %d %d\n", $at["process"], $at["sample"], latency, wait, value }' "$1"
}

# Rows
run -q --rate 200/s -r 10 --processes 2 --slo latency=1s -- true >a.csv
is $? 0 'bench-run --rate exits with 0'
is "$(column process latency a.csv | line)$(column sample latency a.csv | line)" \
	'0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 ' \
	'requests have the number of their period and their own'
is "$(column rate latency a.csv | sort -u)" 200 'the rate is a factor'
is "$(column value wall a.csv)" '' 'a request has no wall'
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["process"] == 0 && $at["sample"] == 0 { print $at["metric"] }' a.csv | line)" \
	'latency wait service user sys max_rss page-faults context-switches block_in block_out ok offered_rate throughput utilization lag goodput slo_share ' \
	'a request has the metrics of an execution, and a period its own'
is "$(requests a.csv | awk '$3 != $4 + $5 || $4 < 0 || $5 <= 0' | wc -l)" 0 'latency is the sum of wait and service'
is "$(column value slo_share a.csv | line)" '1 1 ' 'all requests keep a level of 1 s'
is "$(column value goodput a.csv | line)" "$(column value throughput a.csv | line)" 'goodput is throughput if all requests keep the level'
run -q --rate 50,100 -r 2 --processes 1 -J 2 -n a -c true -n b -c true --arrivals uniform >servers.csv
is "$(column rate latency servers.csv | sort -u | line)$(column workers latency servers.csv | sort -u)" '100 50 2' \
	'rates and servers are factors, and -J does not add 1 under load'
is "$(column bench offered_rate servers.csv | sort | line)" 'a a b b ' 'each command has a period at each rate'
is "$(column value offered_rate servers.csv | sort -u | line)" '100 50 ' 'uniform arrivals have exactly the rate'
run -q --rate 600,200,700,300,500,400 -r 1 --processes 2 -- true >order.csv
is "$(column rate offered_rate order.csv | line)" '600 200 700 300 500 400 600 200 700 300 500 400 ' \
	'the rows of each block are in the order of the command line, regardless of the order of measurement'
is "$(column rate latency order.csv | line)" "$(column rate offered_rate order.csv | line)" \
	'the requests of a period precede its own values in this order'
! column time latency order.csv | sort -c 2>/dev/null
is $? 0 'periods are measured in random order'

# The wait of a request follows from the services before it, and nothing starts early.
# poisson RATE COUNT: Poisson arrivals
poisson() {
	awk -v rate="$1" -v count="$2" 'BEGIN { srand(7)
		for (i = 0; i < count; i++) { printf "%.6f\n", t; t -= log(1 - rand()) / rate } }'
}
for rate in 25 50 75; do
	poisson $rate 50 >arrivals
	run -q --arrivals ./arrivals --processes 1 -- sleep 0.01 >b.csv
	requests b.csv >got
	is "$(wc -l <got)" 50 "each of 50 arrivals at $rate/s is a request"
	# early, late: waits below and above Lindley's recursion with the measured services
	paste -d ' ' arrivals got | awk '
		{ at = $1 * 1e9; wait = $5; service = $6
		  least = NR > 1 && free > at ? free - at : 0
		  ideal = NR > 1 && ideal + last - (at - before) > 0 ? ideal + last - (at - before) : 0
		  early += wait < least - 1000 || wait < ideal - 1000; lag[NR] = wait - least
		  free = at + wait + service; last = service; before = at; busy += service }
		END { n = asort_median(lag, NR); print early + 0, (n < 2e7), busy / 50 }
		function asort_median(v, n,  i, j, x) {
			for (i = 2; i <= n; i++) { x = v[i]; for (j = i - 1; j > 0 && v[j] > x; j--) v[j + 1] = v[j]; v[j + 1] = x }
			return v[int((n + 1) / 2)]
		}' >lindley
	is "$(cut -d ' ' -f 1,2 lindley)" '0 1' "the waits at $rate/s are those of Lindley's recursion and the lag"
	# The busy time over the length of the period
	paste -d ' ' arrivals got | awk -v told="$(column value utilization b.csv)" '
		{ busy += $6; end = $1 * 1e9 + $4; if (end > last) last = end }
		END { print (told - busy / last < 1e-6 && busy / last - told < 1e-6) }' >same
	is "$(cat same)" 1 "the utilization at $rate/s is the busy share of the time"
done

# A queue that grows is reported, and -T ends it.
run --rate 400 -t 0.6s -T 0.6s --processes 2 -- sleep 0.02 >c.csv 2>err
like "$(cat err)" 'sleep 0.02 at 400/s: the server completed [0-9.]*/s, so the queue and the latencies grow as long as the load lasts; [0-9]* requests were not started in time' \
	'servers that cannot keep up are reported'
ok 'requests that were left have the status timeout' test "$(column status latency c.csv | grep -c timeout)" -gt 100
is "$(column status service c.csv | sort -u)" ok 'requests that were left have no service'
is "$(grep ,timeout, c.csv | grep -vc ',,timeout,')" 0 'requests that were left have no values'
is "$(run -q --rate 400 -t 0.6s -T 0.6s --processes 2 -- sleep 0.02 2>&1 >/dev/null)" '' '-q prints no note about servers'

# Other arrivals
run -q --arrivals burst -r 4 -J 2 --processes 1 -- sleep 0.05 >d.csv
is "$(requests d.csv | awk '{ print ($4 > 4e7) }' | line)" '0 0 1 1 ' 'two servers take two requests of a burst at once'
is "$(column value offered_rate d.csv)" '' 'a burst has no rate'
run -q --arrivals closed -t 0.2s --processes 1 -- sleep 0.01 >e.csv
is "$(column value wait e.csv | sort -u)" 0 'nothing waits in a closed loop'
ok 'a closed loop ends after its time' test "$(column value wait e.csv | wc -l)" -le 21

# Failures
run --rate 100 -r 5 --processes 2 -- false >f.csv 2>err
is $? 1 'a command that fails under load gives status 1'
is "$(column status latency f.csv | sort -u)$(column status latency f.csv | wc -l)" 'failed:exit=15' 'a command whose requests all fail has one period'
is "$(column value throughput f.csv)" 0 'requests that failed are no throughput'
run -q -i --rate 100 -r 5 --processes 2 -- false >f.csv
is "$(column status latency f.csv | wc -l)" 10 '-i measures all periods of a command that fails'
timeout 60 bench-run -q -w 1 -e none --rate 100 -r 5 -- false >f.csv 2>err
is "$(column status latency f.csv)" failed:exit=1 'a failed warm-up is the only sample of a command under load'
run -q -i --rate 20 -r 3 --processes 1 --timeout 20ms -- sleep 5 >g.csv
is "$(column status latency g.csv | sort -u) $(column status wait g.csv | sort -u)" 'timeout ok' 'a timeout under load limits latency, and the wait is known'
is "$(column value service g.csv | sort -u)" 20000000 'the service of a request that timed out is the limit'
like "$(bench-stat --table -s n,median --metric latency g.csv)" '>' 'bench-stat treats latencies of requests that timed out as limits'
printf '#!/nonexistent\n' >broken
chmod +x broken
is "$(run -q --rate 20 -r 3 --processes 1 -c ./broken -c true 2>/dev/null | awk -F, '$7 == "./broken" { print $NF, $(NF - 1) }')" ' skipped' \
	'a program that cannot be started is skipped under load'

# Hooks and input
printf '3' >input
run -q --rate 100 -r 2 --processes 2 --setup 'echo setup >>hooks' --cleanup 'echo cleanup >>hooks' \
	--stdin input -- sh -c 'read n; test "$n" = 3 || exit 1' >h.csv
is "$(column status latency h.csv | sort | uniq -c | tr -s ' ')" ' 4 ok' 'each request reads the standard input'
is "$(line <hooks)" 'setup cleanup ' 'setup and cleanup run once under load'

# Tables, workers and the lines for people
printf 'kind,bench,subject,args,runs\ncommand,a,true {n},n=7,3\ncommand,b,true,,\n' |
	run -q -I - --rate 100 --processes 1 -t 0.2s >j.csv
is "$(column bench wait j.csv | grep -c a)" 3 'a table sets the number of requests of a period'
is "$(run -q --rate 100 --processes 1 -r 2 -- test '{rate}' = 100 | column status latency - | sort -u)" ok '{rate} is replaced by the rate'
run -q --rate 100 --processes 2 -r 2 -d dir -- true >/dev/null
is "$(grep -c '"service"' dir/*/results.json)" 5 'results.json has the requests and their summary'
if skip_unless script 'a terminal shows the latency, its tail and the goodput'; then
	timeout 60 script -qec 'bench-run -q -e none --rate 200 -r 20 --processes 2 --slo latency=1s -n a -- true' /dev/null \
		</dev/null >screen
	for lines in 'latency .* median [0-9.]* .*s, 40 requests in 2 periods' 'tail .* p90 [0-9.]* ' \
		'of which.* wait .*, service .* .means.' 'goodput .* median ' 'throughput [0-9.]* /s, offered .* utilization'; do
		like "$(cat screen)" "$lines" "a terminal shows the line of ${lines%% *} under load"
	done
fi

# Scenarios
said() { { run -q --processes 1 "$@" >/dev/null; } 2>&1; }
hint=' (see bench-run --help)'
is "$(run -q --scenario single-stream -r 3 --processes 1 -- true | column value wait -)" "$(printf '0\n0\n0')" \
	'a single stream is a closed loop'
is "$(run -q --scenario offline -r 3 -J 2 --processes 1 -- true | tee m.csv | column sample latency - | line)$(column value offered_rate m.csv)" '0 1 2 ' \
	'the offline scenario is a burst'
is "$(run -q --scenario server --rate 100 -r 3 --slo latency=1s --processes 1 -- true | column value slo_share -)" 1 \
	'the server scenario has a rate and a service level'
is "$(said --scenario sever -- true)" \
	"bench-run: --scenario: unknown scenario 'sever'; did you mean server? (there are: single-stream, multi-stream, offline, server; see bench-run --help)" \
	'an unknown scenario is refused'
is "$(said --scenario offline -t 1s -- true)" \
	"bench-run: --scenario offline requires -r N: all N requests of a period arrive at its beginning$hint" \
	'the offline scenario requires the number of requests'
is "$(said --scenario server --slo latency=1s -- true)" "bench-run: --scenario server requires --rate N, or --rate max$hint" \
	'the server scenario requires a rate'
is "$(said --scenario server --rate 9 -- true)" "bench-run: --scenario server requires --slo$hint" \
	'the server scenario requires a service level'
is "$(said --scenario offline -r 3 --arrivals closed -- true)" \
	"bench-run: --scenario offline has the arrivals burst and cannot be combined with --arrivals closed$hint" \
	'arrivals that contradict the scenario are refused'
is "$(said --scenario single-stream --rate 9 -- true)" "bench-run: --scenario single-stream cannot be combined with --rate$hint" \
	'a rate of a closed scenario is refused'
is "$(said --scenario single-stream -J 1,2 -- true)" \
	"bench-run: --scenario single-stream has one server and cannot be combined with 2 workers$hint" \
	'several servers of a stream are refused'
is "$(said --scenario single-stream -P batch=2 -- test '{batch}')" \
	"bench-run: --scenario single-stream has one input in a request and cannot be combined with -P batch=2$hint" \
	'a batch of a single stream is refused'
is "$(said --scenario multi-stream -- true)" \
	"bench-run: --scenario multi-stream requires -P batch=N, for an N above 1: a request has N inputs, 8 in MLPerf$hint" \
	'several streams require a batch'
is "$(said --scenario single-stream -p 1% -- true)" "bench-run: -p cannot be combined with --scenario$hint" \
	'-p with a scenario is refused'
if skip_unless script 'a terminal shows the result of a scenario'; then
	shown() {
		timeout 60 script -qec "bench-run -q -e none -w 0 --processes 1 $1" /dev/null </dev/null >screen
		like "$(cat screen)" "result.*$2" "a terminal shows the result of ${1%% -r*}"
	}
	shown '--scenario single-stream -r 20 -- true' 'p90 of latency [0-9.]* .*s .single-stream.'
	shown '--scenario multi-stream -r 5 -P batch=2 -- test {batch}' 'p99 of latency needs 200 requests .multi-stream.'
	shown '--scenario offline -r 5 -- true' 'throughput [0-9.]* k*/s .offline.'
	shown '--scenario server --rate 100 --slo latency=1s -r 5 -- true' 'slo_share 100%, 99% required .server.'
fi

# A signal
bench-run -e none -w 0 --rate 50 --arrivals uniform -t 3s -o i.csv -- sleep 0.01 2>err &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
is $? 143 'a load ends by the signal that came'
ok 'the requests that ended before a signal are written' test "$(column value latency i.csv | wc -l)" -gt 5
like "$(cat err)" 'interrupted after [0-9]* of 6 periods' 'an interrupted load reports its periods'
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "latency" { got[$at["process"]]++ } $at["metric"] == "throughput" { whole[$at["process"]] }
	END { for (i in whole) bad += got[i] != 25; print bad + 0 }' i.csv)" 0 'an interrupted period has no throughput'
is "$(grep -c ',rows,' i.csv)" 0 'an interrupted load has no end mark'

# Errors
# refuses MESSAGE NAME OPTION...
refuses() {
	message=$1 name=$2
	shift 2
	run "$@" -- true >out 2>err
	is "$? $(wc -c <out) $(sed -E 's/(; | \()see bench-run --help\)$/\1/; s/ \($//; s/; $/)/' err)" "2 0 bench-run: $message" "$name"
}
refuses '--rate: 0: a rate must be above 0 and at most 1000000 requests per second' 'a rate of 0 is refused' --rate 0
refuses '--rate: 50 is given twice' 'bench-run --rate refuses equal rates' --rate 50,50/s
refuses '--arrivals poisson requires --rate' 'Poisson arrivals need a rate' --arrivals poisson
refuses '--arrivals burst determines the rate and cannot be combined with --rate' 'a burst has no rate of the user' --arrivals burst --rate 5 -r 2
refuses '--arrivals: a burst needs the number of its requests: use -r' 'a burst needs -r' --arrivals burst
refuses '--slo requires --rate, --arrivals or --scenario, because true generates no tokens' 'a level without a load is refused' --slo latency=1ms
refuses "--slo: unknown limit 'latencies'; did you mean latency? (there are: latency, wait, service, first_token, per_token, inter_token, share)" \
	'an unknown limit is refused' --rate 5 --slo latencies=1ms
refuses '-p cannot be combined with --rate' '-p is refused under load' --rate 5 -p 1
refuses '--prepare and --conclude cannot be combined with --arrivals' '--prepare is refused under load' --arrivals closed --prepare true
refuses '--arrivals: ./none: No such file or directory' 'a file of arrivals that is missing is refused' --arrivals ./none
refuses '--arrivals: /dev/zero is larger than the limit of 268435456 bytes' 'an endless file of arrivals is refused' --arrivals /dev/zero
refuses '--extract cannot be combined with --rate' '--extract is refused under load' --rate 5 --extract 'a=b'
refuses '--until cannot be combined with --rate' '--until is refused under load' --rate 5 --until decided --compare bench
refuses '--rate: at 0.1/s, fewer than one request arrives in a period of 0.167 s: use a longer -t, or -r' \
	'a load without requests is refused' --rate 0.1 -t 1s
done_testing
