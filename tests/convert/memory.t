#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The memory that bench-convert needs for a large JSON file is in proportion to the file.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

skip_unless unsanitized 'bench-convert reads large files in little memory' || { done_testing; exit; }

# peak FILE: prints the peak memory of reading a file, in multiples of its size
peak() {
	bench-run -q -r 1 -n convert --csv -- bench-convert -q -o /dev/null "$1" | columns metric,value - |
		awk -F , -v size="$(wc -c <"$1")" '$1 == "max_rss" { printf "%.1f\n", $2 / size }'
}

# 16 MB: 20 commands with 40,000 times each
awk 'BEGIN {
	printf "{\"results\": ["
	for (i = 0; i < 20; i++) {
		printf "%s{\"command\": \"c%d\", \"mean\": 0.1, \"times\": [", i ? ", " : "", i
		for (k = 0; k < 40000; k++)
			printf "%s0.%017d", k ? ", " : "", (k * 7919 + i) % 1000003
		printf "]}"
	}
	print "]}"
}' >hyperfine.json
# 16 MB: 40,000 records of 12 members
awk 'BEGIN {
	printf "{\"context\": {\"host_name\": \"box\"}, \"benchmarks\": ["
	for (i = 0; i < 40000; i++)
		printf "%s\n {\"name\": \"BM_copy/%d\", \"family_index\": %d, \"per_family_instance_index\": 0," \
			" \"run_name\": \"BM_copy/%d\", \"run_type\": \"iteration\", \"repetitions\": 1," \
			" \"repetition_index\": 0, \"threads\": 1, \"iterations\": 1000, \"real_time\": %d.5," \
			" \"cpu_time\": %d.25, \"time_unit\": \"ns\"}", i ? "," : "", i, i, i, i, i
	print "]}"
}' >gbench.json
for format in hyperfine gbench; do
	multiple=$(peak $format.json)
	ok "reading a large file of the format $format needs less than four times its size, here $multiple" \
		awk -v x="$multiple" 'BEGIN { exit !(x > 0 && x < 4) }'
done
done_testing
