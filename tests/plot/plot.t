#!/bin/sh
# bench-plot: what is drawn, that names stay names, and that nothing half-done is left.
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8

# samples: two subjects at two levels, ten values each
samples() {
	awk 'BEGIN {
		print "bench,level,sample,metric,unit,value"
		for (s = 0; s < 10; s++)
			for (level = 1; level <= 9; level += 8) {
				printf "gzip,%d,%d,wall,ns,%d\n", level, s, (20 + level + s) * 1e6
				printf "zstd,%d,%d,wall,ns,%d\n", level, s, (10 + level + s) * 1e6
			}
	}'
}
samples >s.csv

# sweep: two lines along n
sweep() {
	awk 'BEGIN {
		print "bench,n,sample,metric,unit,value"
		for (n = 1000; n <= 16000; n *= 2)
			for (s = 0; s < 8; s++) {
				printf "fast,%d,%d,wall,ns,%d\n", n, s, n * 10 + s
				printf "slow,%d,%d,wall,ns,%d\n", n, s, n * n / 50 + s
			}
	}'
}
sweep >n.csv

# threads: the wall time of eight runs with 1, 2 and 4 threads
threads() {
	awk 'BEGIN {
		print "bench,threads,sample,metric,unit,value"
		for (n = 1; n <= 4; n *= 2)
			for (s = 0; s < 8; s++)
				print "sort," n "," s ",wall,ns," 8e6 / n * (1 + n / 10) + s
	}'
}
threads >t.csv

