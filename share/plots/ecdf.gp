
# ---- ecdf.gp: for each series, the fraction of its values that are not larger than x.

if (text) {
	plot for [i=1:series] $steps index i-1 using 1:2 \
			with steps lt i lc rgb colour_of(i) notitle, \
		for [i=1:series] $steps index i-1 using 1:2 \
			with points lt i pt i lc rgb colour_of(i) notitle
} else {
	set grid xtics ls 100
	plot for [i=1:series] $steps index i-1 using 1:2 \
		with steps lw 1.8 dt dash_of(i) lc rgb colour_of(i) notitle
}
