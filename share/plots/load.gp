
# ---- load.gp: quantiles of latencies along the rate or the throughput, with their intervals,
# the limit of the service level, and marks of saturation.

do for [i=1:name_count] {
	set label name[i] at screen name_x[i], name_at[i] left front noenhanced font small tc ls 101
}
limit_glyph = utf8 ? '┄' : '-'
if (limits && text) {
	do for [i=0:int(columns)] {
		set label limit_glyph at graph 1.0 * i / columns, first limit left back tc ls 102
	}
}
if (limits && !text) {
	set arrow from graph 0, first limit to graph 1, first limit nohead lc rgb ink lw 1.2 dt 2 back
}
if (text) {
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense ? NaN : $2) \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle, \
		for [i=1:saturated_series] $saturated index i-1 using 1:2:(cross_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle
} else {
	set bars 0.4
	plot for [i=1:series] $intervals index i-1 using 1:3:4 \
			with filledcurves lc rgb color_of(i) fs transparent solid 0.2 noborder notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:(dense ? NaN : $3):4 \
			with yerrorbars pt -1 lw 1 dt 1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lw 1.8 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense ? NaN : $2) \
			with points pt point_of(i) ps 0.9 * size_of(i) lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb ink offset 0,0.7 notitle, \
		for [i=1:saturated_series] $saturated index i-1 using 1:2 \
			with points pt 2 ps 1.4 lw 1.6 lc rgb ink notitle
}
