
# ---- speedup.gp: the speedup over the number of workers, with the ideal line.

set samples (text ? 60 : 400)
do for [i=1:name_count] {
	set label name[i] at screen name_x[i], name_at[i] left front noenhanced font small tc ls 101
}
if (text) {
	plot ideal > 0 ? ideal * x : NaN with dots lc rgb faint notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:3:4 \
			with yerrorbars lt i pt -1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(down_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle
} else {
	set bars 0.4
	plot ideal > 0 ? ideal * x : NaN with lines lw 1.2 dt 3 lc rgb faint notitle, \
		for [i=1:series] $intervals index i-1 using 1:3:4 \
			with filledcurves lc rgb color_of(i) fs transparent solid 0.2 noborder notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:(dense ? NaN : $3):4 \
			with yerrorbars pt -1 lw 1 dt 1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lw (dense ? 1 : 1.8) dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points pt point_of(i) ps 0.9 * size_of(i) lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(down_glyph) \
			with labels noenhanced tc rgb ink offset 0,-0.7 notitle
}
