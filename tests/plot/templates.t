#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot --template with templates that fail: the message names the command, no file is written,
# and gnuplot never outlives bench-plot.
. "${0%/*}/../lib/tap.sh"

skip_unless gnuplot 'templates that fail leave no plot' || { done_testing; exit; }
printf 'bench,metric,unit,value\na,wall,ns,1\na,wall,ns,2\nb,wall,ns,3\nb,wall,ns,4\n' >rows.csv

# drawn TEMPLATE-TEXT: draws with this template over a file that exists
drawn() {
	printf '%b' "$1" >own.gp
	echo before >out.svg
	bench-plot strip --template own.gp -o out.svg rows.csv 2>.err
	echo "$?,$(cat out.svg),$(cat .err)"
}
is "$(drawn 'x = 1\nplot nonsense(\nplot 1/\n')" \
	"2,before,bench-plot: gnuplot failed: 'plot nonsense(': invalid expression" \
	'the message about a template has the first command that failed'
is "$(drawn 'plot 1\nraise "\033[31m"\n')" \
	'2,before,bench-plot: gnuplot failed: '"'"'raise "\x1b[31m"'"'"': usage: raise {plot_id}' \
	'a plot that is drawn before its template fails is not written'
is "$(drawn 'if (1) {\nplot nofunction(1)\n}\n')" '2,before,bench-plot: gnuplot failed: undefined function: nofunction' \
	'the message about a block of a template has no number of a line, which would be wrong'
is "$(drawn "plot 1\\nset title '$(printf '%60s' '' | sed 's/ /\xc3\xa9/g')'(\\n")" \
	"2,before,bench-plot: gnuplot failed: 'set title '$(printf '%34s' '' | sed 's/ /\xc3\xa9/g')': unexpected or unrecognized token: (" \
	'a long command in the message about a template ends after a whole character'
is "$(drawn '')" '2,before,bench-plot: gnuplot drew nothing' 'an empty template is reported'
is "$(drawn 'system("kill -9 $PPID")\n')" '2,before,bench-plot: gnuplot was killed by signal 9 (Killed)' \
	'a template that kills gnuplot is reported'

# A template that never ends, whose bench-plot is killed.
printf 'system("echo $PPID >pid.new; mv pid.new pid")\nwhile (1) { }\n' >own.gp
bench-plot strip --template own.gp -o out.svg rows.csv 2>.err &
plot=$!
wait_for test -s pid
kill -KILL $plot
wait $plot 2>/dev/null
has_no_process() { ! kill -0 "$(cat pid)" 2>/dev/null; }
ok 'gnuplot ends if bench-plot is killed' wait_for has_no_process

if skip_unless unsanitized 'a template has a limit'; then
	(
		# shellcheck disable=SC3045 # dash knows it
		ulimit -v 4000000
		bench-plot strip --template /dev/zero -o out.svg rows.csv 2>.err
		echo "$?" >.status
	)
	is "$(cat .status .err)" "2
bench-plot: --template /dev/zero is larger than the limit of 1073741824 bytes" \
		'a template that never ends is rejected'
fi

done_testing
