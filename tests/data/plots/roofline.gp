# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,542 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>roofline
>medians below what the device was seen to reach, backend=cpu
>flop_rate (Gflop/s)
>arithmetic intensity (flop/B)
>10
>100
>0.1
>1
>10
>100
>400.0 Gflop/s
>50.00 GB/s
>gemm
>dot
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
left = 0.08125
right = 0.97075
top = 0.8929889298892989
bottom = 0.09594095940959413
column = 0.00975
row = 0.03690036900368998
columns = 91.23076923076924
first_line = 0.966789667896679
value_label_at = 0.8929889298892989
lane_from = 0
lane_to = 0
value_log = 1
value_from = 4.117955086337865
value_to = 777.0847260128301
value_tic_count = 2
array value_tic[2]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic_at_count = 2
array value_tic_at[2]
value_tic_at[1] = 10
value_tic_at[2] = 100
x_log = 1
x_from = 0.06005741757529112
x_to = 416.2683147116456
x_tic_count = 4
array x_tic[4]
x_tic[1] = said(7)
x_tic[2] = said(8)
x_tic[3] = said(9)
x_tic[4] = said(10)
x_tic_at_count = 4
array x_tic_at[4]
x_tic_at[1] = 0.1
x_tic_at[2] = 1
x_tic_at[3] = 10
x_tic_at[4] = 100
lane_count = 0
array lane[1]
lane_at_count = 0
array lane_at[1]
note_count = 0
array note[1]
note_at_count = 0
array note_at[1]
name_count = 4
array name[4]
name[1] = said(11)
name[2] = said(12)
name[3] = said(13)
name[4] = said(14)
name_at_count = 4
array name_at[4]
name_at[1] = 0.8178100258183829
name_at[2] = 0.44577450929915063
name_at[3] = 0.6865501417909712
name_at[4] = 0.23089088033737482
name_x_count = 4
array name_x[4]
name_x[1] = 0.7432825000000001
name_x[2] = 0.16248627470933005
name_x[3] = 0.8370581030329971
name_x[4] = 0.23444189696700277
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
100 200 7 200 200 200 200 200 200
0.25 10 7 10 10 10 10 10 10
EOD
$intervals << EOD
# at median lo hi
100 200 200 200
0.25 10 10 10
EOD
$roofs << EOD
# x y; an index a series
0.06005741757529112 3.002870878764556
8 400
416.2683147116456 400
EOD

