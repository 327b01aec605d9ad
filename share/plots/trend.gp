
# ---- trend.gp: medians over time or commits, the level between changes as a thick line, each
# change with its percentage, and the user's marks as dotted lines.

do for [i=1:flag_at_count] {
	set arrow from first flag_at[i], graph 0 to first flag_at[i], graph 1 nohead \
		lc rgb faint lw 1 dt 3 back
}
do for [i=1:name_count] {
	set label name[i] at screen name_x[i], name_at[i] left front noenhanced font small tc ls 101
}
if (text) {
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points lt i pt i lc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb color_of(i) notitle
} else {
	plot for [i=1:series] $intervals index i-1 using 1:3:4 \
			with filledcurves lc rgb color_of(i) fs transparent solid 0.15 noborder notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lw 1 dt dash_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense && !valid(10) ? NaN : $2) \
			with points pt point_of(i) ps 0.5 * size_of(i) lc rgb color_of(i) notitle, \
		for [i=1:series] $levels using ($4 == i - 1 ? $1 : NaN):3:($2-$1):($5-$3) \
			with vectors nohead lw 3 lc rgb color_of(i) notitle, \
		$changes using 1:2:(0):($3-$2):7 with vectors nohead lw 2 dt 2 lc rgb variable notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 1:2:(up_glyph) \
			with labels noenhanced tc rgb ink offset 0,0.7 notitle
}
