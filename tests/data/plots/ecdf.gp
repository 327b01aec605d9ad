# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,490 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall by bench, level
>the share of the values that are not larger, n = 10
>share of the values
>wall (ms)
>0.0
>0.5
>1.0
>0
>5
>10
>15
>20
>25
>30
>35
>gzip, level=1
>zstd, level=1
>gzip, level=9
>zstd, level=9
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
top = 0.8408163265306122
bottom = 0.10612244897959189
column = 0.00975
row = 0.04081632653061229
columns = 91.23076923076924
first_line = 0.963265306122449
value_label_at = 0.8408163265306122
lane_from = 0
lane_to = 0
value_log = 0
value_from = 0
value_to = 1.04
value_tic_count = 3
array value_tic[3]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic_at_count = 3
array value_tic_at[3]
value_tic_at[1] = 0
value_tic_at[2] = 0.5
value_tic_at[3] = 1
x_log = 0
x_from = 0
x_to = 39.52
x_tic_count = 8
array x_tic[8]
x_tic[1] = said(8)
x_tic[2] = said(9)
x_tic[3] = said(10)
x_tic[4] = said(11)
x_tic[5] = said(12)
x_tic[6] = said(13)
x_tic[7] = said(14)
x_tic[8] = said(15)
x_tic_at_count = 8
array x_tic_at[8]
x_tic_at[1] = 0
x_tic_at[2] = 5
x_tic_at[3] = 10
x_tic_at[4] = 15
x_tic_at[5] = 20
x_tic_at[6] = 25
x_tic_at[7] = 30
x_tic_at[8] = 35
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
key_count = 4
array key[4]
key[1] = said(16)
key[2] = said(17)
key[3] = said(18)
key[4] = said(19)
key_at_count = 4
array key_at[4]
key_at[1] = 0.8816326530612245
key_at[2] = 0.8816326530612245
key_at[3] = 0.8816326530612245
key_at[4] = 0.8816326530612245
key_x_count = 4
array key_x[4]
key_x[1] = 0.00975
key_x[2] = 0.1833
key_x[3] = 0.35684999999999995
key_x[4] = 0.5303999999999999
series = 4
dense = 0
slot_count = 4
array slot[4]
slot[1] = 3
slot[2] = 2
slot[3] = 6
slot[4] = 5
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
0 25.5 10 21 30 23.25 27.75 21 30


0 15.5 10 11 20 13.25 17.75 11 20


0 33.5 10 29 38 31.25 35.75 29 38


0 23.5 10 19 28 21.25 25.75 19 28
EOD
$steps << EOD
# value share
21 0
21 0.1
22 0.2
23 0.3
24 0.4
25 0.5
26 0.6
27 0.7
28 0.8
29 0.9
30 1


11 0
11 0.1
12 0.2
13 0.3
14 0.4
15 0.5
16 0.6
17 0.7
18 0.8
19 0.9
20 1


29 0
29 0.1
30 0.2
31 0.3
32 0.4
33 0.5
34 0.6
35 0.7
36 0.8
37 0.9
38 1


19 0
19 0.1
20 0.2
21 0.3
22 0.4
23 0.5
24 0.6
25 0.7
26 0.8
27 0.9
28 1
EOD

