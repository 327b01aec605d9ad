#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot --follow, in a terminal of its own.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8 NO_COLOR=1
rows=$ROOT/tests/fixtures/data/gallery/sort.csv
esc=$(printf '\033')

# screen COMMAND: what a terminal of 80 columns and 24 rows is sent
screen() { timeout 60 script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null | tr -d '\r'; }
# last LINES: the last picture of a screen, without what moves the cursor
last() { sed "s/$esc\[K//g; s/$esc\[J//g; s/$esc\[[0-9]*A//g" | tail -n "$1"; }
# frames: how many pictures a screen was sent
frames() { grep -c "$esc\[J"; }

cat >feed <<END
sed -n 1,30p '$rows'
sleep 1
sed 1,30d '$rows'
END
screen "sh feed | bench-plot line -x n --follow; echo status \$?" >seen
screen "bench-plot line -x n '$rows'" >still
is "$(tail -n 1 seen | last 1)" "status 0" "a pipe is followed to its end"
is "$(sed '$d' seen | last 23)" "$(cat still)" "the last picture of a pipe is the one of all rows"
like "$(frames <seen)" '^[2-6]$' "a pipe is drawn more than once, and not very often"
like "$(cat seen)" "$esc\[[0-9]+A" "each picture is drawn over the one before"

for kind in trend timeline bar; do
	case $kind in
	trend) data=history more='-y user' ;;
	timeline) data=memory more='' ;;
	*) data=pack more='' ;;
	esac
	file=$ROOT/tests/fixtures/data/gallery/$data.csv
	screen "bench-plot $kind $more '$file'" >still
	screen "{ sleep 0.5; head -20 '$file'; sleep 0.5; sed 1,20d '$file'; } |
		bench-plot $kind $more --follow" >seen
	is "$(last "$(wc -l <still)" <seen)" "$(cat still)" "$kind can be followed, and its rows may be late"
done

# A file that grows, until Ctrl-C; what is cut within a row waits for its rest.
head -c 3000 "$rows" >grows.csv
: >seen
{
	wait_for grep -q median seen
	tail -c +3001 "$rows" >>grows.csv
	wait_for grep -q 'n = 12' seen
	sleep 0.2
	printf '\003'
	wait_for grep -q modes seen
} | timeout 60 script -qfec "trap : INT; stty cols 80 rows 24; stty -g >before
	bench-plot line -x n --follow grows.csv; echo status \$?
	stty -g | cmp - before && echo modes" seen >/dev/null
tr -d '\r' <seen | sed '/^Script started/d; /^	bench-plot/d; /^	stty -g/d' >clean
like "$(cat clean)" 'status 130$' "Ctrl-C ends bench-plot by its signal"
like "$(cat clean)" 'n = 12' "rows that were added to a file are drawn"
like "$(cat clean)" '^modes$' "the modes of the terminal are as they were"
screen "bench-plot line -x n '$rows'" >still
is "$(sed '/\^C\|^status/,$d' clean | last 23)" "$(cat still)" \
	"the last picture stays on the terminal after Ctrl-C"

screen "printf 'metric,value\nwall,1\nwall,x\n' | bench-plot bar --follow; echo status \$?" >seen
like "$(cat seen)" "'x'" "the message names a broken row"
like "$(cat seen)" '^status 2$' "a broken row ends --follow"
screen "bench-plot bar --follow </dev/null; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "an end before there was anything to draw is refused"
status 2 "--follow without a terminal is refused" bench-plot bar --follow "$rows"
like "$(cat .err)" 'terminal' "the message says that there is no terminal"
screen "bench-plot bar --follow -o p.svg '$rows'; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "--follow with -o is refused"
screen "bench-plot flame --follow '$rows'; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "--follow of a flame graph is refused"
done_testing
