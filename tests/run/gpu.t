#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run --gpu with a library of the test in place of NVML.
# timing: waits for or judges what other processes do at the same time
# waits
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -e none -w 0 --csv --commit none "$@"; }
# values DEVICE METRIC FILE: the distinct values
values() { awk -F, -v d="$1" -v m="$2" '$8 == d && $13 == m { print $15 }' "$3" | sort -u | paste -sd' '; }

gcc -shared -fPIC -o libnvidia-ml.so.1 "$ROOT/tests/fixtures/gpu/nvml.c" -lm
with() { LD_LIBRARY_PATH=$T "$@"; }

with run -q -r 1 --gpu --interval 10ms -- sleep 0.2 >s.csv
is "$(values gpu0 gpu_power s.csv)" 123.456 'gpu_power is in W'
is "$(values gpu0 gpu_utilisation s.csv)" 0.87 'gpu_utilisation is a share'
is "$(values gpu0 gpu_memory s.csv)" 5899345920 'gpu_memory is the memory in use'
is "$(values gpu0 gpu_temperature s.csv),$(values gpu0 gpu_clock s.csv),$(values gpu0 gpu_memory_clock s.csv)" 61,1980000000,2619000000 \
	'gpu_temperature and the clock rates are written'
is "$(values gpu2 gpu_memory s.csv)" 5899345920 'another GPU has the number that the driver gives it'
is "$(values gpu2 gpu_power s.csv)$(values gpu2 gpu_utilisation s.csv)" '' 'a value that a GPU does not report is absent'
is "$(grep -c ,gpu1, s.csv)" 0 'a GPU that may not be read has no rows'
is "$(awk -F, '$13 == "rss" { print $8 }' s.csv | sort -u)" '' 'rows of processes have no device'
is "$(awk -F, '$13 == "gpu_power" { n++ } END { print (n > 5) }' s.csv)" 1 'gpu_power is sampled over time'
is "$(bench-stat -g device -s median s.csv | awk -F, '$2 == "gpu_power" { printf "%s %.6g", $1, $4 }')" 'gpu0 123.456' 'bench-stat distinguishes GPUs by the column device'
with run -q -r 1 --gpu -- sleep 0.35 >s.csv
is "$(awk -F, '$13 == "wall" { wall = $15 } $13 == "gpu_power" { n++ } END { print (n >= 2 && n <= wall / 100e6 + 1) }' s.csv)" 1 \
	'--gpu samples every 100 ms by default' || note "$(grep -c gpu_power s.csv)"

SLOW=1 with run -q -r 1 --gpu -- sleep 1.5 >s.csv
# largest_gap METRIC FILE: the longest time without a row of the metric, in whole ms
largest_gap() {
	awk -F, -v m="$1" '$13 == m && ($8 == "gpu0" || $8 == "") {
		if ($11 - last > gap) gap = $11 - last
		last = $11
	}
	END { if (1.5e9 - last > gap) gap = 1.5e9 - last; printf "%d", gap / 1e6 }' "$2"
}
ok 'a slow query of the driver interrupts the series of a GPU for at most 0.3 s' \
	[ "$(largest_gap gpu_power s.csv)" -le 300 ]
ok 'a slow query of the driver does not interrupt the series of the processes' \
	[ "$(largest_gap rss s.csv)" -le 300 ]

with run -q -r 2 --energy --energy-idle 0 -- sleep 0.4 >s.csv 2>err
is "$(awk -F, '$12 == "energy_gpu" && $14 != "" { n++; sum += $14 } END { print (n > 0 && sum / n > 0.4 * 123.456 * 0.8 && sum / n < 0.6 * 123.456) }' s.csv)" 1 \
	'the energy counter of a GPU is written as energy_gpu' || grep energy s.csv


# Two readings of 20 ms each, before and after a batch of at least 20 updates of the counter
ENERGY_COST_MS=20 with run -q -r 3 --processes 1 --energy --energy-idle 0 -k gemm -b ref -P m=32 -P n=32 -P k=32 \
	-f basics.so:strlen >s.csv 2>err
# column METRIC KIND NAME: the first value in column NAME of the rows with this metric and kind
column() {
	awk -F, -v m="$1" -v k="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == m && $at["kind"] == k { print $at[name]; exit }' s.csv
}
for kind in kernel function; do
	n=$(column energy_gpu $kind iterations)
	is "$(awk -v n="$n" -v e="$(column energy_gpu $kind value)" 'BEGIN { s = e * n / 123.456; print (s > 1.8 && s < 30) }')" 1 \
		"the energy of a $kind is that of a batch of 2 s divided by its iterations" || note "$n $(column energy_gpu $kind value)"
	is "$(awk -v n="$n" -v u="$(column energy_uncertainty $kind value)" 'BEGIN { u *= n * sqrt(6) / 12.3456; print (u > 0.9 && u < 1.1) }')" 1 \
		"the uncertainty of the energy of a $kind is that of two readings of the counter"
	is "$(awk -v w="$(column wall $kind value)" 'BEGIN { print (w < 10e6) }')" 1 "the time of a $kind excludes the readings of the energy counters"
