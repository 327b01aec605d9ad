
# ---- line.gp: medians along a numeric x, joined, with the median's interval.

if (text) {
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb colour_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:3:4 \
			with yerrorbars lt i pt -1 lc rgb colour_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with points lt i pt i lc rgb colour_of(i) notitle
} else {
	set bars 0.6
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lw 1.8 dt dash_of(i) lc rgb colour_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:3:4 \
			with yerrorbars pt -1 lw 1.2 dt 1 lc rgb colour_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with points pt point_of(i) ps 0.9 lc rgb colour_of(i) notitle
}
