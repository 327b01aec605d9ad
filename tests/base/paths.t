#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where programs find files of the user and their own files.
. "${0%/*}/../lib/tap.sh"

printf 'run,bench,metric,value\nr,task,wall,1\n' >rows.csv
mkdir home
unset BENCH_DB
status 0 'bench-store adds to the database of the user' env XDG_DATA_HOME="$T/data" HOME="$T/home" bench-store -q add rows.csv
ok 'XDG_DATA_HOME names the directory of the database' test -e data/benchutils/bench.db
status 0 'bench-store adds to a database if XDG_DATA_HOME is relative' env XDG_DATA_HOME=relative HOME="$T/home" bench-store -q add rows.csv
ok 'a relative XDG_DATA_HOME is ignored' test -e home/.local/share/benchutils/bench.db -a ! -e relative
status 2 'bench-store fails if no variable names a directory for the database' env XDG_DATA_HOME=relative HOME=home bench-store -q add rows.csv
is "$(cat .err)" "bench-store: no database is given, and neither \$XDG_DATA_HOME nor \$HOME is an absolute path: use -D or set \$BENCH_DB" \
	'bench-store reports that no variable names a directory for the database'
status 2 'bench-store export --anonymize fails if no variable names a directory for the key' \
	env XDG_DATA_HOME=relative HOME=home bench-store -D data/benchutils/bench.db export --anonymize
ok 'no file is created in a relative directory of the user' test ! -e relative -a ! -e home/benchutils

if skip_unless unsanitized 'programs without /proc' && skip_unless own-mounts 'programs without /proc' && skip_unless root 'programs without /proc'; then
	unshare -m sh -c 'umount -l /proc && bench-run -q -e none -w 0 -r 1 -- true' >s.csv 2>err
	is "$? $(grep -c ',wall,ns,[0-9]*,ok,' s.csv) $(cat err)" '0 1 ' 'bench-run finds its helper if /proc is not mounted'
	unshare -m sh -c "umount -l /proc && cd '$BUILD' && bin/bench-stat -q '$T/s.csv'" >out 2>err
	is "$? $(grep -c ',command,true,wall,' out)" '0 1' 'a program that was started by a relative path works if /proc is not mounted'
fi
done_testing
