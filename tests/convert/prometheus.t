#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -t prometheus: names and units that follow the rules of Prometheus, failures, and
# the time of the measurement.
. "${0%/*}/../lib/tap.sh"

cat >in.csv <<'.'
time,host,bench,sample,metric,unit,value,status
2026-11-28T01:00:00.25Z,h,x,0,wall,ns,1500,ok
2026-11-28T01:00:01Z,h,x,1,wall,ns,2500,ok
2026-11-28T01:00:02.125Z,h,x,2,wall,ns,9000,failed:exit=1
2026-11-28T01:00:03Z,h,x,-1,wall,ns,9000,timeout
2026-11-28T01:00:00Z,h,x,0,alloc_bytes,B,64,ok
2026-11-28T01:00:00Z,h,x,0,l1 missRate,%,12.5,ok
2026-11-28T01:00:00Z,h,x,0,instructions,1,,unsupported
2026-11-28T01:00:05Z,h,y,0,wall,ns,,timeout
.
is "$(bench-convert -t prometheus in.csv 2>err | grep -v '^#')" 'bench_wall_median_seconds{host="h",bench="x"} 2e-06
bench_wall_mean_seconds{host="h",bench="x"} 2e-06
bench_wall_sd_seconds{host="h",bench="x"} 7.071067811865476e-07
bench_wall_min_seconds{host="h",bench="x"} 1.5e-06
bench_wall_max_seconds{host="h",bench="x"} 2.5e-06
bench_wall_samples{host="h",bench="x"} 2
bench_wall_samples{host="h",bench="y"} 0
bench_wall_failed_samples{host="h",bench="x"} 1
bench_wall_failed_samples{host="h",bench="y"} 1
bench_alloc_median_bytes{host="h",bench="x"} 64
bench_alloc_mean_bytes{host="h",bench="x"} 64
bench_alloc_min_bytes{host="h",bench="x"} 64
bench_alloc_max_bytes{host="h",bench="x"} 64
bench_alloc_samples{host="h",bench="x"} 1
bench_alloc_failed_samples{host="h",bench="x"} 0
bench_l1_missrate_median_ratio{host="h",bench="x"} 0.125
bench_l1_missrate_mean_ratio{host="h",bench="x"} 0.125
bench_l1_missrate_min_ratio{host="h",bench="x"} 0.125
bench_l1_missrate_max_ratio{host="h",bench="x"} 0.125
bench_l1_missrate_samples{host="h",bench="x"} 1
bench_l1_missrate_failed_samples{host="h",bench="x"} 0
bench_instructions_samples{host="h",bench="x"} 0
bench_instructions_failed_samples{host="h",bench="x"} 0
bench_last_sample_timestamp_seconds{host="h",bench="x"} 1795827602.125
bench_last_sample_timestamp_seconds{host="h",bench="y"} 1795827605' \
	'bench-convert -t prometheus writes a family for each statistic, failures, and the time of the last sample'
is "$(cat err)" '' 'bench-convert -t prometheus has a place for failures'
is "$(date -u -d '2026-11-28T01:00:05Z' +%s)" 1795827605 'the time of the last sample is in seconds since 1970'
is "$(bench-convert -t prometheus in.csv | grep '^#.*wall_m[ei]')" '# HELP bench_wall_median_seconds elapsed time: median
# TYPE bench_wall_median_seconds gauge
# HELP bench_wall_mean_seconds elapsed time: mean
# TYPE bench_wall_mean_seconds gauge
# HELP bench_wall_min_seconds elapsed time: minimum
# TYPE bench_wall_min_seconds gauge' 'bench-convert -t prometheus explains each family'

# A night in which all failed
sed 1q in.csv >failed.csv
echo 2026-11-29T01:00:00Z,h,x,0,wall,ns,,failed:exit=1 >>failed.csv
bench-convert -t prometheus -o bench.prom in.csv
ok 'bench-convert -t prometheus writes a file if all samples failed' bench-convert -t prometheus -o bench.prom failed.csv
is "$(grep -v '^#' bench.prom)" 'bench_wall_samples{host="h",bench="x"} 0
bench_wall_failed_samples{host="h",bench="x"} 1
bench_last_sample_timestamp_seconds{host="h",bench="x"} 1795914000' 'the file of a night in which all failed has no values of another night'

# Names and labels
printf 'bench,metric,unit,value\na,x-y,ns,1\na,x_y,ns,2\na,X y,1,3\na,wall_failed,1,4\na,wall,ns,5\n"b""\\",tok,token/s,6\n"c\001",GHz,GHz,7\nd,"q""uote",g,8\n' >names.csv
bench-convert -t prometheus names.csv >names.prom
is "$(grep -v '^#' names.prom | grep -E '_(median|samples)' | grep -v _failed_samples)" 'bench_x_y_median_seconds{bench="a"} 1e-09
bench_x_y_samples{bench="a"} 1
bench_x_y_2_median_seconds{bench="a"} 2e-09
bench_x_y_2_samples{bench="a"} 1
bench_x_y_median{bench="a"} 3
bench_x_y_3_samples{bench="a"} 1
bench_wall_failed_median{bench="a"} 4
bench_wall_median_seconds{bench="a"} 5e-09
bench_wall_samples{bench="a"} 1
bench_tok_median_token_per_second{bench="b\"\\"} 6
bench_tok_samples{bench="b\"\\"} 1
bench_ghz_median_hertz{bench="c\\x01"} 7000000000
bench_ghz_samples{bench="c\\x01"} 1
bench_q_uote_median_grams{bench="d"} 8
bench_q_uote_samples{bench="d"} 1' 'bench-convert -t prometheus gives metrics whose names become equal different names'
is "$(sed -n 's/^# TYPE \([^ ]*\) gauge/\1/p' names.prom | sort | uniq -d)" '' 'bench-convert -t prometheus writes no family twice'
printf 'metric,value\nbare,1\n' >bare.csv
is "$(bench-convert -t prometheus bare.csv | grep -v '^#' | head -1)" 'bench_bare_median 1' 'bench-convert -t prometheus writes a gauge without labels'
printf 'bench,metric,unit,value\nx,rate,MB/s,0.3\nx,delay,ms,0.7\nx,clock,MHz,3\n' >units.csv
is "$(bench-convert -t prometheus units.csv | grep '^[^#]*median')" 'bench_rate_median_bytes_per_second{bench="x"} 300000
bench_delay_median_seconds{bench="x"} 0.0007
bench_clock_median_hertz{bench="x"} 3000000' 'bench-convert -t prometheus writes base units of metrics that users define'
if skip_unless promtool "promtool finds no fault in the text of failures and odd names"; then
	for file in in.csv failed.csv names.csv units.csv bare.csv; do
		bench-convert -t prometheus $file >text.prom
		ok "promtool finds no fault in the text of $file" sh -c 'promtool check metrics <text.prom'
	done
	bench-run -q -r 3 -w 0 -o run.csv -- true 2>/dev/null
	bench-convert -q -t prometheus run.csv >text.prom
	ok "promtool finds no fault in the text of a run" sh -c 'promtool check metrics <text.prom'
fi
done_testing