# block NAME: a data block of the script on standard input
block() { awk -v name="\$$1 << EOD" '$0 == "EOD" { on = 0 } on && !/^#/ && NF { print } $0 == name { on = 1 }'; }
# texts: what a script says, as it stands there
texts() { block said | sed 's/^>//'; }
# drawn FILE.svg: the texts of a picture, a line each
drawn() { sed -n 's|.*<text>\(.*\)</text>.*|\1|p' "$1"; }
# xml TEXT: as a picture has it
xml() { printf '%s\n' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g'; }
has() { grep -qxF -e "$1"; }

# What is drawn agrees with bench-stat.
bench-stat -g bench -s median,ci_lo,ci_hi,n s.csv >want.csv
is "$(bench-plot bar -x bench -g bench --script s.csv | block intervals | awk '{ print $2 * 1e6, $3 * 1e6, $4 * 1e6 }')" \
	"$(awk -F , 'NR > 1 { print $(NF - 3), $(NF - 2), $(NF - 1) }' want.csv)" \
	"bars and intervals are bench-stat's medians and intervals"
is "$(bench-plot box -x bench -g bench --script s.csv | block points | awk '{ print $3 }' | sort -u)" 20 \
	"n is the number of values pooled"
like "$(bench-plot bar -x bench -g bench --script s.csv | texts)" 'pooled over level' "pooling is said"
like "$(grep -v '^zstd' s.csv | bench-plot bar --script | texts)" 'n = 10, gzip' \
	"so is what was held constant"

printf 'bench,metric,unit,value\na,m,ns,%s\n' 1 2 3 4 5 6 7 8 100 | awk 'NR == 1 || !/^bench/' >o.csv
is "$(bench-plot box --script o.csv | block points)" "1 5 9 1 100 3 7 1 8" \
	"a box has type 7 quartiles and whiskers within 1.5 interquartile ranges"
is "$(bench-plot box --script o.csv | block outliers)" "1 100" "what lies beyond is an outlier"
is "$(bench-plot hist --script s.csv | block bins | awk '{ n += $4 } END { print n }')" 40 \
	"the bins hold every value"

printf 'bench,metric,unit,value,status\n%s\n' a,m,ns,5,ok a,m,ns,7,ok b,m,ns,9,failed:exit=1 >few.csv
is "$(bench-plot bar --script few.csv | block intervals)" "1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9" \
	"two values give no interval"
is "$(bench-plot bar --script few.csv | block points)" "1 6 2 5 7 5.5 6.5 5 7" "and no value gives no bar"
like "$(bench-plot bar --script few.csv | texts)" '^1 failed$' "but a lane that says why"
ok "a text without any interval can be drawn" bench-plot bar few.csv
ok "a box with no outlier and no value, too" bench-plot box few.csv

is "$(bench-plot strip --script s.csv | block dots | sort -u | wc -l)" 40 "a strip has a dot for each value"
awk 'BEGIN { print "bench,metric,value"; for (i = 0; i < 20000; i++) print "a,x," (i * 7919) % 20011 }' >dots.csv
bench-plot strip --script dots.csv | block dots >dots.txt
like "$(wc -l <dots.txt)" '^[0-9]{3,4}$' "but no more than can be told apart"
is "$(sort -k2n dots.txt | sed -n '1{s/.* \(.*\) .*/\1/;p};${s/.* \(.*\) .*/\1/;p}' | paste -sd' ' -)" "0 20.01" \
	"the least and the greatest among them"
is "$(bench-plot ecdf --script o.csv | block steps | paste -sd, -)" \
	"1 0,1 0.1111111111111111,2 0.2222222222222222,3 0.3333333333333333,4 0.4444444444444444,5 0.5555555555555556,6 0.6666666666666666,7 0.7777777777777778,8 0.8888888888888888,100 1" \
	"an ecdf has the share up to each value"
is "$(bench-plot ecdf --script s.csv | block key | wc -l; bench-plot ecdf --script s.csv | grep -c '^slot\[')" "0
4" "each subject has a curve"
is "$(bench-plot ecdf -g bench --script s.csv | grep -c '^slot\[')" 2 "unless they are joined"
is "$(bench-plot speedup --script t.csv | block points | awk '{ printf "%g %.3f,", $1, $2 }')" \
	"1 1.000,2 1.833,4 3.143," "a speedup of times is how many times they are less"
is "$(bench-plot speedup --script t.csv | sed -n 's/^ideal = //p')" 1 "and the ideal one stands beside it"
is "$(sed 's/wall,ns,/throughput,1\/s,/' t.csv | bench-plot speedup --script | block points | awk '{ printf "%.3f,", $2 }')" \
	"1.000,0.545,0.318," "that of rates is how many times they are more"
is "$(sed '1!s/wall,ns,.*/speedup,1,1.5/' t.csv | bench-plot speedup --script | block points | awk '{ printf "%g,", $2 }')" \
	"1.5,1.5,1.5," "and what is a speedup stays"

bench-plot heat --script n.csv | block cells | awk '{ print $1, $2, $3 * 1e6 }' | sort >cells.txt
bench-stat -g bench,n -s median n.csv | sed 1d | tr , ' ' | awk '{ n[$2] = n[$2] ? n[$2] : ++c; print n[$2], ($1 == "fast" ? 1 : 2), $NF }' |
	sort | awk '{ printf "%d %d %.6g\n", $1, $2, $3 }' >medians
is "$(awk '{ printf "%d %d %.6g\n", $1, $2, $3 }' cells.txt)" "$(cat medians)" "each cell of a heat map is the median of its two factors"
is "$(bench-plot heat -x bench -g n --script n.csv | block cells | awk '{ print $1 }' | sort | uniq -c | awk '{ print $1 }' | paste -sd' ' -)" \
	"5 5" "-x names the columns, -g the lanes"
sed '/^slow/s/,[0-9]*$/,7/' n.csv >n2.csv
bench-compare n.csv n2.csv >c.csv 2>/dev/null
bench-plot compare --script c.csv >c.gp
is "$(block points <c.gp | awk '{ printf "%.6g\n", $2 }' | sort)" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ratio") at = i; next } { printf "%.6g\n", $at }' c.csv | sort)" \
	"compare draws the ratios of bench-compare"
is "$(bench-plot compare --script n.csv n2.csv | block points)" "$(block points <c.gp)" "and those of two files"
like "$(texts <c.gp)" '^better$' "with their verdicts"
awk 'BEGIN { print "n,metric,value"; for (i = 1; i <= 60000; i++) print i ",x," (i == 31415 ? 99 : i % 7) }' >long.csv
bench-plot line --script long.csv | block points >thin.txt
like "$(wc -l <thin.txt)" '^[0-9]{3,4}$' "of 60000 places a line shows what can be seen"
is "$(grep -c '^31415 99' thin.txt)" 1 "the greatest among them"
is "$(bench-plot line -x n --script long.csv | block points | cmp - thin.txt)" '' "whether x is named or not"
like "$(sed '2s/^1,/one,/' long.csv | bench-plot line -x n --script 2>&1 >/dev/null)" "'one' is not a number" \
	"a place that is no number is refused, in long input, too"

# A history of 40 commits: one of two series becomes slower by a quarter at the 25th.
awk 'BEGIN {
	print "run,time,commit,bench,sample,metric,unit,value"
	for (d = 0; d < 40; d++)
		for (b = 0; b < 2; b++)
			for (s = 0; s < 6; s++)
				printf "r%d,2026-03-%02dT%02d:00:00Z,c%02d%s,%s,%d,wall,ns,%d\n", d, 1 + d / 2, d % 2 * 12, d,
					"f00d", b ? "sort" : "gemm", s, (b ? 1e6 : 2e6) * (b && d >= 24 ? 1.25 : 1) + (d * 7919 + s * 104729) % 9973
}' >h.csv
bench-plot trend --mark v1=c10 --mark v2=2026-03-15 --script h.csv >h.gp
is "$(block changes <h.gp | awk '{ printf "%s %.0f %s %s", $1, $4, $5, $6 }')" \
	"$(date -u -d 2026-03-13T00:00:00Z +%s) 25 1 1" "a trend has its change of level, at its time"
