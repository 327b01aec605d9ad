#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Time series of metrics of the class each: all values count in statistics, and comparisons take one value
# of each sample.
. "${0%/*}/../lib/tap.sh"

# Two samples of each side with 3 and 5 values; the means of samples are far from their medians.
cat >gaps.csv <<'END'
run,bench,side,process,sample,t,metric,unit,value,status
r,m,a,0,0,10,inter_token,ns,10,ok
r,m,a,0,0,22,inter_token,ns,12,ok
r,m,a,0,0,922,inter_token,ns,900,ok
r,m,a,0,1,14,inter_token,ns,14,ok
r,m,a,0,1,30,inter_token,ns,16,ok
r,m,a,0,1,48,inter_token,ns,18,ok
r,m,a,0,1,68,inter_token,ns,20,ok
r,m,a,0,1,1068,inter_token,ns,1000,ok
r,m,b,0,0,24,inter_token,ns,24,ok
r,m,b,0,0,48,inter_token,ns,24,ok
r,m,b,0,0,72,inter_token,ns,24,ok
r,m,b,0,1,36,inter_token,ns,36,ok
r,m,b,0,1,72,inter_token,ns,36,ok
END
sed 's/inter_token,ns/rss,B/' gaps.csv >means.csv

is "$(bench-stat -g side -s n,median,max gaps.csv)" 'side,metric,unit,n,median,max
a,inter_token,ns,8,17,1000
b,inter_token,ns,5,24,36' "each value of a time series of the class each counts in bench-stat"
is "$(bench-stat -g side -s n,max means.csv)" 'side,metric,unit,n,max
a,rss,B,2,307.3333333333333
b,rss,B,2,36' "other time series count as the means of their samples in bench-stat"
is "$(bench-compare -b side --metric inter_token -s n_old,old,n_new,new gaps.csv 2>err | sed 1d)" 'm,b,inter_token,ns,2,15,2,30' \
	"bench-compare takes the medians of samples of a time series of the class each"
is "$(bench-compare -b side --metric rss -s n_old,n_new,new means.csv 2>err | sed 1d)" 'm,b,rss,B,2,2,30' \
	"bench-compare takes the means of samples of other time series"
awk -F, -v OFS=, 'NR == 1 { print; next } { for (i = 0; i < 12; i++) { $4 = i; $9 += i % 3 * 1e-3; print } }' gaps.csv >many.csv
is "$(bench-stat --diagnose many.csv | sed 1d)" '' "bench-stat --diagnose does not check values that depend on each other"

sed 's/ok$/failed:exit=1/; s/^run.*/run,bench,side,process,sample,t,metric,unit,value,status/' gaps.csv >failed.csv
is "$(bench-stat -g side -s n,failed failed.csv | sed 1d | tr '\n' ' ')" 'a,inter_token,ns,0,2 b,inter_token,ns,0,2 ' \
	"a failed sample of a time series of the class each is one failure"
sed 's/,\([01]\),\([0-9]*\),inter/,-1,\2,inter/' gaps.csv >warm.csv
is "$(bench-stat -g side -s n warm.csv | sed 1d | tr '\n' ' ')" 'a,inter_token,ns,0 b,inter_token,ns,0 ' "warm-up samples of the class each do not count"

bench-store -q -D s.db add gaps.csv means.csv
is "$(bench-store -D s.db sql "SELECT metric, sum(n), max(max) FROM benchmark_results GROUP BY metric ORDER BY metric" 2>err | sed 1d | tr '\n' ' ')" \
	'inter_token,13,1000 rss,4,307.3333333333333 ' "bench-store has the statistics of bench-stat"
ok "bench-store check confirms the statistics of a time series of the class each" bench-store -q -D s.db check
is "$(bench-plot ecdf --script -y inter_token gaps.csv | sed -n '/^\$steps/,/^$/p' | grep -c ' 0\.125$')" 1 \
	"bench-plot draws each value of a time series of the class each"
done_testing
