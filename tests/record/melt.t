#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of other programs, whose columns -m makes metrics.
. "${0%/*}/../lib/tap.sh"

printf 'metric,unit,lat\nread,x,3\nwrite,x,4\n' >other.csv
is "$(bench-convert -m lat:ms other.csv)" 'metric_,unit_,metric,unit,value
read,x,lat,ms,3
write,x,lat,ms,4' 'bench-convert -m makes columns that are named as those of rows factors'
is "$(bench-stat -m lat:ms -s n,mean other.csv)" 'metric_,unit_,metric,unit,n,mean
read,x,lat,ms,1,3
write,x,lat,ms,1,4' 'bench-stat -m distinguishes subjects by a column named metric'
printf 'value,lat\n8,3\n9,4\n' >value.csv
is "$(bench-convert -m lat value.csv)" 'value_,metric,unit,value
8,lat,,3
9,lat,,4' 'bench-convert -m makes a column named value a factor'
is "$(bench-convert -m value value.csv)" 'lat,metric,unit,value
3,value,,8
4,value,,9' 'bench-convert -m value reads a column named value'
printf 'metric,value,lat\nwall,8,3\nwall,9,3\n' >rows.csv
is "$(bench-stat -m lat -s n rows.csv)" 'metric_,metric,unit,n
wall,lat,,2' 'bench-stat -m ignores the values of rows'
printf 'metric,metric_,lat\na,b,1\n' >both.csv
is "$(bench-convert -m lat both.csv)" 'metric__,metric_,metric,unit,value
a,b,lat,,1' 'bench-convert -m gives a factor no name that another column has'
done_testing