is "$(block levels <h.gp | awk '{ printf "%.1f ", $3 }')" "1.0 1.3 " "and the levels on both sides"
is "$(grep '^flag_at\[' h.gp | sed 's/.* = //' | paste -sd' ')" \
	"$(date -u -d 2026-03-06T00:00:00Z +%s) $(date -u -d 2026-03-15 +%s)" "marks stand at their commit or time"
is "$(block points <h.gp | wc -l)" 80 "a point for each commit"
is "$(bench-compare --history h.csv 2>/dev/null | sed 1d | wc -l)" 1 "bench-compare --history sees the same"
bench-plot trend -x commit --script h.csv >h.gp
is "$(block changes <h.gp | awk '{ print $1 }')" 24 "-x commit counts the commits"
like "$(texts <h.gp)" '^c0[0-2]f00d$' "and names them"
sed 's/2026[^,]*//' h.csv | bench-plot trend --script >h2.gp
is "$(block changes <h2.gp)" "$(block changes <h.gp)" "so does a history without times"

# Series of three metrics, two samples each of 5000 moments, one of which is a peak.
awk 'BEGIN {
	print "bench,sample,t,metric,unit,value"
	for (s = 0; s < 2; s++)
		for (t = 0; t < 5000; t++) {
			printf "a,%d,%d,rss,B,%d\n", s, t * 1000000, (s && t == 777 ? 9 : 1) * 1048576 + t
			printf "a,%d,%d,power,W,%g\n", s, t * 1000000, 40 + t % 3
		}
}' >series.csv
bench-plot timeline --script series.csv >series.gp
like "$(texts <series.gp)" '^rss \(MiB\)$' "a timeline has a panel for each metric"
is "$(sed -n 's/^name_count = //p' series.gp)" 2 "and no others"
like "$(block curves <series.gp | wc -l)" '^[0-9]{4,5}$' "its curves are thinned"
is "$(block curves <series.gp | awk '$4 == 0 && $3 > 9 { print $1 }')" 0.777 "without losing a peak"
is "$(block curves <series.gp | awk '$4 == 1 { if (!n++ || $3 < lo) lo = $3; if ($3 > hi) hi = $3 } END { print lo, hi }')" \
	"40 42" "values stand beside their places"

