# SPDX-License-Identifier: GPL-3.0-or-later
# rows.awk: prints n rows of bench-csv(5) in 10 series, the same for every n: awk -v n=2000000 -f
# rows.awk. A row has about 38 bytes, with values as large and as precise as wall times in nanoseconds.
BEGIN {
	print "bench,size,sample,metric,unit,value"
	seed = 12345
	for (i = 0; i < n; i++) {
		seed = (seed * 16807) % 2147483647
		series = i % 10
		printf "sort-%s,%d,%d,wall,ns,%.2f\n", substr("abcde", series % 5 + 1, 1),
			1000 * (1 + int(series / 5)), int(i / 10),
			1000000 * (series + 1) + (seed % 100000000) / 100
	}
}
