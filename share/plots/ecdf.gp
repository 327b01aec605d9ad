
# ---- ecdf.gp: for each series, the fraction of its values that are not larger than x. An arrow
# follows a curve that ends below 1 at the limit of a timeout.

if (text) {
	plot for [i=1:series] $steps index i-1 using 1:2 \
			with steps lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $steps index i-1 using 1:2 \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(right_glyph) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	set grid xtics ls 100
	plot for [i=1:series] $steps index i-1 using 1:2 \
			with steps lw 1.8 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(right_glyph) \
			with labels left noenhanced tc rgb ink offset 0.4,0 notitle
}