awk 'BEGIN {
	print "kind,bench,backend,metric,unit,value"
	for (s = 0; s < 7; s++) {
		print "kernel,gemm,cpu,flop_rate,flop/s," 2e11 + s "\nkernel,gemm,cpu,bandwidth,B/s,2e9"
		print "kernel,dot,cpu,flop_rate,flop/s," 1e10 + s "\nkernel,dot,cpu,bandwidth,B/s,4e10"
	}
	print "kernel,gemm,cpu,peak_flop_rate,flop/s,4e11\nkernel,gemm,cpu,peak_bandwidth,B/s,5e10"
}' >r.csv
bench-plot roofline --script r.csv >r.gp
is "$(block points <r.gp | awk '{ printf "%.4g %.4g,", $1, $2 }')" "100 200,0.25 10," \
	"a roofline has points at intensity and rate"
is "$(block roofs <r.gp | awk 'NR > 1 { printf "%.4g %.4g,", $1, $2 } NR == 1 { printf "%.4g,", $2 / $1 }')" \
	"50,8 400,416.3 400," "below their roof"
like "$(texts <r.gp | paste -sd' ')" '400.0 Gflop/s 50.00 GB/s gemm dot' "and names"

# Defaults.
like "$(bench-plot line --script n.csv)" '^x_log = 1$' "x spaced by factors is logarithmic"
like "$(bench-plot line --log none --script n.csv)" '^x_log = 0$' "unless told otherwise"
like "$(bench-plot line --script n.csv | texts)" '^wall by n, bench$' "the factor that varies lies along x"
is "$(bench-plot line --script n.csv | grep -c '^slot\[')" 2 "and each subject has a line"
is "$(bench-plot bar --script s.csv | texts | grep -c '^level=')" 2 "a second factor has colours"
like "$(bench-plot bar --script s.csv | texts)" '^wall \(ms\)$' "one unit serves the whole axis"
slot() { bench-plot line -g bench --script "$1" | awk -v at="$2" '$1 == "slot[" at "]" { print $3 }'; }
grep -v '^fast' n.csv >slow.csv
is "$(slot slow.csv 1)" "$(slot n.csv 2)" "a name keeps its colour"

# What people who do not see a picture are told.
bench-plot bar -o p.svg s.csv
like "$(grep -c '<svg role="img"' p.svg)" 1 "an SVG is one image"
like "$(sed -n 's|.*<desc>\(.*\)</desc>.*|\1|p' p.svg)" '^bar: medians .*level=1, gzip: 25.50 ms' "its description has the numbers"
is "$(grep -c '<title>' p.svg)" 1 "and it has one title"

# Every point of an SVG stands where its value is: the script's ranges map it back.
bench-plot line --log none --script n.csv >n.gp
gnuplot -d n.gp >n.svg
block points <n.gp >n.points
awk 'FILENAME == "n.points" { x[NR] = $1; y[NR] = $2; points = NR; next }
	$2 == "=" { is[$1] = $3 }
	match($0, /translate\([-0-9.,]*\)/) {
		split(substr($0, RSTART + 10, RLENGTH - 11), at, ",")
		seen_x[++seen] = at[1]
		seen_y[seen] = at[2]
	}
	/viewBox=/ { split($0, box, /[ "]+/); height = box[6] }
	END {
		for (i = 1; i <= points; i++) {
			px = 800 * (is["left"] + (x[i] - is["x_from"]) / (is["x_to"] - is["x_from"]) * (is["right"] - is["left"]))
			py = height * (1 - is["bottom"] - (y[i] - is["value_from"]) / (is["value_to"] - is["value_from"]) * (is["top"] - is["bottom"]))
			found = 0
			for (k = 1; k <= seen; k++)
				found += (seen_x[k] - px) ^ 2 < 1 && (seen_y[k] - py) ^ 2 < 1
			good += found > 0
		}
		print points, good
	}' n.points n.gp n.svg >mapped
is "$(cat mapped)" "10 10" "points of a picture map back to their values"

# What a kind hands to gnuplot, from fixed streams, is kept; GOLDEN=update writes it anew.
head -200 series.csv >short.csv
for kind in bar box compare ecdf heat hist line roofline speedup strip timeline trend; do
	case $kind in
	compare) data=c.csv ;;
	heat | line) data=n.csv ;;
	roofline) data=r.csv ;;
	speedup) data=t.csv ;;
	timeline) data=short.csv ;;
	trend) data=h.csv ;;
	*) data=s.csv ;;
	esac
	bench-plot $kind --script $data | sed '/^# ---- style/,$d' >golden.gp
	[ "${GOLDEN:-}" != update ] || cp golden.gp "$ROOT/tests/fixtures/data/plots/$kind.gp"
	is "$(diff "$ROOT/tests/fixtures/data/plots/$kind.gp" golden.gp)" '' "$kind: the script is the one that is kept"
