#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hardware counters on an emulated machine: QEMU emulates an Armv8 whose PMU has six general counters
# and one for cycles, and on which every instruction takes two cycles. It boots Debian's kernel, which
# `make deps-pmu` fetches. The time of that machine is that of its instructions, so this may run next to others.
# slow
. "${0%/*}/../lib/tap.sh"

guest=${PMU_GUEST:-$ROOT/build/pmu}
skip_unless unsanitized 'bench-run and bench-prof count on an emulated machine with a PMU' || done_testing
for need in qemu-system-aarch64 aarch64-linux-gnu-gcc cpio "$guest/vmlinuz"; do
	skip_unless "$need" 'bench-run and bench-prof count on an emulated machine with a PMU' || done_testing
done

cross="aarch64-linux-gnu-gcc --sysroot=$guest/root"
# Half of the library is enough: the objects that the linker takes for the programs of this machine, and the stand-ins
# for libraries that are not in the system of the other machine.
for program in bench-run bench-prof helpers/bench-spawn helpers/bench-call; do
	# shellcheck disable=SC2016 # make's variables
	make -s -C "$ROOT" BUILD="$BUILD" --eval 'map: ; @$(CC) -o /dev/null -Wl,-M $(OBJ)/tools/'$program'.o \
		$(OPTION_LIB) $(HELPER_LIB) $(LIB) $(OUR_LIBS)' map
done | sed -nE 's|^.*libbench\.a\((.*)\.o\)$|/\1.c|p' | sort -u >linked
sources=$(cd "$ROOT" && find lib backends/ref -name '*.c' | grep -F -e _none.c -f "$T/linked" | paste -sd ' ')
(cd "$ROOT" && make -s BUILD="$T/build" CC="$cross" SANITIZE= CFLAGS=-O1 LIB_WHOLE="$sources" "$T/build/bin/bench-run" \
	"$T/build/bin/bench-prof" "$T/build/libexec/benchutils/bench-spawn" \
	"$T/build/libexec/benchutils/bench-call") >make.log 2>&1
is $? 0 'bench-run and bench-prof can be built for the emulated machine' || cat make.log
mkdir -p disk/bin disk/proc disk/sys disk/dev disk/tmp disk/share disk/libexec
cp "$guest/root/usr/bin/busybox" "$T/build/bin/bench-run" "$T/build/bin/bench-prof" disk/bin
cp -r "$T/build/libexec/benchutils" disk/libexec
cp -r "$ROOT/share" disk/share/benchutils
cp "$ROOT/tests/counters/qemu/init.sh" disk/init
chmod 755 disk/init
mkdir -p disk/lib/aarch64-linux-gnu
cp "$guest"/root/lib/ld-linux-aarch64.so.1 disk/lib
for lib in c csv pfm jansson utf8proc dw elf z lzma bz2 m; do
	cp "$guest"/root/lib/aarch64-linux-gnu/lib$lib.so.[0-9]* disk/lib/aarch64-linux-gnu
done
cp "$guest"/root/usr/lib/libRmath.so.[0-9]* disk/lib
$cross -O1 -fno-omit-frame-pointer -static -o disk/bin/split "$ROOT/tests/counters/qemu/split.c"
aarch64-linux-gnu-gcc -nostdlib -static -o disk/bin/loop "$ROOT/tests/counters/qemu/loop.S"
$cross -O2 -static -pthread -o disk/bin/threads "$ROOT/tests/counters/qemu/threads.c"
$cross -O2 -static -o disk/bin/hold "$ROOT/tests/counters/qemu/hold.c"

$cross -O2 -shared -fPIC -I "$ROOT/include" -o disk/good.so "$ROOT/tests/fixtures/functions/good.c"

