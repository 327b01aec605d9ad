#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-plot: its numbers equal those of the other programs, every kind is drawn in every format,
# names remain text, and no incomplete file is left. tests/plot/plot_test.c tests, without gnuplot,
# what each kind draws from which rows.
# slow
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
plots=$ROOT/tests/fixtures/data/plots

# block NAME: a data block of the script on standard input
block() {
	awk -v name="\$$1 << EOD" '$0 == "EOD" { on = 0 } on && !/^#/ && NF { print } $0 == name { on = 1 }'
}
# texts: the texts of a script
texts() { block said | sed 's/^>//'; }
# drawn FILE.svg: the texts of a plot, one a line
drawn() { sed -n 's|.*<text>\(.*\)</text>.*|\1|p' "$1"; }
# shows FILE.svg TEXT: whether one of them is this text
shows() { drawn "$1" | grep -qxF -e "$(printf '%s\n' "$2" | sed 's/&/\&amp;/g; s/</\&lt;/g')"; }
# stream KIND: a file with rows that this kind draws
stream() {
	case $1 in
	compare) echo verdicts.csv ;;
	heat | line) echo "$plots/sweep.csv" ;;
	roofline) echo "$plots/kernels.csv" ;;
	speedup) echo "$plots/threads.csv" ;;
	timeline) echo "$plots/series.csv" ;;
	trend) echo "$plots/history.csv" ;;
	*) echo "$plots/samples.csv" ;;
	esac
}
for name in samples sweep history; do cp "$plots/$name.csv" .; done

# Plots agree with the other programs.
bench-stat -g bench -s median,ci_lo,ci_hi,n samples.csv >want.csv
bench-plot bar -x bench -g bench --script samples.csv >bar.gp
is "$(block intervals <bar.gp | awk '{ print $2 * 1e6, $3 * 1e6, $4 * 1e6 }')" \
	"$(awk -F , 'NR > 1 { print $(NF - 3), $(NF - 2), $(NF - 1) }' want.csv)" \
	"bars and intervals are bench-stat's medians and intervals"

bench-plot heat --script sweep.csv | block cells |
	awk '{ printf "%d %d %.6g\n", $1, $2, $3 * 1e6 }' | sort >heat.txt
bench-stat -g bench,n -s median sweep.csv | sed 1d | tr , ' ' | awk '
	{ n[$2] = n[$2] ? n[$2] : ++count }
	{ printf "%d %d %.6g\n", n[$2], ($1 == "fast" ? 1 : 2), $NF }' | sort >medians
is "$(cat heat.txt)" "$(cat medians)" "each cell of a heat map is bench-stat's median of its two factors"
printf 'bench,n,metric,unit,value\nsort -p=1 x,1,wall,ns,5\nsort -p=2 x,1,wall,ns,6\n' | bench-plot heat -x bench -g n --script - >command.gp
ok "a heat map does not split a command at an equals sign" grep -q 'sort -p=1 x' command.gp

sed '/^slow/s/,[0-9]*$/,7/' sweep.csv >faster.csv
bench-compare sweep.csv faster.csv >verdicts.csv 2>/dev/null
bench-plot compare --script verdicts.csv >compare.gp
is "$(block points <compare.gp | awk '{ printf "%.6g\n", $2 }' | sort)" "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ratio") at = i; next }
	{ printf "%.6g\n", $at }' verdicts.csv | sort)" "compare draws the ratios of bench-compare"
is "$(bench-plot compare --script sweep.csv faster.csv | block points)" "$(block points <compare.gp)" \
	"compare draws the same ratios of two files of samples"
like "$(texts <compare.gp)" '^better$' "bench-plot compare draws the words of the verdicts"
like "$(texts <compare.gp)" '^[-+][0-9.]+% better$' "compare has the change in percent next to the verdict"
bench-plot bar --log y --script samples.csv >logarithm.gp
like "$(texts <logarithm.gp)" 'logarithmic: bars do not begin at 0' "a logarithmic axis of bars says that it has no zero"

