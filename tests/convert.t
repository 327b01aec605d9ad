#!/bin/sh
# bench-convert: each format in and out, the traps of real files, and files that are none.
. "${0%/*}/lib.sh"

data=$ROOT/tests/data/convert
# rows FORMAT-OR-FILE [OPTION...]: the file's rows as bench,metric,unit,value,status
rows() {
	file=$1
	shift
	bench-convert "$@" "$file" >"$T/.rows" || return
	columns bench,sample,iterations,metric,unit,value,status <"$T/.rows"
}
# columns LIST: these columns of simple CSV on standard input, without the header
columns() {
	awk -F , -v list="$1" '
		NR == 1 { n = split(list, name, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = ""
		for (i = 1; i <= n; i++)
			line = line (i > 1 ? "," : "") (name[i] in at ? $at[name[i]] : "")
		print line }'
}

# hyperfine
like "$(rows "$data/hyperfine.json")" '^echo 1,0,1,wall,ns,978790,ok$' \
	'hyperfine: each time is a sample in ns'
like "$(rows "$data/hyperfine.json")" '^echo 1,,4,user,ns,856000,ok$' \
	'and user the mean of four'
is "$(bench-convert "$data/hyperfine.json" | columns n,metric | sort | uniq -c | tr -s ' ')" \
	' 1 1,sys
 1 1,user
 4 1,wall
 1 2,sys
 1 2,user
 4 2,wall' 'a parameter is a factor'
cat >h.json <<'.'
{"results": [{"command": "a", "mean": 0.0003, "stddev": null, "median": 0.0003, "user": 0.1,
 "system": 0.07, "min": 0.0003, "max": 0.0003, "times": [0.0003, 0.0001], "exit_codes": [0, 3],
 "memory_usage_byte": [4096, 8192]}]}
.
is "$(rows h.json)" 'a,0,1,wall,ns,300000,ok
a,0,1,max_rss,B,4096,ok
a,1,1,wall,ns,100000,failed:exit=3
a,1,1,max_rss,B,8192,failed:exit=3
a,,2,user,ns,100000000,ok
a,,2,sys,ns,70000000,ok' 'numbers are scaled as decimals; memory; what failed is not ok'
echo '{"results": [{"command": "a", "mean": 0.5, "stddev": 0.1, "min": 0.4, "max": 0.7}]}' >h.json
is "$(rows h.json)" 'a,,,wall,ns,500000000,
a,,,wall_sd,ns,100000000,
a,,,wall_min,ns,400000000,
a,,,wall_max,ns,700000000,' 'a summary is no sample'

# Google Benchmark
is "$(bench-convert "$data/gbench.json" | columns bench,threads,label,sample,metric,status |
	grep -c wall)" 8 'Google Benchmark: a row for each repetition, none for aggregates'
like "$(rows "$data/gbench.json")" '^fails,0,1,wall,ns,,failed$' 'an error has no value'
like "$(bench-convert "$data/gbench.json" | columns bench,threads,label,metric)" \
	'^slow,2,with label,wall$' 'threads and a label are factors, real_time is none'
like "$(rows "$data/gbench.json")" '^copy/1024,0,[0-9]+,bandwidth,B/s,' 'bytes per second'
is "$(rows "$data/gbench-aggregates.json" | grep '^copy/1024.*wall' | cut -d, -f1-4)" \
	'copy/1024,,,wall
copy/1024,,,wall_median
copy/1024,,,wall_sd' 'aggregates where nothing else was kept'

# Round trips
values() { columns bench,metric,unit,value | grep -E ',(wall|user|sys|cpu_time|bandwidth),.*[0-9]$'; }
for to in csv json; do
	is "$(bench-convert -t $to "$data/gbench.json" | bench-convert)" \
		"$(bench-convert "$data/gbench.json")" "$to gives back the rows"
done
is "$(bench-convert -t gbench "$data/gbench.json" | bench-convert | values)" \
	"$(bench-convert "$data/gbench.json" | values)" 'so does gbench'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert | values)" \
	"$(bench-convert "$data/hyperfine.json" | values)" 'and hyperfine'
is "$(bench-convert -t hyperfine "$data/hyperfine.json" | bench-convert -t hyperfine | md5sum)" \
	"$(bench-convert -t hyperfine "$data/hyperfine.json" | md5sum)" 'to the byte'

# A foreign table
printf 'size,secs\n1,0.5\n2,0.7\n' >wide.csv
is "$(bench-convert -m secs:s -n mine wide.csv)" 'bench,size,metric,unit,value
mine,1,secs,s,0.5
mine,2,secs,s,0.7' 'a foreign CSV is melted, and gets a name'

# Output files
echo old >out.json
status 2 'what cannot be read' bench-convert -t hyperfine -o out.json -m value wide.csv
is "$(cat out.json)" old 'leaves the old file'
ok 'a file is written' bench-convert -t hyperfine -o out.json "$data/hyperfine.json"
is "$(bench-convert out.json | wc -l)" 13 'whole'
is "$(ls out.json*)" out.json 'and nothing beside it'
status 2 'a full disk is told' sh -c 'bench-convert "$1" >/dev/full' sh "$data/gbench.json"

# refused DESCRIPTION TEXT: one line, status 2, nothing on standard output
refused() {
	printf '%b' "$2" >bad
	bench-convert bad >"$T/.out" 2>"$T/.err"
	is "$?,$(wc -c <"$T/.out"),$(wc -l <"$T/.err")" 2,0,1 "$1"
}
refused 'an empty file' ''
refused 'prose' 'Dear Sir or Madam\n'
refused 'a NUL' 'metric,value\nwall,\0001\n'
refused 'half a document' '{"results": [{"command": '
refused 'a member named twice' '{"results": [{"command": "a", "command": "b", "mean": 1}]}'
refused 'no UTF-8' '{"results": [{"command": "a\0377", "mean": 1}]}'
refused 'a number beyond doubles' '{"results": [{"command": "a", "mean": 1, "times": [1e999]}]}'
refused 'no measurements' '{"results": [{"command": "a", "mean": null}, {"mean": 1}]}'
{ yes '[' | head -10000 | tr -d '\n' && yes ']' | head -10000 | tr -d '\n'; } >deep
status 2 '10,000 brackets' bench-convert deep
status 2 'a format that is none' bench-convert -f nothing "$data/gbench.json"
like "$(cat "$T/.err")" "no format 'nothing' to read, only " 'with those that are'
status 2 'two files' bench-convert "$data/gbench.json" "$data/gbench.json"
done_testing
