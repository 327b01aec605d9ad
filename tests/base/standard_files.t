#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Closed standard descriptors: no file gets the number of one, so no row, page or message goes
# astray, and output that cannot be written is an error.
. "${0%/*}/../lib/tap.sh"

# Each main begins with the call.
is "$(cd "$ROOT" && grep -l '^int main(' tools/*.c tools/helpers/*.c | while read -r file; do
	sed -n '/^int main(/,/^}/p' "$file" | sed -n 3p | grep -qx '	standard_files_open();' || echo "$file"
done)" '' "every main opens closed standard descriptors first"

printf '%s\n' run,bench,sample,metric,unit,value r,b,0,wall,ns,10 r,b,1,wall,ns,12 r,c,0,wall,ns,20 r,c,1,wall,ns,21 >s.csv

# closed WHICH COMMAND...: runs a command with descriptors closed. Prints its status and the number
# of lines that it left on standard output and standard error, where these are open.
closed() {
	which=$1
	shift
	: >out
	: >err
	case $which in
	stdin) timeout 20 "$@" >out 2>err <&- ;;
	stdout) timeout 20 "$@" </dev/null 2>err >&- ;;
	stderr) timeout 20 "$@" </dev/null >out 2>&- ;;
	all) timeout 20 "$@" <&- >&- 2>&- ;;
	esac
	echo "$? $(grep -c . out) $(grep -c . err)"
}

# unheard PROGRAM ARG...: with its output closed the program fails and says so in one line; with
# all three closed it fails; and the other way round, with the others closed, it does what it does
unheard() {
	is "$(closed stdout "$@")" '2 0 1' "$1 fails when its standard output is closed"
	like "$(cat err)" "^$1: standard output: Bad file descriptor" "$1 reports that its standard output is closed"
	is "$(closed all "$@")" '2 0 0' "$1 fails when all standard descriptors are closed"
	lines=$(timeout 20 "$@" </dev/null 2>err | grep -c .)
	is "$(closed stderr "$@")" "0 $lines 0" "$1 writes its rows when its standard error is closed"
	is "$(closed stdout "$1" --help)" '2 0 1' "$1 --help fails when its standard output is closed"
	is "$(closed stdout "$1" --version)" '2 0 1' "$1 --version fails when its standard output is closed"
}
unheard bench-compare -q --test welch -b bench --reference c s.csv
unheard bench-convert -t json s.csv
unheard bench-env -q
unheard bench-list -q kernels gemm
unheard bench-plot --script bar s.csv
# At 1 Hz, true is never sampled, so that the number of rows is always the same.
unheard bench-prof -q -e cpu-clock -F 1 -- true
for form in --folded --top; do
	is "$(closed stdout bench-prof -q -F 999 $form -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done')" '2 0 1' \
		"bench-prof $form fails when its standard output is closed"
done
unheard bench-report -q s.csv
unheard bench-run -q -r 2 -w 0 -e none true
unheard bench-stat s.csv
bench-store -q -D b.db add s.csv
unheard bench-store -D b.db export
is "$(wc -l <s.csv)" 5 "programs with closed descriptors do not change the file that they read"

# Programs that read standard input
for command in 'bench-stat' 'bench-compare -b bench' 'bench-convert -t json' 'bench-report' \
	'bench-plot --script bar' 'bench-store -D in.db add' 'bench-run -I -'; do
	# shellcheck disable=SC2086
	is "$(closed stdin $command)" '2 0 1' "$command fails when its standard input is closed"
	like "$(cat err)" 'standard input: Bad file descriptor' "$command reports that its standard input is closed"
done

# The files that a run keeps
status 2 "bench-run -d with a closed standard output fails" sh -c 'bench-run -d d -r 3 -w 0 -e none true >&-'
is "$(bench-stat -s n d/*/samples.csv | grep -c ',wall,ns,[0-3]$')" 1 "bench-run -d with a closed standard output writes each row once into samples.csv"
status 2 "bench-run -d with closed output and messages fails" \
	sh -c 'bench-run -d e -r 3 -w 0 -e none -c true -c false >&- 2>&-'
is "$(head -n 1 e/*/samples.csv | cut -c 1-8) $(grep -c 'standard output' e/*/samples.csv)" 'run,time 0' \
	"bench-run -d with closed output and messages writes no message into samples.csv"
ok "bench-stat reads the samples.csv of a run with closed output and messages" bench-stat e/*/samples.csv
status 0 "bench-report -o writes its page when standard output is closed" sh -c 'bench-report -q -o page.html s.csv >&-'
like "$(tail -n 1 page.html)" '</html>' "bench-report -o writes a whole page when standard output is closed"

# Measured commands have their own descriptors.
cat >where <<'END'
#!/bin/sh
readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 >where.out
END
chmod +x where
bench-run -q -r 1 -w 0 -e none --stdout inherit ./where <&- 2>&- >rows.csv
is "$(grep -c ^ where.out)" 3 "a measured command never begins with a closed descriptor"
done_testing
