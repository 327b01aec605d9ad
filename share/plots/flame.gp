# ---- flame.gp: a static flame graph. It uses the definitions above: the frames as boxes, the
# texts, and the graph's size in pixels.

page  = dark ? '#16191d' : '#ffffff'
ink   = dark ? '#e6e6e6' : '#222222'
faint = dark ? '#9aa0a6' : '#555555'
edge = 8.0 / wide
lines = |$said| - 1
top = (34.0 + 16 * lines) / high

set lmargin at screen edge
set rmargin at screen 1 - edge
set bmargin at screen 10.0 / high
set tmargin at screen 1 - top
unset key
unset tics
unset border
set xrange [0:1]
set yrange [0:depths]
set object 1 rectangle from screen 0,0 to screen 1,1 fillcolor rgb page fillstyle solid noborder behind
set style fill solid 1 border rgb page
said(i) = $said[i][2:*]
set label said(1) at screen edge, 1 - 20.0 / high left front noenhanced font ',13' tc rgb ink
do for [i=2:|$said|] {
	set label said(i) at screen edge, 1 - (22.0 + 16 * (i - 1)) / high left front noenhanced \
		font ',9' tc rgb faint
}
# Cuts a name to the width of its frame.
room(x0, x1) = int((x1 - x0) * wide * (1 - 2 * edge) / 6.5 - 1)
cut(s, n) = n < 3 ? '' : strlen(s) <= n ? s : s[1:n - 2] . '..'

plot $frames using 1:3:1:2:3:($3 + 1):(int(column(4))) with boxxyerror lc rgb variable, \
	'' using ($5 > 0 ? $1 : NaN):3:1:2:3:($3 + 1) with boxxyerror fs empty lc rgb '#777777' dt 2, \
	'' using ($1 + 3.0 / wide):($3 + 0.5):(cut(stringcolumn(6), room($1, $2))) with labels left \
		noenhanced font ',8' tc rgb '#111111'
