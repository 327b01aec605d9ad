
# ---- hist.gp: the distribution of the values of each lane; all lanes share bins and scale.

if (text) {
	plot for [i=1:series] $cells index i-1 using 2:1:(utf8 ? '▁▂▃▄▅▆▇█'[int($3):int($3)] : '..::++##'[int($3):int($3)]) \
			with labels left noenhanced tc rgb color_of(i) notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:1:(right_glyph) \
			with labels left noenhanced tc rgb color_of(i) notitle
} else {
	do for [i=1:note_count] {
		set arrow from graph 0, first note_at[i] + 0.4 to graph 1, first note_at[i] + 0.4 \
			nohead lc rgb faint lw 0.5 front
	}
	plot for [i=1:series] $bins index i-1 \
		using (($2+$3)/2):($1+0.4-0.4*$4/peak):2:3:($1+0.4-0.8*$4/peak):($1+0.4) \
			with boxxyerror lc rgb color_of(i) fs solid 1 border rgb page notitle, \
		for [i=1:beyond_series] $beyond index i-1 using 2:($1-0.46):(right_glyph) \
			with labels left noenhanced tc rgb ink point pt 7 ps 0.5 lc rgb color_of(i) offset 0.4,0 notitle
}
