# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the speed tests: source it. Figures are written to files in the temporary directory
# $dir, one on each line.
# shellcheck shell=sh

dir=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# elapsed NAME COMMAND...: appends the elapsed time of the command, in s, to the file NAME
elapsed() {
	name=$1
	shift
	start=$(date +%s.%N)
	"$@" >"$dir/out" 2>"$dir/err"
	end=$(date +%s.%N)
	echo "$start $end" | awk '{ print $2 - $1 }' >>"$dir/$name"
}
# median: prints the median of the lines of standard input
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { echo "$1 $2" | awk '{ printf "%.3f", $1 / $2 }'; }
# metric NAME [FILE]: prints the median of a metric in samples of one subject
metric() {
	name=$1
	shift
	bench-stat -g bench -s median "$@" | awk -F, -v name="$name" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == name { print $at["median"] }'
}
