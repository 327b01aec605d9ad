# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers of the speed tests: source it. What is measured in rounds goes to files of a folder
# that goes away at the end, $dir, a figure a line.
# shellcheck shell=sh

dir=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# elapsed NAME COMMAND...: the whole time of the command, in s, goes to a file of that name
elapsed() {
	name=$1
	shift
	start=$(date +%s.%N)
	"$@" >"$dir/out" 2>"$dir/err"
	end=$(date +%s.%N)
	echo "$start $end" | awk '{ print $2 - $1 }' >>"$dir/$name"
}
# median: of the lines of standard input
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { echo "$1 $2" | awk '{ printf "%.3f", $1 / $2 }'; }
# metric NAME [FILE]: the median of a metric in samples of one subject
metric() {
	name=$1
	shift
	bench-stat -g bench -s median "$@" | awk -F, -v name="$name" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == name { print $at["median"] }'
}
