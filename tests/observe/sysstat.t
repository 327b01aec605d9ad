#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what the programs of sysstat write: tables for people, sadf -d and JSON.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
# of FILE METRIC...: the rows of these metrics, with the columns of $list
of() {
	bench-convert "$1" >of.csv
	shift
	columns "$list" of.csv | grep -F "$(printf ',%s,\n' "$@")"
}

list=time,host,cpu,interface,sample,t,metric,unit,value,status
is "$(of "$data/sadf.txt" sysstat:%usr sysstat:kbmemfree sysstat:rxkB/s | sed -n '1,4p;/kbmemfree/p;$p')" \
	'2026-11-29T22:57:38.000000000Z,host,all,,0,1000000000,sysstat:%usr,%,45.1,ok
2026-11-29T22:57:38.000000000Z,host,0,,0,1000000000,sysstat:%usr,%,45.1,ok
2026-11-29T22:57:38.000000000Z,host,1,,0,1000000000,sysstat:%usr,%,45.1,ok
2026-11-29T22:57:38.000000000Z,host,all,,0,2000000000,sysstat:%usr,%,42.79,ok
2026-11-29T22:57:38.000000000Z,host,,,0,1000000000,sysstat:kbmemfree,B,15421538304,ok
2026-11-29T22:57:38.000000000Z,host,,,0,2000000000,sysstat:kbmemfree,B,15415087104,ok
2026-11-29T22:57:38.000000000Z,host,,,0,3000000000,sysstat:kbmemfree,B,15133024256,ok
2026-11-29T22:57:38.000000000Z,host,,,0,4000000000,sysstat:kbmemfree,B,15354388480,ok
2026-11-29T22:57:38.000000000Z,host,,lo,0,4000000000,sysstat:rxkB/s,B/s,0,ok' \
	'bench-convert reads the tables of sadf -d as time series, and ignores comments and restarts'

# same TEXT JSON: the values of a column of sadf -d, and those of a member of sadf -j
same() {
	is "$(bench-convert "$data/sadf.txt" | columns t,metric,unit,value | sed -n "s|,$1,|,|p")" \
		"$(bench-convert "$data/sysstat-sadf.json" | columns t,metric,unit,value | sed -n "s|,$2,|,|p")" \
		"bench-convert reads the same values of $2 from the JSON of sadf as from sadf -d"
}
same sysstat:%iowait cpu-load:iowait
same sysstat:cswch/s process-and-context-switch:cswch
same sysstat:pgpgout/s paging:pgpgout
same sysstat:fault/s paging:fault
same sysstat:bread/s io-reads:bread
same sysstat:kbcached memory:cached
same sysstat:%memused memory:memused-percent
same sysstat:ldavg-5 queue:ldavg-5
same sysstat:rxkB/s net-dev:rxkB
same sysstat:MHz cpu-frequency:frequency

list=host,cpu,t,metric,unit,value
is "$(of "$data/sysstat-sar.txt" sysstat:%user sysstat:runq-sz)" 'host,all,1000000000,sysstat:%user,%,45.1
host,all,2000000000,sysstat:%user,%,42.79
host,,1000000000,sysstat:runq-sz,1,13
host,,2000000000,sysstat:runq-sz,1,13
host,all,3000000000,sysstat:%user,%,44.78
host,all,4000000000,sysstat:%user,%,50.75
host,,3000000000,sysstat:runq-sz,1,16
host,,4000000000,sysstat:runq-sz,1,14' 'bench-convert reads the tables that sar prints, each of which begins at the first time'
sed '/RESTART/,$d' "$data/sysstat-sar.txt" >before.txt
is "$(bench-convert before.txt | bench-stat --csv -s mean --filter metric=sysstat:kbavail | column mean)" \
	"$(sed -n '/kbavail/,/Average/{s/^Average: *[0-9]* *\([0-9]*\) .*/\1/p;}' before.txt | awk '{ printf "%.0f\n", $1 * 1024 }')" \
	'the mean of a time series is the average that sar prints'
sed 's/22:57:3\(.\)/11:59:5\1 PM/; s/22:57:4\(.\)/12:00:0\1 AM/' "$data/sysstat-sar.txt" >midnight.txt
is "$(of midnight.txt sysstat:%user)" "$(of "$data/sysstat-sar.txt" sysstat:%user)" \
	'bench-convert reads times of sar with 12 hours, and those after midnight as the next day'

list=cpu,t,metric,value
is "$(of "$data/sysstat-mpstat.txt" sysstat:%sys sysstat:intr/s | sed -n '1,6p;$p')" 'all,1000000000,sysstat:%sys,9.8
0,1000000000,sysstat:%sys,7.84
1,1000000000,sysstat:%sys,11.76
all,1000000000,sysstat:intr/s,725.74
0,1000000000,sysstat:intr/s,281.19
1,1000000000,sysstat:intr/s,451.49
1,2000000000,sysstat:intr/s,391.09' 'bench-convert reads processors and interrupts of mpstat'
is "$(of "$data/sysstat-mpstat.json" cpu-load:idle | wc -l)" 6 'bench-convert reads the JSON of mpstat'
is "$(bench-convert "$data/sysstat-mpstat-german.txt" 2>&1)" \
	"bench-convert: $data/sysstat-mpstat-german.txt:4: no number in the column %usr: '60,40' (print the tables with LC_ALL=C)" \
	'bench-convert rejects tables of sysstat with decimal commas and says how to print others'

