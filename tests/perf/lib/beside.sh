# SPDX-License-Identifier: GPL-3.0-or-later
# Measures programs and others that do the same work, and prints a table in Markdown: source it after
# setting $rounds. A comparison is a call of "work", then of "program" for ours, then of "program" for
# each other, then of "compare". In a round each program runs once, and a different one is first in each
# round. MEASURE is elapsed, or cpu for the processor time, which depends less on other load.
# shellcheck shell=sh disable=SC2154

# work TEXT: begins a comparison
work() {
	what=$1
	rm -rf "$dir/programs"
	mkdir "$dir/programs"
	count=0
	: >"$dir/absent"
}
# program NAME COMMAND [PREPARE]: adds a program, a command of sh, and what comes before it in each round
program() {
	count=$((count + 1))
	printf '%s\n' "$1" >"$dir/programs/$count.name"
	printf '%s\n' "$2" >"$dir/programs/$count.sh"
	printf '%s\n' "${3:-:}" >"$dir/programs/$count.before"
}
# absent NAME: adds a row that says that a program is not here
absent() { printf '| | %s | not installed | | | |\n' "$1" >>"$dir/absent"; }

# once NUMBER: runs a program, and appends its elapsed, user and system time in s and its peak memory in kB
once() {
	sh "$dir/programs/$1.before" >/dev/null 2>&1
	/usr/bin/time -q -a -o "$dir/programs/$1.times" -f '%e %U %S %M' sh "$dir/programs/$1.sh" \
		>"$dir/out" 2>"$dir/err" && return
	echo "${0##*/}: $(cat "$dir/programs/$1.name") failed: $(tail -n 1 "$dir/err")" >&2
	exit 1
}

# compare: runs the programs in rounds, and prints their rows
compare() {
	round=0
	while [ $round -lt "$rounds" ]; do
		turn=0
		while [ $turn -lt "$count" ]; do
			once $(((round + turn) % count + 1))
			turn=$((turn + 1))
		done
		round=$((round + 1))
	done
	i=0
	while [ $i -lt "$count" ]; do
		i=$((i + 1))
		awk -v measure="${MEASURE:-elapsed}" -v name="$(cat "$dir/programs/$i.name")" \
			'{ print name "\t" (measure == "cpu" ? $2 + $3 : $1) "\t" $4 }' "$dir/programs/$i.times"
	done | awk -F '\t' -v what="$what" -f "$here/lib/median.awk" -f "$here/lib/beside.awk"
	cat "$dir/absent"
}
head_of_table() {
	echo '| work | program | time, s | peak memory, MB | ratio | 95% interval |'
	echo '|---|---|---|---|---|---|'
}
