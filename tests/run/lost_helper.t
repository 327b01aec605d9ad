#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A helper that ends, or does not answer, during a sample: the sample is written as a failed one.
# timing: waits for other processes
# waits
. "${0%/*}/../lib/tap.sh"

run() { timeout -s KILL 60 bench-run -q -e none "$@"; }

# The second execution kills its helper.
# shellcheck disable=SC2016 # the command expands it
kills='[ -e ran ] && kill -KILL $PPID; >ran; sleep 0.01'
status 2 'a run whose helper ends fails' run -w 0 -r 3 -- sh -c "$kills"
like "$(cat .err)" 'failed: signal=SIGKILL: bench-spawn, which runs it, ended before it did' \
	'bench-run reports which sample the end of its helper lost'
is "$(grep -c ',wall,' .out) $(grep ',wall,' .out | tail -n 1 | cut -d, -f 9-)" '2 1,,1,wall,ns,,failed:signal=SIGKILL,' \
	'a sample whose helper ended is a failed one without a value'
is "$(awk -F, 'NR > 1 && $9 == 1 && $12 != "ok" && $14 != ""' .out)" '' 'no metric of a sample whose helper ended has a value'
rm -f ran
# shellcheck disable=SC2016
status 2 'a run whose helper ends during a batch fails' run -w 0 -r 40 -- sh -c 'kill -KILL $PPID'
is "$(grep ',wall,' .out | cut -d, -f 9-)" '0,,1,wall,ns,,failed:signal=SIGKILL,' \
	'the first sample without an answer is a failed one if the helper ends during a batch'
cat >ninth <<'END'
#!/bin/sh
read -r n <n
echo $((n + 1)) >n
[ "$n" -ne 8 ] || kill -KILL $PPID
END
chmod +x ninth
for events in none page-faults; do
	echo 0 >n
	timeout -s KILL 60 bench-run -q -e $events -w 0 -r 60 -- ./ninth >s.csv 2>err
	is "$(grep ',wall,' s.csv | cut -d, -f 9,11,12,15 | paste -sd' ') $(cat n)" \
		'0,1,wall,ok 1,1,wall,ok 2,1,wall,ok 3,1,wall,ok 4,1,wall,ok 5,1,wall,ok 6,1,wall,ok 7,1,wall,ok 8,1,wall,failed:signal=SIGKILL 9' \
		"the samples of a batch before the end of its helper are kept: -e $events"
done
is "$(grep -c ',page-faults,1,[1-9][0-9]*,ok,' s.csv)" 8 'the counters of a batch before the end of its helper are kept'
for options in '' -i; do
	: >ran
	# shellcheck disable=SC2086
	status 2 "a run whose helper ends during a warm-up fails $options" run $options -w 2 -r 3 -- sh -c "$kills"
	is "$(grep ',wall,' .out | cut -d, -f 9-)" '0,,1,wall,ns,,failed:signal=SIGKILL,' \
		"a warm-up whose helper ended becomes the first sample $options"
done
rm -f ran
status 2 'a run of two copies whose helper ends fails' run -w 0 -r 1 -O sequential -J 1,2 -- sh -c "$kills"
is "$(grep -c ',worker_wall,ns,,failed:signal=SIGKILL,' .out)" 2 'each copy whose helper ended has failed'

# Under load.
rm -f ran
status 2 'a load whose helper ends fails' run -w 0 --rate 20 --arrivals uniform -t 2s --processes 1 -- sh -c "$kills"
is "$(grep -E ',(latency|ok),[^,]*,[^,]*,[^,]*,$' .out | sed 's/.*\(,[01],,1,\)/\1/; s/latency,ns,[0-9]\{1,\},/latency,ns,some,/')" \
	',0,,1,latency,ns,some,ok,
,0,,1,ok,1,1,ok,
,1,,1,latency,ns,,failed:signal=SIGKILL,
,1,,1,ok,1,0,ok,' 'a load whose helper ended keeps its requests, of which the last has failed'
status 2 'a load whose helper ends during a warm-up fails' run -w 1 --rate 20 -t 2s --processes 1 -- sh -c "$kills"
is "$(grep ',latency,' .out | sed 's/.*,latency/latency/')" 'latency,ns,,failed:signal=SIGKILL,' \
	'a request for warming up whose helper ended is written as a failed one'

# A helper that does not answer, and a clock that is twenty times as fast.
if skip_unless unsanitized 'a helper that does not answer'; then
	cat >fast.c <<-'END'
		#define _GNU_SOURCE
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>
		int clock_gettime(clockid_t id, struct timespec *t)
		{
			int status = (int)syscall(SYS_clock_gettime, id, t);
			static long first;

			if (id != CLOCK_MONOTONIC || status < 0)
				return status;
			first = first ? first : t->tv_sec;
			long ns = t->tv_nsec * 20;
			t->tv_sec = first + (t->tv_sec - first) * 20 + ns / 1000000000;
			t->tv_nsec = ns % 1000000000;
			return 0;
		}
	END
	gcc -shared -fPIC -o fast.so fast.c || exit 1
	mkdir -p tree/bin tree/libexec/benchutils
	cp "$BUILD/bin/bench-run" tree/bin && ln -s "$BUILD/share" "$BUILD/lib" tree
	printf '#!/bin/sh\nexec sleep 50\n' >tree/libexec/benchutils/bench-spawn
	chmod +x tree/libexec/benchutils/bench-spawn
	status 2 'a run whose helper does not answer fails' \
		env LD_PRELOAD="$T/fast.so" timeout -s KILL 60 tree/bin/bench-run -q -e none -w 0 -r 1 --timeout 100ms -- true
	like "$(cat .err)" '^bench-run: the helper bench-spawn was killed, because it did not answer within 30 s of --timeout or a signal' \
		'bench-run reports that its helper did not answer'
	is "$(grep ',wall,' .out | cut -d, -f 9-)" '0,,1,wall,ns,,failed:signal=SIGKILL,' \
		'a sample whose helper did not answer is a failed one'
fi
done_testing
