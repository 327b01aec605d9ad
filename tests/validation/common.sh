# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the scripts of the evidence, which source this file first. Each script prints one
# section in Markdown; $REPEATS is the number of draws of each case.
# shellcheck shell=sh

here=$(cd "${0%/*}" && pwd)
PATH=${BUILD:-$here/../../build}/bin:$PATH
REPEATS=${REPEATS:-10000}
subjects=$REPEATS # of each side of a case
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C

families=${BUILD:-$here/../../build}/tests/families
if [ ! -x "$families" ]; then
	echo "${0##*/}: needs $families, which make evidence builds" >&2
	exit 2
fi

# family NAME WORD=VALUE...: prints values of a known family
family() {
	family=$1
	shift
	"$families" family="$family" "$@"
}

# sides NAME RUNS SAMPLES SEED [FACTOR]: prints both sides of $subjects subjects, each in separate runs
sides() {
	family "$1" subjects="$subjects" runs="$2" n="$3" seed="$4" side=a
	family "$1" subjects="$subjects" runs="$2" n="$3" seed="$(($4 + 1000))" side=b factor="${5:-1}" bare=1
}

# blocks NAME SAMPLES SEED [FACTOR]: prints both sides in the same run
blocks() {
	family "$1" subjects="$subjects" n="$2" seed="$3" blocks=1 factor="${4:-1}"
}

# judge [OPTION...] [FILE...]: prints verdicts like those of a plain test at 5%: without margin, and
# without correction for the number of rows
judge() { bench-compare -q -b side --threshold 0% --adjust none --no-geomean "$@"; }

# share_of PATTERN: reads CSV and prints the number of rows with a matching verdict, and the number of
# rows
share_of() {
	awk -F, -v pattern="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") at = i; next }
		{ n++; hits += $at ~ pattern }
		END { print hits + 0, n + 0 }'
}

# Functions of awk: a rate in percent with Wilson's 95% interval (E. B. Wilson, JASA 22, 1927).
# shellcheck disable=SC2034 # for those who source this
wilson='function per_cent(hits, n,   p, z, c, h) {
	if (!n) return "–"
	p = hits / n; z = 1.959964
	c = (p + z * z / 2 / n) / (1 + z * z / n)
	h = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / 4 / n / n)
	return sprintf("%.1f (%.1f–%.1f)", 100 * p, h < c ? 100 * (c - h) : 0, 100 * (c + h))
}
function lower_share(hits, n,   p, z) {
	p = hits / n; z = 1.959964
	return (p + z * z / 2 / n - z * sqrt(p * (1 - p) / n + z * z / 4 / n / n)) / (1 + z * z / n)
}'