done

# On a terminal a picture is as wide as that.
for width in 80 200; do
	for kind in bar line timeline; do
		case $kind in bar) data=s.csv ;; line) data=n.csv ;; *) data=short.csv ;; esac
		NO_COLOR=1 script -qec "stty cols $width rows 40; bench-plot $kind $data" /dev/null </dev/null |
			tr -d '\r' | LC_ALL=C.UTF-8 awk -v width=$width '{ gsub(/[\200-\277]/, "") } length > most { most = length }
				END { print (most <= width && most > width - 12) }' >wide
		is "$(cat wide)" 1 "$kind fills a terminal of $width columns"
	done
done

# On eight colours none is that of the page: gnuplot takes the nearest.
TERM=xterm COLORTERM='' script -qec "stty cols 80 rows 24; bench-plot line -g bench n.csv; bench-plot hist s.csv" /dev/null </dev/null >seen
is "$(grep -c '\[22;30m' seen)" 0 "nothing is drawn in black on a terminal"

# Characters of two columns move nothing: what stands behind them stands where it does elsewhere.
printf 'bench,metric,unit,value\n%s\n' 快速排序（随机数据）,wall,ns,5e6 日本語のベンチマーク名,wall,ns,6e6 한국어,wall,ns,7e6 plain,wall,ns,8e6 >wide.csv
bench-plot bar --size 70x20 wide.csv >wide.txt
is "$(grep -c -e '快速排序（随机数据） █' -e '日本語のベンチマーク名 █' -e '한국어 █' wide.txt)" 3 "wide names stand beside their bars"
is "$(sed -n 's/快速排序（随机数据）/12345678901234567890/; s/日本語のベンチマーク名/1234567890123456789012/; s/한국어/123456/; s/█/x/g; s/ms$//p' wide.txt |
	awk '{ print index($0, $NF) }' | sort -u | wc -l)" 1 "and their values below each other"

# Many values are a small picture.
large=100000
[ -z "${SANITIZED:-}" ] || large=10000
awk 'BEGIN { print "bench,n,metric,unit,value"; for (i = 0; i < '"$large"'; i++) print "a," i ",wall,ns," (i * 7919) % 100003 + 1 }' >large.csv
for kind in line strip box ecdf hist; do
	x=bench
	[ $kind = line ] && x=n
	bench-plot $kind -x $x -g bench -o p.svg large.csv
	is "$(($(wc -c <p.svg) < 300000))" 1 "$kind of $large values is below 300 kB ($(wc -c <p.svg))"
done

# Presets look for their metric and column.
awk 'BEGIN {
	print "bench,device,batch,metric,unit,value"
	for (b = 1; b <= 8; b *= 2)
		for (d = 0; d < 2; d++) {
			print "net,dev" d "," b ",throughput,1/s," 100 * b / (b + d + 1)
			print "net,dev" d "," b ",max_rss,B," b * 1048576
			print "net,dev" d "," b ",wall,ns," (b + d + 1) * 1e7
		}
}' >net.csv
is "$(for p in latency throughput memory; do bench-plot $p --script net.csv | texts | head -1; done | paste -sd,)" \
	"wall by batch, device,throughput by batch, device,max_rss by batch, device" "latency, throughput and memory lie along the batch"
is "$(bench-plot hardware --script net.csv | texts | grep '^device=')" "device=dev0
device=dev1" "hardware has a lane for each device"
like "$(bench-plot architecture -x batch --script net.csv | texts | head -1)" '^throughput by batch' "-x overrules a preset"

