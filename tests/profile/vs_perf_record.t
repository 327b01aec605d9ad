#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof compared with perf record on three real programs: each function with more than 2% of the
# samples has the same share in both, within 3 percentage points. Both sample the same execution,
# because no two executions are alike.
# timing: waits for or judges what other processes do at the same time
# slow
. "${0%/*}/../lib/tap.sh"

if ! skip_unless sampling 'bench-prof and perf find the same shares' ||
	! skip_unless perf 'bench-prof and perf find the same shares'; then
	done_testing
fi

event=cpu-clock
# The kernel lowers this where interrupts take long.
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
theirs=$((limit < 4999 ? limit : 4999))
# profile COMMAND...: adds "share function" for the functions of a command to our.shares and
# their.shares. The frequencies differ slightly: synchronized timers would sample the same places.
profile() {
	perf record -q -e $event -F $theirs -g -o perf.data -- \
		bench-prof -q -e $event -F $((theirs * 24 / 25)) --top --csv -- "$@" >top.csv 2>/dev/null
	awk -F, 'NR > 1 && $1 > 0 { print $1, $(NF - 1) }' top.csv >>our.shares
	perf report -i perf.data --stdio --no-children -g none -F overhead,sym \
		--comm "$(basename "$1")" --percentage relative 2>/dev/null |
		awk '/^ *[0-9.]+%/ { sub(/%/, "", $1); sub(/@.*/, "", $3); print $1, $3 }' >>their.shares
}
# bench-prof and perf may choose different aliases of a function: names are matched without the
# prefixes of the C library. A function without a name is an address in perf and a file in bench-prof.
plain() { awk -v runs="$runs" '{ name = $2 ~ /^(0x|\[)/ ? "nameless" : $2
		sub(/^(__GI_|__libc_|c)?_*/, "", name); share[name] += $1 / runs }
	END { for (name in share) print name, share[name] }' "$1" | sort; }
apart() { # OURS THEIRS: the functions above 2% that differ by more than 3 percentage points
	plain "$1" >a
	plain "$2" >b
	join -a 1 -a 2 -e 0 -o 0,1.2,2.2 a b | awk '$2 > 2 || $3 > 2' >large
	awk '$2 - $3 > 3 || $3 - $2 > 3' large
}
# Two executions, and up to four more if the difference may be due to chance.
agree() { # NAME COMMAND...
	program=$1
	shift
	: >our.shares
	: >their.shares
	for runs in 1 2 3 4 5 6; do
		profile "$@"
		[ $runs -ge 2 ] && [ -z "$(apart our.shares their.shares)" ] && break
	done
	ok "perf finds at least two large functions in $program" awk '$1 > 2 { n++ } END { exit n < 2 }' their.shares
	is "$(apart our.shares their.shares)" '' "bench-prof and perf find the same shares in $program"
	note "$(awk '{ d = $2 > $3 ? $2 - $3 : $3 - $2; if (d > most) most = d }
		END { printf "%d functions above 2%%, at most %.2f points apart after %d executions",
			NR, most, runs }' runs="$runs" large)"
}

hashes='my %h; for my $i (1 .. 3e6) { $h{$i % 50021} .= chr(65 + $i % 26) }
	my $n = 0; $n += length for sort values %h; print $n'
agree 'perl' perl -e "$hashes"
if skip_unless pmu 'bench-prof and perf find the same shares in perl by a hardware counter'; then
	event=cycles
	agree 'perl by a hardware counter' perl -e "$hashes"
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
if skip_unless liblzma 'bench-prof and perf find the same shares in liblzma with threads'; then
	gcc -O2 -g -o threads threads.c -Wl,-Bstatic -llzma -Wl,-Bdynamic -pthread
	agree 'liblzma with threads' ./threads
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
if skip_unless root 'bench-prof and perf find the same shares in sqlite with a debug file' &&
	skip_unless libsqlite3 'bench-prof and perf find the same shares in sqlite with a debug file'; then
	gcc -O2 -g -o data data.c -Wl,-Bstatic -lsqlite3 -Wl,-Bdynamic -lm -pthread
	id=$(readelf -n data | sed -n 's/.*Build ID: //p')
	dir=/usr/lib/debug/.build-id/$(printf %.2s "$id")
	objcopy --only-keep-debug data data.debug
	objcopy --strip-all data
	made=$([ -d "$dir" ] || echo yes)
	mkdir -p "$dir"
	mv data.debug "$dir/${id#??}.debug"
	agree 'sqlite with a debug file' ./data
	like "$(cat our.shares)" sqlite3 'bench-prof reads the names of sqlite from the debug file'
	rm -f "$dir/${id#??}.debug"
	[ -z "$made" ] || rmdir "$dir"
fi
done_testing
