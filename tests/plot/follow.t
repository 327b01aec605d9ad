#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot --follow on a terminal.
# timing: waits for or judges what other processes do at the same time
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8 NO_COLOR=1
rows=$ROOT/tests/fixtures/data/gallery/sort.csv
esc=$(printf '\033')

# screen COMMAND: the output to a terminal of 80 columns and 24 rows
screen() { timeout 60 script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null | tr -d '\r'; }
# last LINES: the last plot of a screen, without the codes that move the cursor
last() { sed "s/$esc\[K//g; s/$esc\[J//g; s/$esc\[[0-9]*A//g" | tail -n "$1"; }
# frames: the number of plots of a screen
frames() { grep -c "$esc\[J"; }

cat >feed <<END
sed -n 1,30p '$rows'
sleep 1
sed 1,30d '$rows'
END
screen "sh feed | bench-plot line -x n --follow; echo status \$?" >seen
screen "bench-plot line -x n '$rows'" >still
is "$(tail -n 1 seen | last 1)" "status 0" "bench-plot --follow ends at the end of a pipe"
is "$(sed '$d' seen | last 23)" "$(cat still)" "the last plot of bench-plot --follow has all rows of the pipe"
like "$(frames <seen)" '^[2-6]$' "bench-plot --follow draws a pipe two to six times"
like "$(cat seen)" "$esc\[[0-9]+A" "bench-plot --follow draws each plot over the previous one"

# shellcheck disable=SC2030 # of this command alone
(TERM=dumb; screen "sh feed | bench-plot line -x n --follow" >dumb)
is "$(grep -c "$esc" dumb),$(tail -n 23 dumb)" "0,$(cat still)" "bench-plot --follow draws plots one after the other on a terminal that cannot move its cursor"

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
	is "$(last "$(wc -l <still)" <seen)" "$(cat still)" "bench-plot --follow draws $kind, with rows that arrive late"
done

# A file that grows, until Ctrl-C; an incomplete row waits for its rest.
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
like "$(cat clean)" 'status 130$' "Ctrl-C ends bench-plot --follow by its signal"
like "$(cat clean)" 'n = 12' "bench-plot --follow draws rows that were added to a file"
like "$(cat clean)" '^modes$' "bench-plot --follow leaves the modes of the terminal unchanged"
screen "bench-plot line -x n '$rows'" >still
is "$(sed '/\^C\|^status/,$d' clean | last 23)" "$(cat still)" \
	"the last plot of bench-plot --follow remains on the terminal after Ctrl-C"

screen "printf 'metric,value\nwall,1\nwall,x\n' | bench-plot bar --follow; echo status \$?" >seen
like "$(cat seen)" "'x'" "bench-plot --follow names the value of a broken row"
like "$(cat seen)" '^status 2$' "bench-plot --follow ends with status 2 at a broken row"
screen "bench-plot bar --follow </dev/null; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "bench-plot --follow ends with status 2 if there was nothing to draw"
status 2 "bench-plot rejects --follow without a terminal" bench-plot bar --follow "$rows"
like "$(cat .err)" 'terminal' "the message about --follow says that there is no terminal"
screen "bench-plot bar --follow -o p.svg '$rows'; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "bench-plot rejects --follow with -o"
screen "bench-plot flame --follow '$rows'; echo status \$?" >seen
like "$(cat seen)" '^status 2$' "bench-plot rejects --follow of a flame graph"
done_testing
