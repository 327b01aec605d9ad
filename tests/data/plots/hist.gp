# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,480 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall by bench, level
>values by bin (Freedman-Diaconis), one scale, n = 10
>wall (ms), in bins of 5 ms
>
>0
>5
>10
>15
>20
>25
>30
>35
>40
>gzip, level=1
>zstd, level=1
>gzip, level=9
>zstd, level=9
>peak 5
>peak 5
>peak 5
>peak 5
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
left = 0.15405
right = 0.9122499999999999
top = 0.8790658882402002
bottom = 0.10842368640533773
column = 0.00975
row = 0.0417014178482068
columns = 77.76410256410256
first_line = 0.9624687239366139
value_label_at = 0.8790658882402002
lane_from = 0.3
lane_to = 4.7
value_log = 0
value_from = 0
value_to = 41.6
value_tic_count = 9
array value_tic[9]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic[4] = said(8)
value_tic[5] = said(9)
value_tic[6] = said(10)
value_tic[7] = said(11)
value_tic[8] = said(12)
value_tic[9] = said(13)
value_tic_at_count = 9
array value_tic_at[9]
value_tic_at[1] = 0
value_tic_at[2] = 5
value_tic_at[3] = 10
value_tic_at[4] = 15
value_tic_at[5] = 20
value_tic_at[6] = 25
value_tic_at[7] = 30
value_tic_at[8] = 35
value_tic_at[9] = 40
x_log = 0
x_from = 0
x_to = 0
x_tic_count = 0
array x_tic[1]
x_tic_at_count = 0
array x_tic_at[1]
lane_count = 4
array lane[4]
lane[1] = said(14)
lane[2] = said(15)
lane[3] = said(16)
lane[4] = said(17)
lane_at_count = 4
array lane_at[4]
lane_at[1] = 1
lane_at[2] = 2
lane_at[3] = 3
lane_at[4] = 4
note_count = 4
array note[4]
note[1] = said(18)
note[2] = said(19)
note[3] = said(20)
note[4] = said(21)
note_at_count = 4
array note_at[4]
note_at[1] = 1
note_at[2] = 2
note_at[3] = 3
note_at[4] = 4
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
1 25.5 10 21 30 23.25 27.75 21 30
2 15.5 10 11 20 13.25 17.75 11 20
3 33.5 10 29 38 31.25 35.75 29 38
4 23.5 10 19 28 21.25 25.75 19 28
EOD
$bins << EOD
# at from to count
1 20 25 4
1 25 30 5
1 30 35 1
2 10 15 4
2 15 20 5
2 20 25 1
3 25 30 1
3 30 35 5
3 35 40 4
4 15 20 1
4 20 25 5
4 25 30 4
EOD
peak = 5

