#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables for people: they fit the terminal, name what they hide, keep apart what differs, and are shown in
# a pager if they are long.
. "${0%/*}/../lib/tap.sh"

command -v script >/dev/null || { echo '1..0 # SKIP no script(1) here' && exit; }
SHELL=/bin/sh TERM=xterm-256color LC_ALL=C.UTF-8 BENCH_PAGER=
export SHELL TERM LC_ALL BENCH_PAGER
unset PAGER LESS

# terminal COLUMNS LINES COMMAND: the output of a line of shell on a terminal of that size, with colors
# but without carriage returns; the status is that of the command
terminal() {
	printf 'stty cols %d rows %d\n%s\n' "$1" "$2" "$3" >session
	timeout 60 script -qec 'sh ./session' /dev/null </dev/null >screen
	code=$?
	tr -d '\r' <screen
	return $code
}
plain() { sed 's/\x1b\[[0-9;]*m//g'; }
# table COLUMNS COMMAND: standard output on a terminal of 200 lines, without colors
table() { terminal "$1" 200 "{ $2; } 2>/dev/null" | plain; }
# columns: the number of columns that a table shows, and of those that its last lines name as hidden
columns() {
	awk 'NR == 1 { print } / hidden: / { note = 1; sub(/.* hidden: /, "") } note' |
		sed 's/(--wide shows all)//; s/, /\n/g' | tr -s ' ' '\n' | grep -c .
}

# 2 benchmarks whose names differ in the middle, 3 factors and 12 metrics
awk 'BEGIN {
	print "run,time,host,env,commit,kind,bench,implementation,size,threads,sample,metric,unit,value,status"
	split("wall user sys max_rss page-faults context-switches throughput instructions", metric)
	split("ns ns ns B 1 1 1/s 1", unit)
	split("12345678 345678 45678 7654321 123 4 18500000 1234567890", value)
	for (b = 1; b <= 2; b++) for (s = 1000; s <= 2000; s += 1000) for (i = 0; i < 8; i++) for (m = 1; m <= 8; m++)
		printf "r,,h,e,,command,a-benchmark-with-a-very-long-name-number-%d-of-the-suite-of-benchmarks,portable,%d,8,%d,%s,%s,%d,ok\n",
			b, s, i, metric[m], unit[m], value[m] * (b + i / 100)
}' >wide.csv
# 24 commits of 40 digits, of which the 13th is slower; and 24 without a change
awk 'BEGIN {
	print "run,time,host,env,commit,kind,bench,sample,metric,unit,value,status"
	for (c = 1; c <= 24; c++)
		printf "01890a5d-ac%02d-774b-bcce-b302099a8057,2026-11-%02dT12:00:00.123456789Z,h,e,%08d%032d,command,sort,0,wall,ns,%d,ok\n",
			c, c, c * 7919, c, 1e6 + (c % 3) * 1000 + (c > 12) * 2e5
}' >history.csv
awk -F , -v OFS=, 'NR > 1 { $11 = 1e6 + NR % 3 * 1000 } { print }' history.csv >same.csv
bench-store -q -D s.db add history.csv

cat >commands <<'END'
bench-stat wide.csv
bench-compare -b size wide.csv
bench-compare --history history.csv
bench-compare --since-change -v history.csv
bench-store -D s.db list
bench-store -D s.db list benches
bench-store -D s.db export
bench-list kernels
bench-env --check
bench-convert history.csv
bench-stat --components wide.csv
END
for columns in 60 80 100 200; do
	while read -r command; do
		table $columns "$command" >out
		most=$(wc -L <out)
		[ "$most" -le $columns ] && [ "$most" -gt 20 ]
		result $? "the table of $command fits into $columns columns"
		[ "$most" -le $columns ] || note "$(cat out)"
		COLUMNS='' $command --table 2>/dev/null >all
		is "$(columns <out)" "$(sed 1q all | columns)" \
			"the table of $command at $columns columns has or names all columns"
	done <commands
done

table 60 'bench-stat wide.csv' >out
is "$(awk 'NR > 1 && /^a/ { print $1 }' out | sort | uniq -c | tr -s ' ' | cut -d ' ' -f 2 | tr '\n' ' ')" '16 16 ' \
	'long names that differ in the middle differ in a narrow table'
is "$(table 60 'bench-store -D s.db list' | awk '/^0/ { print $1 }' | sort -u | wc -l)" 24 'runs whose names are shortened to fit remain distinct'
like "$(table 60 'bench-store -D s.db list')" '^01890a5d-ac24 +2026-11-24 12:00Z +h +0019005600' \
	'the list of runs has short runs, times and commits'
like "$(table 200 'bench-compare --history history.csv')" ' 0010294700 +.* \+20\.[0-9]% .* worse$' \
	'the table of a history has a short commit, the change in percent and the verdict in words'
