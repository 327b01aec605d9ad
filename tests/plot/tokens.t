#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the plot of generated tokens: bench-plot tokens.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# Two samples of one model. The second sample has two iterations, so its rows of first_token have offsets.
cat >one.csv <<'END'
kind,bench,process,sample,t,iterations,metric,unit,value,status
model,gpt,0,-1,,1,first_token,ns,9000000,ok
model,gpt,0,0,,1,first_token,ns,4000000,ok
model,gpt,0,0,6000000,1,inter_token,ns,2000000,ok
model,gpt,0,0,11000000,1,inter_token,ns,5000000,ok
model,gpt,0,1,3000000,1,first_token,ns,3000000,ok
model,gpt,0,1,4000000,1,inter_token,ns,1000000,ok
model,gpt,0,1,10000000,1,first_token,ns,6000000,ok
model,gpt,0,1,12000000,1,inter_token,ns,2000000,ok
END

# tokens [COLUMN...]: prints columns of the tokens of the script on standard input, without the beginnings of requests
tokens() {
	sed -n '/^\$tokens << EOD/,/^EOD/p' | sed -e '1,2d' -e '$d' | awk -v list="$*" '
		NF && $3 > 0 {
			n = split(list, c, " ")
			for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : (all++ ? ", " : "")), $c[i]
		}
		END { print "" }'
}
# texts: prints the texts of the script on standard input
texts() { sed -n '/^\$said << EOD/,/^EOD/s/^>//p'; }
# words FILE: prints the texts of a script in one line
words() { texts <"$1" | tr '\n' ' '; }

bench-plot tokens --script -o one.gp one.csv 2>err
is "$?$(cat err)" 0 "bench-plot tokens draws tokens without a message"
is "$(tokens 1 2 3 <one.gp)" "4 1 1, 6 1 2, 11 1 2, 3 2 1, 4 2 2, 6 3 1, 8 3 2" \
	"bench-plot tokens adds up the times of tokens from the beginning of each request"
{ sed 1q one.csv && sed 1d one.csv | sort -t, -k7,7r; } >sorted.csv
is "$(bench-plot tokens --script sorted.csv | tokens 1 2 3)" "$(tokens 1 2 3 <one.gp)" \
	"bench-plot tokens restores the order of rows that are sorted by metric"
is "$(texts <one.gp | grep -E '^sample|tokens?$' | paste -sd';' -)" \
	"sample 0, iteration 0;sample 1, iteration 0;sample 1, iteration 1;11.00 ms, 3 tokens;4.000 ms, 2 tokens;8.000 ms, 2 tokens" \
	"bench-plot tokens names each request, its time and its number of tokens"

bench-plot tokens --script --slo ttft=5ms,itl=2ms -o slo.gp one.csv
is "$(tokens 4 <slo.gp)" "0, 0, 1, 0, 0, 1, 0" "bench-plot tokens --slo marks the times above the limits, and not those at them"
is "$(sed -n 's/^limit = //p' slo.gp)" 5 "bench-plot tokens --slo draws the limit of first_token in the unit of the axis"
like "$(words slo.gp)" 'first_token above 5 ms .dashed.: 1 of 3 requests, inter_token above 2 ms: 1 of 3 requests' \
	"bench-plot tokens --slo counts the requests above each limit"
bench-plot tokens --script --slo ttft=5s -o far.gp one.csv
is "$(sed -n 's/^limits = //p' far.gp) $(texts <far.gp | grep -c 'first_token above 5 s: 0 of 3 requests')" "0 1" \
	"bench-plot tokens --slo names a limit that is far beyond the tokens without drawing it"

# A request that failed.
sed -e 's/1,3000000,1,first_token,ns,3000000,ok/1,3000000,1,first_token,ns,,failed/' one.csv >failed.csv
bench-plot tokens --script -o failed.gp failed.csv
is "$(tokens 1 <failed.gp)" "4, 6, 11" "bench-plot tokens leaves out requests that failed"
like "$(words failed.gp)" '1 failed, left out' "bench-plot tokens counts the requests that failed"
grep -v inter_token one.csv >single.csv
bench-plot tokens --script -o single.gp single.csv
is "$(tokens 1 3 <single.gp)$(texts <single.gp | grep -c 'later token')" "4 1, 3 1, 6 10" \
	"bench-plot tokens draws requests of a single token"