# The column of shapes, which batch and seq determine, comes before seq.
is "$(bench-plot line -x batch --script "$plots/shapes.csv" | texts | grep -c '^m[1-3], seq=[0-9]*, backend=[a-z]*$')" 12 \
	"a column that is determined by x and the others does not split lines"
is "$(bench-plot line -x batch --script "$plots/shapes.csv" | texts | grep -c input_shape)" 0 \
	"a column that is determined by x and the others is not in the names of lines"
printf 'bench,n,metric,value\nsort,1,x,1\nscan,2,x,2\n' >apart.csv
like "$(bench-plot line -x n --script apart.csv)" '^series = 2$' "a line does not join two benchmarks that were measured at different x"
printf 'bench,n,metric,value\nsort 1,1,x,1\nsort 2,2,x,2\n' >joined.csv
like "$(bench-plot line -x n --script joined.csv)" '^series = 1$' "a line joins benchmarks whose names contain x"
bench-plot trend --script history.csv >trend.gp
is "$(bench-compare --history history.csv 2>/dev/null | sed 1d | wc -l) $(block changes <trend.gp | wc -l)" "1 1" \
	"a trend has the change that bench-compare --history finds"

# For readers who cannot see a plot.
bench-plot bar -o p.svg samples.csv
is "$(grep -c '<svg role="img"' p.svg)" 1 "an SVG of bench-plot has the role of an image"
like "$(sed -n 's|.*<desc>\(.*\)</desc>.*|\1|p' p.svg)" '^bar: medians .*level=1, gzip: 25.50 ms' \
	"the description of an SVG has its numbers"
is "$(grep -c '<title>' p.svg)" 1 "an SVG of bench-plot has one title"

# Every point of an SVG is at its value: the ranges of the script map it back.
bench-plot line --log none --script sweep.csv >n.gp
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
			along = (x[i] - is["x_from"]) / (is["x_to"] - is["x_from"])
			up = (y[i] - is["value_from"]) / (is["value_to"] - is["value_from"])
			px = 800 * (is["left"] + along * (is["right"] - is["left"]))
			py = height * (1 - is["bottom"] - up * (is["top"] - is["bottom"]))
			found = 0
			for (k = 1; k <= seen; k++)
				found += (seen_x[k] - px) ^ 2 < 1 && (seen_y[k] - py) ^ 2 < 1
			good += found > 0
		}
		print points, good
	}' n.points n.gp n.svg >mapped
is "$(cat mapped)" "10 10" "the points of a plot map back to their values"

# Timeouts are drawn at their limits: of 9 samples with n = 1, 2 and 3, the times above 10 s timed out.
awk -F, 'BEGIN { print "run,bench,n,sample,metric,unit,value,status"
	for (n = 1; n <= 3; n++) for (i = 0; i < 9; i++) { v = 4 * n + i * 0.5
		printf("r,x,%d,%d,wall,ns,%se9,%s\n", n, i, (v > 10) ? 10 : v, (v > 10) ? "timeout" : "ok") } }' >limits.csv
is "$(bench-stat --table -g n -s median,censored limits.csv | awk 'NR > 1 { print $1, $3, $5 }' | paste -sd,)" \
	"1 6.000 0,2 10.00 4,3 >10.00 9" "the stream of timeouts has a known and an unknown median"
bench-plot line --script limits.csv >limits.gp
is "$(block points <limits.gp | awk '{ print $1, $2, $3 }' | paste -sd,)" "1 6 9,2 10 9,3 10 9" \
	"a line has a median above the limit at the limit"
