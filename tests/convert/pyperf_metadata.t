#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads back the metadata that it writes for pyperf.
. "${0%/*}/../lib/tap.sh"

cat >in.csv <<'.'
time,host,env,commit,kind,bench,n,x=y,process,sample,iterations,metric,unit,value
2026-11-28T10:00:01.000000000Z,box,e1,c1-dirty,command,sort {n},10,a,0,0,8,wall,ns,1000000
2026-11-28T10:00:01.000000000Z,box,e1,c1-dirty,command,sort {n},10,a,0,1,8,wall,ns,1100000
2026-11-28T10:00:02.000000000Z,box,e1,c1-dirty,command,sort {n},10,a,1,0,8,wall,ns,1200000
2026-11-28T10:00:03.000000000Z,box,e1,c1-dirty,command,sort {n},20,,0,0,8,wall,ns,2000000
2026-11-28T10:00:03.000000000Z,box,e1,c1-dirty,command,sort {n},20,,0,0,8,max_rss,B,4096
2026-11-28T10:00:04.000000000Z,other,e2,c2,kernel,fma,,,0,0,8,instructions,1,77
.
bench-convert -t pyperf -o suite.json in.csv
is "$(bench-convert suite.json)" "$(cat in.csv)" \
	"bench-convert reads back hosts, environments, commits, kinds, names, factors and metrics that it writes for pyperf"
if skip_unless pyperf "pyperf reads the metadata that bench-convert writes for it"; then
	is "$("$VENV/bin/python3" -m pyperf metadata suite.json | grep -E '^- (bench|commit_id|env|factor_n|metric):' | head -5)" \
		'- bench: sort {n}
- commit_id: c1-dirty
- env: e1
- factor_n: 10
- metric: wall' "pyperf reads the metadata that bench-convert writes for it"
fi
done_testing