# Forms.
for kind in line bar box strip hist ecdf speedup heat compare trend timeline roofline; do
	case $kind in
	trend) data=h.csv ;;
	timeline) data=series.csv ;;
	roofline) data=r.csv ;;
	compare) data=c.csv ;;
	line) data=n.csv ;;
	speedup) data=t.csv ;;
	*) data=s.csv ;;
	esac
	for form in svg png pdf html txt; do
		ok "$kind as $form" bench-plot $kind -o p.$form $data
	done
	is "$(head -c 4 p.png | tail -c 3) $(head -c 5 p.pdf)" "PNG %PDF-" "$kind: they are what they say"
	if skip_unless xmllint "$kind: the SVG is well-formed"; then
		ok "$kind: the SVG is well-formed" xmllint --noout p.svg
	fi
	is "$(grep -c -e '<script' -e '<link' -e 'src=' p.html)" 0 "$kind: the page needs no other file"
	bench-plot $kind --script -o p.gp $data
	gnuplot -d p.gp >alone.svg
	is "$(drawn alone.svg)" "$(drawn p.svg)" "$kind: its script draws the same alone"
	is "$(LC_ALL=C bench-plot $kind $data | awk 'length > 80')" '' "$kind: text fits 80 columns"
	is "$(LC_ALL=C bench-plot $kind $data | LC_ALL=C grep -c '[^ -~]')" 0 \
		"$kind: text is ASCII in the C locale, without colours in a pipe"
	for theme in light dark; do
		like "$(bench-plot $kind --theme $theme --script $data)" "^dark = $([ $theme = dark ] && echo 1 || echo 0)$" \
			"$kind: theme $theme"
	done
done
is "$(bench-plot bar -F svg s.csv | head -c 5)" "<?xml" "--format writes a picture to a pipe"
like "$(bench-plot box --size 400x300 -F svg s.csv)" 'width="400" height="300"' "--size is kept"
like "$(printf 'size,secs\n1,2\n2,4\n4,8\n' | bench-plot line -x size -m secs:s -F svg)" '<text>secs \(s\)</text>' \
	"a foreign table is melted"
cp "$BUILD/share/benchutils/plots/bar.gp" own.gp
echo "set label 'my own' at screen 0.5, 0.5" | cat - "$BUILD/share/benchutils/plots/bar.gp" >own.gp
bench-plot bar --template own.gp -o p.svg s.csv
ok "a template can be changed" has 'my own' <<END
$(drawn p.svg)
END

# Values at the ends of what a double tells apart.
printf 'n,metric,value\n%s\n' 1,x,1e15 1,x,1000000000000000.1 2,x,1000000000000000.9 >close.csv
for kind in line bar box strip hist ecdf speedup heat; do
	ok "$kind of values that hardly differ" timeout 20 bench-plot $kind -x n -o p.svg close.csv
done

is "$(bench-plot bar -g n n.csv | sed -n '3s/n=[0-9]*//gp' | grep -o '[^ ]' | sort -u | wc -l)" 5 \
	"without colours each series has a character of its own"

# Names, factors, labels and titles are never taken for commands, and are shown as they are.
esc=$(printf '\033')
n=0
while IFS= read -r text; do
	n=$((n + 1))
	printf '%s\n' "$text" | sed "s/E/$esc/" >"text.$n"