is "$(block beyond <limits.gp)" "3 10" "a line has an arrow at a median above the limit"
for kind in strip box; do
	bench-plot $kind -x n --script limits.csv >limits.gp
	is "$(block beyond <limits.gp | awk '{ print $2 }' | paste -sd,)" "10,10" "a $kind has an arrow at the limit of each lane with timeouts"
	like "$(texts <limits.gp)" '13 timed out, drawn at the limit' "a $kind counts the timeouts that it draws"
	like "$(texts <limits.gp)" '^>10.00 s, 9 timed out' "a $kind has the limit next to a lane whose samples all timed out"
done
is "$(bench-plot bar -x n --script limits.csv | block beyond)" "3 10" "a bar whose median is above the limit has an arrow"
bench-plot line --size 80x24 limits.csv >limits.txt
like "$(cat limits.txt)" '↑' "a line on a terminal has an arrow above the limit"
like "$(bench-plot quantiles -g n --size 80x24 limits.csv)" '↑' "quantiles on a terminal have an arrow at the first one above the limit"
like "$(bench-plot hist -x n --size 80x24 limits.csv)" '13 timed out, drawn at the limit' "a histogram counts the timeouts"

# The scripts of fixed streams are recorded; GOLDEN=update records them again.
kinds='bar box compare ecdf heat hist line quantiles roofline speedup strip timeline trend'
for kind in $kinds; do
	bench-plot "$kind" --script "$(stream "$kind")" >"$kind.gp"
	sed '/^# ---- style/,$d' "$kind.gp" >golden.gp
	[ "${GOLDEN:-}" != update ] || cp golden.gp "$plots/$kind.gp"
	is "$(diff "$plots/$kind.gp" golden.gp)" '' "the script of $kind equals the recorded one"
done

# A terminal.
for width in 80 200; do
	for kind in bar line timeline; do
		NO_COLOR=1 script -qec "stty cols $width rows 40; bench-plot $kind '$(stream $kind)'" /dev/null \
			</dev/null | tr -d '\r' | LC_ALL=C.UTF-8 awk -v width=$width '
			{ gsub(/[\200-\277]/, "") }
			length > most { most = length }
			END { print (most <= width && most > width - 12) }' >wide
		is "$(cat wide)" 1 "$kind fills a terminal of $width columns"
	done
done

# gnuplot uses the nearest of eight colors, which must not be that of the background.
TERM=xterm COLORTERM='' script -qec "stty cols 80 rows 24
	bench-plot line -g bench sweep.csv; bench-plot hist samples.csv" /dev/null </dev/null >seen
is "$(grep -c '\[22;30m' seen)" 0 "bench-plot draws nothing in black on a terminal with eight colors"
is "$(bench-plot bar -g n sweep.csv | sed -n '3s/n=[0-9]*//gp' | grep -o '[^ ]' | sort -u | wc -l)" 5 \
	"each series has its own character without colors"

# Characters that are two columns wide shift nothing.
printf 'bench,metric,unit,value\n%s\n' 快速排序（随机数据）,wall,ns,5e6 日本語のベンチマーク名,wall,ns,6e6 \
	한국어,wall,ns,7e6 plain,wall,ns,8e6 >wide.csv
bench-plot bar --size 70x20 wide.csv >wide.txt
is "$(grep -c -e '快速排序（随机数据） █' -e '日本語のベンチマーク名 █' -e '한국어 █' wide.txt)" 3 \
	"wide names are next to their bars"
is "$(sed -n 's/快速排序（随机数据）/12345678901234567890/; s/日本語のベンチマーク名/1234567890123456789012/
	s/한국어/123456/; s/█/x/g; s/ms$//p' wide.txt | awk '{ print index($0, $NF) }' | sort -u | wc -l)" 1 \
	"the values next to wide names are aligned"

# Many values give a small plot.
large=100000
[ -z "${SANITIZED:-}" ] || large=10000
awk -v large=$large 'BEGIN {
	print "bench,n,metric,unit,value"
	for (i = 0; i < large; i++)
		print "a," i ",wall,ns," (i * 7919) % 100003 + 1
}' >large.csv
for kind in line strip box ecdf quantiles hist; do
	x=bench
	[ $kind = line ] && x=n
	bench-plot $kind -x $x -g bench -o p.svg large.csv
	is "$(($(wc -c <p.svg) < 300000))" 1 "$kind of $large values is below 300 kB ($(wc -c <p.svg))"
