# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,166 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall by bench, n
>median wall (ms), brighter is more, n = 8
>n
>
>1000
>2000
>4000
>8000
>16000
>fast
>slow
EOD
said(i) = $said[i][2:*]
font_size = 13
text = 0
dark = 0
utf8 = 1
colour = 1
lanes = 1
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
left = 0.065325
right = 0.9804999999999999
top = 0.6506024096385542
bottom = 0.3132530120481928
column = 0.00975
row = 0.12048192771084332
columns = 93.86410256410257
first_line = 0.891566265060241
value_label_at = 0.6506024096385542
lane_from = 0.5
lane_to = 2.5
value_log = 0
value_from = 0.5
value_to = 5.5
value_tic_count = 5
array value_tic[5]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic[4] = said(8)
value_tic[5] = said(9)
value_tic_at_count = 5
array value_tic_at[5]
value_tic_at[1] = 1
value_tic_at[2] = 2
value_tic_at[3] = 3
value_tic_at[4] = 4
value_tic_at[5] = 5
x_log = 0
x_from = 0
x_to = 0
x_tic_count = 0
array x_tic[1]
x_tic_at_count = 0
array x_tic_at[1]
lane_count = 2
array lane[2]
lane[1] = said(10)
lane[2] = said(11)
lane_at_count = 2
array lane_at[2]
lane_at[1] = 1
lane_at[2] = 2
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
series = 5
dense = 0
slot_count = 5
array slot[5]
slot[1] = 4
slot[2] = 6
slot[3] = 2
slot[4] = 1
slot[5] = 5
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
1 0.0100035 8 0.01 0.010007 0.01000175 0.01000525 0.01 0.010007
2 0.0200035 8 0.02 0.020007 0.02000175 0.02000525 0.02 0.020007


1 0.0200035 8 0.02 0.020007 0.02000175 0.02000525 0.02 0.020007
2 0.0800035 8 0.08 0.080007 0.08000175 0.08000525 0.08 0.080007


1 0.0400035 8 0.04 0.040007 0.04000175 0.04000525 0.04 0.040007
2 0.3200035 8 0.32 0.320007 0.32000175 0.32000525 0.32 0.320007


1 0.0800035 8 0.08 0.080007 0.08000175 0.08000525 0.08 0.080007
2 1.2800035 8 1.28 1.280007 1.28000175 1.28000525 1.28 1.280007


1 0.1600035 8 0.16 0.160007 0.16000175 0.16000525 0.16 0.160007
2 5.1200035 8 5.12 5.120007 5.12000175 5.12000525 5.12 5.120007
EOD
$cells << EOD
# column at median colour ink text
1 1 0.0100035 8782 16777215 0.01
1 2 0.0200035 1193328 16777215 0.02


2 1 0.0200035 1193328 16777215 0.02
2 2 0.0800035 5725549 16777215 0.08


3 1 0.0400035 3885420 16777215 0.04
3 2 0.3200035 9078392 0 0.32


4 1 0.0800035 5725549 16777215 0.08
4 2 1.2800035 12825449 0 1.28


5 1 0.1600035 7369075 16777215 0.16
5 2 5.1200035 16705592 0 5.12
EOD

