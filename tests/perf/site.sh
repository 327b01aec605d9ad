#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The site of a store of SERIES series at COMMITS commits, with one sample for each point: the time of
# the first build, of a build without news, and of one after one more night; sizes; and how long a
# browser takes to load pages. KEEP=DIR keeps the store and the site there, and uses the store that it
# finds there. 10,000 series at 1000 commits need 5 GB.
set -eu

ROOT=$(cd "${0%/*}/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
PATH=$BUILD/bin:$PATH
SERIES=${SERIES:-10000} COMMITS=${COMMITS:-1000}
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
trap 'rm -rf "$T"' EXIT
mkdir -p "${KEEP:-$T}"
cd "${KEEP:-$T}"

# nights FIRST COUNT: the samples of COUNT commits. A fifth of the series has a change.
nights() {
	awk -v first="$1" -v commits="$2" -v series="$SERIES" '
	function noise() { return rand() + rand() + rand() + rand() - 2 }
	BEGIN {
		srand(first)
		print "run,time,host,env,commit,kind,bench,sample,metric,unit,value,status"
		for (c = first; c < first + commits; c++) {
			head = sprintf("run-%06d,%04d-%02d-%02dT00:00:00Z,quiet,e0c1,%06x%034d,command,suite/",
				c, 2000 + int(c / 336), 1 + int(c / 28) % 12, 1 + c % 28, c * 69069 % 16777216, c)
			for (s = 0; s < series; s++) {
				level = 1e6 * (1 + s % 97)
				if (s % 5 == 0 && c >= 100 + s * 7919 % 800)
					level *= s % 2 ? 0.9 : 1.12
				printf "%sbench-%05d,0,wall,ns,%.6g,ok\n", head, s, level * (1 + 0.02 * noise())
			}
		}
	}'
}
# took NAME: builds the site and prints the elapsed and the processor time
took() {
	/usr/bin/time -f "%e s, %U s user, %S s system, %M kB" -o time.txt bench-report --site site store.db 2>said.txt
	printf '%-22s %s; %s\n' "$1" "$(cat time.txt)" "$(sed 's/^bench-report: //' said.txt)"
}

if [ ! -e store.db ]; then
	c=0
	while [ $c -lt "$COMMITS" ]; do
		n=$((COMMITS - c < 20 ? COMMITS - c : 20))
		nights $c $n | bench-store -q -D store.db add
		c=$((c + n))
	done
fi
rm -rf site
echo "load before            $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
took 'first build'
took 'nothing new'
nights $(($(bench-store -D store.db info | sed -n 's/^runs,//p') + 1)) 1 | bench-store -q -D store.db add
took 'one more night'
echo "store                  $(du -m store.db | cut -f1) MB"
echo "site                   $(du -m --exclude=.bench-site -s site | cut -f1) MB, $(find site -type f | wc -l) files; state $(du -m -s site/.bench-site | cut -f1) MB"

# The time from the start of the navigation to the end of the load event, of three loads.
command -v chromedriver >/dev/null && command -v jq >/dev/null || exit 0
wait_long() { for _ in $(seq 100); do "$@" 2>/dev/null && return; sleep 0.1; done; }
. "$ROOT/tests/lib/browser.sh"
browser_start '{}'
for page in index.html regressions.html compare.html "$(cd site && find b -name '*-00000-*.html')"; do
	times=''
	for _ in 1 2 3; do
		go about:blank
		go "file://$PWD/site/$page"
		times="$times $(js 'const n = performance.getEntriesByType("navigation")[0]; return Math.round(n.loadEventEnd)')"
	done
	printf '%-22s%s ms to load %s\n' page "$times" "$page"
done
