#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the statistics and the call stacks of Memray.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data
statistics=$data/formats/memray.json
stacks=$data/convert/memray.csv
is "$(bench-convert "$statistics" | columns time,kind,bench,allocator,metric,unit,value)" \
	'2026-11-30T19:04:29.268000000Z,command,memray run -q -o out.bin work.py,pymalloc,peak_bytes,B,1895882
2026-11-30T19:04:29.268000000Z,command,memray run -q -o out.bin work.py,pymalloc,alloc_bytes,B,6640470
2026-11-30T19:04:29.268000000Z,command,memray run -q -o out.bin work.py,pymalloc,alloc_calls,1,8973' \
	'bench-convert reads the peak and the allocations that Memray printed'

is "$(bench-convert -M peak_bytes "$stacks" | columns value | jq -s add)" "$(jq .metadata.peak_memory "$statistics")" \
	'the bytes of all stacks of Memray are those of the peak'
is "$(bench-convert "$stacks" | columns kind,stack,sample,metric,unit,value | sed 's/.*;<module>/<module>/' | tail -n 2)" \
	'<module> (work.py);grow (work.py);<listcomp> (work.py),0,peak_bytes,B,807424
<module> (work.py);grow (work.py);<listcomp> (work.py),0,peak_calls,1,802' \
	'the frames of a stack of Memray are functions with their files, the outermost first'
is "$(bench-convert -t folded -M peak_bytes "$stacks" | grep -c '^_run_tracker (.*memray.commands.run.py)')" \
	"$(bench-convert -M peak_bytes "$stacks" | sed 1d | wc -l)" 'stacks of Memray become folded stacks'
{
	sed 1q "$stacks"
	printf '%s\n' 'MALLOC,2,10,1,main,f;a.py;3|g;a.py;9' 'MMAP,1,5,2,other,f;a.py;4|g;a.py;9' 'MALLOC,1,7,1,main,' \
		'MALLOC,1,3,1,main,"h;x;y,z.py;1"'
} | tr '\n' '\r' | sed 's/\r/&\n/g' >small.csv
is "$(bench-convert -t json small.csv | jq -r '.[] | "\(.stack) \(.metric) \(.value)"')" 'g (a.py);f (a.py) peak_bytes 15
g (a.py);f (a.py) peak_calls 3
[unknown] peak_bytes 7
[unknown] peak_calls 1
h (x:y,z.py) peak_bytes 3
h (x:y,z.py) peak_calls 1' 'lines, threads and allocators of a stack of Memray are added up'
sed 's/MALLOC,1,710,/MALLOC,1,x,/' "$stacks" >bad.csv
is "$(bench-convert bad.csv 2>&1)" "bench-convert: bad.csv:3: size is not a whole number: 'x'" \
	'bench-convert rejects a size of Memray that is no number'
head -c -30 "$stacks" >cut.csv
status 2 'bench-convert rejects stacks of Memray that are cut off' bench-convert cut.csv
done_testing
