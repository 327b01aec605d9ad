#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-env's facts about GPUs, from libraries and trees of the test.
# waits
. "${0%/*}/../lib/tap.sh"

fixtures=$ROOT/tests/fixtures/gpu
# gpu_facts [OPTION...]: the facts about GPUs without the column env
gpu_facts() { bench-env --csv "$@" | sed -n 's/^[^,]*,\(gpu.*\)/\1/p; s/^[^,]*,\(cuda,.*\)/\1/p'; }

mkdir nvidia amd
gcc -shared -fPIC -o nvidia/libnvidia-ml.so.1 "$fixtures/nvml.c" -lm
gcc -shared -fPIC -o amd/librocm_smi64.so.1 "$fixtures/rocm_smi.c"

cat >want <<'END'
gpus,2
gpu_model,"Great Card, Small"
gpu_driver,nvidia 550.1
cuda,12.4
gpu_memory_bytes,85899345920
gpu_power_limit_w,700
gpu_ecc,on
gpu_mig,off
gpu_pcie_gen,"5, 4"
gpu_pcie_width,16
END
is "$(LD_LIBRARY_PATH=$T/nvidia gpu_facts)" "$(cat want)" 'bench-env prints the facts of NVIDIA GPUs'
LD_LIBRARY_PATH=$T/nvidia bench-env >old.csv
LD_LIBRARY_PATH=$T/nvidia POWER_LIMIT=500000 bench-env >new.csv
unlike "$(sed -n 's/,gpus,.*//p' new.csv)" "^$(sed -n 's/,gpus,.*//p' old.csv)$" 'another limit of the power of a GPU changes env'
is "$(bench-env --diff old.csv new.csv | grep -v counters)" 'fact,old,new
gpu_power_limit_w,700,500' 'bench-env --diff names a changed fact of a GPU'
unlike "$(LD_LIBRARY_PATH=$T/nvidia DRIVER=560.2 bench-env --hash)" "^$(LD_LIBRARY_PATH=$T/nvidia bench-env --hash)$" \
	'another version of the driver of a GPU changes env'
is "$(NO_DRIVER=1 LD_LIBRARY_PATH=$T/nvidia gpu_facts)" '' 'bench-env prints no facts of GPUs without a loaded driver'
cat >want <<'END'
gpus,1
gpu_model,AMD Instinct MI300X
gpu_driver,amdgpu 6.8.5
gpu_memory_bytes,206141652992
gpu_power_limit_w,750
gpu_ecc,on
END
is "$(LD_LIBRARY_PATH=$T/amd gpu_facts)" "$(cat want)" 'bench-env prints the facts that ROCm SMI reports'

# card NAME TREE: writes the files of a recorded card (tests/fixtures/gpu/README) to a tree
card() {
	awk -F '\t' -v name="$1" '$1 == name { print $2 "\t" $3 }' "$fixtures/cards.tsv" | while IFS='	' read -r path text; do
		mkdir -p "$2/${path%/*}"
		printf '%b' "$text" >"$2/$path"
	done
}
for name in $(cut -f 1 "$fixtures/cards.tsv" | uniq); do
	card "$name" "tree-$name"
	gpu_facts --root "tree-$name" | sed "s/^/$name,/"
done >facts
is "$(sed '/,gpus,1$/d; s/,gpu_/ /' facts)" 'rx6900xt model,AMD 1002:73BF
rx6900xt driver,amdgpu
rx6900xt memory_bytes,17163091968
rx6900xt power_limit_w,289
rx6900xt pcie_gen,4
rx6900xt pcie_width,16
rx7600s model,AMD 1002:7480
rx7600s driver,amdgpu
rx7600s power_limit_w,95
rx7600s pcie_gen,4
rx7600s pcie_width,8
rx6600 model,AMD 1002:73FF
rx6600 driver,amdgpu
rx6600 power_limit_w,120
rx6600 pcie_gen,3
rx6600 pcie_width,8
phoenix model,AMD 1002:15BF
phoenix driver,amdgpu
phoenix memory_bytes,4294967296
vega56 model,AMD 1002:687F
vega56 driver,amdgpu
vega56 memory_bytes,8573157376
vega56 power_limit_w,260
vega56 pcie_gen,3
vega56 pcie_width,16
a380-i915 model,Intel 8086:56A5
a380-i915 driver,i915
a380-i915 power_limit_w,55
a380-xe model,Intel 8086:56A5
a380-xe driver,xe
a380-xe power_limit_w,55
b580-6.16 model,Intel 8086:E20B
b580-6.16 driver,xe
tigerlake model,Intel 8086:9A49
tigerlake driver,xe
cometlake model,Intel 8086:9B41
cometlake driver,i915' 'bench-env prints the facts of cards of AMD and Intel from files, of the link the one to the slot'
for name in a380-i915 a380-xe b580-6.16 rx6900xt cometlake; do
	bench-env --root "tree-$name" --csv energy_domains energy_access 2>/dev/null | sed "1d; s/^[^,]*/$name/"