done <<'END'
`touch pwned`
"; system("touch pwned"); "
'; system('touch pwned'); '
''`touch pwned`''
@title @run '@title
' @title "
{/Bold x}^2_3
<b>&amp;</b>
$said[1] $points
EOD
\
a\nb
100% %d %s %n
#no comment
é µ …
E[31mredE
END
# csv FIELD...: a record with every field quoted
csv() {
	for field; do
		printf ',"%s"' "$(printf '%s' "$field" | sed 's/"/""/g')"
	done | sed 's/^,//'
	echo
}
for i in $(seq $n); do
	text=$(cat "text.$i")
	# The shown form: escapes are visible.
	shown=$(sed "s/$esc/\\\\x1b/g" "text.$i")
	{
		csv host env commit kind bench "$text" sample metric unit value
		for s in 1 2 3 4 5 6 7 8; do
			csv "$text" "$text" "$text" "$text" "$text" "$text" $s "$text" "$text" $((100 + s))
			csv "$text" "$text" "$text" "$text" other other $s "$text" "$text" $((200 + s))
		done
	} >names.csv
	for kind in bar box strip hist ecdf heat; do
		rm -f p.svg
		bench-plot $kind --title "$text" -o p.svg names.csv 2>err
		like "$(drawn p.svg)" . "$kind draws with text $i everywhere ($shown)"
		case $kind in
		hist | heat) ;;
		*) ok "$kind shows text $i as it is" has "$(xml "$shown")" <<-DRAWN
			$(drawn p.svg)
			DRAWN
			;;
		esac
		bench-plot $kind --title "$text" names.csv >p.txt
		is "$(grep -c "$esc" p.txt)" 0 "$kind: no escape reaches the terminal with text $i"
	done
	{
		csv x "$text" sample metric unit value
		for s in 1 2 3 4 5 6 7 8; do
			csv 1 "$text" $s "$text" "$text" $((100 + s))
			csv 1000 "$text" $s "$text" "$text" $((100000 + s))
			csv 1 b $s "$text" "$text" $((100 + s))
		done
	} >names.csv
	rm -f p.svg
	bench-plot line --log xy -x x --title "$text" -o p.svg names.csv
	ok "line shows text $i as it is" has "$(xml "$shown")" <<-DRAWN
		$(drawn p.svg)
	DRAWN
	ok "line draws text $i as text" bench-plot line -x x --title "$text" names.csv
done
is "$(find . -name 'pwned*')" '' "nothing of all that was executed"

# A newline in every text column.
awk 'BEGIN {
	q = "\"a\nEOD\nset output \047pwned\047\n\""
	print "host,commit,kind,bench," q ",sample,metric,unit,value"
	for (s = 0; s < 8; s++) {
		print q "," q "," q "," q "," q "," s "," q "," q "," s + 1
		print q "," q "," q ",b," q "," s "," q "," q "," s + 2
	}
}' >names.csv
ok "a newline in every column can be drawn" bench-plot bar -o p.svg names.csv
like "$(drawn p.svg)" '^a\\nEOD\\nset output' "and is shown as an escape"
is "$(find . -name 'pwned*')" '' "and ends no block of data"

# What XML does not hold: halves of surrogate pairs, U+FFFE, beyond U+10FFFF, the end of CDATA.
if skip_unless xmllint "an SVG of names that are no characters"; then
	printf 'bench,metric,value\na\355\240\200,x,1\nb\357\277\276,x,2\nc\364\220\200\200,x,3\nd]]]>,x,4\n' >odd.csv
	bench-plot bar -o p.svg odd.csv
	ok "an SVG of names that are no characters" xmllint --noout p.svg
	like "$(drawn p.svg)" '^a\\xed\\xa0\\x80$' "they are shown as escapes"
fi

# Long names are cut, and still differ.
awk 'BEGIN {
	long = "/a/very/long/path/that/all/of/these/commands/have/in/common"
	print "bench,metric,unit,value"
	for (i = 0; i < 3; i++)
		print "cat " long " | sort -k" i " " long ",wall,ns," i + 1
}' >long.csv
bench-plot bar --script long.csv | texts | grep '^cat' >shortened
is "$(sort -u shortened | wc -l)" 3 "names that differ in their middle still differ when cut"
is "$(awk 'length > 60' shortened)" '' "and are cut"

# Wide characters have room in a margin.
for name in 80386bad00bad40badc0de4804848abababababa WWWWWWWWWWWWWWWWWWWWWWWWWWWW; do
	printf 'bench,metric,value\n%s,x,1\nb,x,2\n' $name |
		bench-plot bar --script | awk '$1 == "left" { print ($3 * 800 > 340) }'
done >room
is "$(paste -sd' ' room)" "1 1" "digits and capitals have room"