cat >disk/own.csv <<'END'
name,event,formula,unit
ticks,r11,,
work,instructions,,
per_tick,,work / ticks,1
rate,,1e9 * work / wall,1/s
r08,,,
r008,,,
r0008,,,
r00008,,,
a,,r08 / work,1
b,,r008 / work,1
c,,r0008 / work,1
d,,r00008 / work,1
END
cat >disk/job.sh <<'END'
run() { echo "== $1"; shift; bench-run --csv -w 0 --commit none "$@" 2>&1 | cat; }
paranoid() { echo "$1" >/proc/sys/kernel/perf_event_paranoid; }
eight=cycles,instructions,INST_RETIRED,CPU_CYCLES,r08,r11,r008,r011
paranoid -1
run basic -r 3 -e cycles,instructions -- loop
run eight -r 3 -e $eight -- loop
run fourteen -r 3 -e $eight,r0008,r0011,r00008,r00011,r000008,r000011 -- loop
echo '== held'; hold 1 bench-run -q --csv -w 0 -r 3 -e instructions,r08,r008,r0008,r00008,r000008 -- loop
run group -r 3 -e '{cycles,instructions},{INST_RETIRED,CPU_CYCLES,r08},{r11,r008},{r0008,r00008}' -- loop
run large -r 1 -e '{cycles,instructions,INST_RETIRED,CPU_CYCLES,r08,r11,r008,r011}',page-faults -- loop
run lacking -r 1 -e '{instructions,branches},cycles' -- loop
run set -r 3 -E default -E /own.csv -- loop
run default -r 2 -- loop
echo '== held group'; hold 5 bench-run -q --csv -w 0 -r 1 -e '{instructions,r08,r008},cycles' -- loop
run refused -r 1 -e branches,instructions -- loop
run descendants -r 2 -e instructions:u -S -c 'loop & loop & loop & loop; wait'
run many -r 100 -e instructions:u,cycles:u,page-faults -- true
run functions -r 5 --processes 1 --sample-time 1ms -e instructions:u,cycles:u -f /good.so:hundred -f /good.so:empty
run families -r 3 --processes 1 -e instructions:u -f /good.so:own_thread
threads &
sleep 0.1
run attached -r 3 --window 50ms -e cycles,instructions --pid $!
run 'attached fourteen' -r 3 --window 200ms -e $eight,r0008,r0011,r00008,r00011,r000008,r000011 --pid $!
run 'attached group' -r 1 --window 100ms -e '{cycles,instructions},{INST_RETIRED,CPU_CYCLES,r08},{r11,r008},{r0008,r00008}' --pid $!
run 'attached large' -r 1 --window 50ms -e '{cycles,instructions,INST_RETIRED,CPU_CYCLES,r08,r11,r008,r011}',page-faults --pid $!
run 'attached default' -r 2 --window 50ms --pid $!
run 'attached twins' -r 1 --window 20ms --aa -e cycles,instructions,r08,r008,r0008 --pid $!
run 'attached refused' -r 1 --window 50ms -e branches,instructions --pid $!
run 'attached machine' -r 3 --window 200ms -a -e '{cycles,instructions}'
run 'attached machine fourteen' -r 2 --window 400ms -a -e $eight,r0008,r0011,r00008,r00011,r000008,r000011
run 'attached machine parts' -r 2 --window 100ms -a --per cpu -e instructions,branches,task-clock,context-switches
run 'attached machine set' -r 2 --window 100ms -a -E default
run 'attached machine twins' -r 1 --window 100ms -a --aa -e cycles,instructions,r08,r008,r0008
echo '== attached foreign'; su user -c "bench-run --csv -r 1 --window 50ms -e instructions --pid $!" 2>&1
kill $!
for event in cycles instructions; do
	echo "== profile $event"
	bench-prof --csv --commit none -F 1999 -e $event -- split 2>&1
done
echo '== user profile cycles'; su user -c 'bench-prof -q --csv --commit none -F 1999 -e cycles:u -- split'
echo '== folded'; bench-prof -q --folded -g dwarf -F 1997 -- split
paranoid 2
su user -c 'threads & sleep 0.1; echo "== attached user"; bench-run -q --csv -r 2 --window 50ms -e instructions --pid $!; kill $!'
su user -c 'echo "== attached machine user"; bench-run --csv -r 1 --window 100ms -a -e instructions 2>&1'
echo '== user'; su user -c 'bench-run -q --csv -w 0 -r 2 -e cycles,instructions,context-switches -- loop'
paranoid 4
echo '== denied'; su user -c 'bench-run -q --csv -w 0 -r 2 -e instructions -- loop'
END
(cd disk && find . | cpio --quiet -o -H newc) >initrd
timeout 300 qemu-system-aarch64 -M virt -cpu cortex-a57 -m 512 -accel tcg -icount shift=1,sleep=off \
	-rtc clock=vm -nodefaults -display none -no-reboot -serial file:console \
	-kernel "$guest/vmlinuz" -initrd initrd \
	-append 'console=ttyAMA0 quiet panic=-1 mitigations=off' >qemu.log 2>&1 </dev/null
