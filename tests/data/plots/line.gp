# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,490 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall by n, bench
>median with its 95 % interval, n = 8
>wall
>n
>10 µs
>100 µs
>1 ms
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
left = 0.1105
right = 0.97075
top = 0.8408163265306122
bottom = 0.10612244897959189
column = 0.00975
row = 0.04081632653061229
columns = 88.23076923076924
first_line = 0.963265306122449
value_label_at = 0.8408163265306122
lane_from = 0
lane_to = 0
value_log = 1
value_from = 0.0077916453704996716
value_to = 6.57114993886286
value_tic_count = 3
array value_tic[3]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic_at_count = 3
array value_tic_at[3]
value_tic_at[1] = 0.01
value_tic_at[2] = 0.1
value_tic_at[3] = 1
x_log = 1
x_from = 895.0250709279724
x_to = 17876.59420915552
x_tic_count = 5
array x_tic[5]
x_tic[1] = said(8)
x_tic[2] = said(9)
x_tic[3] = said(10)
x_tic[4] = said(11)
x_tic[5] = said(12)
x_tic_at_count = 5
array x_tic_at[5]
x_tic_at[1] = 1000
x_tic_at[2] = 2000
x_tic_at[3] = 4000
x_tic_at[4] = 8000
x_tic_at[5] = 16000
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
key_count = 2
array key[2]
key[1] = said(13)
key[2] = said(14)
key_at_count = 2
array key_at[2]
key_at[1] = 0.8816326530612245
key_at[2] = 0.8816326530612245
key_x_count = 2
array key_x[2]
key_x[1] = 0.00975
key_x[2] = 0.08775000000000001
series = 2
dense = 0
slot_count = 2
array slot[2]
slot[1] = 6
slot[2] = 5
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
1000 0.0100035 8 0.01 0.010007 0.01000175 0.01000525 0.01 0.010007
2000 0.0200035 8 0.02 0.020007 0.02000175 0.02000525 0.02 0.020007
4000 0.0400035 8 0.04 0.040007 0.04000175 0.04000525 0.04 0.040007
8000 0.0800035 8 0.08 0.080007 0.08000175 0.08000525 0.08 0.080007
16000 0.1600035 8 0.16 0.160007 0.16000175 0.16000525 0.16 0.160007


1000 0.0200035 8 0.02 0.020007 0.02000175 0.02000525 0.02 0.020007
2000 0.0800035 8 0.08 0.080007 0.08000175 0.08000525 0.08 0.080007
4000 0.3200035 8 0.32 0.320007 0.32000175 0.32000525 0.32 0.320007
8000 1.2800035 8 1.28 1.280007 1.28000175 1.28000525 1.28 1.280007
16000 5.1200035 8 5.12 5.120007 5.12000175 5.12000525 5.12 5.120007
EOD
$intervals << EOD
# at median lo hi
1000 0.0100035 0.01 0.010007
2000 0.0200035 0.02 0.020007
4000 0.0400035 0.04 0.040007
8000 0.0800035 0.08 0.080007
16000 0.1600035 0.16 0.160007


1000 0.0200035 0.02 0.020007
2000 0.0800035 0.08 0.080007
4000 0.3200035 0.32 0.320007
8000 1.2800035 1.28 1.280007
16000 5.1200035 5.12 5.120007
EOD

