
# ---- tokens.gp: a mark for each generated token of a request, along the time since the request
# began. The number in column 3 is 0 for the beginning, 1 for the first token and 2 for later ones.

far = 1e9 # outside of the plot
is(n, x) = column(3) == n && column(4) == 0 ? x : far
is_late(x) = column(4) == 1 ? x : far
do for [i=1:name_count] {
	set label name[i] at graph 0, first name_at[i] left front noenhanced tc rgb color_of(i)
}
if (limits && text) {
	do for [i=1:lane_count] {
		set label (utf8 ? '┆' : '|') at first limit, first lane_at[i] left back tc ls 102
	}
}
if (limits && !text) {
	do for [i=1:lane_count] {
		set arrow from first limit, first lane_at[i]-0.5 to first limit, first lane_at[i]+0.5 \
			nohead lc rgb ink lw 1.2 dt 2 back
	}
}
if (text) {
	plot for [i=1:series] $tokens index i-1 using (is(2, $1)):2:(utf8 ? '•' : '.') \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $tokens index i-1 using (is(1, $1)):2:(utf8 ? '◆' : 'o') \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:series] $tokens index i-1 using (is_late($1)):2:(utf8 ? '×' : 'x') \
			with labels left noenhanced tc rgb late_color notitle
} else {
	plot for [i=1:series] $tokens index i-1 using 1:2 with lines lw 1 lc rgb rule notitle, \
		for [i=1:series] $tokens index i-1 using (is_late($5)):2:($1-$5):(0) \
			with vectors nohead lw 2 lc rgb late_color notitle, \
		for [i=1:series] $tokens index i-1 using (is(2, $1)):2 \
			with points pt 7 ps 0.4 lc rgb color_of(i) notitle, \
		for [i=1:series] $tokens index i-1 using (is(1, $1)):2 \
			with points pt 13 ps 0.9 lc rgb color_of(i) notitle, \
		for [i=1:series] $tokens index i-1 using (is_late($1)):2 \
			with points pt 2 ps 0.7 lw 1.6 lc rgb late_color notitle
}
