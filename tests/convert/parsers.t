#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that bench-convert writes, as parsers and schemas of their formats read them.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
cat >rows.csv <<'.'
bench,n,metric,unit,value
"a|b`c`<i>*x*_y_[l](u)~~s~~",1,wall,ns,1500
"a|b`c`<i>*x*_y_[l](u)~~s~~",1,wall,ns,2500
x\|y,2,odd|metric,1,7
"two
lines",,wall,ns,20
.
if skip_unless cmark-gfm "a parser of Markdown reads the table that bench-convert writes"; then
	# cells FILE: the cells of the table in a Markdown file, a line for each row
	cells() {
		cmark-gfm --unsafe -e table -e autolink -e strikethrough "$1" |
			sed -n 's/.*<t[dh][^>]*>\(.*\)<.t[dh]>/\1/p; s/^<.tr>/@/p' |
			sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | tr '\n@' ';\n' | sed 's/^;//; s/;$//; /^$/d'
	}
	bench-convert -t markdown -o odd.md rows.csv
	is "$(cells odd.md)" 'benchmark;metric;n;median;from;to;min;max
a|b`c`<i>*x*_y_[l](u)~~s~~/n=1;wall;2;2.000 µs;;;1.500 µs;2.500 µs
x\|y/n=2;odd|metric;1;7;;;7;7
two\nlines;wall;1;20 ns;;;20 ns;20 ns' "a parser of Markdown reads names with markup as they are"
	if skip_unless jq "a parser of Markdown reads a row for each subject and metric"; then
		bench-convert -t markdown -o many.md "$data/hyperfine-parameters.json"
		is "$(cells many.md | sed 1d | cut -d';' -f2,3 | sort)" \
			"$(bench-convert "$data/hyperfine-parameters.json" | bench-stat --json -s n | jq -r '.[] | "\(.metric);\(.n)"' | sort)" \
			"a parser of Markdown reads a row for each subject and metric"
	fi
fi

if skip_unless jsonschema "the files that bench-convert writes for Bencher fit its schema"; then
	cat >check.py <<'.'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
document = json.load(open(sys.argv[2]))
for error in jsonschema.Draft7Validator(schema).iter_errors(document):
    print(error.message)
print(sum(len(measures) for measures in document.values()))
.
	check() { python3 check.py "$ROOT/tests/fixtures/schemas/bencher.json" "$1"; }
	seq 1 9 | sed 's/.*/x,&,wall,ns,&00/; 1s/^/bench,sample,metric,unit,value\n/' >nine.csv
	for file in rows.csv nine.csv "$data/go.txt" "$data/hyperfine-failures.json"; do
		bench-convert -q -t bencher -o bencher.json "$file"
		is "$(check bencher.json)" "$(bench-convert -q -t markdown "$file" | sed 1,2d | wc -l)" \
			"Bencher's schema accepts each subject and metric of ${file##*/} that bench-convert writes"
	done
	echo '{"a": {"latency": {"lower_value": 1}}}' >bad.json
	is "$(check bad.json)" "'value' is a required property
1" "Bencher's schema rejects a measure without a value"
fi
done_testing
