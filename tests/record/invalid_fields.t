#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fields that do not have the contents that bench-csv(5) defines for their column: every program that
# reads rows refuses them.
. "${0%/*}/../lib/tap.sh"

printf 'bench,metric,value\na,wall,1\na,wall,2\n' >good.csv
# each_reader FILE WHY: checks that each program refuses the file for this reason, and leaves no file
each_reader() {
	for reader in 'bench-stat' 'bench-compare good.csv' 'bench-plot box -o new.svg' 'bench-report -o new' \
		'bench-convert -o new' 'bench-store -D new add'; do
		# shellcheck disable=SC2086 # words of the command
		status 2 "${reader%% *} exits with 2 on ${1%.csv}" $reader "$1"
		is "$(sed 's/ (see [^ ]* --help)$//' .err)" "${reader%% *}: $1:3: $2" "${reader%% *} gives the place and reason of ${1%.csv}"
		is "$(ls -d new* 2>/dev/null)" '' "${reader%% *} makes no file from ${1%.csv}"
	done
}
for column in process sample t iterations; do
	printf 'bench,%s,metric,value\na,1,wall,10\na,hello,wall,12\n' $column >"a text in $column.csv"
	each_reader "a text in $column.csv" "$column: 'hello' is not a whole number"
done
printf 'bench,running_pct,metric,value\na,1,wall,10\na,hello,wall,12\n' >'a text in running_pct.csv'
each_reader 'a text in running_pct.csv' "running_pct: 'hello' is not a decimal number"
printf 'bench,metric,value\na,wall,10\na,wall,hello\n' >'a text in value.csv'
each_reader 'a text in value.csv' "value: 'hello' is not a decimal number"
printf 'time,bench,metric,value\n2026-01-31,a,wall,10\nhello,a,wall,12\n' >'a text in time.csv'
each_reader 'a text in time.csv' \
	"time: 'hello' is not a date or time such as 2026-01-31T12:00:00Z (RFC 3339, years 1678 to 2261)"

# Times.
for time in 2026-13-01 2026-02-29T00:00:00Z 2026-01-31T24:00:00Z 2026-01-31T12:00:61Z 1769860800 12:00 \
	0001-01-01T00:00:00Z 2026-01-31T12:00:00.Z; do
	printf 'time,metric,value\n%s,wall,10\n' "$time" >time.csv
	status 2 "bench-stat refuses the time $time" bench-stat time.csv
done
for time in 2026-01-31 2026-01-31T12:00Z 2026-01-31t12:00:00z '2026-01-31 12:00:00+02:00' 2016-12-31T23:59:60Z \
	2026-01-31T12:00:00.123456789123Z ''; do
	printf 'time,metric,value\n%s,wall,10\n' "$time" >time.csv
	status 0 "bench-stat accepts the time '$time'" bench-stat time.csv
	status 0 "bench-store keeps the time '$time'" bench-store -q -D times.db add time.csv
	is "$(bench-store -D times.db export | sed -n 2p | cut -d, -f2)" "$time" "bench-store returns the time '$time'"
	rm times.db
done

# Any other text is a status of a failure.
printf 'bench,metric,value,status\na,wall,10,hello\na,wall,12,ok\n' >status.csv
is "$(bench-stat --csv -s n,failed,mean status.csv)" 'bench,metric,unit,n,failed,mean
a,wall,,1,1,12' 'a row with a status that bench-csv(5) does not name has failed'
done_testing