tr -d '\r' <console >out
like "$(cat out)" '^the job has ended$' 'the emulated machine runs its job to the end' || tail -n 30 out qemu.log

# rows PART METRIC and values PART METRIC: the rows and the values of a metric, one per line
rows() { awk -F, -v part="== $1" -v m="$2" '/^==/ { on = $0 == part } on && $12 == m' out; }
values() { rows "$1" "$2" | cut -d, -f14; }
# near NAME COUNT WANT TOLERANCE: standard input has COUNT values, all within the relative TOLERANCE of
# WANT
near() {
	is "$(awk -v want="$3" -v part="$4" '$1 != "" { n++ } $1 < want * (1 - part) || $1 > want * (1 + part) { bad = bad " " $1 }
		END { print n + 0 bad }')" "$2" "$1"
}
# of FUNCTION METRIC: the values of a metric of a function
of() { awk -F, -v b="$1" -v m="$2" '/^==/ { on = $0 == "== functions" || $0 == "== families" } on && $7 == b && $13 == m { print $15 }' out; }
of hundred instructions:u >v; near 'bench-run counts the instructions of an iteration of a function' 5 102 0.02 <v
of hundred cycles:u >v; near 'bench-run counts the cycles of an iteration of a function' 5 204 0.02 <v
of empty instructions:u >v; near 'bench-run counts two instructions per iteration of an empty loop' 5 2 0.01 <v
of own_thread instructions:u >v; near 'bench-run counts the instructions of threads that a function starts' 3 2.005e6 0.01 <v
values basic instructions >v; near 'bench-run counts the instructions of a command with little overhead' 3 40.1e6 0.005 <v
is "$(rows basic cycles | cut -d, -f14 | paste -d' ' - v | awk '$1 != 2 * $2' | wc -l)" 0 'bench-run counts cycles and instructions of a command at the same time'
is "$(rows basic cycles | cut -d, -f16 | sort -u)" '' 'running_pct is empty for events that are counted all the time'
for m in instructions INST_RETIRED r08 r008; do
	values eight $m >v; near "bench-run scales $m, one of eight events that take turns" 3 40.1e6 0.01 <v
done
is "$(rows eight r011 | awk -F, '$16 < 30 || $16 > 95' | wc -l)" 0 'running_pct reports the share of the time of events that take turns'
for m in r0008 r00008 r000008; do
	values fourteen $m >v; near "bench-run scales $m, one of fourteen events that take turns" 3 40.1e6 0.01 <v
done
for m in instructions r08 r000008; do
	values held $m >v; near "bench-run counts $m although another process holds a counter" 3 40.1e6 0.01 <v
done
is "$(rows refused branches | cut -d, -f14-15)" ',unsupported' 'an event that the processor lacks is unsupported'
values group cycles >c; values group instructions >v; near 'bench-run counts the instructions of a group' 3 40.1e6 0.005 <v
is "$(paste -d' ' c v | awk '$1 != 2 * $2' | wc -l),$(rows group CPU_CYCLES | wc -l)" 0,3 "bench-run counts the events of each of four groups together"
is "$(rows group r08 | awk -F, '$16 == "" || $16 > 95' | wc -l)" 0 'running_pct reports that four groups take turns'
is "$(rows group r08 | cut -d, -f16)" "$(rows group INST_RETIRED | cut -d, -f16)" 'all events of a group have the same running_pct'
for part in INST_RETIRED r08; do values group $part >v; near "bench-run scales $part of a group that takes turns" 3 40.1e6 0.01 <v; done
is "$(for m in cycles instructions INST_RETIRED CPU_CYCLES r08 r11 r008 r011; do rows large $m; done | cut -d, -f14-15 | sort -u)" ',unsupported' \
	'a group that is larger than the PMU is unsupported'
