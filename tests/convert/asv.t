#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads units and parameters of asv from the file next to its results.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

mkdir -p results/box
cp "$data/asv-parameters.json" results/box/a.json
cp "$data/asv-benchmarks.json" results/benchmarks.json
fields=bench,n,order,param1,sample,metric,unit,value,status
is "$(bench-convert results/box/a.json | columns $fields)" \
	"b.Sort.time_sort,10,up,,0,wall,ns,5112.499820825178,ok
b.Sort.time_sort,10,up,,1,wall,ns,595.4999551249784,ok
b.Sort.time_sort,10,it's,,0,wall,ns,4877.00003759528,ok
b.Sort.time_sort,10,it's,,1,wall,ns,585.5000608789851,ok
b.Sort.time_sort,1000,up,,,wall,ns,,skipped
b.Sort.time_sort,1000,it's,,,wall,ns,,skipped
b.mem_list,,,,,memory,B,2104,ok
b.peakmem_list,,,,,memory,B,28078080,ok
b.track_delay,,,,,track,ns,250000000,ok
b.track_plain,,,,,track,1,3,ok
b.track_widgets,,,1,,track,widgets,0.75,ok
b.track_widgets,,,2,,track,widgets,1.5,ok" \
	'bench-convert reads units and names of parameters from the benchmarks.json of asv'
is "$(cd results/box && bench-convert a.json | cksum)" "$(bench-convert results/box/a.json | cksum)" \
	'bench-convert finds the benchmarks.json of asv above the working directory'
is "$(bench-convert <results/box/a.json | columns bench,param1,param2,metric,unit,value,status | grep '1000\|track_[dw]')" \
	"b.Sort.time_sort,1000,up,wall,ns,,skipped
b.Sort.time_sort,1000,it's,wall,ns,,skipped
b.track_delay,,,track,1,0.25,ok
b.track_widgets,1,,track,1,0.75,ok
b.track_widgets,2,,track,1,1.5,ok" 'bench-convert numbers the parameters of asv if it has no benchmarks.json'
sed "s/\"'up'\"/\"'1'\", \"1\"/" "$data/asv-parameters.json" >quotes.json
is "$(bench-convert quotes.json | columns param2 | grep . | sort -u)" "'1'
1
it's" 'bench-convert keeps the quotes of a parameter of asv if another value is the same without them'
echo '{"b.Sort' >results/benchmarks.json
is "$(bench-convert results/box/a.json 2>&1 >/dev/null | grep -c '^bench-convert: results/box/../benchmarks.json:1: ')" 1 \
	'bench-convert reports a benchmarks.json of asv that it cannot read'

# commit NAME DATE STARTED [HOST]: results of a commit, which was made and measured at these times
commit() {
	sed "s/\"commit_hash\": \"[^\"]*\"/\"commit_hash\": \"$1\"/; s/\"date\": [0-9]*/\"date\": $2/
		s/1795526471/$3/g; s/\"machine\": \"box\"/\"machine\": \"${4:-box}\"/" "$data/asv.json" >"commits/$1.json"
}
mkdir commits
commit newest 1795526400000 1795526601
commit middle 1795526300000 1795526701
commit oldest 1795526200000 1795526801
is "$(bench-convert commits 2>&1 >/dev/null)" "bench-convert: 2 commits were measured before an older commit, first middle;\
 histories are in the order of the measurements, unless bench-compare --order FILE gives that of the commits\
 (git rev-list --reverse HEAD >FILE)" 'bench-convert reports that asv measured the newest commit first'
commit newest 1795526400000 1795526901
commit middle 1795526300000 1795526851
cp commits/oldest.json commits/again.json
sed -i 's/1795526801/1795526999/g' commits/again.json
commit elsewhere 1795526400000 1795526501 other
is "$(bench-convert commits 2>&1 >/dev/null)" '' \
	'bench-convert accepts results of asv in the order of the commits, of another machine, and of a repetition'
done_testing
