
# ---- box.gp: the median in a box of the quartiles, whiskers to the outermost values within
# 1.5 interquartile ranges of the box, and a point for each value beyond.

if (text) {
	dashes(lo, hi) = repeat(rule_glyph, along(hi) - along(lo) + 1)
	boxes(i, lo, hi) = repeat(glyph_of(i), along(hi) - along(lo) + 1)
	plot for [i=1:series] $points index i-1 using 8:1:(dashes($8, $9)) \
			with labels left noenhanced notitle, \
		for [i=1:series] '' index i-1 using 6:1:(boxes(i, $6, $7)) \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] '' index i-1 using 2:1:('|') \
			with labels left noenhanced notitle, \
		for [i=1:series] $outliers index i-1 using 2:1:('o') \
			with labels left noenhanced notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	set bars small
	plot for [i=1:series] $points index i-1 using 8:1:8:9 \
			with xerrorbars pt -1 lw 1.2 lc rgb ink notitle, \
		for [i=1:series] '' index i-1 using (($6+$7)/2):1:6:7:($1-0.33):($1+0.33) \
			with boxxyerror lc rgb color_of(i) lw 1.2 fs transparent solid 0.45 border rgb color_of(i) notitle, \
		for [i=1:series] '' index i-1 using 2:($1-0.33):(0):(0.66) \
			with vectors nohead lw 2 lc rgb ink notitle, \
		for [i=1:series] $outliers index i-1 using 2:1 \
			with points pt 6 ps 0.5 lc rgb ink notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb ink point pt 7 ps 0.5 lc rgb color_of(i) offset 0.4,0 notitle
}
