#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads each of the JSON documents that follow one another in a file, such as those
# of vllm bench serve --append-result.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# As vLLM appends results: each is one line, with a line feed between them
tr -d '\n' <"$data/vllm.json" >first.json
tr -d '\n' <"$data/vllm-failed.json" >second.json
printf '%s\n%s' "$(cat first.json)" "$(cat second.json)" >vllm.json
is "$(bench-convert vllm.json)" "$(bench-convert first.json second.json)" \
	'bench-convert reads results that vLLM appended to a file as it reads them in separate files'
is "$(bench-convert vllm.json | columns run | uniq | wc -l)" 2 'bench-convert gives each document of a file its own run'
is "$(bench-convert -f vllm vllm.json | wc -l)" "$(bench-convert vllm.json | wc -l)" \
	'bench-convert -f reads all documents of a file'
is "$(gzip -c vllm.json | bench-convert)" "$(bench-convert vllm.json)" \
	'bench-convert reads all documents of a compressed file'
cat "$data/hyperfine.json" "$data/gbench.json" >mixed.json
is "$(bench-convert mixed.json | cut -d, -f2-)" \
	"$(bench-convert "$data/hyperfine.json" "$data/gbench.json" | cut -d, -f2-)" \
	'bench-convert reads documents of different formats that are joined'
printf '{"a": "}{", "b": "\\"}{"}\n' >braces.json
bench-convert braces.json 2>err
is "$(cat err)" 'bench-convert: braces.json: JSON of an unknown format (bench-convert --list lists the known ones)' \
	'bench-convert does not take brackets in texts of JSON for a second document'

# Documents that cannot be read
rejects() {
	status 2 "bench-convert rejects $1" bench-convert "$2"
	is "$(cat "$T/.err")" "bench-convert: $3" "the message about $1 names the document"
}
printf '%s\n%s' "$(cat first.json)" "$(cut -c1-400 second.json)" >cut.json
rejects 'a file whose last document was cut off' cut.json \
	"cut.json (document 2):1: not valid JSON: premature end of input near '\"request_goodp'"
printf '%s\n{"x": 1}\n' "$(cat first.json)" >other.json
rejects 'a file with a document of an unknown format' other.json \
	'other.json (document 2): JSON of an unknown format (bench-convert --list lists the known ones)'
printf '%s\n%s\nend\n' "$(cat first.json)" "$(cat second.json)" >text.json
rejects 'a text after documents' text.json "text.json: text after 2 JSON documents: 'end'"
printf '%s\n{"a": \0 2}\n' "$(cat first.json)" >nul.json
status 2 'bench-convert rejects documents with a NUL byte' timeout 20 bench-convert nul.json
bench-convert "$data/vllm.json" "$data/vllm.json" 2>/dev/null >twice.csv
cat "$data/vllm.json" "$data/vllm.json" >same.json
bench-convert same.json 2>err | cmp - twice.csv
is "$?,$(cat err)" "0,bench-convert: same.json (document 2): the same contents as same.json (document 1), whose rows are therefore written twice" \
	'bench-convert reports documents with the same contents'
mkdir directory
cp "$data/hyperfine.json" directory/a.json
cp other.json directory/b.json
bench-convert directory 2>err >out.csv
is "$(cat err),$(cmp - out.csv <<.
$(bench-convert "$data/hyperfine.json")
.
)" 'bench-convert: 1 file in directories of an unknown format, first directory/b.json; skipped,' \
	'bench-convert skips a whole file in a directory if one of its documents has an unknown format'
done_testing