is "$(bench-convert "$data/sysstat-mpstat-places.txt" | columns cpu,core,socket,node,metric | grep usr)" 'all,,,,sysstat:%usr
0,0,0,0,sysstat:%usr
1,1,0,0,sysstat:%usr' 'bench-convert reads cores and sockets of mpstat -T, which are blank for all processors'
is "$(bench-convert "$data/sysstat-mpstat-places.json" | columns cpu,name,metric,unit | grep -E 'SCHED|usr')" 'all,,cpu-load:usr,%
0,,cpu-load:usr,%
1,,cpu-load:usr,%
0,SCHED,intr:value,1/s
1,SCHED,intr:value,1/s' 'a list in the JSON of sysstat has the labels of the object that contains it'
is "$(bench-convert "$data/sysstat-sar-tables.txt" | columns file_system,metric,unit | grep -E 'retrans|fsfree')" ',sysstat:nfs-retrans/s,1/s
,sysstat:retrans/s,1/s
/dev/vda,sysstat:MBfsfree,B' 'bench-convert reads labels at the end of a line of sar, and tells columns of the same name apart'

list=kind,bench,pid,tid,t,metric,unit,value
is "$(of "$data/sysstat-pidstat.txt" sysstat:%CPU sysstat:RSS sysstat:kB_wr/s)" 'process,python3,23139,,1000000000,sysstat:%CPU,%,10.89
process,python3,23139,,1000000000,sysstat:RSS,B,14127104
process,python3,23139,,1000000000,sysstat:kB_wr/s,B/s,9327523.84
process,python3,23139,,2000000000,sysstat:%CPU,%,8
process,python3,23139,,2000000000,sysstat:RSS,B,14127104
process,python3,23139,,2000000000,sysstat:kB_wr/s,B/s,21811200' \
	'bench-convert reads processes of pidstat, whose tables have the same times'
is "$(of "$data/sysstat-pidstat-h.txt" sysstat:cswch/s)" 'process,python3,23139,,0,sysstat:cswch/s,1/s,1496.15
process,python3,,23139,0,sysstat:cswch/s,1/s,1469.23
process,python3,23139,,1000000000,sysstat:cswch/s,1/s,944
process,python3,,23139,1000000000,sysstat:cswch/s,1/s,945' 'bench-convert reads threads of pidstat -h -t'
sed 's/75000.00/   -1.00/' "$data/sysstat-pidstat-h.txt" >denied.txt
is "$(bench-convert denied.txt | columns metric,value,status | grep -m 1 kB_wr)" sysstat:kB_wr/s,,skipped \
	'bench-convert reads a rate that pidstat could not obtain as missing'

list=disk_device,sample,t,metric,unit,value
is "$(of "$data/sysstat-iostat.json" disk:rkB/s disk:w_await disk:util | cut -d, -f1-6)" 'vda,-1,,disk:rkB/s,B/s,1493821.44
vda,-1,,disk:w_await,ns,1650000
vda,-1,,disk:util,%,2.92
vda,0,,disk:rkB/s,B/s,73728
vda,0,,disk:w_await,ns,200000
vda,0,,disk:util,%,2.4
vda,1,,disk:rkB/s,B/s,4014.08
vda,1,,disk:w_await,ns,11690000
vda,1,,disk:util,%,2.75' 'the first report of iostat, on the time since the machine was started, is no sample'
is "$(of "$data/sysstat-iostat-times.json" disk:kB_wrtn/s)" 'vda,-1,,disk:kB_wrtn/s,B/s,3598684.16
vda,0,1000000000,disk:kB_wrtn/s,B/s,86016' 'bench-convert reads the reports of iostat -t as a time series'

cat "$data/sysstat-mpstat.txt" "$data/sysstat-sar.txt" >two.txt
like "$(bench-convert two.txt 2>&1)" 'must be alone in the file' \
	'bench-convert rejects a file with tables of two programs of sysstat'
head -n 4 "$data/sadf.txt" | sed '$s/;0.00$//' >short.txt
is "$(bench-convert short.txt 2>&1)" 'bench-convert: short.txt:4: not as many values as columns: the file is damaged' \
	'bench-convert rejects a line of sadf -d that lacks a value'
for script in 3d '4{p;s/.*//}'; do
	sed "$script" "$data/sysstat-mpstat.txt" >headless.txt
	like "$(bench-convert headless.txt 2>&1)" '^bench-convert: headless.txt:[0-9]*: values in the place of the names of columns' \
		"bench-convert rejects a table of sysstat without its line of columns, changed by sed $script"
done
# A damaged number
sed 's/"usr": \([0-9.]*\)/"usr": "\1"/; t end; b; :end; n; :rest; n; b rest' "$data/sysstat-mpstat.json" >damaged.json
bench-convert damaged.json >out 2>err
is "$?,$(wc -c <out),$(cat err)" "2,0,bench-convert: damaged.json: 'usr' of 'cpu-load' is a string in one place and a number in another: the file is damaged" \
	"a string in place of a number of sysstat is rejected, not read as a label"

done_testing