done
# The backend peaks has a GPU at this address, which is that of the second card.
peaks() {
	with run -q -r 3 --processes 1 --energy --energy-idle 0 -b peaks -k triad -P n=100000 >s.csv 2>err
}
export BENCH_BACKEND_PATH="$BUILD/tests/plugins"
SECOND_ENERGY=1 PEAKS_PCI=0000:5e:00.0 peaks
is "$(awk -v all="$(column energy_gpu kernel value)" -v own="$(column energy_device kernel value)" \
	'BEGIN { printf "%.4f", own / all }')" 0.6667 'energy_device is the energy of the GPU that a kernel uses'
is "$(awk -v n="$(column energy_device kernel iterations)" -v u="$(column energy_device_uncertainty kernel value)" \
	'BEGIN { u *= n * sqrt(6) / 24.6912; print (u > 0.9 && u < 1.1) }')" 1 \
	'the uncertainty of energy_device is that of two readings of its counter'
PEAKS_PCI=0000:5e:00.0 peaks
is "$(column energy_gpu kernel value | grep -c .) $(grep -c energy_device s.csv)" '1 0' \
	'energy_device is absent if the GPU of a kernel has no energy counter'
SECOND_ENERGY=1 peaks
is "$(grep -c energy_device s.csv)" 0 'energy_device is absent if it is not known which GPU a kernel uses'
unset BENCH_BACKEND_PATH

# Its fourth call, which is the second sample, is far faster than the other ones.
cat >uneven.c <<'END'
#include <bench.h>
#include <unistd.h>
BENCH(uneven)
{
	int calls = 0;

	BENCH_LOOP(b) {
		usleep(++calls == 4 ? 500 : 5000);
	}
}
END
gcc -shared -fPIC -I"$ROOT/include" -o uneven.so uneven.c
with run -q -r 3 --processes 1 --energy --energy-idle 0 -f uneven.so:uneven >s.csv 2>err
n=$(column energy_gpu function iterations)
is "$(awk -v n="$n" -v e="$(column energy_gpu function value)" 'BEGIN { s = e * n / 123.456; print (s > 1.8 && s < 12) }')" 1 \
	"a sample that is faster than all other iterations does not make the batch of 2 s far longer" ||
	note "$n $(column energy_gpu function value)"
with run -q -r 3 --energy --energy-idle 0 -- sleep 0.7 >s.csv 2>err
is "$(awk -F, '$12 == "energy" { print $11, $15 }' s.csv)" '3 ok' 'executions are pooled until they cover 20 updates of the counter of a GPU'

run -r 2 --gpu -- true >s.csv 2>err
is "$(cat err)" "bench-run: --gpu: libnvidia-ml.so.1: not found (it comes with NVIDIA's driver); /sys/class/drm: no card of AMD or Intel" 'a missing driver is reported in one line'
is "$(awk -F, '$13 ~ /^gpu_/ { print $13, $15, $16 }' s.csv | paste -sd';')" \
	'gpu_power  unsupported;gpu_utilisation  unsupported;gpu_memory  unsupported;gpu_temperature  unsupported;gpu_clock  unsupported;gpu_memory_clock  unsupported;gpu_throttle_power  unsupported;gpu_throttle_thermal  unsupported;gpu_throttle_other  unsupported' \
	'a missing driver gives one unsupported row for each metric'
NO_DRIVER=1 with run -r 1 --gpu -- true >s.csv 2>err
is "$(cat err)" 'bench-run: --gpu: NVML: cannot begin: Driver Not Loaded; /sys/class/drm: no card of AMD or Intel' 'a driver that is not loaded is reported in one line'
echo 'int nvmlInit_v2(void) { return 0; }' | gcc -shared -fPIC -o libnvidia-ml.so.1 -x c -
with run -r 1 --gpu -- true >s.csv 2>err
is "$(cat err)" 'bench-run: --gpu: libnvidia-ml.so.1: no function nvmlErrorString; /sys/class/drm: no card of AMD or Intel' 'a library that is not NVML is reported in one line'
status 2 'bench-run --gpu rejects a label named device' run -q -r 1 --gpu --label device=x -- true
done_testing
