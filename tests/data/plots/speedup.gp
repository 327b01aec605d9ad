# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,470 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>speedup by threads
>median with its 95 % interval, n = 8, ratios of wall to the median at the least threads, sort
>speedup
>threads
>0
>1
>2
>3
>4
>1
>2
>4
EOD
said(i) = $said[i][2:*]
font_size = 13
text = 0
dark = 0
utf8 = 1
colour = 1
lanes = 0
array COLOUR[8]
COLOUR[1] = '#1a6ac7'
COLOUR[2] = '#9b470c'
COLOUR[3] = '#44a45e'
COLOUR[4] = '#8b2073'
COLOUR[5] = '#d17f01'
COLOUR[6] = '#5e98c7'
COLOUR[7] = '#809594'
COLOUR[8] = '#453c21'
title = said(1)
subtitle_count = 1
array subtitle[1]
subtitle[1] = said(2)
value_label = said(3)
x_label = said(4)
left = 0.06175
right = 0.97075
top = 0.8765957446808511
bottom = 0.11063829787234047
column = 0.00975
row = 0.04255319148936165
columns = 93.23076923076924
first_line = 0.9617021276595745
value_label_at = 0.8765957446808511
lane_from = 0
lane_to = 0
value_log = 0
value_from = 0
value_to = 4.16
value_tic_count = 5
array value_tic[5]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic[4] = said(8)
value_tic[5] = said(9)
value_tic_at_count = 5
array value_tic_at[5]
value_tic_at[1] = 0
value_tic_at[2] = 1
value_tic_at[3] = 2
value_tic_at[4] = 3
value_tic_at[5] = 4
x_log = 0
x_from = 0.88
x_to = 4.12
x_tic_count = 3
array x_tic[3]
x_tic[1] = said(10)
x_tic[2] = said(11)
x_tic[3] = said(12)
x_tic_at_count = 3
array x_tic_at[3]
x_tic_at[1] = 1
x_tic_at[2] = 2
x_tic_at[3] = 4
lane_count = 0
array lane[1]
lane_at_count = 0
array lane_at[1]
note_count = 0
array note[1]
note_at_count = 0
array note_at[1]
name_count = 0
array name[1]
name_at_count = 0
array name_at[1]
name_x_count = 0
array name_x[1]
key_count = 0
array key[1]
key_at_count = 0
array key_at[1]
key_x_count = 0
array key_x[1]
series = 1
dense = 0
slot_count = 1
array slot[1]
slot[1] = 0
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
1 1.000000000000003 8 0.9999996022730436 1.0000003977272727 0.9999998011364848 1.0000001988635994 0.9999996022730436 1.0000003977272727
2 1.8333327256949072 8 1.8333313888917244 1.8333340625 1.8333320572930774 1.833333394097215 1.8333313888917244 1.8333340625
4 3.1428544642891625 8 3.1428505357308034 3.1428583928571427 3.1428525000087806 3.14285642857195 3.1428505357308034 3.1428583928571427
EOD
$intervals << EOD
# at median lo hi
1 1.000000000000003 0.9999996022730436 1.0000003977272727
2 1.8333327256949072 1.8333313888917244 1.8333340625
4 3.1428544642891625 3.1428505357308034 3.1428583928571427
EOD
ideal = 1

