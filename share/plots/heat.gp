
# ---- heat.gp: a cell for each pair of values of two factors, brighter for a larger median.

unset grid
if (text) {
	plot for [i=1:series] $cells index i-1 using 1:2:6 with labels center noenhanced notitle
} else {
	plot for [i=1:series] $cells index i-1 using 1:2:(0.49):(0.48):4 \
			with boxxyerror lc rgb variable fs solid 1 noborder notitle, \
		for [i=1:series] '' index i-1 using 1:2:6:5 \
			with labels center noenhanced tc rgb variable notitle
}
