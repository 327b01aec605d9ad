#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A database on a file system without locks: rows are spooled, and the message names the reason.
. "${0%/*}/../lib/tap.sh"
skip_unless unsanitized 'a file system without locks' || { done_testing; exit; }

cat >locks.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
int fcntl64(int fd, int command, ...)
{
	va_list list;

	va_start(list, command);
	long argument = va_arg(list, long);
	va_end(list);
	if (command != F_SETLK && command != F_SETLKW && command != F_GETLK)
		return (int)syscall(SYS_fcntl, fd, command, argument);
	errno = EOPNOTSUPP;
	return -1;
}
int fcntl(int, int, ...) __attribute__((alias("fcntl64")));
END
gcc -shared -fPIC -o locks.so locks.c || exit 1
printf 'run,bench,metric,value\nr,task,wall,1\n' >rows.csv
bench-store -q -D test.db add rows.csv
sed 's/^r,/s,/' rows.csv >more.csv
unlocked() { env LD_PRELOAD="$T/locks.so" bench-store -D test.db "$@"; }

status 2 'bench-store tag fails if the database cannot be locked' unlocked tag name
is "$(cat .err)" 'bench-store: test.db: cannot be locked: Operation not supported (keep databases on a file system with locks, such as a local disk)' \
	'bench-store reports that the file system has no locks'
status 0 'bench-store add succeeds if the database cannot be locked' unlocked add more.csv
like "$(cat .err)" '^bench-store: test.db: cannot be locked: .*; the rows are spooled in test.db-spool' 'bench-store add spools rows if the database cannot be locked'
status 0 'bench-store add succeeds if the database can be locked again' bench-store -q -D test.db add rows.csv
is "$(bench-store -D test.db list | sed 1d | cut -d, -f1 | paste -sd' ')" 'r s' 'rows that were spooled without locks are added later'
done_testing
