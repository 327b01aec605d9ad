#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-convert says about files that it cannot read or write, and about those that it skips.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
cp "$data/go.txt" .
echo 'Dear Sir or Madam' >letter.txt

# message COMMAND...: the message of a command that must fail with status 2 and without output
message() {
	"$@" >out 2>err
	echo "$? $(wc -c <out) $(cat err)"
}

# Formats
is "$(bench-convert --list | sed -n 's/^table,//p' | cut -d, -f1,2)" yes,no 'bench-convert --list says that tables can be read'
is "$(message bench-convert --list go.txt)" '2 0 bench-convert: --list takes no files (see bench-convert --help)' \
	'bench-convert --list rejects files'
is "$(message bench-convert -f go letter.txt go.txt)" \
	'2 0 bench-convert: letter.txt: no measurements in the format go' \
	'bench-convert rejects a named file that has no measurements in the format of -f'

is "$(printf '{"a": 1}\n{"results": {}}\n' >two.json; bench-convert --detect --csv go.txt letter.txt two.json 2>err; echo $?)" \
	'file,format,convert
go.txt,go,yes
letter.txt,,
two.json,,
1' 'bench-convert --detect lists the format of each file, and ends with status 1 if one has none'
is "$(cut -c1-43 err)" 'bench-convert: letter.txt: unknown format (
bench-convert: two.json (document 1): JSON ' 'bench-convert --detect says why a format is not known'
cat "$data/vllm.json" "$data/vllm.json" >joined.json
is "$(bench-convert --detect --csv joined.json)" 'file,format,convert
joined.json (document 1),vllm,yes
joined.json (document 2),vllm,yes' 'bench-convert --detect lists each JSON document of a file'
mkdir -p results/deep
cp go.txt letter.txt results/deep
is "$(bench-convert -q --detect --csv results 2>&1)" 'file,format,convert
results/deep/go.txt,go,yes
results/deep/letter.txt,,' 'bench-convert -q --detect lists all files in a directory without messages'
bench-convert go.txt >rows.csv
bench-convert -t json go.txt >rows.json
bench-convert -t json-lines go.txt >rows.jsonl
bench-stat --csv rows.csv >statistics.csv
is "$(bench-convert --detect --csv rows.csv rows.json rows.jsonl statistics.csv)" 'file,format,convert
rows.csv,csv,no
rows.json,json,no
rows.jsonl,json,no
statistics.csv,table,no' 'bench-convert --detect lists files that all programs read as not to be converted'
is "$(message bench-convert --detect -t json go.txt)" \
	'2 0 bench-convert: --detect cannot be combined with -f, -t, --one-header, --list, -m, -n, --set, --filter, -M or -o (see bench-convert --help)' \
	'bench-convert --detect rejects options of a conversion'

for pair in 'vllm vegeta' 'sglang vllm' 'ab criterion-console'; do
	named=${pair% *} is=${pair#* }
	cp "$data/$is".* "$data/../formats/$is".* . 2>/dev/null
	set -- "$is".*
	is "$(message bench-convert -f "$named" "$1")" "2 0 bench-convert: $1: the format is $is, not $named: omit -f" \
		"bench-convert -f $named rejects a file of $is"
done

is "$(message bench-convert -m a -f go go.txt)" \
	'2 0 bench-convert: --melt reads CSV and cannot be combined with --from go (see bench-convert --help)' \
	'bench-convert rejects --melt with a format other than CSV'

bench-convert go.txt | bench-stat >stat.csv
is "$(message bench-convert -t markdown stat.csv)" \
	'2 0 bench-convert: stat.csv: no table of measurements, so it cannot be written as markdown' \
	'bench-convert rejects statistics for a format of measurements'

# Directories
mkdir one letters
cp letter.txt go.txt one
is "$(message bench-convert one | sed 's/^0 [0-9]*/0/')" \
	'0 bench-convert: 1 file in directories of an unknown format, first one/letter.txt; skipped' \
	'bench-convert names the first file of an unknown format in a directory'
is "$(message bench-convert -f go one | sed 's/^0 [0-9]*/0/')" \
	'0 bench-convert: 1 file in directories without measurements, first one/letter.txt; skipped' \
	'bench-convert names the first file in a directory that has no measurements in the format of -f'
cp letter.txt letters/a.txt
sed s/Sir/Lady/ letter.txt >letters/b.txt
is "$(message bench-convert -f go letters)" '2 0 bench-convert: no file in the directories has measurements' \
	'bench-convert rejects a directory without measurements in the format of -f'
mkdir many
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do cp go.txt many/$n.txt; done
bench-convert many >out 2>err
is "$(wc -l <err) $(tail -n 1 err)" '11 bench-convert: more files with the same contents as others: 1' \
	'bench-convert names at most ten files with the same contents'

# Files that are no texts
gzip -c go.txt | gzip >twice.gz
is "$(message bench-convert twice.gz)" \
	'2 0 bench-convert: twice.gz: compressed twice with gzip, which is not read: decompress the file first' \
	'bench-convert recognizes a file that was compressed twice'
iconv -f UTF-8 -t UTF-16 go.txt >wide.txt
is "$(message bench-convert wide.txt)" \
	'2 0 bench-convert: wide.txt: text in UTF-16, which is not read: convert it first (iconv -f UTF-16 -t UTF-8 FILE | bench-convert)' \
	'bench-convert recognizes text in UTF-16'
for program in xz:xzcat zstd:zstdcat bzip2:bzcat; do
	decompress=${program#*:} program=${program%:*}
	name="bench-convert recognizes a file that $program compressed"
	skip_unless "$program" "$name" || continue
	$program -c go.txt >go.packed
	is "$(message bench-convert go.packed)" \
		"2 0 bench-convert: go.packed: compressed with $program, which is not read: decompress the file first ($decompress FILE | bench-convert)" "$name"
done
printf 'PERFILE2h\0' >perf.data
is "$(message bench-convert perf.data)" \
	'2 0 bench-convert: perf.data: a profile of perf record, not a text file: convert it first (perf script -i FILE | bench-convert)' \
	'bench-convert recognizes a profile of perf record, and does not name itself twice'
is "$(message bench-convert /bin/sh)" '2 0 bench-convert: /bin/sh: a program or library, not a text file' \
	'bench-convert rejects a program as a file'

# Names
is "$(message bench-convert '')" '2 0 bench-convert: the name of an input file is empty' 'bench-convert rejects an empty name of a file'
is "$(message bench-convert -o '' go.txt)" '2 0 bench-convert: the name of an output file is empty' \
	'bench-convert -o rejects an empty name'
is "$(message bench-convert -o one/ go.txt)" '2 0 bench-convert: one/: the name of a file cannot end in a slash' \
	'bench-convert -o rejects the name of a directory'
done_testing