done >facts
is "$(cat facts)" 'a380-i915,energy_domains,gpu0
a380-i915,energy_access,i915
a380-xe,energy_domains,gpu0
a380-xe,energy_access,xe
b580-6.16,energy_domains,gpu0
b580-6.16,energy_access,xe' 'bench-env names the energy counters of cards of Intel'
card cometlake tree-two
card a380-i915 tree-two
is "$(gpu_facts --root tree-two | sed -n 1,2p)" 'gpus,2
gpu_model,"Intel 8086:9B41, Intel 8086:56A5"' 'bench-env lists two cards'

# put TREE PATH: standard input becomes a file of a tree
put() {
	mkdir -p "$1/${2%/*}"
	cat >"$1/$2"
}
printf 'DRIVER=bochs-drm\nPCI_ID=1234:1111\n' | put tree-none sys/class/drm/card1/device/uevent
is "$(gpu_facts --root tree-none)" '' 'bench-env prints no facts of a card without a driver for GPUs'

# values METRIC FILE: the distinct values by device
values() { awk -F, -v m="$1" '$13 == m { print $8 "=" $15 }' "$2" | sort -u | paste -sd' '; }
run() { timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --gpu --interval 20ms -- sleep 0.1; }
# all FILE: all distinct values, as METRIC=VALUE, without the prefix gpu_
all() { awk -F, '$13 ~ /^gpu_/ { sub(/^gpu_/, "", $13); print $13 "=" $15 }' "$1" | sort -u | paste -sd ' '; }
for name in rx6900xt rx7600s phoenix b580-6.16 tigerlake cometlake; do
	BENCH_ROOT=tree-$name run >s.csv
	echo "$name $(all s.csv)"
done >readings
is "$(cat readings)" 'rx6900xt clock=500000000 memory=668274688 memory_clock=1000000000 power=36 temperature=56 throttle_other=0 throttle_power=0 throttle_thermal=0 utilisation=0.03
rx7600s clock=0 memory_clock=96000000 power=1 temperature=53 throttle_other=0 throttle_power=0 throttle_thermal=1 utilisation=0
phoenix clock=800000000 memory=1272893440 power=3.103 temperature=25 utilisation=0
b580-6.16 clock=400000000 temperature=46 throttle_other=0 throttle_power=0 throttle_thermal=0
tigerlake clock=0 throttle_other=0 throttle_power=0 throttle_thermal=0
cometlake clock=300000000' 'bench-run --gpu reads cards of AMD and Intel from files, and what limits their clocks'
# A counter that grows while it is read
energy=tree-a380-xe/sys/class/drm/card0/device/hwmon/hwmon0/energy2_input
(
	joules=59540
	while [ $joules -lt 60000 ]; do
		joules=$((joules + 1))
		echo "${joules}000000" >energy.new && mv energy.new $energy
		sleep 0.05
	done
) &
writer=$!
BENCH_ROOT=tree-a380-xe timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --gpu --interval 100ms -- sleep 0.6 >s.csv
kill $writer
wait $writer 2>/dev/null
ok 'gpu_power of a card of Intel follows from its energy counter' \
	awk -F, '$13 == "gpu_power" && $15 > 0 && $15 < 100 { n++ } END { exit !(n > 1) }' s.csv
echo 1 >tree-tigerlake/sys/class/drm/card0/device/tile0/gt0/freq0/throttle/reason_pl2
BENCH_ROOT=tree-tigerlake run >s.csv
is "$(all s.csv)" 'clock=0 throttle_other=0 throttle_power=1 throttle_thermal=0' 'bench-run --gpu reads the throttle reasons of cards of Intel'
BENCH_ROOT=tree-two run >s.csv
is "$(values gpu_clock s.csv)" 'gpu0=300000000 gpu1=600000000' 'bench-run --gpu reads two cards'
# of_kernel [METRIC]: a value that a kernel records on a device of another name, by its PCI address
of_kernel() {
	metric=${1:-gpu_clock}
	BENCH_BACKEND_PATH=$BUILD/tests/plugins timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --processes 1 \
		-b peaks -k triad -P n=1000 >s.csv
	awk -F, -v m="$metric" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["metric"] == m { print $at["value"] }' s.csv
}
is "$(BENCH_ROOT=tree-rx6900xt PEAKS_PCI=0000:0c:00.0 of_kernel) $(BENCH_ROOT=tree-two PEAKS_PCI=0000:00:02.0 of_kernel)" \
	'500000000 300000000' 'a kernel records the clock of the card of AMD or Intel at its PCI address'
is "$(LD_LIBRARY_PATH=$T/amd PEAKS_PCI=0000:c1:00.0 of_kernel gpu_power)" 300 \
	'a kernel records the power of the card that ROCm SMI has at its PCI address'
LD_LIBRARY_PATH=$T/amd run >s.csv
is "$(for m in gpu_power gpu_utilisation gpu_memory gpu_temperature; do values $m s.csv; done | paste -sd' ')" \
	'gpu0=300 gpu0=0.42 gpu0=1000000000 gpu0=45.5' 'bench-run --gpu reads what ROCm SMI reports'
LD_LIBRARY_PATH=$T/amd timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --energy --energy-idle 0 -- sleep 1.2 >s.csv
ok 'bench-run --energy reads the energy counter of ROCm SMI' \
	awk -F, '$12 == "energy_gpu" && $14 > 0.9 * 360 && $14 < 1.2 * 360 { found = 1 } END { exit !found }' s.csv
done_testing
