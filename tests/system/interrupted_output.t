#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that write a file and are ended by a signal when the file is complete but has not got its
# name: the old file stays, and nothing else is left. A preloaded library sends the signal when the
# file is about to reach the disk; it can also hide files without a name (O_TMPFILE), which some
# file systems lack. And bench-prof --heap, which has a directory of files while the command runs.
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized "programs die at a given call" || done_testing

cat >at_sync.c <<'E2'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void end(void)
{
	const char *number = getenv("AT_SYNC_SIGNAL");

	if (number)
		raise(atoi(number));
}

int fsync(int fd)
{
	end();
	return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	end();
	return (int)syscall(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to)
{
	end();
	return (int)syscall(SYS_rename, from, to);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	unsigned mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, unsigned) : 0;
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE && getenv("AT_SYNC_NAMED")) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}
E2
gcc -shared -fPIC -o at_sync.so at_sync.c

cat >samples.csv <<'E2'
run,time,host,env,commit,kind,bench,process,sample,iterations,metric,unit,value,status
r1,2026-01-31T12:00:00Z,h,e1,c0ffee,command,gzip,,0,1,wall,ns,20,ok
r1,2026-01-31T12:00:01Z,h,e1,c0ffee,command,gzip,,1,1,wall,ns,12.5,ok
r1,2026-01-31T12:00:02Z,h,e1,c0ffee,command,gzip,,2,1,wall,ns,13.5,ok
E2
bench-store -q -D test.db add samples.csv
bench-store -D test.db backup old.db
mkdir out

number_of() {
	case $1 in HUP) echo 1 ;; INT) echo 2 ;; KILL) echo 9 ;; TERM) echo 15 ;; esac
}

# killed KIND SIGNAL OLD COMMAND...: ends the command, which writes the file out/OLD, and compares
# that file with what it was, ./OLD
killed() {
	named='' kind=$1 signal=$2 old=$3
	shift 3
	[ "$kind" = unnamed ] || named=1
	rm -f out/* out/.[!.]*
	cp "$old" out/
	# A shell of its own, so that no message about the signal gets in the way
	sh -c '"$@"; exit $?' - env LD_PRELOAD="$T/at_sync.so" AT_SYNC_SIGNAL="$(number_of "$signal")" \
		${named:+AT_SYNC_NAMED=1} "$@" >/dev/null 2>killed.err
	got=$?
	is "$got" "$((128 + $(number_of "$signal")))" "$1 $2 ends by SIG$signal ($kind file)"
	is "$(ls -A out)" "$old" "$1 $2 leaves no other file after SIG$signal ($kind file)"
	ok "$1 $2 does not change the old file at SIG$signal ($kind file)" cmp "$old" "out/$old"
}

echo old >old.json
echo old >old.svg
echo old >old.html
for signal in TERM INT HUP KILL; do
	for kind in unnamed named; do
		# A name is left where there must be one
		[ "$signal $kind" != "KILL named" ] || continue
		killed "$kind" "$signal" old.json bench-convert -t hyperfine -o out/old.json samples.csv
		killed "$kind" "$signal" old.svg bench-plot box -o out/old.svg samples.csv
		killed "$kind" "$signal" old.db bench-store -D test.db backup out/old.db
	done
done
for signal in TERM KILL; do
	killed unnamed "$signal" old.html bench-report -o out/old.html samples.csv
done
killed named HUP old.html bench-report -o out/old.html samples.csv

# The directory of bench-prof --heap: a signal as soon as there is one, while the command runs, and a second one while
# a command ignores the first.
cat >at_mkdtemp.c <<'E2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

char *mkdtemp(char *name)
{
	char *(*next)(char *) = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp"), *made = next(name);

	raise(atoi(getenv("AT_MKDTEMP_SIGNAL")));
	return made;
}
E2
gcc -shared -fPIC -o at_mkdtemp.so at_mkdtemp.c -ldl
mkdir heaps
# begun FILE: whether the command has begun, and with it a directory
begun() { [ -e "$1" ] && [ -n "$(ls heaps)" ]; }
for signal in TERM INT HUP; do
	sh -c '"$@"; exit $?' - env TMPDIR="$T/heaps" LD_PRELOAD="$T/at_mkdtemp.so" \
		AT_MKDTEMP_SIGNAL="$(number_of "$signal")" bench-prof -q --heap -- true >heap.csv 2>heap.err
	is "$?" "$((128 + $(number_of "$signal")))" "bench-prof --heap ends by SIG$signal as soon as its directory is there"
	is "$(ls heaps)" '' "bench-prof --heap leaves no directory after SIG$signal as soon as it is there"
	[ $signal != INT ] || continue # what the shell puts in the background ignores it
	rm -f begun
	TMPDIR=$T/heaps bench-prof -q --heap -- sh -c ': >begun; sleep 60' >heap.csv 2>heap.err &
	wait_for begun begun
	kill -$signal $!
	wait $! 2>/dev/null
	is "$?" "$((128 + $(number_of "$signal")))" "bench-prof --heap ends by SIG$signal while the command runs"
	is "$(ls heaps)" '' "bench-prof --heap leaves no directory after SIG$signal while the command runs"
done
# again SIGNAL PID: sends the signal, and succeeds when the process is gone
again() {
	kill "-$1" "$2" 2>/dev/null
	! kill -0 "$2" 2>/dev/null
}
deaf() { # DESCRIPTION OPTION...: two signals to bench-prof of a command that ignores them
	prof=$1
	shift
	rm -f begun
	TMPDIR=$T/heaps bench-prof -q "$@" -- \
		sh -c "trap '' TERM; (trap '' TERM; sleep 8$$.75) & : >begun; sleep 8$$.75" >heap.csv 2>heap.err &
	wait_for test -e begun
	wait_for alive "^sleep 8$$.75"
	wait_for again TERM $!
	wait $! 2>/dev/null
	is "$?" 143 "$prof ends by a second SIGTERM"
	is "$(wc -l <heap.csv)" 0 "$prof ends by a second SIGTERM at once, without waiting for the command"
	ok "a second SIGTERM to $prof kills all of the command" wait_for gone "^sleep 8$$.75"
	is "$(ls heaps)" '' "$prof leaves no directory after a second SIGTERM"
}
deaf 'bench-prof --heap' --heap </dev/null
! skip_unless sampling 'bench-prof ends by a second SIGTERM' || deaf bench-prof -e cpu-clock </dev/null

done_testing
