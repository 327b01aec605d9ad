#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table of backends in a page of bench-report has a row for each kernel or model, data
# type, batch and other factors, with the ratios and verdicts of bench-compare.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
for need in gnuplot xmllint; do
	skip_unless $need "a report compares backends" || done_testing
done

of() { xmllint --html --xpath "$2" "$1" 2>/dev/null; }
# cells FILE XPATH: the values of a row of the table, numbers with all their digits
cells() {
	of "$1" "//table[@id='backends-table']/tbody/tr$2/td" | tr -d '\n' | sed 's/<\/td>/\n/g' |
		sed 's/.*data-value="\([^"]*\)".*/\1/; s/<[^>]*>//g' | paste -sd'|'
}
text() { of "$1" "//section[@id='$2']//p" | sed 's|</p>|\n|g; s/<[^>]*>//g' | grep .; }

# Three backends, two batches and two data types. The fastest one differs between batches;
# two of them are equal with one type, and slow does not support it.
awk 'function noise() { state = (state * 1103 + 12345) % 65536; return state / 65536 }
BEGIN {
	state = 7
	print "kind,bench,batch,dtype,backend,device,device_type,engine,option,sample,metric,unit,value,status"
	count = split("plain quick slow", backend, " ")
	for (batch = 1; batch <= 4; batch += 3)
		for (half = 0; half < 2; half++)
			for (b = 1; b <= count; b++)
				for (s = 0; s < 12; s++) {
					base = b == 1 ? 2000 : b == 2 ? 1000 : 5000
					if (batch == 4)
						base = b == 1 ? 3000 : b == 2 ? 9000 : 12000
					if (half)
						base = 1500
					printf("model,net,%d,%s,%s,a processor,cpu,%s,%s,%d,wall,ns,%s\n", batch, half ? "float16" : "float32",
						backend[b], b == 2 ? "quick 1.2" : "", b == 2 ? "fast" : "", s,
						half && b == 3 ? ",unsupported" : int(base * 1000 * (1 + 0.004 * noise())) ",ok")
				}
}' >s.csv
status 0 "bench-report writes a page about backends" bench-report -o page.html s.csv
is "$(of page.html "count(//table[@id='backends-table']/tbody/tr)")" 4 "the table of backends has a row for each batch and data type"
# row BATCH DTYPE: the fastest, the next, the ratio, the verdict and the others
row() { cells page.html "[td[2]='$1' and td[3]='$2']"; }
like "$(row 1 float32)" '^net[|]1[|]float32[|]wall[|]quick[|]1[0-9]*[|]plain[|]2[0-9]*[|]' \
	"a row has the fastest backend and the next one with their medians, and no rows of other data types"
like "$(row 4 float32)" '^net[|]4[|]float32[|]wall[|]plain[|]3[0-9]*[|]quick[|]9[0-9]*[|].*[|]faster[|]slow 4[.0-9]* times$' \
	"each batch has its own fastest backend, and the others have their ratios"
like "$(row 1 float16)" '[|]same[|]slow not measured$' "a row has the verdict that backends are the same, and a backend that was not measured"
# bench-compare matches subjects by all factors, so those of one backend are removed.
awk -F, -v OFS=, '{ $8 = $9 = ""; print }' s.csv | sed '1s/.*/kind,bench,batch,dtype,backend,device,device_type,,,sample,metric,unit,value,status/' |
	cut -d, -f 1-7,10- | grep -E '^kind|,1,float32,(plain|quick)' >two.csv
bench-compare --csv -b backend --reference quick --metric wall two.csv 2>/dev/null |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		/plain/ { printf("%.2f %.2f %.2f %s\n", $at["ratio"], $at["ratio_lo"], $at["ratio_hi"], $at["verdict"]) }' >want
is "$(row 1 float32 | awk -F'|' '{ printf("%.2f %.2f %.2f %s\n", $9, $10, $11, $12 == "faster" ? "worse" : $12) }')" "$(cat want)" \
	"the ratio, its interval and the verdict are those of bench-compare with the fastest as its reference"
is "$(text page.html backends | head -1)" \
	'Of 4 comparisons, quick is the fastest in 1, plain is the fastest in 1, and no backend is clearly the fastest in 2.' \
	"the report counts how often each backend is the fastest"
grep -E '^kind|,1,float32,' s.csv >one.csv
bench-report -o one.html one.csv
is "$(text one.html backends | head -1)" 'Of 1 comparison, quick is the fastest in 1.' "the report counts a single comparison in the singular"
grep -E '^kind|float16,(plain|quick)' s.csv >equal.csv
bench-report -o equal.html equal.csv
is "$(text equal.html backends | head -1)" 'No backend is clearly the fastest in any of 2 comparisons.' "the report states that no backend is the fastest"
is "$(of page.html "count(//section[@id='backends']//details)")" 0 "a short table of backends is not in a fold"
unlike "$(text page.html answer)" 'dtype=float16 .*than' "the answer does not compare data types if backends differ"

# A long list.
awk -F, -v OFS=, 'NR == 1 { print; next } { for (i = 1; i <= 8; i++) { $2 = "net" i; print } }' s.csv >long.csv
bench-report -o long.html long.csv
is "$(of long.html "count(//section[@id='backends']//details//tbody/tr)")" 32 "a long table of backends is in a fold and complete"
like "$(text long.html answer)" '^[0-9]* more sets of subjects can be compared: see Backends[.]' "the answer refers to the table of backends"

# Backends that have no data type in common.
awk -F, '/^kind/ || ($5 == "plain" && $4 == "float32") || ($5 == "quick" && $4 == "float16")' s.csv >types.csv
bench-report -o types.html types.csv
like "$(cells types.html "[td[2]='1']")" '[|]quick dtype=float16[|].*[|]plain dtype=float32[|]' \
	"backends without a common data type are compared, and their names have the types"

# One backend with two devices, and backends that share nothing.
sed '/quick/d; /slow/d; s/a processor/a/; p; s/,a,cpu/,b,gpu/' s.csv | awk '!seen[$0]++' >devices.csv
bench-report -o devices.html devices.csv
is "$(of devices.html "count(//section[@id='backends'])")" 0 "a report of one backend has no table of backends"
awk -F, '/^kind/ || ($5 == "plain" && $3 == 1) || ($5 == "quick" && $3 == 4)' s.csv >apart.csv
bench-report -o apart.html apart.csv
is "$(text apart.html backends)" 'No two backends ran the same kernel or model at the same size.' "a report says that backends have nothing in common"
bench-report --baseline s.csv -o both.html s.csv
is "$(of both.html "count(//section[@id='backends'])")" 0 "a comparison with a baseline has no table of backends"

done_testing
