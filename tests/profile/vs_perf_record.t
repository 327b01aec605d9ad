#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof beside perf record, on three real programs: each function that has more than 2 % of
# the samples has the same part in both, within 3 points. Both sample the same run, as no two
# runs are alike.
# timing: waits for or judges what other processes do at the same time
# slow
. "${0%/*}/../lib/tap.sh"

if ! skip_unless sampling 'bench-prof and perf agree' ||
	! skip_unless perf 'bench-prof and perf agree'; then
	done_testing
fi

event=cpu-clock
# The kernel lowers this where interrupts take long.
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
theirs=$((limit < 4999 ? limit : 4999))
# profile COMMAND...: its functions, "share function", added to our.shares and their.shares. The
# frequencies differ a little: timers in step would meet at the same places.
profile() {
	perf record -q -e $event -F $theirs -g -o perf.data -- \
		bench-prof -q -e $event -F $((theirs * 24 / 25)) --top --csv -- "$@" >top.csv 2>/dev/null
	awk -F, 'NR > 1 && $1 > 0 { print $1, $(NF - 1) }' top.csv >>our.shares
	perf report -i perf.data --stdio --no-children -g none -F overhead,sym \
		--comm "$(basename "$1")" --percentage relative 2>/dev/null |
		awk '/^ *[0-9.]+%/ { sub(/%/, "", $1); sub(/@.*/, "", $3); print $1, $3 }' >>their.shares
}
# An alias of ours may be another name of perf's: functions are matched without what the C
# library puts before their names. What has no name is an address there and a file here.
plain() { awk -v runs="$runs" '{ name = $2 ~ /^(0x|\[)/ ? "nameless" : $2
		sub(/^(__GI_|__libc_|c)?_*/, "", name); share[name] += $1 / runs }
	END { for (name in share) print name, share[name] }' "$1" | sort; }
apart() { # of two files of shares: the functions above 2 % that are more than 3 points apart
	plain "$1" >a
	plain "$2" >b
	join -a 1 -a 2 -e 0 -o 0,1.2,2.2 a b | awk '$2 > 2 || $3 > 2' >large
	awk '$2 - $3 > 3 || $3 - $2 > 3' large
}
# Two runs, and where chance may have been at work, up to four more.
agree() { # DESCRIPTION COMMAND...
	program=$1
	shift
	: >our.shares
	: >their.shares
	for runs in 1 2 3 4 5 6; do
		profile "$@"
		[ $runs -ge 2 ] && [ -z "$(apart our.shares their.shares)" ] && break
	done
	ok "$program: there is something to compare" awk '$1 > 2 { n++ } END { exit n < 2 }' their.shares
	is "$(apart our.shares their.shares)" '' "$program: functions have the same parts"
	note "$(awk '{ d = $2 > $3 ? $2 - $3 : $3 - $2; if (d > most) most = d }
		END { printf "%d functions above 2 %%, at most %.2f points apart after %d runs",
			NR, most, runs }' runs="$runs" large)"
}

hashes='my %h; for my $i (1 .. 3e6) { $h{$i % 50021} .= chr(65 + $i % 26) }
	my $n = 0; $n += length for sort values %h; print $n'
agree 'a C program, perl' perl -e "$hashes"
if skip_unless pmu 'by a hardware counter'; then
	event=cycles
	agree 'by a hardware counter, perl' perl -e "$hashes"
	event=cpu-clock
fi

cat >threads.c <<'END'
#include <lzma.h>
#include <stdlib.h>
int main(void)
{
	enum { SIZE = 12 << 20 };
	unsigned char *in = malloc(SIZE), *out = malloc(2 * SIZE);
	unsigned seed = 1;
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_mt mt = { .threads = 2, .block_size = SIZE / 4, .preset = 4, .check = LZMA_CHECK_CRC32 };
	for (size_t i = 0; i < SIZE; i++) {
		seed = seed * 1103515245 + 12345;
		in[i] = i > 5000 && seed >> 30 ? in[i - 1 - (seed >> 20) % 5000] : (unsigned char)(seed >> 22);
	}
	if (lzma_stream_encoder_mt(&s, &mt) != LZMA_OK) return 1;
	s.next_in = in, s.avail_in = SIZE, s.next_out = out, s.avail_out = 2 * SIZE;
	return lzma_code(&s, LZMA_FINISH) != LZMA_STREAM_END;
}
END
if skip_unless liblzma 'a program with threads'; then
	gcc -O2 -g -o threads threads.c -Wl,-Bstatic -llzma -Wl,-Bdynamic -pthread
	agree 'a program with threads, liblzma' ./threads
fi
cat >data.c <<'END'
#include <sqlite3.h>
static int none(void *x, int n, char **v, char **names) { return 0; }
int main(void)
{
	sqlite3 *db;
	return sqlite3_open(":memory:", &db) || sqlite3_exec(db,
		"create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n"
		" where i < 1200000) insert into t select i * 7919 % 1200007, 'x' || i from n;"
		"create index i on t(a); select count(*), sum(length(b)) from t join t u using (a)"
		" group by a % 100 order by 2;", none, 0, 0);
}
END
if skip_unless root 'a program whose debug file stands under its build-id' &&
	skip_unless libsqlite3 'a program whose debug file stands under its build-id'; then
	gcc -O2 -g -o data data.c -Wl,-Bstatic -lsqlite3 -Wl,-Bdynamic -lm -pthread
	id=$(readelf -n data | sed -n 's/.*Build ID: //p')
	dir=/usr/lib/debug/.build-id/$(printf %.2s "$id")
	objcopy --only-keep-debug data data.debug
	objcopy --strip-all data
	made=$([ -d "$dir" ] || echo yes)
	mkdir -p "$dir"
	mv data.debug "$dir/${id#??}.debug"
	agree 'a program with a debug file, sqlite' ./data
	like "$(cat our.shares)" sqlite3 'its names come from there'
	rm -f "$dir/${id#??}.debug"
	[ -z "$made" ] || rmdir "$dir"
fi
done_testing
