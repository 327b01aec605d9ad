#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads the tables that iostat prints.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
is "$(bench-convert "$data/iostat-times.txt" | columns host,device,sample,t,metric,unit,value,status | grep -E ':(%user|rkB/s|r_await|wareq-sz|f_await),')" \
	'host,,-1,,sysstat:%user,%,56.22,ok
host,vda,-1,,sysstat:rkB/s,B/s,1492008.96,ok
host,vda,-1,,sysstat:r_await,ns,4760000,ok
host,vda,-1,,sysstat:wareq-sz,B,80855.04,ok
host,vda,-1,,sysstat:f_await,ns,300000,ok
host,,0,1000000000,sysstat:%user,%,54.73,ok
host,vda,0,1000000000,sysstat:rkB/s,B/s,192512,ok
host,vda,0,1000000000,sysstat:r_await,ns,960000,ok
host,vda,0,1000000000,sysstat:wareq-sz,B,45987.84,ok
host,vda,0,1000000000,sysstat:f_await,ns,,skipped
host,,0,2000000000,sysstat:%user,%,58.29,ok
host,vda,0,2000000000,sysstat:rkB/s,B/s,32768,ok
host,vda,0,2000000000,sysstat:r_await,ns,1120000,ok
host,vda,0,2000000000,sysstat:wareq-sz,B,43939.84,ok
host,vda,0,2000000000,sysstat:f_await,ns,,skipped' 'bench-convert reads reports of iostat -t as a time series, and times of no requests as missing'
is "$(bench-convert "$data/iostat.txt" | columns device,sample,metric,unit,value | grep -E ':(%idle|kB_read|tps),')" \
	',-1,sysstat:%idle,%,9.32
vda,-1,sysstat:tps,1/s,211.62
vda,-1,sysstat:kB_read,B,41762890752
,0,sysstat:%idle,%,0
vda,0,sysstat:tps,1/s,138.61
vda,0,sysstat:kB_read,B,200704' 'processors and devices of a report of iostat have the same sample'
is "$(bench-convert "$data/iostat-devices.txt" | column sample | uniq | tr '\n' ' ')" '-1 0 ' \
	'bench-convert reads reports of iostat without processors'
sed 's/^vda  *\([0-9]*\)\./vda \1,/' "$data/iostat.txt" >comma.txt
like "$(bench-convert comma.txt 2>&1)" "^bench-convert: comma.txt:7: no number in the column tps: '[0-9]*,62' .print the tables with LC_ALL=C.$" \
	'bench-convert rejects tables of iostat with decimal commas'
{ cat "$data/iostat.txt" && echo 'zz: 1'; } >other.txt
like "$(bench-convert other.txt 2>&1)" 'the output of iostat must be alone in the file$' \
	'bench-convert rejects other lines in the output of iostat'
done_testing
