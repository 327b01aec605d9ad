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
# summary NAME THREADS: reads two times of each round in us, and prints the median of their ratios and its
# 95% confidence interval, from the order statistics of a binomial distribution
summary() {
	awk '{ print $1 / $2, $1, $2 }' | sort -g | awk -v name="$1" -v threads="$2" '
		{ ratio[NR] = $1; ours[NR] = $2; theirs[NR] = $3; sum += $2 - $3 }
		END {
			# The largest k for which fewer than k of NR rounds are below the median in at most 2.5% of cases.
			p = exp(NR * log(0.5))
			for (k = 0; below + p <= 0.025; k++) {
				below += p
				p *= (NR - k) / (k + 1)
			}
			middle = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
			printf "%-12s %d thread%s ratio %.3f", name, threads, (threads > 1 ? "s," : ", "), middle
			if (k > 0)
				printf ", interval %.3f to %.3f [0.98 to 1.02]", ratio[k], ratio[NR + 1 - k]
			printf "; ours - theirs %.2f us\n", sum / NR
		}'
}
