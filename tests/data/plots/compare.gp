# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.svg
reset session
set encoding utf8
set termoption noenhanced
set terminal svg noenhanced size 800,404 font 'sans-serif,13' background '#ffffff'
# The texts, which gnuplot never reads as commands.
$said << EOD
>wall: new against old
>ratio of new to old with its interval
>new / old
>
>1e-06
>1e-05
>0.0001
>0.001
>0.01
>0.1
>1
>fast, n=1000
>slow, n=1000
>fast, n=2000
>slow, n=2000
>fast, n=4000
>slow, n=4000
>fast, n=8000
>slow, n=8000
>fast, n=16000
>slow, n=16000
>geometric mean
>1 same
>0.00035 better
>1 same
>8.75e-05 better
>1 same
>2.19e-05 better
>1 same
>5.47e-06 better
>1 same
>1.37e-06 better
>0.00468 geomean
>same
>better
>geomean
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
left = 0.16965
right = 0.8245
top = 0.8067393458870169
bottom = 0.12884043607532214
column = 0.00975
row = 0.049554013875123926
columns = 67.16410256410256
first_line = 0.9554013875123885
value_label_at = 0.8067393458870169
lane_from = 0.3
lane_to = 11.7
value_log = 1
value_from = 7.96626217746764e-07
value_to = 1.7168205901668687
value_tic_count = 7
array value_tic[7]
value_tic[1] = said(5)
value_tic[2] = said(6)
value_tic[3] = said(7)
value_tic[4] = said(8)
value_tic[5] = said(9)
value_tic[6] = said(10)
value_tic[7] = said(11)
value_tic_at_count = 7
array value_tic_at[7]
value_tic_at[1] = 1e-06
value_tic_at[2] = 1e-05
value_tic_at[3] = 0.0001
value_tic_at[4] = 0.001
value_tic_at[5] = 0.01
value_tic_at[6] = 0.1
value_tic_at[7] = 1
x_log = 0
x_from = 0
x_to = 0
x_tic_count = 0
array x_tic[1]
x_tic_at_count = 0
array x_tic_at[1]
lane_count = 11
array lane[11]
lane[1] = said(12)
lane[2] = said(13)
lane[3] = said(14)
lane[4] = said(15)
lane[5] = said(16)
lane[6] = said(17)
lane[7] = said(18)
lane[8] = said(19)
lane[9] = said(20)
lane[10] = said(21)
lane[11] = said(22)
lane_at_count = 11
array lane_at[11]
lane_at[1] = 1
lane_at[2] = 2
lane_at[3] = 3
lane_at[4] = 4
lane_at[5] = 5
lane_at[6] = 6
lane_at[7] = 7
lane_at[8] = 8
lane_at[9] = 9
lane_at[10] = 10
lane_at[11] = 11
note_count = 11
array note[11]
note[1] = said(23)
note[2] = said(24)
note[3] = said(25)
note[4] = said(26)
note[5] = said(27)
note[6] = said(28)
note[7] = said(29)
note[8] = said(30)
note[9] = said(31)
note[10] = said(32)
note[11] = said(33)
note_at_count = 11
array note_at[11]
note_at[1] = 1
note_at[2] = 2
note_at[3] = 3
note_at[4] = 4
note_at[5] = 5
note_at[6] = 6
note_at[7] = 7
note_at[8] = 8
note_at[9] = 9
note_at[10] = 10
note_at[11] = 11
name_count = 0
array name[1]
name_at_count = 0
array name_at[1]
name_x_count = 0
array name_x[1]
key_count = 3
array key[3]
key[1] = said(34)
key[2] = said(35)
key[3] = said(36)
key_at_count = 3
array key_at[3]
key_at[1] = 0.8562933597621407
key_at[2] = 0.8562933597621407
key_at[3] = 0.8562933597621407
key_x_count = 3
array key_x[3]
key_x[1] = 0.00975
key_x[2] = 0.09457499999999999
key_x[3] = 0.192075
series = 3
dense = 0
slot_count = 3
array slot[3]
slot[1] = 6
slot[2] = 2
slot[3] = 7
$points << EOD
# at median n min max q1 q3 whisker_lo whisker_hi; an index a series
1 1 1 1 1 1 1 1 1
3 1 1 1 1 1 1 1 1
5 1 1 1 1 1 1 1 1
7 1 1 1 1 1 1 1 1
9 1 1 1 1 1 1 1 1


2 0.0003499387607168745 1 0.0003499387607168745 0.0003499387607168745 0.0003499387607168745 0.0003499387607168745 0.0003499387607168745 0.0003499387607168745
4 8.749617204247314e-05 1 8.749617204247314e-05 8.749617204247314e-05 8.749617204247314e-05 8.749617204247314e-05 8.749617204247314e-05 8.749617204247314e-05
6 2.1874760744804354e-05 1 2.1874760744804354e-05 2.1874760744804354e-05 2.1874760744804354e-05 2.1874760744804354e-05 2.1874760744804354e-05 2.1874760744804354e-05
8 5.468735046427608e-06 1 5.468735046427608e-06 5.468735046427608e-06 5.468735046427608e-06 5.468735046427608e-06 5.468735046427608e-06 5.468735046427608e-06
10 1.3671865653998087e-06 1 1.3671865653998087e-06 1.3671865653998087e-06 1.3671865653998087e-06 1.3671865653998087e-06 1.3671865653998087e-06 1.3671865653998087e-06


11 0.004676962717276431 1 0.004676962717276431 0.004676962717276431 0.004676962717276431 0.004676962717276431 0.004676962717276431 0.004676962717276431
EOD
$intervals << EOD
# at median lo hi
1 1 0.9996502098740756 1.0003499125218696
3 1 0.9998250524842547 1.000174978127734
5 1 0.9999125131230315 1.0000874945315918
7 1 0.9999562532810039 1.0000437486328553
9 1 0.9999781258202818 1.0000218746582086


2 0.0003499387607168745 0.0003498950314905528 0.00034998250087495624
4 8.749617204247314e-05 8.749343799215059e-05 8.74989062636717e-05
6 2.1874760744804354e-05 2.1874589851440285e-05 2.1874931640838624e-05
8 5.468735046427608e-06 5.4687243653545375e-06 5.4687457275424e-06
10 1.3671865653998087e-06 1.367185897829026e-06 1.3671872329712436e-06


11 0.004676962717276431 0.0046767644524469965 0.004677160992698953
EOD

