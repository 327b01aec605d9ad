#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-prof --heap counts every allocation exactly, for the stack that requested it.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

cat >work.c <<'END'
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *keep[200];
__attribute__((noinline)) void leak(int n) { for (int i = 0; i < n; i++) keep[i] = malloc(1000); }
__attribute__((noinline)) void churn(void)
{
	for (int i = 0; i < 1000; i++) {
		void *p = realloc(malloc(100), 200);
		p = reallocarray(p, 3, 100);
		free(p);
	}
}
__attribute__((noinline)) void peak(void)
{
	void *p[50];
	for (int i = 0; i < 50; i++) p[i] = calloc(10, 10000);
	for (int i = 0; i < 50; i++) free(p[i]);
}
__attribute__((noinline)) void aligned(void)
{
	void *p;
	if (posix_memalign(&p, 64, 10)) abort();
	memset(p, 1, 10);
	free(p);
	free(aligned_alloc(64, 128));
	free(memalign(32, 1000));
	free(valloc(2000));
	free(realloc(NULL, 5));
	free(malloc(0));
	free(NULL);
	if (malloc((size_t)-1 / 2) || calloc((size_t)-1 / 2, 4) || realloc(keep[0], (size_t)-1 / 2)) abort();
}
__attribute__((noinline)) void *thread(void *n)
{
	void *p[16] = { 0 };
	unsigned seed = (unsigned)(long)n;
	for (int i = 0; i < 50000; i++) {
		seed = seed * 1103515245 + 12345;
		void **at = &p[seed >> 28];
		if (*at && *(unsigned char *)*at != (seed >> 28)) abort();
		free(*at);
		*at = malloc(20);
		*(unsigned char *)*at = (unsigned char)(seed >> 28);
	}
	for (int i = 0; i < 16; i++) free(p[i]);
	return 0;
}
__attribute__((noinline)) void child(void)
{
	if (!fork()) {
		free(keep[0]); /* its parent's, whose count must not change */
		keep[1] = malloc(12345);
		_exit(0);
	}
	wait(0);
}
__attribute__((noinline)) void paths(int depth, unsigned way)
{
	if (!depth) free(malloc(10));
	else if (way & 1) paths(depth - 1, way >> 1);
	else { paths(depth - 1, way >> 1); }
}
int main(int argc, char **argv)
{
	pthread_t t[4];
	for (const char *c = argc > 1 ? argv[1] : ""; *c; c++)
		switch (*c) {
		case 'l': leak(100); break;
		case 'c': churn(); break;
		case 'p': peak(); break;
		case 'a': leak(1); aligned(); break;
		case 't':
			for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, thread, (void *)i);
			for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
			break;
		case 'f': child(); break;
		case 'x': leak(2); execl("/bin/sh", "sh", "-c", ":", (char *)0); break;
		case 'k': kill(getpid(), SIGKILL); break;
		case 'e': _exit(3);
		case 's': for (unsigned i = 0; i < 2000; i++) paths(11, i); break;
		}
	return 0;
}
END
gcc -w -O0 -g -fno-builtin -pthread -o work work.c

