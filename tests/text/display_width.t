#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables and plots whose names take other columns than characters line up when their columns are
# counted by Python's copy of Unicode's data.
. "${0%/*}/../lib/tap.sh"

cat >columns.py <<'END'
import re, sys, unicodedata

def width(c):
    if unicodedata.category(c) in ("Mn", "Me", "Cf") and c != "\u00ad":
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1

# A text with one character for each of its columns.
def spread(text):
    return "".join(c * width(c) for c in text)

lines = [spread(line) for line in sys.stdin.buffer.read().decode().splitlines()]
if sys.argv[1] == "table":
    rows = [[m.span() for m in re.finditer(r"\S+(?: \S+)*", line)] for line in lines]
    for column in zip(*rows):
        if len({start for start, _ in column}) > 1 and len({end for _, end in column}) > 1:
            print("not aligned:", column)
    if len({len(row) for row in rows}) > 1:
        print("rows differ in their number of cells")
    print(len(rows), "rows of", len(rows[0]))
else: # the columns where a character comes first
    print(*sorted({line.index(sys.argv[1]) for line in lines if sys.argv[1] in line}))
END
names='ascii 快速排序 ソート ｿｰﾄ Ｓｏｒｔ 정렬 café naïve 👍 👩‍🔬 ☕️ n̈ ক্ষ x­y 長い名前の関数（二番目）'
{
	echo bench,metric,unit,value
	for name in $names; do
		for value in 1 2 4; do echo "$name,wall,ns,${value}00"; done
	done
} >wide.csv
if skip_unless python3 'tables and bars of names in several scripts are aligned'; then
	export PYTHONIOENCODING=utf-8
	is "$(bench-stat --table wide.csv | python3 columns.py table)" '16 rows of 13' \
		'a table of names in several scripts is aligned'
	# gnuplot 5.4 repeats the cell after a character beyond the basic plane.
	grep -v '👍\|👩' wide.csv | LC_ALL=C.UTF-8 bench-plot bar -F txt --size 100x40 >plot
	is "$(python3 columns.py '█' <plot | wc -w)" 1 'bars of names in several scripts begin in one column'
	is "$(grep -c '█' plot)" 13 'the plot has a bar for each name'
fi
done_testing
