# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of bench-store. Before sourcing this file, set $db to the name of a database
# and define fresh, a function that removes the database or empties it completely.
# shellcheck shell=sh

: "${db:?}"

store() { bench-store -D "$db" "$@"; }
rows() { store sql 'SELECT coalesce(sum(row_count), 0) FROM benchmark_results' --csv | tail -n 1; }
same_rows() { sort "$1" >"$T/.a" && sort "$2" >"$T/.b" && cmp "$T/.a" "$T/.b"; }
message() { cat "$T/.err"; }
one_line() { is "$(wc -l <"$T/.err")" 1 "$1: the message is one line"; }
# sound DESCRIPTION [DATABASE]: bench-store check finds nothing
sound() { is "$(bench-store -q -D "${2:-$db}" check 2>&1)" '' "$1"; }
# measured RUN TIME BENCH VALUE [N]: rows of one run, with values from VALUE on
measured() {
	echo run,time,host,env,commit,kind,bench,n,process,sample,t,iterations,metric,unit,value,status,running_pct
	for sample in $(seq "${5:-3}"); do
		echo "$1,$2,h,e1,c0ffee,command,$3,10,,$sample,,1,wall,ns,$(($4 + sample)),ok,"
	done
}

cat >plain.csv <<'E2'
run,time,host,env,commit,kind,bench,n,process,sample,t,iterations,metric,unit,value,status,running_pct
r1,2026-01-31T12:00:00.123456789Z,h,e1,c0ffee,command,gzip,10,,-1,,1,wall,ns,20,ok,
r1,2026-01-31T12:00:01.123456789Z,h,e1,c0ffee,command,gzip,10,,0,,1,wall,ns,12.5,ok,
r1,2026-01-31T12:00:02.123456789Z,h,e1,c0ffee,command,gzip,10,,1,,1,wall,ns,13.5,ok,
r1,2026-01-31T12:00:02.123456789Z,h,e1,c0ffee,command,gzip,10,,1,,1,cycles,1,135,ok,50
r1,2026-01-31T12:00:03.123456789Z,h,e1,c0ffee,command,gzip,10,,2,,1,wall,ns,99,failed:exit=1,
r2,2026-02-01T00:00:00.5Z,h,e1,beef,command,zstd,,,0,,1,wall,ns,3,ok,
E2