# heap STEPS: the allocations of the functions of work.c, "STACK METRIC VALUE"
heap() {
	bench-prof -q --heap -- ./work "$1" 2>err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["comm"] == "work" && $at["stack"] ~ /^(main;|thread)/ &&
			$at["stack"] !~ /pthread|_dl_/ { print $at["stack"], $at["metric"], $at["value"] }' | sort
}
is "$(heap l)" 'main;leak alloc_bytes 100000
main;leak alloc_calls 100
main;leak live_bytes 100000
main;leak peak_bytes 100000' 'bench-prof --heap counts memory that is not freed'
is "$(heap c)" 'main;churn alloc_bytes 600000
main;churn alloc_calls 3000
main;churn live_bytes 0
main;churn peak_bytes 300' 'bench-prof --heap counts freed memory, and a block changed by realloc as a new one'
is "$(heap lp | grep -e peak_bytes -e live)" 'main;leak live_bytes 100000
main;leak peak_bytes 100000
main;peak live_bytes 0
main;peak peak_bytes 5000000' 'bench-prof --heap attributes the memory at the peak'
is "$(heap a)" 'main;aligned alloc_bytes 3143
main;aligned alloc_calls 6
main;aligned live_bytes 0
main;aligned peak_bytes 2000
main;leak alloc_bytes 1000
main;leak alloc_calls 1
main;leak live_bytes 1000
main;leak peak_bytes 1000' 'bench-prof --heap counts all allocating functions, and no failed calls'
is "$(heap t | grep -e calls -e live)" 'thread alloc_calls 200000
thread live_bytes 0' 'bench-prof --heap counts allocations of concurrent threads'
is "$(heap lf | grep -e live)" 'main;child live_bytes 12345
main;leak live_bytes 100000' 'bench-prof --heap counts the allocations of a forked child separately'
is "$(heap xl | grep -e calls)" 'main;leak alloc_calls 2' 'bench-prof --heap keeps counts across exec'
is "$(heap lk | grep -e calls)" 'main;leak alloc_calls 100' 'bench-prof --heap keeps counts after SIGKILL'
is "$(heap le | grep -e calls)" 'main;leak alloc_calls 100' 'bench-prof --heap keeps counts after _exit'

status 1 'bench-prof --heap ends with 1 if the command fails' bench-prof -q --heap -- ./work le
like "$(cat .out)" ',main;leak,.*,live_bytes,B,100000,failed:exit=3,' 'bench-prof --heap writes all rows of a command that fails'
status 0 'bench-prof --heap profiles children' bench-prof -q --heap -- sh -c './work l; ./work c'
like "$(cat .out)" ',work,main;churn,.*,alloc_calls,1,3000,' 'bench-prof --heap counts the allocations of children under their names'
is "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'bench-heap.*' 2>/dev/null)" '' 'bench-prof --heap leaves no temporary directory'

bench-prof -q --heap --folded -- ./work lp >folded
is "$(sort folded | grep '^main;')" 'main;leak 100000
main;peak 5000000' 'bench-prof --heap --folded writes a line for each stack'
bench-prof -q --heap --folded --by live_bytes -- ./work lp >folded
is "$(grep '^main;' folded)" 'main;leak 100000' 'bench-prof --heap --folded --by writes another metric'
bench-prof -q --heap --top -- ./work lp >top
like "$(sed -n 2p top)" '^ *9[0-9.]+ +4.768 MiB .* peak  *work$' 'bench-prof --heap --top writes the function with the most memory first'

bench-prof -q --heap -n work --label side=old -- ./work lp >rows.csv
bench-prof -q --heap -n work --label side=new -- ./work p >>rows.csv
bench-compare -q --allow-missing -b side rows.csv >compared.csv
like "$(cat compared.csv)" 'main;peak,' 'bench-compare compares two heap profiles'
ok 'bench-store adds a heap profile' bench-store -q -D p.db add rows.csv

gcc -w -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-builtin -pthread -o bare work.c
bench-prof -q --heap -g dwarf --folded -- ./bare lp >folded 2>err
is "$(sort folded | grep '^main;')" 'main;leak 100000
main;peak 5000000' 'bench-prof --heap -g dwarf unwinds code without frame pointers'

