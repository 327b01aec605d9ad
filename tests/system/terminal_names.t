#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No program writes the control characters of a name to a terminal. Names are in rows, file names, options
# and commands. Each control character of a name has the letters Mk after it, which distinguish it from
# those that the programs write themselves.
. "${0%/*}/../lib/tap.sh"

command -v script >/dev/null || { echo '1..0 # SKIP no script(1) here' && exit; }

# escape, bell, carriage return, backspace, delete, C1 as a byte and as UTF-8, right-to-left override
H=$(printf 'n\033]0;Mk\033Mk\aMk\rMk\bMk\177Mk\233Mk\302\233Mk\342\200\256Mk')
SHELL=/bin/sh TERM=xterm-256color LC_ALL=C.UTF-8
export H SHELL TERM LC_ALL

# leaks: whether a control character of the name is in the file. The ellipsis of a shortened name is none.
leaks() { LC_ALL=C sed 's/\xe2\x80\xa6//g' "$1" | LC_ALL=C grep -aPq '[^\x20-\x7e]Mk'; }

# clean DESCRIPTION LINE: the output of the line of shell to a terminal has no control character of the
# name
# shown DESCRIPTION LINE: the output is clean, and has the rest of the name
# Both only note the line: a terminal takes longer to open than most lines to run.
lines=0 checked=0
clean() { later clean "$@"; }
shown() { later shown "$@"; }
later() {
	lines=$((lines + 1))
	echo "$1" >"check.$lines"
	printf '%s\n' "$2" >"name.$lines"
	printf '%s\n' "$3" >"line.$lines"
	printf "printf '\\\\n@@ %d\\\\n'\n(\n%s\n)\n" $lines "$3" >>session
}
# run_lines: runs the lines that have been noted, one after the other on one terminal, and checks each
run_lines() {
	timeout 120 script -qec 'sh ./session' /dev/null </dev/null >terminals 2>&1
	LC_ALL=C awk '/^@@ [0-9]+\r?$/ { close(file); file = "terminal." $2 + 0; printf "" >file; next } file { print >file }' terminals
	rm session
	while [ $checked -lt $lines ]; do
		checked=$((checked + 1))
		check $checked
	done
}
check() {
	name=$(cat "name.$1") line=$(cat "line.$1")
	[ -e "terminal.$1" ] && ! leaks "terminal.$1"
	got=$?
	result $got "$name shows no control character of a name"
	[ $got -eq 0 ] || note "$line: $(LC_ALL=C grep -aP '[^\x20-\x7e]Mk' "terminal.$1" | head -n 3 | cat -v)"
	[ "$(cat "check.$1")" = shown ] || return 0
	LC_ALL=C grep -aq Mk "terminal.$1"
	got=$?
	result $got "$name shows the rest of the name"
	[ $got -eq 0 ] || note "$line: $(head -n 5 "terminal.$1" | cat -v)"
}

# table SIDE: rows whose text columns are all that name
table() {
	echo "run,time,host,env,commit,kind,bench,side,sample,metric,unit,value,status"
	for side in old new; do
		for sample in 0 1 2 3 4 5 6 7; do
			value=$((sample + 10))
			[ $side = old ] || value=$((value * 2))
			printf '"%s",,"%s","%s","%s",command,"%s",%s,%d,wall,ns,%d,ok\n' "$H$side" "$H" "$H" "$H" "$H" \
				$side $sample $value
		done
	done
}
table >in.csv
grep -av ,new, in.csv >old.csv
grep -av ,old, in.csv >new.csv
{ cat in.csv && printf '"%s",,,,,,"%s",new,9,wall,s,7,"failed:%s"\n' "$H" "$H" "$H"; } >units.csv
sed "1s/side/x$H/" in.csv >header.csv
cp in.csv "in$H.csv"
echo "text $H" >"bad$H.csv"
echo "{ \"$H\": " >"bad$H.json"
: >"empty$H"

for program in bench-run bench-stat bench-compare bench-plot bench-report bench-store bench-convert bench-list \
	bench-prof bench-env; do
	shown "$program with an option that it does not have" "$program \"--\$H\""
