#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads files of pyperf, and compressed files.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

is "$(bench-convert "$data/pyperf.json" | columns bench,process,sample,iterations,metric,unit,value,time)" \
	'len,1,0,327680,wall,ns,2.5560363769994154,2026-11-28T01:54:36.408435000Z
len,1,1,327680,wall,ns,33.271234130966,2026-11-28T01:54:36.408435000Z
len,1,2,327680,wall,ns,2.038549804656009,2026-11-28T01:54:36.408435000Z
len,1,,,max_rss,B,19673088,2026-11-28T01:54:36.408435000Z
len,2,0,327680,wall,ns,2.0794708247007243,2026-11-28T01:54:38.079990000Z
len,2,1,327680,wall,ns,100.53456115724501,2026-11-28T01:54:38.079990000Z
len,2,2,327680,wall,ns,2.747085571519481,2026-11-28T01:54:38.079990000Z
len,2,,,max_rss,B,19619840,2026-11-28T01:54:38.079990000Z' \
	'bench-convert reads samples and peak memory of processes of pyperf, without warm-ups and calibration'
is "$(bench-convert "$data/pyperf-memory.json" | columns process,sample,metric,unit,value)" '0,0,memory,B,12726272
1,0,memory,B,12795904
2,0,memory,B,12697600' 'bench-convert reads the memory of pyperf --track-memory'
command='0,0,wall,ns,1004971.99991878
0,,max_rss,B,12701696
1,0,wall,ns,967395.0000887999
1,,max_rss,B,12726272
2,0,wall,ns,2982626.0001755147
2,,max_rss,B,12701696'
is "$(bench-convert "$data/pyperf-command.json.gz" | columns process,sample,metric,unit,value)" "$command" \
	'bench-convert reads a compressed file of pyperf command, with the peak memory of the command'
is "$(bench-convert <"$data/pyperf-command.json.gz" | columns process,sample,metric,unit,value)" "$command" \
	'bench-convert reads a compressed file from standard input'
gzip -c "$data/go.txt" >go.txt.gz
is "$(bench-convert go.txt.gz)" "$(bench-convert "$data/go.txt")" 'bench-convert reads a compressed file of any format'
{ head -5 "$data/go.txt" | gzip && tail -n +6 "$data/go.txt" | gzip; } >two.gz
is "$(bench-convert two.gz)" "$(bench-convert "$data/go.txt")" 'bench-convert reads a compressed file of two members'
head -c 300 "$data/pyperf-command.json.gz" >cut.gz
status 2 'bench-convert rejects a compressed file that was cut off' bench-convert cut.gz
is "$(cat "$T/.err"),$(wc -c <"$T/.out")" 'bench-convert: cut.gz: the compressed file is damaged or cut off,0' \
	'the message about a compressed file that was cut off names it'
done_testing