done

# Formats.
for kind in $kinds; do
	data=$(stream "$kind")
	[ "$kind" != timeline ] || data=$ROOT/tests/fixtures/data/gallery/memory.csv
	for form in svg png pdf html txt; do
		ok "$kind is drawn as $form" bench-plot "$kind" -o p.$form "$data"
	done
	is "$(head -c 4 p.png | tail -c 3) $(head -c 5 p.pdf)" "PNG %PDF-" \
		"$kind is written as PNG and PDF"
	if skip_unless xmllint "the SVG of $kind is well-formed"; then
		ok "the SVG of $kind is well-formed" xmllint --noout p.svg
	fi
	is "$(grep -c -e '<script' -e '<link' -e 'src=' p.html)" 0 "the page of $kind needs no other file"
	bench-plot "$kind" --script -o p.gp "$data"
	gnuplot -d p.gp >alone.svg
	is "$(drawn alone.svg)" "$(drawn p.svg)" "the script of $kind draws the same plot alone"
	LC_ALL=C bench-plot "$kind" "$data" >p.txt
	is "$(awk 'length > 80' p.txt)" '' "$kind as text fits 80 columns"
	is "$(LC_ALL=C grep -c '[^ -~]' p.txt)" 0 \
		"$kind as text is ASCII in the C locale"
	like "$(bench-plot "$kind" --theme light --script "$data")" '^dark = 0$' "$kind has a light theme"
	like "$(bench-plot "$kind" --theme dark --script "$data")" '^dark = 1$' "$kind has a dark theme"
done
is "$(bench-plot bar -F svg samples.csv | head -c 5)" "<?xml" "--format writes a plot to a pipe"
like "$(bench-plot box --size 400x300 -F svg samples.csv)" 'width="400" height="300"' "--size sets the size of an SVG"
like "$(bench-plot box --size 358 -F svg samples.csv)" 'width="358" height="[1-9][0-9]*"' \
	"--size with a width alone makes a plot as high as needed"
