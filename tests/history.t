#!/bin/sh
# bench-compare --history: series from rows, their order, the changes found, and what is said.
. "${0%/*}/lib.sh"

# column NAME FILE: the column's values, one a line
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ print $c }' "$2"
}
# history COUNT AT STEP SEED [NOISE [R [BENCH]]]: rows of that many commits, three samples each;
# from commit AT on STEP times as much; noise of a standard deviation in per cents, each value
# with R of the one before
history() {
	awk -v n="$1" -v at="$2" -v step="$3" -v seed="$4" -v noise="${5:-1}" -v r="${6:-0}" -v bench="${7:-sort}" '
	function normal(    z, k) { for (k = 0; k < 12; k++) z += rand(); return z - 6 }
	BEGIN {
		srand(seed); e = normal()
		print "run,time,host,env,commit,bench,sample,metric,unit,value,status"
		for (i = 0; i < n; i++) {
			if (i) e = r * e + sqrt(1 - r * r) * normal()
			for (s = 0; s < 3; s++)
				printf "r%d,2026-01-%02dT%02d:00:00Z,h,e1,c%03d,%s,%d,wall,ns,%.0f,ok\n", i,
					1 + i / 24, i % 24, i, bench, s,
					1e7 * (i >= at ? step : 1) * (1 + (e + (s - 1) / 10) * noise / 100)
		}
	}'
}

# The flow of the Nile, 1871 to 1970 (G. W. Cobb, "The problem of the Nile", Biometrika 65
# (1978); R's dataset Nile): less after 1898.
tr ' ' '\n' >flows <<'END'
1120 1160 963 1210 1160 1160 813 1230 1370 1140 995 935 1110 994 1020 960 1180 799 958 1140
1100 1210 1150 1250 1260 1220 1030 1100 774 840 874 694 940 833 701 916 692 1020 1050 969
831 726 456 824 702 1120 1100 832 764 821 768 845 864 862 698 845 744 796 1040 759
781 865 845 944 984 897 822 1010 771 676 649 846 812 742 801 1040 860 874 848 890
744 749 838 1050 918 986 797 923 975 815 1020 906 901 1170 912 746 919 718 714 740
END
awk 'BEGIN { print "time,commit,metric,value" }
	{ print 1870 + NR "-07-01," 1870 + NR ",flow," $1 }' flows >nile.csv
status 0 "the Nile: a metric without a name of its own is better lower" \
	bench-compare --history nile.csv
is "$(cut -d, -f4-9 .out)" "time,commit_before,commit,before,after,ratio
1899-07-01,1898,1899,1130,842.5,0.745575221238938" "... and changed once, after 1898"
is "$(head -n 1 .out)" host,metric,unit,time,commit_before,commit,before,after,ratio,p "... the header"
is "$(bench-compare --history --window 40 nile.csv | cut -d, -f5,6)" "commit_before,commit
1898,1899" "... by windows, too"
is "$(bench-compare --history --seed 7 nile.csv | cut -d, -f5,6)" "commit_before,commit
1898,1899" "... with another seed"

history 40 25 1.05 1 >step.csv
status 1 "a step for the worse is status 1" bench-compare --history step.csv
is "$(column commit_before .out),$(column commit .out)" c024,c025 "... found where it is"
is "$(cat .err)" '' "... without words"
cp .out first.out
bench-compare --history step.csv | cmp -s - first.out
result $? "the same seed, the same output"
{ head -n 1 step.csv && tail -n +2 step.csv | sort -t, -k11 -k10n; } >shuffled.csv
bench-compare --history shuffled.csv | cmp -s - first.out
result $? "whatever order the rows have"
{ cat step.csv && history 40 40 1 9 1 0 other | tail -n +2; } >two.csv
status 1 "a second series" bench-compare --history two.csv
is "$(column bench .out),$(column commit .out)" sort,c025 "... does not change the first"
is "$(column p first.out | awk '{ print 2 * $1 }')" "$(column p .out | awk '{ print 0 + $1 }')" "... but its p counts both"
status 0 "a step within the margin is none" bench-compare --history --threshold 10% step.csv
is "$(wc -l <.out)" 1 "... no row"
done_testing