done

for program in bench-stat bench-compare bench-plot\ bar 'bench-report -o -' bench-convert 'bench-store -D x.db add'; do
	[ "$program" = bench-compare ] && twice=1 || twice=
	shown "${program%% -*} of a file that is absent" "$program \"\$H\" ${twice:+\"\$H\"}"
	shown "${program%% -*} of a file without a table" "$program \"bad\$H.csv\" ${twice:+\"bad\$H.csv\"}"
done
shown 'the table of bench-stat' 'bench-stat in.csv'
shown 'bench-stat of mixed units' 'bench-stat units.csv'
shown 'bench-stat of an unknown column' 'bench-stat -g "$H" in.csv'
shown 'bench-stat of an unknown statistic' 'bench-stat -s "$H" in.csv'
clean 'bench-stat of a column with such a name' 'bench-stat -m "x$H" header.csv'
shown 'the table of bench-compare' 'bench-compare -b side in.csv'
shown 'bench-compare by an unknown column' 'bench-compare -b "$H" in.csv'
shown 'bench-compare of mixed units' 'bench-compare old.csv units.csv'
shown 'bench-compare with a file of thresholds' 'bench-compare --thresholds "bad$H.csv" old.csv new.csv'
shown 'bench-plot of a kind that it does not have' 'bench-plot "$H" in.csv'
if skip_unless gnuplot 'a plot shows a name without its control characters'; then
	shown 'a plot' 'bench-plot bar in.csv'
	shown 'a plot with a title' 'bench-plot bar --title "$H" in.csv'
fi
shown 'bench-plot into a directory that is absent' 'bench-plot bar -o "$H/x.svg" in.csv'
shown 'bench-report into a directory that is absent' 'bench-report -o "$H/x.html" in.csv'
shown 'bench-convert of bad JSON' 'bench-convert "bad$H.json"'
shown 'bench-convert from an unknown format' 'bench-convert -f "$H" in.csv'
shown 'bench-convert into a directory that is absent' 'bench-convert -o "$H/x.csv" in.csv'
shown 'the table of bench-convert' 'bench-convert --table in.csv'

bench-store -q -D s.db add in.csv
bench-store -q -D s.db tag "$H"
cp s.db "s$H.db"
shown 'the list of bench-store' 'bench-store -D s.db list'
shown 'the tags of bench-store' 'bench-store -D s.db list tags'
shown 'bench-store info' 'bench-store -D "s$H.db" info'
shown 'a database that is absent' 'bench-store -D "$H" list'
shown 'a bad list' 'bench-store -D s.db list "$H"'
shown 'a bad verb' 'bench-store "$H"'
shown 'a bad time' 'bench-store -D s.db list --since "$H"'
clean 'a bad condition' 'bench-store -D s.db list --where "$H"'
clean 'bad SQL' 'bench-store -D s.db sql "$H"'
shown 'the result of SQL' 'bench-store -D s.db sql "select host from benchmark_runs"'
shown 'init of a database that is there' 'bench-store -D "s$H.db" init'
shown 'backup to another file' 'bench-store -D s.db backup "bad$H.csv"'
shown 'merge with another file' 'bench-store -D s.db merge "bad$H.csv"'
run_lines
sqlite3 s.db "update benchmark_runs set host = host || 'x'" "update benchmark_results set row_count = 3"
shown 'bench-store check' 'bench-store -D s.db check'