is "$(awk '/^==/ { on = $0 == "== large" } on && /cannot count them/' out)" '' 'bench-run does not report events of a too large group as missing'
is "$(rows large page-faults | cut -d, -f15)" ok 'bench-run counts other events together with a group that is too large'
is "$(grep -c 'their group can never be counted together' out)" 3 'bench-run reports each group that can never be counted in one line'
is "$(rows lacking instructions | cut -d, -f14-15),$(rows lacking cycles | cut -d, -f15)" ',unsupported,ok' 'a group with an event that the processor lacks is unsupported'
is "$(rows 'held group' instructions | cut -d, -f14-15),$(rows 'held group' cycles | cut -d, -f15)" ',unsupported,ok' \
	'a group is unsupported if held counters leave no room for it'
values set ipc >v; near 'the set default derives ipc' 3 0.5 1e-9 <v
is "$(rows default ipc | cut -d, -f14-16 | sort -u)" '0.5,ok,' 'bench-run without -e and -E derives ipc'
is "$(rows default branch_miss_rate | wc -l)" 0 'bench-run omits a metric whose events cannot be counted'
values set per_tick >v; near 'a set from a file derives a metric' 3 0.5 1e-3 <v
for m in a b c d; do values set $m >v; near "the events of the ratio $m are counted at the same time" 3 1 1e-6 <v; done
is "$(rows set d | awk -F, '$16 >= 100 || $16 == ""' | wc -l)" 0 'running_pct reports the share of the time of a derived metric'
# share PART FUNCTION: the share of the event of a function and its callees, in percent
share() {
	awk -F, -v part="== $1" -v f="$2" '/^==/ { on = $0 == part }
		on && /,samples,1,/ { samples += $(NF - 2) }
		on && /,(cycles|instructions)(:u)?,1,/ { all += $(NF - 2); if ($0 ~ ("[;,]" f "[;,]")) its += $(NF - 2) }
		END { if (samples > 100) printf "%.1f\n", 100 * its / all; else print "only " samples + 0 " samples" }' out
}
for part in 'profile cycles' 'user profile cycles' 'profile instructions'; do
	share "$part" heavy >v; near "bench-prof finds the share of 75% of a function: $part" 1 75 0.04 <v
	share "$part" light >v; near "bench-prof finds the share of 25% of a function: $part" 1 25 0.12 <v
done
awk -F, '/^==/ { on = $0 == "== user profile cycles" } on && /,cycles:u,1,/ { all += $(NF - 2) }
	END { print all }' out >v
near 'the periods of bench-prof add up to the cycles of 3000 times 100000 loops of 4 cycles' 1 1.2e9 0.01 <v
awk '/^==/ { on = $0 == "== folded" } on && /^[^=]/ { all += $NF; if (/(^|;)heavy[; ]/) heavy += $NF; if (/(^|;)main[; ]/) whole += $NF }
	END { print 100 * heavy / all; print 100 * whole / all }' out >shares
sed -n 1p shares >v; near 'bench-prof -g dwarf --folded finds the share of 75% of a function' 1 75 0.04 <v
sed -n 2p shares >v; near 'bench-prof -g dwarf unwinds stacks to main' 1 100 0.03 <v
values refused instructions >v; near 'bench-run counts other events together with an event that the processor lacks' 1 40.1e6 0.005 <v
values descendants instructions:u >v; near 'bench-run counts the instructions of descendants' 2 160e6 0.005 <v
values many instructions:u >v; is "$(wc -l <v)" 100 'bench-run counts in each of 100 samples'
middle=$(sort -n v | sed -n 50p)
near 'bench-run counts the same in each of 100 samples' 100 "$middle" 0.05 <v
# An instruction takes 2 ns. Of the rows of processes, those of a part have an additional column.
rows_attached() { awk -F, -v part="== attached$1" -v m="$2" '/^==/ { on = $0 == part } on && $13 == m' out; }
per_ns() { # per_ns PART METRIC: of each sample
	rows_attached "$1" cpu_time | cut -d, -f15 >ns
	rows_attached "$1" "$2" | cut -d, -f15 | paste -d' ' - ns | awk '{ print $1 / $2 }'
}
per_ns '' instructions >v; near 'bench-run --pid counts the instructions of all threads, also of those that start' 3 0.5 0.02 <v
per_ns '' cycles >v; near 'bench-run --pid counts the cycles of all threads' 3 1 0.02 <v
for m in instructions INST_RETIRED r08 r000008; do
	per_ns ' fourteen' $m >v; near "bench-run --pid scales $m, one of fourteen events that take turns" 3 0.5 0.06 <v
