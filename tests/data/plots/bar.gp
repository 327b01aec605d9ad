# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,248 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall by bench, level
>median with its 95 % interval, n = 10
>wall (ms)
>
>0
>5
>10
>15
>20
>25
>30
>35
>gzip
>zstd
>25.50 ms
>33.50 ms
>15.50 ms
>23.50 ms
>level=1
>level=9
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
left = 0.058499999999999996
right = 0.89275
top = 0.6849757673667205
bottom = 0.21001615508885296
column = 0.00975
row = 0.08077544426494343
columns = 85.56410256410258
first_line = 0.9273021001615509
value_label_at = 0.6849757673667205
lane_from = 0.3
lane_to = 5.2
value_log = 0
value_from = 0
value_to = 38.48
value_tic_count = 8
array value_tic[8]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic[4] = said(8)
value_tic[5] = said(9)
value_tic[6] = said(10)
value_tic[7] = said(11)
value_tic[8] = said(12)
value_tic_at_count = 8
array value_tic_at[8]
value_tic_at[1] = 0
value_tic_at[2] = 5
value_tic_at[3] = 10
value_tic_at[4] = 15
value_tic_at[5] = 20
value_tic_at[6] = 25
value_tic_at[7] = 30
value_tic_at[8] = 35
x_log = 0
x_from = 0
x_to = 0
x_tic_count = 0
array x_tic[1]
x_tic_at_count = 0
array x_tic_at[1]
lane_count = 2
array lane[2]
lane[1] = said(13)
lane[2] = said(14)
lane_at_count = 2
array lane_at[2]
lane_at[1] = 1.5
lane_at[2] = 4
note_count = 4
array note[4]
note[1] = said(15)
note[2] = said(16)
note[3] = said(17)
note[4] = said(18)
note_at_count = 4
array note_at[4]
note_at[1] = 1
note_at[2] = 2
note_at[3] = 3.5
note_at[4] = 4.5
name_count = 0
array name[1]
name_at_count = 0
array name_at[1]
name_x_count = 0
array name_x[1]
key_count = 2
array key[2]
key[1] = said(19)
key[2] = said(20)
key_at_count = 2
array key_at[2]
key_at[1] = 0.765751211631664
key_at[2] = 0.765751211631664
key_x_count = 2
array key_x[2]
key_x[1] = 0.00975
key_x[2] = 0.12480000000000001
series = 2
dense = 0
slot_count = 2
array slot[2]
slot[1] = 6
slot[2] = 1
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
1 25.5 10 21 30 23.25 27.75 21 30
3.5 15.5 10 11 20 13.25 17.75 11 20


2 33.5 10 29 38 31.25 35.75 29 38
4.5 23.5 10 19 28 21.25 25.75 19 28
EOD
$intervals << EOD
# at median lo hi
1 25.5 22 29
3.5 15.5 12 19


2 33.5 30 37
4.5 23.5 20 27
EOD

