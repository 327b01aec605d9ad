#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads samples and estimates of Criterion.rs, and the file that describes them.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert

new=target/criterion/grp_x/fn/10/new
mkdir -p $new
for name in sample estimates; do cp "$data/criterion-$name.json" $new/$name.json; done
is "$(bench-convert $new/estimates.json | columns bench,sample,metric,unit,value)" 'grp_x/fn/10,,wall,ns,12.995402538962466
grp_x/fn/10,,wall_median,ns,12.996331126584632
grp_x/fn/10,,wall_mad,ns,0.08267135425425116
grp_x/fn/10,,wall_slope,ns,13.024126724620368
grp_x/fn/10,,wall_sd,ns,0.09692576258287816' 'bench-convert reads estimates of Criterion.rs, named by their directory'
is "$(bench-convert $new/sample.json | columns bench,sample,iterations,metric,value | head -2)" \
	"$(python3 -c 'print("grp_x/fn/10,0,197511,wall,%r\ngrp_x/fn/10,1,395022,wall,%r" % (2526920 / 197511, 5120258 / 395022))')" \
	'bench-convert reads samples of Criterion.rs'
is "$(bench-convert -n mine <$new/sample.json | columns bench,metric | uniq -c | tr -s ' ')" ' 10 mine,wall' \
	'bench-convert -n names samples of Criterion.rs'
cp "$data/criterion-benchmark.json" $new/benchmark.json
is "$(bench-convert $new/sample.json | columns bench,parameter,sample,iterations,metric,unit,value | head -2)" \
	"$(python3 -c 'ns = 2526920 / 197511
for metric in "wall,ns,%r" % ns, "bandwidth,B/s,%r" % (10 * 1e9 / ns): print("grp/x/fn,10,0,197511," + metric)')" \
	'bench-convert reads the name, the parameter and the bandwidth from the benchmark.json of Criterion.rs'
is "$(bench-convert $new/estimates.json | columns bench,parameter,metric | head -2)" 'grp/x/fn,10,wall
grp/x/fn,10,bandwidth' 'bench-convert reads the benchmark.json of Criterion.rs beside estimates'
is "$(bench-convert -n mine $new/sample.json | columns bench,parameter | uniq)" mine,10 \
	'bench-convert -n replaces the name of Criterion.rs but not the parameter'
new=target/criterion/grp_x/a_b/new
mkdir -p $new
for name in sample benchmark; do cp "$data/criterion-elements-$name.json" $new/$name.json; done
is "$(bench-convert $new/sample.json | columns bench,parameter,metric,unit | sort | uniq -c | tr -s ' ')" ' 10 grp/x,a:b,throughput,1/s
 10 grp/x,a:b,wall,ns' 'bench-convert reads elements of Criterion.rs as throughput, and a group without a function'
echo '{"throughput": {"ElementsAndBytes": {"elements": 4, "bytes": 32}}}' >$new/benchmark.json
is "$(bench-convert $new/sample.json | columns bench,metric,unit | sort -u)" 'grp_x/a_b,bandwidth,B/s
grp_x/a_b,throughput,1/s
grp_x/a_b,wall,ns' 'bench-convert reads elements and bytes of newer versions of Criterion.rs'
mkdir -p relative/change
cp "$data/criterion-estimates.json" relative/change/estimates.json
status 2 'bench-convert rejects the relative changes of Criterion.rs' bench-convert relative/change/estimates.json
like "$(cat "$T/.err")" 'relative changes between two measurements' 'the message about relative changes says what they are'
done_testing
