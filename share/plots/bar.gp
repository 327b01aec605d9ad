
# ---- bar.gp: a bar from zero, or from the end of a logarithmic axis, to each median, with the
# median's interval.

base = value_log ? value_from : 0

if (text) {
	bar(i, v) = repeat(glyph_of(i), along(v))
	interval(lo, hi) = along(hi) == along(lo) ? '|' \
		: '[' . repeat(rule_glyph, along(hi) - along(lo) - 1) . ']'
	plot for [i=1:series] $points index i-1 using (value_from):1:(bar(i, $2)) \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 3:1:(interval($3, $4)) \
			with labels left noenhanced notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	plot for [i=1:series] $points index i-1 using 2:1:(base):2:($1-0.39):($1+0.39) \
			with boxxyerror lc rgb color_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 2:1:3:4 \
			with xerrorbars pt -1 lw 4 lc rgb page notitle, \
		for [i=1:series] $intervals index i-1 using 2:1:3:4 \
			with xerrorbars pt -1 lw 1.5 lc rgb ink notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb ink point pt 7 ps 0.5 lc rgb color_of(i) offset 0.4,0 notitle
}
