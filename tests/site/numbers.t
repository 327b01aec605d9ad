#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers and names of a site: the script shows them as the static tables do, and nothing is lost.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/browser.sh"

export LC_ALL=C.UTF-8
# series BENCH METRIC UNIT STATUS VALUE...: its values at successive commits
series() {
	head="$1" metric=$2 unit=$3 status=$4
	shift 4
	day=0
	for value; do
		day=$((day + 1))
		printf 'r%d,2026-01-0%dT00:00:00Z,host,%040d,command,"%s",0,%s,%s,%s,%s\n' \
			$day $day $day "$head" "$metric" "$unit" "$value" "$status"
	done
}
{
	echo run,time,host,commit,kind,bench,sample,metric,unit,value,status
	series '' wall ns ok 1000 1000
	series 'never works' wall ns failed:exit=1 1000 1000
	series success ok 1 ok 1 0
	series errors errors 1 ok 0 3
	series steady wall ns ok 1000 1001
	# Ties, exact in binary and not, and every form of a number.
	for case in B,8192000 ns,13765 ns,44405000 s,1.4 s,0.0015 1/s,12423900 1/s,0.25 B/s,1.5e9 %,33.5378 %,40 J,0 J,4e-8 \
		flop/s,3.2e10 flop/s,1e30 1,1.00433e-7 1,124191000000 1,123456.7 1,1e22 1,2.5 1,0.00012345 celsius,44.25 B,1025 ns,0.25; do
		series "$case" number "${case%,*}" ok "${case#*,}" "${case#*,}"
	done
} | bench-store -q -D a.db add
bench-report -q --site site a.db

is "$(grep -l '(null)' site/badge/*.svg)" '' "a badge of a benchmark without a name has a text"
is "$(sed -n 's/.*<tr><td><a[^>]*>\([^<]*\)<.*<td>wall<.*/\1/p' site/index.html | sort)" '(no name)
steady' "a benchmark without a name has a link that can be seen"
like "$(cat site/index.html)" 'All runs of 1 other series failed:</span> never works .wall, host.\.' \
	"a series whose runs all failed is named"

for need in unsanitized chromium chromedriver curl jq; do
	skip_unless $need "the numbers of a site in a browser" || done_testing
done
ok "a browser starts" browser_start
rows='return Array.from(document.querySelectorAll("#index tbody tr"), (r) => Array.from(r.cells, (c) => c.textContent.trim()).join("|")).sort().join("\n")'
go "file://$T/site/index.html"
js "$rows" >static
go about:blank
go "file://$T/site/index.html#sort=newest"
js "$rows" >scripted
is "$(wc -l <static)" 27 "the index has a row for each series"
is "$(diff static scripted)" '' "the script formats numbers as the static tables do"
like "$(cat static)" '7\.812 MiB' "a tie is rounded to the even digit"

go "file://$T/site/compare.html"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(js 'return document.querySelectorAll("#compared tbody tr").length')" != 27 ] || break
	sleep 0.1
done
is "$(js 'return Array.from(document.querySelectorAll("#compared tbody tr"), (r) => r.cells[0].textContent.trim()).slice(0, 3).join()')" \
	success,errors,steady "a comparison begins with changes to 0 and from 0"
like "$(js 'return document.querySelectorAll("#compared tbody tr")[1].textContent')" 'no ratio to 0$' \
	"a comparison states why a change from 0 has no percentage"

emulate 390 900 light
go "file://$T/$(cd "$T" && echo site/b/steady-wall-*.html)"
is "$(js 'return Array.from(document.querySelectorAll(".commit")).every((c) => c.getClientRects().length === 1)')" true \
	"a commit is on one line on a narrow page"
browser_end
done_testing
