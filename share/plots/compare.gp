
# ---- compare.gp: the ratio of new to old with its interval, colored by the verdict, and a line
# at 1 for comparison.

if (text) {
	interval(lo, hi) = along(hi) == along(lo) ? '|' \
		: '[' . repeat(rule_glyph, along(hi) - along(lo) - 1) . ']'
	do for [i=1:note_count] {
		set label (utf8 ? '┊' : ':') at first 1, first note_at[i] left back
	}
	plot for [i=1:series] $intervals index i-1 using 3:1:(interval($3, $4)) \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 2:1:(glyph_of(i)) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	set bars 0.6
	set arrow from first 1, graph 0 to first 1, graph 1 nohead lc rgb faint lw 1.2 back
	plot for [i=1:series] $intervals index i-1 using 2:1:3:4 \
			with xerrorbars pt -1 lw 2 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 2:1 \
			with points pt point_of(i) ps 0.8 lc rgb color_of(i) notitle
}
