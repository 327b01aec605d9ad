#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-compare with many rows: corrections, geometric means, and columns of equal names.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

header=run,host,bench,sample,metric,unit,value,status
table() { echo "$header" && cat; }

# Forty benchmarks, which are slower by different amounts.
for i in $(seq 40); do samples a "b$i" 1e7 0.05 12 "$i"; done | table >old.csv
for i in $(seq 40); do samples b "b$i" "$((10000000 + i * 20000))" 0.05 12 "$((i + 99))"; done | table >new.csv
if skip_unless R 'corrections agree with R'; then
	# Hexadecimal: neither side rounds.
	hex() { perl -ne 'chomp; printf "%a\n", $_'; }
	bench-compare -q --no-geomean --adjust none old.csv new.csv >none.csv
	column p none.csv | hex >p.hex
	cat >adjust.R <<'END'
p <- as.numeric(readLines("p.hex"))
method <- c(holm = "holm", bh = "BH", none = "none")[commandArgs(TRUE)[1]]
writeLines(sprintf("%a", p.adjust(p, method)))
END
	for method in holm bh none; do
		bench-compare -q --no-geomean --adjust $method old.csv new.csv | column p_adj - | hex >got
		Rscript --vanilla adjust.R $method >want 2>/dev/null
		ok "p_adj by $method agrees with R to the last bit" cmp got want
	done
	ok 'the corrected p include many different and some equal ones' test "$(sort -u p.hex | wc -l)" -gt 25
fi
is "$(bench-compare -q old.csv new.csv)" "$(bench-compare -q --adjust holm old.csv new.csv)" \
	"the default of --adjust is holm"
worse() { bench-compare -q --threshold 0% --adjust "$1" old.csv new.csv | column verdict - | grep -c worse; }
holm=$(worse holm) bh=$(worse bh) none=$(worse none)
ok "holm finds fewer worse rows than bh, and bh fewer than none ($holm, $bh, $none)" test "$holm" -lt "$bh" -a "$bh" -lt "$none"
status 2 'bench-compare refuses an unknown correction' bench-compare --adjust fdr old.csv new.csv
like "$(cat .err)" "--adjust: unknown value 'fdr' .there are: holm, bh, none" 'bench-compare names the unknown correction'

# More rows than are compared at a time: each has the ratio of its own values.
rows() { awk -v run="$1" 'BEGIN { print "run,bench,sample,metric,unit,value"
	for (i = 1; i <= 17000; i++) printf "%s,b%d,0,wall,ns,%d\n", run, i, run == "o" ? 1000 : 1000 + i }'; }
rows o >old_rows.csv
rows n >new_rows.csv
is "$(bench-compare -q --no-geomean old_rows.csv new_rows.csv |
	awk -F, 'NR > 1 { n++; i = substr($1, 2); wrong += $6 != 1000 || $7 != 1000 + i || $8 - 1 - i / 1000 > 1e-9 || $8 == "" }
		END { print n + 0, wrong + 0 }')" '17000 0' 'each of 17,000 rows has its own values and ratio'

# Geometric means.
cat >old3.csv <<'END'
run,bench,sample,metric,unit,value
o,a,0,wall,ns,10
o,b,0,wall,ns,1000
o,c,0,wall,ns,7
o,zero,0,wall,ns,0
o,a,0,max_rss,B,4
o,b,0,max_rss,B,4
o,a,0,sys,ns,4
END
cat >new3.csv <<'END'
run,bench,sample,metric,unit,value
n,a,0,wall,ns,20
n,b,0,wall,ns,4000
n,c,0,wall,ns,7
n,zero,0,wall,ns,5
n,a,0,max_rss,B,4
n,b,0,max_rss,B,1
n,a,0,sys,ns,4
END
bench-compare -q old3.csv new3.csv >.out
is "$(grep geomean .out | cut -d, -f1-5,8)" ',wall,ns,3,3,2
,max_rss,B,2,2,0.5' 'each metric that several subjects have gets a geometric mean of its ratios'
is "$(grep geomean .out | awk -F, '{ printf "%.4f %.4f,", $6, $7 }')" '41.2129 82.4257,4.0000 2.0000,' \
	'a geometric mean has the geometric means of both sides'