# 300 requests of each of two engines, of which the second is slower.
awk 'BEGIN {
	print "kind,bench,backend,rate,process,sample,t,metric,unit,value,status"
	for (e = 1; e <= 2; e++)
		for (s = 0; s < 300; s++) {
			at = "model,gpt,engine" e ",10,0," s ","
			print at ",first_token,ns," e * 4e6 + s ",ok"
			for (i = 1; i <= 40; i++) print at e * (4e6 + i * 1e6) + s ",inter_token,ns," e * 1e6 ",ok"
			if (s % 100 == 7) print at ",latency,ns,,failed"
		}
}' >two.csv
bench-plot tokens --script -o two.gp two.csv
is "$(tokens 2 3 <two.gp | tr ',' '\n' | awk '$2 == 1' | wc -l | tr -d ' ')" 24 "bench-plot tokens draws 24 requests of many"
like "$(words two.gp)" '24 of 594 requests, at even distances, 41 tokens each, 6 failed, left out' \
	"bench-plot tokens says how many requests it draws, and how many there are"
is "$(texts <two.gp | grep -c '^backend=engine[12]$')" 2 "bench-plot tokens names each subject above its requests"
is "$(texts <two.gp | sed -n '/^sample /{p;q}') $(texts <two.gp | sed -n '/^sample 299/p' | wc -l | tr -d ' ')" "sample 0 2" \
	"bench-plot tokens draws the first and the last request of each subject"
awk 'BEGIN {
	print "kind,bench,process,sample,t,metric,unit,value"
	for (s = 0; s < 2; s++) {
		print "model,gpt,0," s ",,first_token,ns,1000"
		for (i = 1; i <= (s ? 777 : 20000); i++) print "model,gpt,0," s "," 1000 + 100 * i ",inter_token,ns,100"
	}
}' >long.csv
bench-plot tokens --script -o long.gp long.csv
like "$(tokens 2 <long.gp | tr -d ' ' | tr ',' '\n' | uniq -c | tr -s ' \n' ' ') $(words long.gp)" \
	'^ 1601 1 6[0-9] 2 .* tokens in the same place are drawn once' "bench-plot tokens draws tokens of the same place once"
like "$(words long.gp)" '2.001 ms, 20001 tokens 78.70 .s, 778 tokens' \
	"bench-plot tokens keeps the last token of each request"

bench-plot tokens --size 80x24 --slo ttft=5ms,itl=2ms one.csv >text 2>err
is "$?$(cat err) $(($(wc -L <text) > 80))$(grep -o '[◆×•]' text | LC_ALL=C sort | uniq -c | tr -s ' \n' ' ')" "0 0 3 × 4 • 3 ◆ " \
	"bench-plot tokens draws on a terminal of 80 columns"
if skip_unless gnuplot "bench-plot tokens draws narrow and dark plots"; then
	bench-plot tokens --theme dark --size 420 --slo ttft=5ms,itl=2ms -o dark.svg two.csv 2>err
	is "$?$(cat err)" 0 "bench-plot tokens draws narrow and dark plots"
fi

is "$(bench-plot tokens --slo latency=1s one.csv 2>&1)" \
	"bench-plot: --slo has no limit of first_token or inter_token, which are drawn: add one, such as first_token=200ms" \
	"bench-plot tokens --slo requires a limit of tokens"
grep -v first_token one.csv >none.csv
is "$(bench-plot tokens none.csv 2>&1)" \
	"bench-plot: no first_token to draw: measure models that generate tokens, such as with bench-run -M gpt2 -P new_tokens=16" \
	"bench-plot tokens says how to measure if there are no tokens"
is "$(sed 's/,ns,4000000/,s,0.004/' one.csv | bench-plot tokens 2>&1)" \
	"bench-plot: standard input:3: first_token is in 's', not in ns" "bench-plot tokens rejects times in other units"
is "$(bench-plot tokens -y first_token one.csv 2>&1)" \
	"bench-plot: tokens draws first_token and inter_token of each subject: omit -x and -y" "bench-plot tokens rejects -y"
done_testing