like "$(table 80 'bench-stat --metric throughput wide.csv')" '18\.[0-9]+ M/s' 'a table prints large rates with a prefix, such as 18 M/s'
like "$(table 80 'bench-stat --metric instructions wide.csv')" '1\.[0-9]+ G ' 'a table prints large counts with a prefix, such as 1.5 G'
unlike "$(table 60 'bench-compare -b size wide.csv')" '[0-9]…|…[0-9]+\.|…%' 'a narrow table cuts no numbers'
like "$(table 80 'bench-compare -b size wide.csv')" '\+0\.0% \[.*%, .*%\] +(same|unsure)' \
	'bench-compare shows the change in percent with its interval'

is "$(bench-compare --csv -b size wide.csv 2>/dev/null | sed 1q | tr ',' '\n' | grep -cx change)" 0 \
	'CSV has no column for people'
bench-stat --csv wide.csv 2>/dev/null | sed 1q | tr ',' '\n' | sort >columns
is "$(table 60 'bench-stat --wide wide.csv' | sed 1q | tr -s ' ' '\n' | sort)" "$(cat columns)" \
	'--wide shows all columns of CSV'
like "$(table 60 'bench-store -D s.db --wide list')" \
	'01890a5d-ac24-774b-bcce-b302099a8057 +2026-11-24T12:00:00.123456789Z .* 00190056[0-9]{32} ' \
	'--wide shows full runs, times and commits'
is "$(table 60 'bench-store -D s.db --wide list' | grep -c hidden)" 0 '--wide hides nothing'
bench-store -D s.db --table list >unlimited
like "$(cat unlimited)" '01890a5d-ac24-774b-bcce-b302099a8057 ' 'a table in a pipe has full values'
is "$(COLUMNS=70 bench-store -D s.db --table list)" "$(table 70 'bench-store -D s.db list')" \
	'a table in a pipe has the width in COLUMNS, if that is set'
is "$(COLUMNS=70 bench-store -D s.db --table --wide list)" "$(cat unlimited)" '--wide ignores COLUMNS'
is "$(COLUMNS=70 bench-store -D s.db --csv list)" "$(bench-store -D s.db --csv list)" 'CSV ignores COLUMNS'

# On a terminal of a phone's width, the verdict or the median stays. Factors with one value go first.
like "$(table 40 'bench-compare --history history.csv')" ' worse$' 'the table of a history keeps the verdict at 40 columns'
like "$(table 40 'bench-compare -b size wide.csv')" '^a.* wall +(same|unsure)$' \
	'the table of bench-compare keeps the verdict at 40 columns'
like "$(table 40 'bench-compare -b size wide.csv' | tr '\n' ' ')" 'hidden: implementation=portable, size=2000, threads=8, ' \
	'the mean below a comparison does not keep a factor that is the same in all rows'
like "$(table 30 'bench-stat wide.csv')" '^a[^ ]* +.*(wall|user) .* [0-9.]+ [mµ]s$' \
	'the table of bench-stat keeps the metric and the median at 30 columns'

# Rows
awk -F , -v OFS=, '{ print } $12 == "wall" { $12 = "block_in"; $13 = "B"; $14 = 0; print; $12 = "ok"; $13 = 1; $14 = 1; print }' \
	wide.csv >idle.csv
bench-stat --table idle.csv >out 2>err
unlike "$(cat out)" ' (block_in|ok) ' 'a table of bench-stat leaves out metrics whose values are all 0'
like "$(cat err)" '^bench-stat: metrics hidden: block_in \(always 0\), ok \(always 1\) \(use --wide' \
	'bench-stat names the metrics that it leaves out'
like "$(bench-stat --table --wide idle.csv 2>err)" ' block_in ' 'bench-stat --wide shows metrics whose values are all 0'
is "$(cat err)" '' 'bench-stat --wide leaves out nothing'
like "$(bench-stat --table --metric block_in idle.csv)" ' block_in ' 'bench-stat --metric shows a metric whose values are all 0'
for rows in 'z,block_in,B,,' 'z,block_in,B,0,ok z,block_in,B,,failed'; do
	# shellcheck disable=SC2086
	like "$({ cat idle.csv; printf '%s\n' bench,metric,unit,value,status $rows; } | bench-stat --table 2>err)" ' block_in ' \
		"a table shows a metric whose values are all 0 if a sample has no value ($rows)"
done
like "$(awk -F, 'NR == 1 || $12 == "block_in"' idle.csv | bench-stat --table)" ' block_in ' \
	'a table shows a metric whose values are all 0 if there is no other'