is "$(bench-compare -q --no-geomean old3.csv new3.csv)" "$(grep -v geomean .out)" '--no-geomean leaves out the rows of geometric means'
is "$(column verdict .out | tail -n 2 | sort -u)" geomean 'geometric means are the last rows of the table'
bench-compare -q old.csv new.csv >.out
awk -F, 'NR > 1 && $14 != "geomean" { n++; r += log($8); lo += log($8 / $9) ^ 2; hi += log($10 / $8) ^ 2 }
	$14 == "geomean" { want[1] = exp(r / n); want[2] = exp((r - sqrt(lo)) / n); want[3] = exp((r + sqrt(hi)) / n)
		for (i = 1; i <= 3; i++) { d = $(7 + i) / want[i] - 1; if (d < -1e-12 || d > 1e-12) exit 1 }
		found = 1 }
	END { exit !found }' .out
result $? 'the interval of a geometric mean adds the squares of the arms'
# The interval contains the true mean of the ratios, 1 + 0.002 i.
awk -F, '$14 == "geomean" { for (i = 1; i <= 40; i++) t += log(1 + i * 0.002)
	t = exp(t / 40); exit !($9 < t && t < $10 && $10 - $9 < 0.03) }' .out
result $? 'the interval of a geometric mean encloses the true mean closely'
# The success rate of all subjects is 1, so its rows are not in a table.
for side in old3 new3; do
	{ cat $side.csv; sed -n 's/wall,ns,.*/ok,1,1/p' $side.csv; } >$side.ok.csv
done
means() { bench-compare -q "$@" old3.ok.csv new3.ok.csv | grep -cE 'geomean|^. <code>(ok|wall).* . 3 '; }
is "$(means --csv) $(means --table) $(means --table -v) $(means --markdown)" "3 1 3 1" 'a table and Markdown have no geometric mean of only rows that they leave out'
is "$(bench-compare -q -b bench new3.csv | grep -c geomean)" 0 'a single subject has no geometric mean'
{ cat old3.csv; tail -n +2 new3.csv | sed 's/^n/m/'; tail -n +2 new3.csv | sed 's/$/0/'; } >three.csv
is "$(bench-compare -q -b run three.csv |
	awk -F, '/geomean/ { printf "%s,%s,%s,%.9g\n", $1, $2, $3, $9 }')" 'm,,wall,2
n,,wall,20
m,,max_rss,0.5
n,,max_rss,5' 'each of several new sides has its own geometric means'

# Columns of equal names.
cat >names.csv <<'END'
run,bench,p,verdict,n,n_,metric,unit,value
r,a,1,old,5,6,wall,ns,10
s,a,1,old,5,6,wall,ns,10
END
is "$(bench-compare -q -b run names.csv | head -n 1 | cut -d, -f1-8)" run,bench,p_,verdict_,n,n_,metric,unit \
	'bench-compare renames factors that have the names of columns of the result'
is "$(bench-compare -q -b run names.csv | head -n 1 | tr ',' '\n' | sort | uniq -d)" '' 'no two columns have the same name'
sed -e '1s/,p,/,level,/' -e '/^s/s/10$/20/' names.csv >level.csv
like "$(bench-compare -q -b run --table level.csv | head -n 1)" '^run +bench +level +verdict_ ' \
	'bench-compare --table does not rename a factor that has the name of a hidden column'
is "$(bench-compare -q -b run level.csv | head -n 1 | cut -d, -f1-3)" run,bench,level_ \
	'bench-compare renames a factor that has the name of a column in CSV'
is "$(bench-stat -s n,min names.csv | head -n 1)" bench,p,verdict,n__,n_,metric,unit,n,min 'bench-stat renames factors that have the names of its statistics'
like "$(bench-stat --table names.csv | head -n 1)" '^bench +p +verdict +n__ +n_ +metric +n ' 'columns of equal names get other names in a table'
status 0 'a column is chosen by its own name' bench-stat -g n -s n names.csv
is "$(cat .out)" 'n_,metric,unit,n
5,wall,ns,2' 'a column that was renamed in the output keeps its values'
done_testing
