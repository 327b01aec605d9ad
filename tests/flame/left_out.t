#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Flame graphs say which stacks they leave out, and refuse values that have no sum.
. "${0%/*}/../lib/tap.sh"

printf 'run,bench,stack,metric,unit,value,status\n' >head.csv
{
	cat head.csv
	printf 'r,b,main;f,samples,1,5,ok\nr,b,main;g,samples,1,7,failed:exit=3\nr,b,main;h,samples,1,1,timeout\n'
} >some.csv
like "$(bench-plot flame -F txt some.csv)" '^5 samples; bench b; 2 stacks of failed runs left out$' \
	"a flame graph counts the stacks of failed runs that it leaves out"
like "$(bench-plot flame -F svg some.csv)" '<desc>.*2 stacks of failed runs left out' \
	"the description of a flame graph counts the stacks of failed runs"
sed 's/,ok$/,failed:exit=3/' some.csv >failed.csv
status 2 "bench-plot flame refuses the profile of a command that failed" bench-plot flame -o p.svg failed.csv
like "$(cat .err)" 'all 3 stacks are of failed runs' "the message says that the runs of all stacks failed"
ok "bench-plot flame leaves no file if all runs failed" test ! -e p.svg

{
	cat head.csv
	printf 'r,b,main;f,heap,B,5,ok\nr,b,main;g,heap,KiB,7,ok\n'
} >units.csv
status 2 "bench-plot flame refuses to add two units" bench-plot flame -F txt units.csv
like "$(cat .err)" "units.csv, line 3: metric heap has two units, 'B' and 'KiB'" "the message names both units and the line"

{
	cat head.csv
	printf 'r,b,main;f,heap,B,1.7e308,ok\nr,b,main;g,heap,B,1.7e308,ok\n'
} >sum.csv
status 2 "bench-plot flame refuses values whose sum is not finite" bench-plot flame -F svg sum.csv
like "$(cat .err)" 'sum.csv, line 3: the sum of heap is too large' "the message says that the sum is too large"
done_testing