done
is "$(rows_attached ' fourteen' r000008 | awk -F, '$17 < 20 || $17 > 95' | wc -l)" 0 'running_pct reports the share of the time of events of a process that take turns'
is "$(rows_attached ' group' r08 | cut -d, -f17)" "$(rows_attached ' group' INST_RETIRED | cut -d, -f17)" 'the events of a group of a process are counted together'
per_ns ' group' r08 >v; near 'bench-run --pid scales an event of a group that takes turns' 1 0.5 0.06 <v
is "$(rows_attached ' large' instructions | cut -d, -f15-16),$(rows_attached ' large' page-faults | cut -d, -f16)" ',unsupported,ok' \
	'a group that is larger than the PMU is unsupported for a process'
is "$(rows_attached ' default' ipc | awk -F, '$15 < 0.499 || $15 > 0.501' | wc -l),$(rows_attached ' default' ipc | wc -l)" 0,2 'bench-run --pid derives ipc'
is "$(awk -F, '/^==/ { on = $0 == "== attached twins" } on && $14 == "r0008" { print $17 "," $18 }' out | tr '\n' ' ')" 'ok, ok, ' \
	'the two halves of --aa share the counters of a process'
is "$(rows_attached ' refused' branches | cut -d, -f15-16),$(rows_attached ' refused' instructions | cut -d, -f16)" ',unsupported,ok' \
	'an event that the processor lacks is unsupported for a process'
is "$(rows_attached ' foreign' instructions | cut -d, -f15-16)" ',denied' 'the events of a process of another user are denied'
is "$(rows_attached ' user' instructions:u | awk -F, '$15 > 1e7 && $16 == "ok"' | wc -l)" 2 'an ordinary user counts the events of a process in user mode'
# The threads keep the only processor of the machine busy. Processor times are ticks of 10 ms.
per_ns ' machine' instructions >v; near 'bench-run -a counts the instructions of the machine' 3 0.5 0.15 <v
rows_attached ' machine' instructions | cut -d, -f15 >v
is "$(rows_attached ' machine' cycles | cut -d, -f15 | paste -d' ' - v | awk '$1 < 1.99 * $2 || $1 > 2.01 * $2' | wc -l)" 0 'bench-run -a counts the events of a group at the same time'
for m in instructions r08 r000008; do
	per_ns ' machine fourteen' $m >v; near "bench-run -a scales $m, one of fourteen events that take turns" 2 0.5 0.15 <v
done
is "$(rows_attached ' machine fourteen' r000008 | awk -F, '$17 < 20 || $17 > 95' | wc -l)" 0 'running_pct reports the share of the time of events of the machine that take turns'
is "$(awk -F, '/^==/ { on = $0 == "== attached machine parts" } on && $14 == "instructions" { print $9 == "" ? "all" : $9, ($16 > 1e6), $17 }' out | sort | uniq -c | awk '{ print $1, $2, $3, $4 }' | tr '\n' ' ')" \
	'2 0 1 ok 2 all 1 ok ' 'bench-run -a --per cpu counts the machine and each processor'
is "$(awk -F, '/^==/ { on = $0 == "== attached machine parts" } on && ($14 == "branches" || $14 == "task-clock") { print $14 "," $16 "," $17 }' out | tr '\n' ' ')" \
	'branches,,unsupported task-clock,,unsupported ' 'events that processors lack, or that include idle time, are unsupported for the machine'
is "$(rows_attached ' machine set' ipc | awk -F, '$15 < 0.49 || $15 > 0.51' | wc -l),$(rows_attached ' machine set' ipc | wc -l)" 0,2 'bench-run -a derives ipc'
is "$(awk -F, '/^==/ { on = $0 == "== attached machine twins" } on && $14 == "r0008" { print $17 "," $18 }' out | tr '\n' ' ')" 'ok, ok, ' \
	'the two halves of --aa share the counters of the machine'
is "$(rows_attached ' machine user' instructions | cut -d, -f15-16)" ',denied' 'the events of the machine are denied to an ordinary user'
is "$(rows user cycles:u | cut -d, -f14 | sort -u)" 80000010 'bench-run counts exactly in user mode for an ordinary user'
is "$(rows user context-switches | wc -l)" 2 'bench-run reports context switches from the accounting for an ordinary user'
is "$(rows denied instructions | cut -d, -f14-15)" ',denied' 'an event has the status denied if perf_event_paranoid is 4'
done_testing