# Trouble: one clear line, status 2, nothing half-done.
# refused PATTERN DESCRIPTION ARG...
refused() {
	pattern=$1 what=$2
	shift 2
	status 2 "$what: refused" bench-plot "$@"
	like "$(cat .err)" "^bench-plot: .*$pattern" "$what: said"
	is "$(wc -l <.err)" 1 "$what: in one line"
}
printf 'bench,metric,value\n' >none.csv
printf 'bench,metric,value\na,x,1\na,y,2\n' >two.csv
printf 'bench,metric,unit,value\na,x,ns,1\nb,x,s,2\n' >units.csv
printf 'bench,metric,value,status\na,x,1,timeout\n' >failed.csv
refused 'which kind' "no kind"
refused "no kind 'pie'" "a kind that does not exist" pie s.csv
refused '-y nope: no row has this metric .there are: wall' "a metric that does not exist" bar -y nope s.csv
refused '-x nope: there is no such column .there are: bench, level' "an x that is no column" bar -x nope s.csv
refused '-g nope: there is no such column' "a group that is no column" bar -g nope s.csv
refused "'gzip' is not a number" "an x that is no number" line -x bench s.csv
refused 'choose one with -y: x, y' "several metrics" bar two.csv
refused "two units, 'ns' and 's'" "two units" bar units.csv
refused 'nothing to draw' "no rows" bar none.csv
refused '1 failed' "only failures" bar failed.csv
refused 'no numeric factor|numeric factor for -x' "a line without numbers" line two.csv -y x
refused '/nowhere/p.svg' "a directory that is not there" bar -o /nowhere/p.svg s.csv
refused 'does not end in' "an unknown suffix" bar -o p.gif s.csv
refused 'No such file' "a file that is not there" bar nofile.csv
refused 'no logarithmic' "a logarithmic bar" bar --log y s.csv
printf 'n,metric,value\n%s\n' 1,x,-1e200 1,x,1e200 2,x,1 1e300,x,2 >far.csv
refused 'x from -1e.200 to 1e.200 is too far' "values that are too far apart" hist far.csv
refused 'n from 1 to 1e.300 is too far' "places that are too far apart" line --log x far.csv
awk 'BEGIN { print "bench,metric,value"; for (i = 0; i < 401; i++) print "b" i ",x," i "\nb" i ",x,7" }' >many.csv
refused '401 lanes are too many' "too many lanes" box many.csv
grep -v '^b400' many.csv >fewer.csv
refused '80 by [0-9]+ is too large' "a text with more rows than gnuplot has" hist fewer.csv
refused '2000 by 24 is too large' "a text that is too wide" line --size 2000x24 -F txt n.csv
refused 'no room|too narrow' "a picture too small" line --size 300x60 -o p.svg n.csv
status 2 "a full device is told" bench-plot bar -F svg -o /dev/full s.csv
status 2 "so is a full standard output" sh -c 'bench-plot bar s.csv >/dev/full'
status 2 "and one that is closed" sh -c 'bench-plot bar s.csv >&-'

echo kept >p.svg
mkdir empty broken killed
printf '#!/bin/sh\necho "<svg half"\necho "line 3: it broke" >&2\nexit 1\n' >broken/gnuplot
printf '#!/bin/sh\necho "<svg half"\nkill -9 $$\n' >killed/gnuplot
chmod +x broken/gnuplot killed/gnuplot
plot=$(command -v bench-plot)
for gnuplot in empty broken killed; do
	status 2 "gnuplot $gnuplot: status 2" env PATH="$T/$gnuplot" "$plot" bar -o p.svg s.csv
	like "$(cat .err)" '^bench-plot: gnuplot (is not installed|failed: line 3: it broke|was killed)' \
		"gnuplot $gnuplot: said"
	is "$(cat p.svg; ls p.svg*)" "kept
p.svg" "gnuplot $gnuplot: the old picture is kept and nothing is beside it"
done
ok "without gnuplot the script can be written" env PATH="$T/empty" "$plot" bar --script s.csv
done_testing
