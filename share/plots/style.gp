
# ---- style.gp: the common appearance of all kinds. It uses the definitions above, and draws the
# titles, the key and the texts of the axes. The kind's template sets the axes and plots.

large = text ? '' : sprintf(',%g', font_size * 1.25)
small = text ? '' : sprintf(',%g', font_size * 12 / 13)
color_of(i) = COLOR[i]
# Series that coincide with another have dashes that begin in the same places and are shorter the
# later a series is drawn, so that the colors of all take turns.
set dashtype 6 (14, 10)
set dashtype 7 (8, 16)
set dashtype 8 (3, 21)
dash_of(i) = copy[i] ? 5 + (copy[i] < 3 ? copy[i] : 3) : dash[i] + 1
# Symbols of series that coincide with another are smaller, so that those below are visible.
size_of(i) = 0.6 ** copy[i]
point_of(i) = text ? i : int(word('7 5 9 11 13 4 6 8', symbol[i] % 8 + 1))

# Drawing with characters: a text terminal places labels exactly, so bars are labels.
full = utf8 ? '█' : '#'
fills = utf8 ? '█▓▒░=+:%' : '#=+:%o*-'
glyph_of(i) = color ? full : fills[(i-1) % strlen(fills) + 1 : (i-1) % strlen(fills) + 1]
rule_glyph = utf8 ? '─' : '-'
# what is drawn next to times that are beyond a limit, in lanes and along a line, and next to their ratios
right_glyph = utf8 ? '→' : '>'
up_glyph = utf8 ? '↑' : '^'
down_glyph = utf8 ? '↓' : 'v'
# what is drawn on the axis where a line has no value
cross_glyph = utf8 ? '×' : 'x'
# Clips marks without a value, which are far outside, so that their bars end at the edge.
within(v) = v < value_to ? v : value_to
along(v) = int((within(v) - value_from) / (value_to - value_from) * columns + 0.5)
if (value_log) { along(v) = int(log(within(v) / value_from) / log(value_to / value_from) * columns + 0.5) }
repeat(c, n) = n < 1 ? '' : n == 1 ? c : repeat(c, n / 2) . repeat(c, n - n / 2)

set lmargin at screen left
set rmargin at screen right
set tmargin at screen top
set bmargin at screen bottom
unset key
set style fill solid 1 noborder
set style line 100 lc rgb rule lw 1
set style line 101 lc rgb ink lw 1
set style line 102 lc rgb faint lw 1
if (text) { set style line 101 lt -1; set style line 102 lt -1 }
set border 0

set label title at screen column, first_line left front noenhanced tc ls 101
if (!text) { set label 1 font large }
do for [i=1:subtitle_count] {
	set label subtitle[i] at screen column, first_line - i * row left front noenhanced \
		font small tc ls 102
}
foot = footer_count * row
do for [i=1:footer_count] {
	set label footer[i] at screen column, (text ? 0 : 0.7 * row) + foot - i * row left front \
		noenhanced font small tc ls 102
}
do for [i=1:key_count] {
	set label key[i] at screen key_x[i] + (key_lines ? 4 : 2) * column, key_at[i] left front \
		noenhanced tc ls 101
	if (key_lines) {
		set arrow from screen key_x[i], key_at[i] to screen key_x[i] + 3.3 * column, key_at[i] \
			nohead front lw 1.8 dt dash_of(i) lc rgb color_of(i)
	} else { if (text && lanes) {
		set label glyph_of(i) at screen key_x[i], key_at[i] left front tc rgb color_of(i)
	} else {
		set label '' at screen key_x[i] + (text ? 0 : column / 2), key_at[i] front \
			point pt (lanes ? 5 : point_of(i)) ps 1.1 lc rgb color_of(i)
	} }
}

do for [i=1:remark_count] {
	set label remark[i] at screen remark_x[i], remark_at[i] left front noenhanced font small \
		tc rgb remark_color[i]
}
do for [i=1:panels-1] {
	set arrow from graph 0, first i to graph 1, first i nohead lc rgb faint lw 1 back
}

if (lanes) {
	# The value axis is below, names of lanes are on the left, notes on the right.
	set yrange [lane_to:lane_from]
	unset ytics
	set xrange [value_from:value_to]
	if (value_log) { set logscale x }
	set xtics nomirror scale 0 () textcolor ls 101 noenhanced
	do for [i=1:value_tic_count] { set xtics add (value_tic[i] value_tic_at[i]) }
	if (text) { set border 1 } else { set grid xtics ls 100 }
	do for [i=1:lane_count] {
		set label lane[i] at screen left - column, first lane_at[i] right front \
			noenhanced tc ls 101
	}
	do for [i=1:note_count] {
		# An arrow at the end of the axis needs room.
		set label note[i] at screen right + (exists("beyond_series") && beyond_series && !text ? 2 : 1) * column, first note_at[i] left front \
			noenhanced font small tc ls 102
	}
	set label value_label at screen (left + right) / 2, (text ? bottom - 2 * row : 0.8 * row + foot) \
		center front noenhanced tc ls 101
} else {
	# A numeric x is below, the values are on the left.
	set xrange [x_from:x_to]
	set yrange [value_from:value_to]
	if (x_log) { set logscale x }
	if (value_log) { set logscale y }
	set xtics nomirror scale (text ? 1 : 0.5) () textcolor ls 101 noenhanced
	set ytics nomirror scale 0 () textcolor ls 101 noenhanced
	do for [i=1:x_tic_count] { set xtics add (x_tic[i] x_tic_at[i]) }
	do for [i=1:value_tic_count] { set ytics add (value_tic[i] value_tic_at[i]) }
	do for [i=1:gap_count] {
		if (text) {
			set label cross_glyph at first gap[i], first gap_at[i] center front \
				tc rgb color_of(gap_series[i])
		} else {
			set label '' at first gap[i], first gap_at[i] front \
				point pt 2 ps 0.9 lw 1.6 lc rgb color_of(gap_series[i])
		}
	}
	if (text) { set border 3 } else { set border 1 ls 101; set grid ytics ls 100 }
	set label x_label at screen (left + right) / 2, (text ? 0 : 0.8 * row) + foot \
		center front noenhanced tc ls 101
	if (text) {
		set label value_label at screen column, value_label_at left front noenhanced
	} else {
		set label value_label at screen 1.4 * column, (top + bottom) / 2 center rotate by 90 \
			front noenhanced tc ls 101
	}
}
