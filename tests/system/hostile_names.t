#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile names in every text column, through every program: nothing is executed, nothing
# drives a terminal, and what went in comes out.
. "${0%/*}/../lib/tap.sh"

esc=$(printf '\033')
newline='two
lines'
# names: one a line but the last, which has a newline itself
cat >names <<'END'
`touch pwned`
$(touch pwned)
'; DROP TABLE benchmark_runs; --
"); system("touch pwned"); print("
{/Symbol a}_b^c
@M and %s%n%d
-o pwned
=cmd|' /C calc'!A0
\"touch pwned\"
a''b'c"d`e`
\n\t\\
EOD
$data << EOD
<script>alert(1)</script>&amp;
END
printf '%s]0;title\a%s[31mred\n' "$esc" "$esc" >>names
number=$(wc -l <names)

# quoted TEXT: a CSV field
quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/"/""/g')"; }
# table NAME: rows in which every text column is that name
table() {
	q=$(quoted "$1")
	for side in old new; do
		for sample in 0 1 2 3 4 5 6 7; do
			value=$((sample + 10))
			[ $side = old ] || value=$((value * 2))
			printf '%s,,%s,%s,%s,%s,%s,%s,%s,%d,%s,%s,%d,ok\n' \
				"$q" "$q" "$q" "$q" "$q" "$q" "$q" "$side" $sample "$q" "$q" $value
		done
	done
}
# The header has a hostile factor too.
header() { printf 'run,time,host,env,commit,kind,bench,%s,~side,sample,metric,unit,value,status\n' "$(quoted "$1")"; }

bad_csv=0 bad_store=0 bad_table=0 bad_compare=0 bad_plot=0
n=0
while [ $n -le "$number" ]; do
	n=$((n + 1))
	name=$(sed -n "${n}p" names)
	[ $n -le "$number" ] || name=$newline
	{ header "$name"; table "$name"; } >in.csv
	timeout 20 bench-stat in.csv >out.csv || bad_csv=$((bad_csv + 1))
	got=$(timeout 20 bench-stat --json -g bench -s n in.csv |
		perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; print decode_json(<>)->[0]{bench}')
	[ "$got" = "$name" ] || bad_csv=$((bad_csv + 1))
	rm -f h.db*
	if timeout 20 bench-store -q -D h.db add in.csv && timeout 20 bench-store -D h.db export >back.csv; then
		# the same rows in the same canonical form, whichever way they went
		[ "$(timeout 20 bench-stat back.csv)" = "$(cat out.csv)" ] || bad_store=$((bad_store + 1))
	else
		note "not stored: $name"
		bad_store=$((bad_store + 1))
	fi
	{
		timeout 20 bench-stat --table in.csv
		timeout 20 bench-store -D h.db list --table
		timeout 20 bench-store -D h.db info --table
		timeout 20 bench-compare -b '~side' --table in.csv
		timeout 20 bench-plot bar in.csv
	} >tables 2>&1
	[ "$(LC_ALL=C tr -d '\012\040-\176\200-\377' <tables | wc -c)" = 0 ] || bad_table=$((bad_table + 1))
	timeout 20 bench-compare -q -b '~side' in.csv >compared.csv
	[ $? -le 1 ] && [ -s compared.csv ] || bad_compare=$((bad_compare + 1))
	if have gnuplot; then
		for kind in bar box hist; do
			timeout 20 bench-plot $kind -o p.svg in.csv && LC_ALL=C grep -q '</svg>' p.svg &&
				! LC_ALL=C grep -q "$esc" p.svg || bad_plot=$((bad_plot + 1))
			timeout 20 bench-plot $kind --script in.csv | timeout 20 gnuplot >/dev/null 2>&1 || bad_plot=$((bad_plot + 1))
		done
	fi
done
is $bad_csv 0 'bench-stat writes hostile names unchanged'
is $bad_store 0 'bench-store exports hostile names unchanged'
is $bad_table 0 'no table contains a control character of a name'
is $bad_compare 0 'bench-compare compares sides with hostile names'
! skip_unless gnuplot 'bench-plot draws hostile names as text' || is $bad_plot 0 'bench-plot draws hostile names as text'
is "$(find . -name 'pwned*')" '' 'no program executes a part of a name'
is "$(bench-store -D h.db sql 'select count(*) from benchmark_runs' | tail -1)" 1 'bench-store executes no SQL in a name'

# bench-run: hostile names and parameters are words, not code
timeout 20 bench-run -q -e none -w 0 -r 1 --label 'l=$(touch pwned)' -P 'p=`touch pwned`,;touch pwned' \
	-n "$(sed -n 4p names)" -c 'echo {p}' >run.csv
is "$?$(bench-stat -g p -s n run.csv | grep -c ',wall,')" 02 'bench-run accepts hostile names and parameters'
is "$(find . -name 'pwned*')" '' 'bench-run executes no hostile parameter'
done_testing
