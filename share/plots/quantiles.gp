
# ---- quantiles.gp: for each series, its quantiles along 1 / (1 - q), and their intervals as a
# ribbon.

if (text) {
	plot for [i=1:series] $quantiles index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:single_series] $singles index i-1 using 1:2 \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:series] $bands index i-1 using 1:3:('.') \
			with labels noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $bands index i-1 using 1:4:('.') \
			with labels noenhanced tc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle
} else {
	set grid xtics ls 100
	plot for [i=1:series] $bands index i-1 using 1:3:4 \
			with filledcurves lc rgb color_of(i) fs transparent solid 0.2 noborder notitle, \
		for [i=1:series] $quantiles index i-1 using 1:2 \
			with lines lw 1.8 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:single_series] $singles index i-1 using 1:2 \
			with points pt point_of(i) ps 0.8 * size_of(i) lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb ink offset 0,0.7 notitle
}