echo 'int main(void) { return 0; }' >nothing.c
# Without frame pointers the register can hold any number. No number may crash the walk.
cat >odd.c <<'END'
#include <stdlib.h>
#if defined(__x86_64__)
void *odd(size_t size, long number);
__asm__("odd: push %rbp; mov %rsi, %rbp; call malloc@PLT; pop %rbp; ret");
#else
static void *odd(size_t size, long number) { return malloc(size); }
#endif
int main(void)
{
	char here[16];
	long numbers[] = { 0, 1, -1, -8, -16, -24, 4096, (long)here, (long)here + 1, (long)main,
		(long)__builtin_frame_address(0) + (1 << 30), (long)((unsigned long)-1 / 2) & ~7L };
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) odd(10, numbers[i]);
	return 0;
}
END
gcc -w -O0 -o odd odd.c
status 0 'bench-prof --heap survives any value of the frame pointer' bench-prof -q --heap --folded --by alloc_calls -- ./odd
is "$(awk '{ n += $NF } END { print n }' .out)" 12 'bench-prof --heap counts every call regardless of the frame pointer'
status 0 'bench-prof --heap profiles a program with many processes' bench-prof -q --heap -- gcc -c nothing.c
if gcc -static -o static nothing.c 2>err; then
	status 2 'bench-prof --heap rejects a static program' bench-prof --heap -- ./static
	like "$(cat .err)" 'static: a static program, .*dynamically' 'bench-prof --heap says that a static program must be linked dynamically'
fi
status 2 'bench-prof rejects --heap together with -p' bench-prof --heap -p $$
status 2 'bench-prof rejects --heap together with -F' bench-prof --heap -F 99 -- true
status 2 'bench-prof rejects --heap together with -g none' bench-prof --heap -g none -- true
status 2 'bench-prof --heap rejects a metric of samples' bench-prof --heap --by samples -- true
status 2 'bench-prof rejects a metric of --heap without --heap' bench-prof --by live_bytes -- true
status 2 'bench-prof --heap ends with 2 if TMPDIR does not exist' env TMPDIR=/nonexistent "$BUILD/bin/bench-prof" --heap -- true
like "$(cat .err)" '/nonexistent.*No such file' 'bench-prof --heap names a TMPDIR that does not exist'

# --- no room for the counts

# lost: the value and the status of lost_calls
lost() { columns metric,value,status rows | sed -n 's/^lost_calls,//p'; }
unknown='bench-prof: the allocations of 1 program were not counted: '
(ulimit -f 100; bench-prof --heap -- ./work l) >rows 2>err
is "$(lost) $(cat err)" ",skipped ${unknown}\$TMPDIR has no space, or a limit of memory or of the size of files is too small" \
	'bench-prof --heap does not know the allocations of a program whose files have a small limit'
if skip_unless unsanitized 'bench-prof --heap of a program with little memory'; then
	# shellcheck disable=SC3045 # dash and bash have it
	(ulimit -v 120000; bench-prof --heap -- ./work l) >rows 2>err
	is "$(lost) $(grep -c "^$unknown" err)" ',skipped 1' 'bench-prof --heap does not know the allocations of a program with little memory'
fi
mkdir small
if skip_unless own-mounts 'bench-prof --heap on a full disk'; then
	in_small() { # BYTES COMMAND...: with a file system of this size for temporary files
		unshare -m sh -c 'mount -t tmpfs -o "size=$1" none small; shift; TMPDIR=$PWD/small "$@"; s=$?; ls small >left; exit $s' - "$@"
	}
	in_small 4k bench-prof --heap -- ./work l >rows 2>err
	is "$? $(lost) $(grep -c "^$unknown" err) $(cat left)" '0 ,skipped 1 ' 'bench-prof --heap does not know the allocations of a program if the disk is full'
	in_small 200k bench-prof --heap -- ./work s >rows 2>err
	is "$?$(cat left)" 0 'a disk that becomes full does not end a program under bench-prof --heap'
	is "$(columns stack,metric,value rows | awk -F, '/paths.*,alloc_calls/ || $2 == "lost_calls" { n += $3 } END { print n }')" 2000 \
		'bench-prof --heap counts the allocations for which a disk has no room as lost'
	like "$(cat err)" '^bench-prof: 1[0-9]{3} allocations were not counted: there are too many stacks, or \$TMPDIR has no space for them$' \
		'bench-prof --heap reports the allocations for which a disk has no room'
fi
done_testing
