
# ---- strip.gp: a dot for each value, spread across its lane where dots would overlap, and a
# line at the median.

if (text) {
	crowd(n) = utf8 ? '·•●'[n < 2 ? 1 : n < 5 ? 2 : 3 : n < 2 ? 1 : n < 5 ? 2 : 3] \
		: '.oO'[n < 2 ? 1 : n < 5 ? 2 : 3 : n < 2 ? 1 : n < 5 ? 2 : 3]
	plot for [i=1:series] $dots index i-1 using 2:1:(crowd($3)) \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 2:1:('|') \
			with labels left noenhanced notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	plot for [i=1:series] $dots index i-1 using 2:1 \
			with points pt 7 ps 0.35 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 2:($1-0.42):(0):(0.84) \
			with vectors nohead lw 2 lc rgb ink notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb ink point pt 7 ps 0.5 lc rgb color_of(i) offset 0.4,0 notitle
}
