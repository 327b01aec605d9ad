#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads profiles of pprof. The sums by innermost function are those that go tool pprof -top
# -nodefraction=0 prints.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
# top PROFILE METRIC: the sum of each innermost function, the largest first
top() {
	bench-convert -M "$2" -t folded "$data/pprof-$1.pb.gz" |
		awk '{ n = $NF; sub(/ [^ ]*$/, ""); sub(/.*;/, ""); sum[$0] += n } END { for (f in sum) print sum[f], f }' |
		sort -k1,1nr -k2
}

is "$(bench-convert --csv --detect "$data/pprof-cpu.pb.gz" | sed '1d; s/.*gz,//')" pprof,yes "a profile of pprof is detected"
is "$(top cpu cpu)" '50000000 runtime.asyncPreempt
40000000 sort.partition_func
30000000 main.sorted.func1' "the times of functions are those that pprof shows"
is "$(top cpu samples)" '5 runtime.asyncPreempt
4 sort.partition_func
3 main.sorted.func1' "the numbers of samples are those that pprof shows"
is "$(top heap inuse_space)" '2021661 main.allocate
9474 hash/crc32.slicingMakeTable
4629 hash/crc32.simpleMakeTable
4307 runtime.malg' "the sizes of allocations are those that pprof shows, also of an inlined function"
is "$(bench-convert "$data/pprof-mutex.pb.gz")" 'time,kind,stack,sample,metric,unit,value
2026-11-30T16:08:06.570178725Z,command,main.main.func1;sync.(*Mutex).Unlock,0,delay,ns,21397513
2026-11-30T16:08:06.570178725Z,command,main.main.func1;sync.(*Mutex).Unlock,0,contentions,1,19' \
	"a stack has a row for each type of sample, and the one that pprof shows is first"
is "$(bench-convert "$data/pprof-heap.pb.gz" | awk -F, 'NR > 1 { print $5, $6 }' | sort -u | paste -sd ' ')" \
	'alloc_objects 1 alloc_space B inuse_objects 1 inuse_space B' "a profile of the heap has its four metrics and their units"
like "$(bench-convert "$data/pprof-cpu.pb.gz" -M cpu | bench-plot flame -o flame.svg 2>&1; cat flame.svg)" 'sort.partition_func' \
	"a profile of pprof becomes a flame graph"

# Files that are wrong, or made for a case that Go does not write.
gzip -dc "$data/pprof-mutex.pb.gz" >plain.pb
is "$(bench-convert plain.pb | wc -l)" 3 "a profile that is not compressed is read"
cat plain.pb plain.pb >two.pb
status 2 "two profiles one after the other are rejected" bench-convert two.pb
is "$(cat "$T/.err")" "bench-convert: two.pb: several profiles, one after the other: convert them one by one" \
	"the message about two profiles says what to do"
printf '\012\004\010\001\020\002' >cut.pb
status 2 "a profile of which the end is missing is rejected" bench-convert -f pprof cut.pb
is "$(cat "$T/.err")" "bench-convert: cut.pb: the file names string 1, but has 0 strings; it is damaged" \
	"the message names the missing string"
printf '\022\003\012\001\001\042\002\010\001' >typeless.pb # a sample of location 1, and location 1
status 2 "a profile without types of values is rejected" bench-convert -f pprof typeless.pb
is "$(cat "$T/.err")" "bench-convert: typeless.pb: no types of values; this is no profile of pprof" \
	"the message says that there are no types of values"
status 2 "the wrong name of a format is reported" bench-convert -f folded plain.pb
like "$(cat "$T/.err")" 'plain.pb: the format is pprof, not folded: omit -f' "the message names the format pprof"
status 2 "bench-stat does not read a profile of pprof" bench-stat plain.pb
like "$(cat "$T/.err")" 'plain.pb: a file of the format pprof .convert it: bench-convert plain.pb [|] bench-stat -' \
	"the hint says how to convert a profile of pprof"
{
	printf '\012\004\010\001\020\002'                         # a type: string 1 in string 2
	printf '\022\005\012\001\001\022\000\022\006\012\001\001\022\001\003' # samples of location 1: one without a value, one of 3
	printf '\042\002\010\001'                                 # location 1, without a line
	printf '\062\000\062\003cpu\062\014microseconds'
} >odd.pb
status 2 "a sample without a value is rejected" bench-convert odd.pb
is "$(cat "$T/.err")" "bench-convert: odd.pb: a sample has 0 values of 1 types; the file is damaged" \
	"the message says how many values a sample has"
{
	printf '\012\004\010\001\020\002\022\010\012\003\001\001\001\022\001\003' # three times location 1
	printf '\042\302\076\010\001'                                       # location 1, with 2000 lines
	yes | sed 2000q | while read -r _; do printf '\042\002\010\001'; done # of function 1
	printf '\052\004\010\001\020\003\062\000\062\003cpu\062\002ns\062\310\001%0200d' 0
} >deep.pb
status 2 "a small profile with a stack of more than a mebibyte is rejected" bench-convert deep.pb
is "$(cat "$T/.err")" "bench-convert: deep.pb: a stack has more than 1048576 bytes; the file is damaged" \
	"the message has the limit of a stack"
printf '\012\002\020\001\022\006\012\001\001\022\001\003\042\002\010\001\062\000\062\002ns' >nameless.pb
status 2 "a profile with values that have no name is rejected" bench-convert -f pprof nameless.pb
is "$(cat "$T/.err")" "bench-convert: nameless.pb: a type of values has no name; the file is damaged" \
	"the message says that values have no name"
{
	printf '\012\004\010\001\020\002\022\006\012\001\001\022\001\003\042\002\010\001'
	printf '\062\000\062\003cpu\062\014microseconds'
} >micro.pb
is "$(bench-convert micro.pb)" 'kind,stack,sample,metric,unit,value
command,[unknown],0,cpu,ns,3000' "a time in microseconds is converted to ns, and a location without a function is unknown"
{
	printf '\012\004\010\001\020\002\022\017\012\001\001\022\012\375\377\377\377\377\377\377\377\377\001\042\002\010\001'
	printf '\062\000\062\003cpu\062\014microseconds'
} >negative.pb
status 2 "the difference of two profiles is rejected" bench-convert negative.pb
like "$(cat "$T/.err")" 'negative.pb: a negative sum, as in the difference of two profiles' "the message about a difference says what it is"
sed 's/\x22\x02\x08\x01/\x22\x02\x08\x02/' micro.pb >lost.pb
status 2 "a location that is missing is reported" bench-convert lost.pb
is "$(cat "$T/.err")" "bench-convert: lost.pb: the file names location 1, but does not have it; it is damaged" \
	"the message names the missing location"
done_testing