is "$(bench-plot box --font-size 26 -F svg samples.csv | sed -n 's/.*font-size="\([^"]*\)".*/\1/p' | sort -u | paste -sd ' ')" \
	"24.00 26.00 32.50" "--font-size sets the sizes of all texts of an SVG"
bench-plot box --size 400x300 --scale 2 -o p.png samples.csv
is "$(od -An -tu1 -j16 -N8 p.png | tr -s ' ')" " 0 0 3 32 0 0 2 88" "--scale multiplies the pixels of a PNG"
bench-plot line --theme auto -F svg sweep.csv >auto.svg
is "$(grep -c -e "['\"]#[0-9a-fA-F]*['\"]" -e "['\"]rgb(" auto.svg)" 0 \
	"--theme auto leaves no color in an attribute of an SVG"
is "$(sed 's/.*<style>//; s|</style>.*||' auto.svg | grep -o 'prefers-color-scheme:dark\|data-theme=[a-z]*' | paste -sd ' ')" \
	"prefers-color-scheme:dark data-theme=light data-theme=dark" \
	"--theme auto follows the system and the attribute data-theme"
for kind in strip box bar line; do
	bench-plot $kind -x n --theme auto -F svg limits.csv >auto.svg
	is "$(grep -B 1 '<text>[^<]' auto.svg | grep 'fill=' | grep -vc 'fill="var(')" 0 \
		"every text of $kind with timeouts has a color of the theme"
done
like "$(bench-plot line --theme auto -F html sweep.csv)" 'background: var\(--xffffff' "the page of --theme auto follows the theme"
like "$(printf 'size,secs\n1,2\n2,4\n4,8\n' | bench-plot line -x size -m secs:s -F svg)" \
	'<text>secs \(s\)</text>' "a foreign table is melted"
{
	echo "set label 'my own' at screen 0.5, 0.5"
	cat "$BUILD/share/benchutils/plots/bar.gp"
} >own.gp
bench-plot bar --template own.gp -o p.svg samples.csv
ok "--template draws with another template" shows p.svg 'my own'

printf 'bench,metric,unit,value,status\n%s\n' a,m,ns,5,ok a,m,ns,7,ok b,m,ns,9,failed:exit=1 >few.csv
ok "a text without any interval can be drawn" bench-plot bar few.csv
ok "a box without outliers and without values can be drawn" bench-plot box few.csv
ok "the distributions of a series with values and of one without can be drawn" bench-plot ecdf few.csv
printf 'n,metric,value\n%s\n' 1,x,1e15 1,x,1000000000000000.1 2,x,1000000000000000.9 >close.csv
for kind in line bar box strip hist ecdf quantiles speedup heat; do
	ok "$kind of values that hardly differ is drawn" timeout 20 bench-plot $kind -x n -o p.svg close.csv
done

# Names, factors, labels and titles never become commands, and are shown unchanged.
# tests/plot/plot_text_test.c tests that no kind writes them into commands; here gnuplot runs.
esc=$(printf '\033')
sed "s/E/$esc/" >hostile <<'END'
`touch pwned`
"; system("touch pwned"); "
'; system('touch pwned'); '
''`touch pwned`''
@title @run '@title
' @title "
{/Bold x}^2_3
<b>&amp;</b>
$said[1] $points
\
a\nb
100% %d %s %n
#no comment
é µ …
E[31mredE
END
echo EOD >>hostile
# visible: the lines on standard input with escapes made visible
visible() { sed "s/$esc/\\\\x1b/g"; }
# quoted: the lines on standard input as fields of CSV
quoted() { sed 's/"/""/g; s/.*/"&"/'; }
# everywhere FIELD: rows with a field in every column that may contain it
everywhere() {
	FIELD=$1 awk 'BEGIN {
		q = ENVIRON["FIELD"]
		print "x,host,env,commit,kind,bench," q ",sample,metric,unit,value"
		for (s = 1; s <= 8; s++) {
			print "1," q "," q "," q "," q "," q "," q "," s "," q "," q "," 100 + s
			print "1000," q "," q "," q "," q "," q "," q "," s "," q "," q "," 100000 + s
			print "1," q "," q "," q "," q ",other,other," s "," q "," q "," 100 + s
		}
	}'
}
i=0
while IFS= read -r text; do
	i=$((i + 1))
	shown=$(printf '%s\n' "$text" | visible)
	everywhere "$(printf '%s\n' "$text" | quoted)" >names.csv
	for kind in bar line; do
		rm -f p.svg
		set -- --title "$text"
		[ $kind = bar ] || set -- "$@" -x x --log xy
		bench-plot $kind "$@" -o p.svg names.csv
		ok "$kind shows text $i unchanged ($shown)" shows p.svg "$shown"
		bench-plot $kind "$@" names.csv >p.txt
		like "$(cat p.txt)" . "$kind draws text $i in characters"
		is "$(grep -c "$esc" p.txt)" 0 "$kind writes no escape of text $i to the terminal"
	done
done <hostile
{
	echo bench,sample,metric,unit,value
	quoted <hostile | awk '{ for (s = 1; s <= 8; s++) print $0 "," s ",wall,ns," 100 * NR + s }'
} >names.csv
for kind in bar box strip hist ecdf quantiles heat; do
	bench-plot $kind -o p.svg names.csv
	is "$(visible <hostile | while IFS= read -r text; do shows p.svg "$text" || echo "$text"; done)" '' \
		"$kind shows all hostile texts unchanged"
	bench-plot $kind names.csv >p.txt
	like "$(cat p.txt)" . "$kind draws all hostile texts in characters"
	is "$(grep -c "$esc" p.txt)" 0 "$kind writes no escape of hostile texts to the terminal"
done
is "$(find . -name 'pwned*')" '' "no hostile text is executed"

# A newline in every text column.
awk 'BEGIN {
	q = "\"a\nEOD\nset output \047pwned\047\n\""
	print "host,commit,kind,bench," q ",sample,metric,unit,value"
	for (s = 0; s < 8; s++) {
		print q "," q "," q "," q "," q "," s "," q "," q "," s + 1
		print q "," q "," q ",b," q "," s "," q "," q "," s + 2
	}
}' >names.csv
ok "bench-plot draws names with a newline in every column" bench-plot bar -o p.svg names.csv
like "$(drawn p.svg)" '^a\\nEOD\\nset output' "a newline in a name is shown as an escape"
is "$(find . -name 'pwned*')" '' "a newline in a name does not end a data block"

# Not valid in XML: halves of surrogate pairs, U+FFFE, above U+10FFFF, the end of CDATA.
if skip_unless xmllint "an SVG of names that are not valid characters is well-formed"; then
	printf 'bench,metric,value\na\355\240\200,x,1\nb\357\277\276,x,2\nc\364\220\200\200,x,3\n' >odd.csv
	echo 'd]]]>,x,4' >>odd.csv
	bench-plot bar -o p.svg odd.csv
	ok "an SVG of names that are not valid characters is well-formed" xmllint --noout p.svg
	like "$(drawn p.svg)" '^a\\xed\\xa0\\x80$' "names that are not valid characters are shown as escapes"
fi

# Errors: one clear line and status 2.
# refused PATTERN SUBJECT ARG...: bench-plot rejects these arguments
refused() {
	pattern=$1 rejected=$2
	shift 2
	status 2 "bench-plot rejects $rejected" bench-plot "$@"
	like "$(cat .err)" "^bench-plot: .*$pattern" "the message of bench-plot names the reason to reject $rejected"
	is "$(wc -l <.err)" 1 "bench-plot rejects $rejected in one line"
}
printf 'bench,metric,value\n' >none.csv
printf 'bench,metric,value\na,x,1\na,y,2\n' >two.csv
printf 'bench,metric,unit,value\na,x,ns,1\nb,x,s,2\n' >units.csv
printf 'bench,metric,value,status\na,x,1,timeout\n' >failed.csv
refused 'no kind of plot given' "a missing kind"
refused "unknown kind 'pie'" "a kind that does not exist" pie samples.csv
refused "--metric: no metric matches 'nope' .there are: wall" "a metric that does not exist" \
	bar -y nope samples.csv
refused "-x: unknown column 'nope' .there are: bench, level" "an x that is no column" \
	bar -x nope samples.csv
refused "-g: unknown column 'nope'" "a group that is no column" bar -g nope samples.csv
refused "'gzip' is not a number" "an x that is no number" line -x bench samples.csv
refused 'choose one with -y: x, y' "a choice among several metrics" bar two.csv
refused 'choose one with -y: x, y' "a pattern of -y that matches several metrics" bar -y '?' two.csv
ok "bench-plot -y takes lists of patterns" bench-plot bar -y 'y,[yz]' --metric y two.csv
refused "--metric: no metric matches 'nope'" "a pattern in a list of -y that matches no metric" bar -y 'y,nope' two.csv
refused "two units, 'ns' and 's'" "a metric with two units" bar units.csv
refused 'nothing to draw' "input without rows" bar none.csv
refused '1 failed' "input in which every row failed" bar failed.csv
refused 'no numeric factor|numeric factor for -x' "a line without numbers" line two.csv -y x
refused '/nowhere/p.svg' "a directory that is not there" bar -o /nowhere/p.svg samples.csv
refused 'does not end in' "an unknown suffix" bar -o p.gif samples.csv
refused 'No such file' "a file that is not there" bar nofile.csv
refused 'a plot of 800 pixels is too small for its contents: use --size [0-9]+x[0-9]+ or more' "text that is too large for the default size" \
	bar --font-size 70 samples.csv -o large.svg
printf 'n,metric,value\n%s\n' 1,x,-1e200 1,x,1e200 2,x,1 1e300,x,2 >far.csv
refused 'x from -1e.200 to 1e.200 cannot be drawn: the numbers are too large or too small' "values that are too far apart" hist far.csv
refused 'n from 1 to 1e.300 cannot be drawn: the numbers are too large or too small' "places that are too far apart" line --log x far.csv
awk 'BEGIN {
	print "bench,metric,value"
	for (i = 0; i < 401; i++)
		print "b" i ",x," i "\nb" i ",x,7"
}' >many.csv
refused '401 lanes are too many' "too many lanes" box many.csv
sed 's/^bench/commit,bench/; 1!s/^/c,/' many.csv >series.csv
refused '401 series are too many for a plot: select some with --filter or -y, or join them with -g$' "too many series" trend series.csv
grep -v '^b400' many.csv >fewer.csv
refused '80 by [0-9]+ is too large' "a text with more rows than gnuplot has" hist fewer.csv
refused '2000 by 24 is too large' "a text that is too wide" line --size 2000x24 -F txt sweep.csv
refused '6 to 72' "a size of text that nobody can read" line --font-size 2 -o p.svg sweep.csv
refused 'only for png' "a scale of an SVG" line --scale 2 -o p.svg sweep.csv
refused '0.25 to 8' "a scale of 0" line --scale 0 -o p.png sweep.csv
refused 'only for svg, without' "numbers in a PNG" line --data -o p.png sweep.csv
refused 'only for svg and html' "a PNG that follows a theme" line --theme auto -o p.png sweep.csv
refused 'light, dark, auto' "an unknown theme" line --theme blue -o p.svg sweep.csv
refused 'WIDTHxHEIGHT' "a size without a height" line --size 800x -o p.svg sweep.csv
refused 'use --size 400x[12][0-9]{2} or more' "a plot that is too low" line --size 400x60 -o p.svg sweep.csv
ok "the least size that bench-plot names is enough" \
	bench-plot line --size "$(sed 's/.*--size \([0-9x]*\).*/\1/' .err)" -o p.svg sweep.csv
refused 'too small|too narrow' "a plot too small" line --size 300x60 -o p.svg sweep.csv
status 2 "bench-plot reports a full output device" bench-plot bar -F svg -o /dev/full samples.csv
status 2 "bench-plot reports a full standard output" sh -c 'bench-plot bar samples.csv >/dev/full'
status 2 "bench-plot reports a closed standard output" sh -c 'bench-plot bar samples.csv >&-'

echo kept >p.svg
mkdir missing broken killed
printf '#!/bin/sh\necho "<svg half"\necho "line 3: it broke" >&2\nexit 1\n' >broken/gnuplot
printf '#!/bin/sh\necho "<svg half"\nkill -9 $$\n' >killed/gnuplot
chmod +x broken/gnuplot killed/gnuplot
plot=$(command -v bench-plot)
for gnuplot in missing broken killed; do
	status 2 "bench-plot ends with status 2 if gnuplot is $gnuplot" env PATH="$T/$gnuplot" "$plot" bar -o p.svg samples.csv
	like "$(cat .err)" '^bench-plot: gnuplot (is not in|failed: it broke|was killed)' \
		"the message of bench-plot says what failed if gnuplot is $gnuplot"
	is "$(cat p.svg; ls p.svg*)" "kept
p.svg" "bench-plot keeps the old plot and leaves no other file if gnuplot is $gnuplot"
done
ok "bench-plot writes a script without gnuplot" env PATH="$T/missing" "$plot" bar --script samples.csv
done_testing