is "$(bench-stat --csv idle.csv | grep -c ,block_in,)" 4 'CSV has metrics whose values are all 0'
status 0 'bench-compare --history finds no change' bench-compare --history --table same.csv
is "$(cat .out .err)" 'bench-compare: no change in 1 series of 24 commits' \
	'bench-compare --history says that there is no change, instead of printing a header'
like "$(bench-compare --history --csv same.csv 2>/dev/null)" '^kind,bench,.*,ratio,' 'the CSV of a history without changes has its header'

# Colors
esc=$(printf '\033')
like "$(terminal 100 50 'bench-compare --history history.csv 2>/dev/null')" "${esc}\[31mworse" 'a terminal shows the verdict worse in red'
for setting in NO_COLOR=1 TERM=dumb TERM= "unset TERM;"; do
	unlike "$(terminal 100 50 "$setting bench-compare --history history.csv 2>/dev/null")" "$esc" "$setting means no colors"
done

# The pager
mkdir bin
printf '#!/bin/sh\necho "LESS=$LESS"\nsed s/^/less:/\n' >bin/less
chmod 755 bin/less
lines=$(table 100 'bench-store -D s.db list' | wc -l)
# paged LINES SETTINGS [OPTION...]: what becomes of the first line of the list of runs
paged() {
	height=$1 setting=$2
	shift 2
	terminal 100 "$height" "unset BENCH_PAGER; PATH=$T/bin:\$PATH $setting bench-store -D s.db $* list" | plain |
		grep -m 1 -E '^([a-z]+:)?run |rows$'
}
is "$(paged 20 '' | cut -d ' ' -f 1)" less:run 'a table that is longer than the terminal is shown in less'
is "$(paged $((lines + 1)) '' | cut -d ' ' -f 1)" run 'a table that fits on the terminal is shown without a pager'
is "$(paged "$lines" '' | cut -d ' ' -f 1)" less:run 'a table that leaves no line for the prompt is shown in less'
is "$(paged 20 "PAGER='sed s/^/pager:/'" | cut -d ' ' -f 1)" pager:run 'PAGER is used instead of less'
is "$(paged 20 "PAGER=false BENCH_PAGER='sed s/^/bench:/'" | cut -d ' ' -f 1)" bench:run 'BENCH_PAGER is used instead of PAGER'
for setting in PAGER= "PAGER=' '" PAGER=cat 'PAGER=false BENCH_PAGER=' TERM=dumb PAGER=no-such-pager PATH=$BUILD/bin; do
	is "$(paged 20 "$setting" | cut -d ' ' -f 1)" run "no pager is used with $setting"
done
is "$(paged 20 PAGER=false --no-pager | cut -d ' ' -f 1)" run 'no pager is used with --no-pager'
like "$(terminal 100 20 "unset BENCH_PAGER; PATH=$T/bin:\$PATH bench-store -D s.db list")" '^LESS=FRX$' 'the pager less gets LESS=FRX'
like "$(terminal 100 20 "unset BENCH_PAGER; PATH=$T/bin:\$PATH bench-store -D s.db --wide list")" '^LESS=FRSX$' \
	'less gets FRSX with --wide, so that long lines scroll'
like "$(terminal 100 20 "unset BENCH_PAGER; PATH=$T/bin:\$PATH LESS=Q bench-store -D s.db list")" '^LESS=Q$' \
	'the own LESS of the user is kept'
terminal 100 20 "BENCH_PAGER=cat\ -n bench-convert history.csv >file; BENCH_PAGER=cat\ -n bench-store -D s.db list | cat" >out
is "$(grep -c '	' file out | tr '\n' ' ')" 'file:0 out:0 ' 'no pager is used for files and pipes'
terminal 100 5 'BENCH_PAGER=cat\ -n bench-compare --since-change -v history.csv 2>/dev/null; echo status $?' >out
like "$(cat out)" '^status 0$' 'the exit status is that of the program, not of the pager'
terminal 100 3 'BENCH_PAGER=cat\ -n bench-compare --history history.csv 2>/dev/null; echo status $?' >out
like "$(cat out)" '1	.*bench' 'a short terminal shows a table of two lines in the pager'
like "$(cat out)" '^status 1$' 'the exit status for a change is kept with a pager'
awk 'BEGIN { print "run,bench,sample,metric,unit,value"; for (i = 0; i < 5000; i++) print "r,a,"i",wall,ns,"i }' >long.csv
terminal 100 20 'BENCH_PAGER=head\ -n\ 1 bench-convert --table long.csv; echo status $?' >out
is "$(tail -n 1 out)$(grep -ci 'pipe\|error' out)" 'status 00' 'a pager that ends early is no error'
is "$(terminal 100 20 'BENCH_PAGER="cat -n" bench-run -q -r 2 -w 0 -e none --table -- true' | grep -c '	')" 0 \
	'bench-run uses no pager'
done_testing
