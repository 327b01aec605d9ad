#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-env's facts about graphics cards, from libraries and trees of the test.
. "${0%/*}/../lib/tap.sh"

fixtures=$ROOT/tests/fixtures/gpu
# gpu_facts [OPTION...]: the facts about graphics cards without the column env
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

# put TREE PATH: standard input becomes a file of a made-up machine
put() {
	mkdir -p "$1/${2%/*}"
	cat >"$1/$2"
}
# A card of AMD as the driver amdgpu shows it
card=sys/class/drm/card1
printf 'DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n' | put tree-amd $card/device/uevent
echo 25753026560 | put tree-amd $card/device/mem_info_vram_total
echo 1073741824 | put tree-amd $card/device/mem_info_vram_used
echo 97 | put tree-amd $card/device/gpu_busy_percent
echo '16.0 GT/s PCIe' | put tree-amd $card/device/max_link_speed
echo 16 | put tree-amd $card/device/max_link_width
echo amdgpu | put tree-amd $card/device/hwmon/hwmon4/name
echo 211000000 | put tree-amd $card/device/hwmon/hwmon4/power1_average
echo 303000000 | put tree-amd $card/device/hwmon/hwmon4/power1_cap
echo 63000 | put tree-amd $card/device/hwmon/hwmon4/temp1_input
echo 2304000000 | put tree-amd $card/device/hwmon/hwmon4/freq1_input
echo 1249000000 | put tree-amd $card/device/hwmon/hwmon4/freq2_input
echo disconnected | put tree-amd $card-DP-1/status
echo connected | put tree-amd sys/class/drm/renderD128/dev
cat >want <<'END'
gpus,1
gpu_model,AMD 1002:744C
gpu_driver,amdgpu
gpu_memory_bytes,25753026560
gpu_power_limit_w,303
gpu_pcie_gen,4
gpu_pcie_width,16
END
is "$(gpu_facts --root tree-amd)" "$(cat want)" 'bench-env prints the facts of a card of AMD from files'

# A discrete card of Intel as the driver i915 shows it, and an older integrated one
printf 'DRIVER=i915\nPCI_ID=8086:56A0\nPCI_SLOT_NAME=0000:03:00.0\n' | put tree-i915 $card/device/uevent
echo i915 | put tree-i915 $card/device/hwmon/hwmon2/name
echo 190000000 | put tree-i915 $card/device/hwmon/hwmon2/power1_max
echo 123456789012 | put tree-i915 $card/device/hwmon/hwmon2/energy1_input
echo 2400 | put tree-i915 $card/gt/gt0/rps_act_freq_mhz
echo 1 | put tree-i915 $card/gt/gt0/throttle_reason_pl1
echo 0 | put tree-i915 $card/gt/gt0/throttle_reason_thermal
echo '2.5 GT/s PCIe' | put tree-i915 $card/device/max_link_speed
echo 1 | put tree-i915 $card/device/max_link_width
printf 'DRIVER=i915\nPCI_ID=8086:46A6\nPCI_SLOT_NAME=0000:00:02.0\n' | put tree-i915 sys/class/drm/card0/device/uevent
echo 1300 | put tree-i915 sys/class/drm/card0/gt_act_freq_mhz
cat >want <<'END'
gpus,2
gpu_model,"Intel 8086:46A6, Intel 8086:56A0"
gpu_driver,i915
gpu_power_limit_w,190
gpu_pcie_gen,1
gpu_pcie_width,1
END
is "$(gpu_facts --root tree-i915)" "$(cat want)" 'bench-env prints the facts of cards of Intel (i915)'
is "$(bench-env --root tree-i915 --csv energy_domains energy_access | sed 's/^[^,]*,//')" 'fact,value
energy_domains,gpu1
energy_access,i915' 'bench-env names the energy counter of a card of Intel'

printf 'DRIVER=xe\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:03:00.0\n' | put tree-xe $card/device/uevent
echo 190000000 | put tree-xe $card/device/hwmon/hwmon2/power1_max
echo 5000000 | put tree-xe $card/device/hwmon/hwmon2/energy1_input
echo 51000 | put tree-xe $card/device/hwmon/hwmon2/temp2_input
echo 2850 | put tree-xe $card/device/tile0/gt0/freq0/act_freq
echo 0 | put tree-xe $card/device/tile0/gt0/freq0/throttle/reason_pl1
echo 1 | put tree-xe $card/device/tile0/gt0/freq0/throttle/reason_prochot
is "$(gpu_facts --root tree-xe)" 'gpus,1
gpu_model,Intel 8086:E20B
gpu_driver,xe
gpu_power_limit_w,190' 'bench-env prints the facts of a card of Intel (xe)'

printf 'DRIVER=bochs-drm\nPCI_ID=1234:1111\n' | put tree-none $card/device/uevent
is "$(gpu_facts --root tree-none)" '' 'bench-env prints no facts of a card without a driver for GPUs'

# values METRIC FILE: the distinct values by device
values() { awk -F, -v m="$1" '$13 == m { print $8 "=" $15 }' "$2" | sort -u | paste -sd' '; }
run() { timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --gpu --interval 20ms -- sleep 0.1; }
BENCH_ROOT=tree-amd run >s.csv
is "$(for m in gpu_power gpu_utilisation gpu_memory gpu_temperature gpu_clock gpu_memory_clock; do values $m s.csv; done | paste -sd' ')" \
	'gpu0=211 gpu0=0.97 gpu0=1073741824 gpu0=63 gpu0=2304000000 gpu0=1249000000' 'bench-run --gpu reads a card of AMD from files'
BENCH_ROOT=tree-i915 run >s.csv
is "$(for m in gpu_clock gpu_throttle_power gpu_throttle_thermal; do values $m s.csv; done | paste -sd' ')" \
	'gpu0=1300000000 gpu1=2400000000 gpu1=1 gpu1=0' 'bench-run --gpu reads the clocks and throttle reasons of cards of Intel (i915)'
BENCH_ROOT=tree-xe run >s.csv
is "$(for m in gpu_clock gpu_temperature gpu_power gpu_throttle_power gpu_throttle_thermal; do values $m s.csv; done | paste -sd' ')" \
	'gpu0=2850000000 gpu0=51 gpu0=0 gpu0=0 gpu0=1' 'bench-run --gpu reads a card of Intel (xe)'
LD_LIBRARY_PATH=$T/amd run >s.csv
is "$(for m in gpu_power gpu_utilisation gpu_memory gpu_temperature; do values $m s.csv; done | paste -sd' ')" \
	'gpu0=300 gpu0=0.42 gpu0=1000000000 gpu0=45.5' 'bench-run --gpu reads what ROCm SMI reports'
LD_LIBRARY_PATH=$T/amd timeout 60 bench-run -q -e none -w 0 --csv --commit none -r 1 --energy --energy-idle 0 -- sleep 1.2 >s.csv
ok 'bench-run --energy reads the energy counter of ROCm SMI' \
	awk -F, '$12 == "energy_gpu" && $14 > 0.9 * 360 && $14 < 1.2 * 360 { found = 1 } END { exit !found }' s.csv
done_testing
