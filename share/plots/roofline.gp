
# ---- roofline.gp: the rate of kernels and models over their operations per byte, below the roof
# of their device: its bandwidth on the left, its peak rate on the right.

do for [i=1:name_count] {
	set label name[i] at screen name_x[i], name_at[i] left front noenhanced font small tc ls 101
}
do for [i=1:leaders] {
	line = $leaders[i+1]
	set arrow from screen real(word(line, 1)), real(word(line, 2)) \
		to screen real(word(line, 3)), real(word(line, 4)) nohead front lw 0.8 lc rgb ink
}
if (text) {
	plot for [i=1:series] $roofs index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with points lt i pt i lc rgb color_of(i) notitle
} else {
	set bars 0.4
	set grid xtics ls 100
	plot for [i=1:series] $roofs index i-1 using 1:2 \
			with lines lw 2 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $intervals index i-1 using 1:2:3:4 \
			with yerrorbars pt -1 lw 1 dt 1 lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with points pt point_of(i) ps 0.9 lc rgb color_of(i) notitle
}
