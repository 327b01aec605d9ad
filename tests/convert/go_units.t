#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -t go: units that benchstat does not convert, keys of the machine, and names that
# are one part. benchstat converts ns to sec only if the value is not 0, so zeros would leave the
# median.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
tab=$(printf '\t')
printf 'bench,sample,metric,unit,value\n' >in.csv
for sample in 0 1; do
	printf '%s\n' "x,$sample,wall,ns,$sample" "x,$sample,user,ns,$((sample * 5))" "x,$sample,max_rss,B,4096" \
		"x,$sample,bandwidth,B/s,2000000" "x,$sample,ok,1,1" "x,$sample,delay,s,0.5" "x,$sample,faults,1,3"
done >>in.csv
is "$(bench-convert -t go in.csv)" \
	"Benchmark_x${tab}1${tab}0 sec/op${tab}0 user-sec${tab}4096 max_rss-B${tab}2000000 B/s${tab}0.5 delay-s${tab}3 faults
Benchmark_x${tab}1${tab}1 ns/op${tab}5e-09 user-sec${tab}4096 max_rss-B${tab}2000000 B/s${tab}0.5 delay-s${tab}3 faults" \
	'bench-convert -t go writes sec and B, even for zeros, and leaves out the rate of successes'
is "$(bench-convert -t go in.csv | bench-convert | columns bench,sample,metric,unit,value)" \
	"$(grep -v ',ok,\|^bench' in.csv)" 'bench-convert reads the values back from the units of benchstat'
is "$(printf 'BenchmarkX 10 2.5e-06 sec/op 7 B/s 0.0003 p99-sec 4 p50-ns\n' | bench-convert | columns bench,metric,unit,value)" \
	'X,wall,ns,2500
X,bandwidth,B/s,7
X,p99,ns,300000
X,p50,ns,4' 'bench-convert reads seconds of Go in ns'

# The machine
is "$(bench-convert "$data/go.txt" | bench-convert -t go | grep -v ^Benchmark)" 'goos: linux
goarch: amd64
pkg: demo
cpu: Example CPU' 'bench-convert -t go writes the lines that describe the machine'
is "$(bench-convert -t go "$data/go.txt" | bench-convert)" "$(bench-convert "$data/go.txt")" \
	'bench-convert reads all rows back from the text of Go'
printf '%s\n' bench,env,pkg,metric,unit,value 'a,linux/arm64 Cortex,p,wall,ns,1' 'b,linux/arm64 Cortex,p,wall,ns,2' \
	'a,3f2a19c45b0e,p,wall,ns,3' 'a,AMD Ryzen 7 w/o,q,wall,ns,4' 'a,linux/riscv64 ,,wall,ns,5' >env.csv
is "$(bench-convert -t go env.csv)" "goos: linux
goarch: arm64
pkg: p
cpu: Cortex
Benchmark_a${tab}1${tab}1 ns/op
Benchmark_b${tab}1${tab}2 ns/op
goos: 
goarch: 
cpu: 
Benchmark_a${tab}1${tab}3 ns/op
pkg: q
Benchmark_a${tab}1${tab}4 ns/op
goos: linux
goarch: riscv64
pkg: 
Benchmark_a${tab}1${tab}5 ns/op" 'bench-convert -t go writes keys where they change, and none of an environment that is not of Go'

# Names
printf '%s\n' kind,bench,file,metric,unit,value 'command,gzip -c /etc/services,a/b,wall,ns,1' \
	'command,/bin/true,,wall,ns,2' 'function,copy/1024,,wall,ns,3' >names.csv
is "$(bench-convert -t go names.csv | cut -f1)" 'Benchmark_gzip_-c_∕etc∕services/file=a∕b
Benchmark_∕bin∕true
Benchmark_copy/1024' 'bench-convert -t go keeps a command and the value of a factor in one part of the name'
bench-run -q -r 3 -w 0 -e none -o run.csv -- true
unlike "$(bench-convert -t go run.csv)" '-ns| ok$| ok	' 'bench-convert -t go writes no unit of bench-run that benchstat converts'
done_testing
