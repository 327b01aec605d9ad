
# ---- timeline.gp: metrics over the time of a run, in panels below each other; each panel has a
# part of the value axis and its own tics.

do for [i=1:name_count] {
	set label name[i] at graph 0, first name_at[i] left offset character 0.5, 0 front \
		noenhanced font small tc ls 101
}
if (text) {
	plot for [i=1:series] $curves index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:single_series] $singles index i-1 using 1:2 \
			with points lt i pt i lc rgb color_of(i) notitle
} else {
	plot for [i=1:series] $curves index i-1 using 1:2 \
			with lines lw 1.4 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:single_series] $singles index i-1 using 1:2 \
			with points pt 7 ps 0.4 lc rgb color_of(i) notitle
}
