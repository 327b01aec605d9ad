#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that bench-convert writes, as parsers and schemas of their formats read them.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
rows=$ROOT/tests/fixtures/data/markup.csv
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
	for file in "$rows" nine.csv "$data/go.txt" "$data/hyperfine-failures.json"; do
		bench-convert -q -t bencher -o bencher.json "$file"
		is "$(check bencher.json)" "$(bench-convert -q -t markdown "$file" | sed 1,2d | grep -c '^|')" \
			"Bencher's schema accepts each subject and metric of ${file##*/} that bench-convert writes"
	done
	echo '{"a": {"latency": {"lower_value": 1}}}' >bad.json
	is "$(check bad.json)" "'value' is a required property
1" "Bencher's schema rejects a measure without a value"
fi
done_testing
