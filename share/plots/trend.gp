
# ---- trend.gp: medians over time or commits, the level between changes as a thick line, each
# change with its percentage, and the user's marks as dotted lines.

do for [i=1:flag_count] {
	set arrow from first flag_at[i], graph 0 to first flag_at[i], graph 1 nohead \
		lc rgb faint lw 1 dt 3 back
	set label flag[i] at first flag_at[i], graph 1 offset character 0.4, (text ? 0 : -0.7) left \
		front noenhanced font small tc ls 102
}
percent(p) = p == p ? sprintf('%+.3g %%', p) : ''
if (text) {
	plot for [i=1:series] $points index i-1 using 1:2 \
			with lines lt i lc rgb colour_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense ? NaN : $2) \
			with points lt i pt i lc rgb colour_of(i) notitle, \
		$changes using 1:3:(percent($4)) with labels left noenhanced notitle
} else {
	plot for [i=1:series] $intervals index i-1 using 1:3:4 \
			with filledcurves lc rgb colour_of(i) fs transparent solid 0.2 noborder notitle, \
		for [i=1:series] $points index i-1 using 1:2 \
			with lines lw 1 dt dash_of(i) lc rgb colour_of(i) notitle, \
		for [i=1:series] $points index i-1 using 1:(dense ? NaN : $2) \
			with points pt point_of(i) ps 0.6 lc rgb colour_of(i) notitle, \
		$levels using 1:3:($2-$1):($5-$3) with vectors nohead lw 3 lc rgb ink notitle, \
		$changes using 1:2:(0):($3-$2) with vectors nohead lw 1.5 dt 2 lc rgb ink notitle, \
		$changes using 1:3:(percent($4)) with labels left offset character 0.6, 0.8 \
			noenhanced font small tc rgb ink notitle
}
