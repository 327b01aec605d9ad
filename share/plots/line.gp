
# ---- line.gp: medians along a numeric x, joined by a line, with their intervals as a ribbon.

do for [i=1:name_count] {
	set label name[i] at screen name_x[i], name_at[i] left front noenhanced font small tc ls 101
}
if (text) {
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:3:4 \
			with yerrorbars lt i pt -1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:growth_series] $growth index i-1 using 1:2 \
			with dots lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle
} else {
	set bars 0.4
	plot for [i=1:series] $intervals index i-1 using 1:3:4 \
			with filledcurves lc rgb color_of(i) fs transparent solid 0.2 noborder notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:(dense ? NaN : $3):4 \
			with yerrorbars pt -1 lw 1 dt 1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lw (growth_series ? 0.7 : dense ? 1 : 1.8) dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points pt point_of(i) ps 0.9 * size_of(i) lc rgb color_of(i) notitle, \
		for [i=1:growth_series] $growth index i-1 using 1:2 \
			with lines lw 3 dt 3 lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb ink offset 0,0.7 notitle
}
