#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Benchmarks of several kinds with one name, in the lists of a site.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
awk 'BEGIN { print "run,time,commit,kind,bench,sample,metric,unit,value"
	split("command function kernel command", kind)
	for (c = 0; c < 20; c++) for (k = 1; k <= 4; k++) for (s = 0; s < 3; s++)
		printf "r%d,2026-01-%02dT00:00:00Z,c0ffee%02d,%s,%s,%d,wall,ns,%d\n", c, c + 1, c, kind[k],
			k < 4 ? "sort" : "other", s, (1000 * k + c % 3) * (k == 2 && c >= 10 ? 1.5 : 1) }' >kinds.csv
bench-store -q -D a.db add kinds.csv
bench-report -q --site site a.db
names() { grep -o '<a href="b/[^"]*">[^<]*' "$1" | sed 's/.*>//' | sort; }
is "$(names site/index.html | paste -sd, -)" 'other,sort (command),sort (function),sort (kernel)' \
	"the index has the kind of each benchmark whose name several kinds have"
is "$(names site/regressions.html)" 'sort (function)' "the list of regressions has the kind"
like "$(cat site/feed.xml)" '<title>worse \+50.*: sort \(function\)' "the feed has the kind"
is "$(grep -ho '"sort ([a-z]*)"' site/data/index.js | sort | paste -sd, -)" '"sort (command)","sort (function)","sort (kernel)"' \
	"the data of the index have the kind"
is "$(grep -l '<h1>sort (kernel)' site/b/*.html | wc -l)" 1 "the heading of a page has the kind"
bench-report -q --site site a.db
is "$?" 0 "a second build succeeds"

done_testing