cat >subjects.csv <<E2
kind,bench,subject,args,runs,status
command,"$H",false,,1,
E2
cat >absent.csv <<E2
kind,bench,subject,args,runs,status
command,"$H","./absent$H",,1,
command,"${H}2",true,,1,"$H"
E2
quick='bench-run -r 2 -w 0 -e none'
shown 'a subject that fails' "$quick -I subjects.csv"
shown 'a subject that cannot be started' "$quick -I absent.csv"
shown 'a command that fails' "$quick -- false \"\$H\""
shown 'a command that takes too long' "$quick --timeout 10ms -- sh -c 'sleep 9' \"\$H\""
shown 'a command that is absent' "$quick -- \"./\$H\""
shown 'the progress' "bench-run -r 10 -w 0 -e none -S -c \"sleep 0.03 # \$H\""
shown 'the live view' "bench-run --live -r 10 -w 0 -e none -S -c \"sleep 0.03 # \$H\""
shown 'the table of bench-run' "$quick -n \"\$H\" -- true"
shown 'a label' "$quick --label \"\$H=\$H\" -- true"
shown 'a parameter' "$quick -P \"\$H=\$H\" -- true"
for hook in setup prepare conclude cleanup; do
	shown "a --$hook that fails" "$quick --$hook \"exit 3 # \$H\" -- true"
done
shown 'a metric that is not found' "$quick --extract \"\$H=x\" -- true"
clean 'a bad metric' "$quick --extract \"\$H=(\" -- true"
shown 'an unknown event' "bench-run -r 1 -e \"\$H\" -- true"
shown 'an unknown set of events' "bench-run -r 1 -E \"\$H\" -- true"
shown 'a standard input that is absent' "$quick --stdin \"\$H\" -- true"
shown 'a standard output that cannot be' "$quick --stdout \"\$H/x\" -- true"
shown 'an object that is absent' "$quick -f \"./\$H.so\""
shown 'an object that is none' "$quick -f \"./bad\$H.csv\""
shown 'an unknown kernel' "$quick -k \"\$H\""
shown 'an unknown model' "$quick -M \"\$H\""
shown 'an unknown backend' "$quick -k gemm -b \"\$H\""
shown 'a list of subjects that is absent' "$quick -I \"\$H\""
shown 'a list of subjects that is none' "$quick -I \"bad\$H.csv\""
shown 'options of the environment' "BENCH_RUN_OPTS=\"--\$H\" bench-run -- true"
shown 'a list of success' "$quick --success \"\$H\" -- true"
shown 'a directory that cannot be made' "$quick -d \"bad\$H.csv/x\" -- true"

shown 'bench-prof of a command that is absent' 'bench-prof "./$H"'
shown 'bench-prof of an unknown event' 'bench-prof -e "$H" -- true'
if skip_unless sampling 'bench-prof shows a name without its control characters'; then
	shown 'bench-prof of a command that fails' 'bench-prof -e cpu-clock -- false "$H"'
	cp "$(command -v sh)" "sh$H"
	shown 'bench-prof of a program with such a name' \
		'bench-prof -e cpu-clock --top -- "./sh$H" -c "i=0; while [ \$i -lt 99999 ]; do i=\$((i + 1)); done"'
	shown 'folded text of a program with such a name' \
		'bench-prof -e cpu-clock --folded -- "./sh$H" -c "i=0; while [ \$i -lt 99999 ]; do i=\$((i + 1)); done"'
fi

shown 'bench-list of a file that is absent' 'bench-list "$H"'
shown 'bench-list of a file that is none' 'bench-list "bad$H.csv"'
clean 'bench-list of an unknown model' 'bench-list models "$H"'
clean 'bench-list of an unknown backend' 'bench-list backends "$H"'
printf '#include <bench.h>\nvoid f(void) {}\n' >f.c
gcc -g -shared -fPIC -I "$ROOT/include" -o "lib$H.so" f.c
shown 'bench-list of an object with such a name' 'bench-list "lib$H.so"'
shown 'bench-list --generate' 'bench-list --generate "$H" "lib$H.so"'
shown 'bench-env of an unknown fact' 'bench-env "$H"'
run_lines

# Another way to write a message would need all of this again
cd "$ROOT" || exit 1
is "$(grep -rlE '<err\.h>|[^/]\bstderr\b|\b(perror|v?warnx?|v?errx?)\(' lib tools --include='*.c' |
	grep -vxE 'lib/base/(base|standard_files)\.c|lib/io/message\.c|tools/preload/.*')" '' \
	'all messages are written by io/message, but those of base, which have no names'

done_testing
