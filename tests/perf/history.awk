# SPDX-License-Identifier: GPL-3.0-or-later
# history.awk: prints n rows of a history: runs of 10 benchmarks with 30 samples each, an hour apart,
# the same for every n: awk -v n=10000000 -f history.awk. -v first=K begins with run K. From K =
# 2,200,000 on, 64 bits of nanoseconds could not hold the years.
BEGIN {
	print "run,time,host,env,commit,kind,bench,n,sample,metric,unit,value,status"
	seed = 12345
	for (i = 0; i < n; i++) {
		run = first + int(i / 300)
		if (i % 300 == 0) {
			hours = run % 24; days = int(run / 24)
			stamp = sprintf("%04d-%02d-%02dT%02d", 1980 + int(days / 336), int(days / 28) % 12 + 1, days % 28 + 1, hours)
		}
		seed = (seed * 16807) % 2147483647
		bench = int(i / 30) % 10
		printf "run-%08d,%s:%02d:%02d.%09dZ,host-%d,e%d,%040d,command,bench-%d,%d,%d,wall,ns,%d,ok\n",
			run, stamp, bench, i % 30, seed % 1000000000, run % 4, run % 4, int(run / 8), bench,
			1000, i % 30, 1000000 * (bench + 1) + seed % 1000000
	}
}
