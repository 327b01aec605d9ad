#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other programs read a stream as bench-csv(5) shows: no value is rounded, and no name is treated as a number.
. "${0%/*}/../lib/tap.sh"

# Whole numbers before fractions, factors like numbers or missing values, samples that do not count.
awk 'BEGIN {
	print "env,fact,value\n123e4,kernel,6\nenv,run,bench,n,sample,metric,unit,value,status"
	for (i = 0; i < 30000; i++) {
		value = i < 25000 ? i : i + 0.25
		failed = i % 7 == 3
		printf "123e4,r,\"a, b\",%s,%d,wall,ns,%s,%s\n", substr("010 10  1e1 NA      ", i % 5 * 4 + 1, 4),
			i - 5, failed && i % 2 ? "" : value, failed ? "timeout" : "ok"
	}
	print ",r,,,,rows,1,30000,ok"
}' | sed 's/ *,/,/g' >rows.csv
# display N: the Nth display of the section, as a reader pastes it
display() {
	awk -v n="$1" '/^\.Sh/ { here = /READING WITH OTHER PROGRAMS/ }
		here && /^\.Bd/ { seen++; next }
		/^\.Ed/ { here = here && seen < n }
		here && seen == n { gsub(/\\e/, "\\"); print }' "$ROOT/man/bench-csv.5"
}
display 1 | sed 1d | sh
bench-stat --csv -g n -s mean one.csv | awk -F, 'NR > 1 { printf "%s,%s,%s,%.9g\n", $1, $2, $3, $4 }' | sort >expected
is "$(cut -d, -f1 expected | tr '\n' ' ')" ' 010 10 1e1 NA ' "bench-stat keeps factors apart that are equal as numbers"

display 2 | sed '/^Rscript/,$d' | sh | awk -F'|' '{ printf "%s,%s,%s,%.9g\n", $1, $2, $3, $4 }' | sort >sqlite
is "$(cat sqlite)" "$(cat expected)" "SQLite reads what bench-stat reads, as the manual shows"
if skip_unless R "R reads what bench-stat reads, as the manual shows"; then
	display 2 | sed '1,/GROUP BY/d; s/aggregate(.*, mean)/d <- &\n write.table(format(d, digits = 15), sep = ",", quote = F, row.names = F, col.names = F)/' |
		sh | tr -d ' ' | awk -F, '{ printf "%s,%s,%s,%.9g\n", $1, $2, $3, $4 }' | sort >R
	is "$(cat R)" "$(cat expected)" "R reads what bench-stat reads, as the manual shows"
fi
# in_python NAME DISPLAY END: what Python prints after a display and a last line, as in expected
in_python() {
	{ display "$2" | sed "$4" && echo "$3"; } >"$1.py"
	"$VENV/bin/python3" "$1.py" | awk -F, '{ printf "%s,%s,%s,%.9g\n", $1, $2, $3, $4 }' | sort
}
if skip_unless duckdb "DuckDB reads what bench-stat reads, as the manual shows"; then
	is "$(in_python duck 3 '""").write_csv("/dev/stdout", header=False)' '1s/^/import duckdb\nduckdb.sql("""/')" \
		"$(cat expected)" "DuckDB reads what bench-stat reads, as the manual shows"
fi
if skip_unless pandas "pandas reads what bench-stat reads, as the manual shows"; then
	is "$(in_python pd 4 'print(d.to_csv(header=False), end="")' "\$s/^/d = /")" \
		"$(cat expected)" "pandas reads what bench-stat reads, as the manual shows"
fi
if skip_unless polars "polars reads what bench-stat reads, as the manual shows"; then
	is "$(in_python pl 5 'print(d.write_csv(include_header=False), end="")' "\$s/^/d = /")" \
		"$(cat expected)" "polars reads what bench-stat reads, as the manual shows"
fi
done_testing
