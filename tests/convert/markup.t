#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert -t markdown, asciidoc and org: tables in markup languages, in which names with markup
# are shown as they are.
. "${0%/*}/../lib/tap.sh"

data=$ROOT/tests/fixtures/data/convert
rows=$ROOT/tests/fixtures/data/markup.csv
odd='a|b`c`<i>*x*_y_[l](u)~~s~~/n=1;wall;2;2.000 µs;;;1.500 µs;2.500 µs
x\|y/n=2;odd|metric;1;7;;;7;7
two\nlines;wall;1;20 ns;;;20 ns;20 ns
sort -k2 | uniq -c;max_rss;1;1.000 KiB;;;1.000 KiB;1.000 KiB
(C) --x... ->;2*a_b+c;1;3 /s;;;3 /s;3 /s
awk '"'"'$1~/a/ {n+=1}'"'"' f;e a;1;1;;;1;1
+++{x}+++;*;1;5%;;;5%;5%
$HOME/x|y;-;1;5;;;5;5'
# cells: the cells of the tables in HTML, a line for each row
cells() {
	sed -n 's/.*<t[dh][^>]*>\(.*\)<.t[dh]>/\1/p; s/^<.tr>/@/p' | sed 's/<[^>]*>//g' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | tr '\n@' ';\n' | sed 's/^;//; s/;$//; /^$/d'
}

bench-convert -t asciidoc "$rows" >odd.adoc
is "$(cat odd.adoc)" '[cols="2*<,6*>",options="header"]
|===
| benchmark | metric | n | median | from | to | min | max
| a&#124;b&#96;c&#96;&#60;i&#62;&#42;x*&#95;y_&#91;l&#93;&#40;u&#41;&#126;&#126;s&#126;&#126;/n=1 | wall | 2 | 2.000 µs |  |  | 1.500 µs | 2.500 µs
| x&#92;&#124;y/n=2 | odd&#124;metric | 1 | 7 |  |  | 7 | 7
| two&#92;nlines | wall | 1 | 20 ns |  |  | 20 ns | 20 ns
| sort -k2 &#124; uniq -c | max_rss | 1 | 1.000 KiB |  |  | 1.000 KiB | 1.000 KiB
| &#40;C&#41; -&#45;x.&#46;&#46; -&#62; | 2*a_b+c | 1 | 3 /s |  |  | 3 /s | 3 /s
| awk &#39;&#36;1&#126;/a/ &#123;n+=1&#125;&#39; f | e a | 1 | 1 |  |  | 1 | 1
| &#43;&#43;&#43;&#123;x&#125;&#43;&#43;&#43; | &#42; | 1 | 5% |  |  | 5% | 5%
| &#36;HOME/x&#124;y | - | 1 | 5 |  |  | 5 | 5
|===' 'bench-convert writes a table in AsciiDoc, with references to characters that could be markup'
bench-convert -t org "$rows" >odd.org
is "$(cat odd.org)" '| benchmark | metric | n | median | from | to | min | max |
| | | <r> | <r> | <r> | <r> | <r> | <r> |
|---+---+---+---+---+---+---+---|
| a\vert{}b@@x:@@`@@x:@@c@@x:@@`@@x:@@<@@x:@@i@@x:@@>@@x:@@*@@x:@@x*@@x:@@_@@x:@@y@@x:@@_@@x:@@[@@x:@@l@@x:@@]@@x:@@(u)@@x:@@~@@x:@@~@@x:@@s~@@x:@@~@@x:@@/@@x:@@n=1 | wall | 2 | 2.000 µs |  |  | 1.500 µs | 2.500 µs |
| x@@x:@@\@@x:@@\vert{}y/n=2 | odd\vert{}metric | 1 | 7 |  |  | 7 | 7 |
| =two\nlines= | wall | 1 | 20 ns |  |  | 20 ns | 20 ns |
| sort -k2 \vert{} uniq -c | =max_rss= | 1 | 1.000 KiB |  |  | 1.000 KiB | 1.000 KiB |
| =(C) --x... ->= | =2*a_b+c= | 1 | 3 /s |  |  | 3 /s | 3 /s |
| awk ='"'"'$1~/a/= ~{n+=1}'"'"'~ f | e a | 1 | 1 |  |  | 1 | 1 |
| =+++{x}+++= | =*= | 1 | 5% |  |  | 5% | 5% |
| \dollar{}HOME/x\vert{}y | - | 1 | 5 |  |  | 5 | 5 |' 'bench-convert writes a table for Org mode, with texts that could be markup between = or ~'

# Two subjects: the factors that both have are below the table.
cat >engines.csv <<'END'
bench,engine,batch,dtype,note,sample,metric,unit,value
net,a b,1,f_32,,0,wall,ns,1000
net,c,1,f_32,,0,wall,ns,2000
END
is "$(bench-convert -t markdown engines.csv | cut -d'|' -f2 | sed 1,2d)" ' net/engine=a b 
 net/engine=c 

In all rows: batch=1, dtype=f&#95;32' 'factors that all subjects share are below a table in Markdown'
is "$(bench-convert -t asciidoc engines.csv | tail -n 3)" '|===

In all rows: batch=1, dtype=f_32' 'factors that all subjects share are below a table in AsciiDoc'
is "$(head -n 2 engines.csv | bench-convert -t markdown | tail -n 1 | cut -d'|' -f2)" ' net/engine=a b/batch=1/dtype=f&#95;32 ' \
	'a table of one subject has its factors in the name'

if skip_unless cmark-gfm "a parser of Markdown reads the table that bench-convert writes"; then
	html() { cmark-gfm --unsafe -e table -e autolink -e strikethrough "$1"; }
	bench-convert -t markdown -o odd.md "$rows"
	is "$(html odd.md | cells | sed 1d)" "$odd" "a parser of Markdown reads names with markup as they are"
	if skip_unless jq "a parser of Markdown reads a row for each subject and metric"; then
		bench-convert -t markdown -o many.md "$data/hyperfine-parameters.json"
		is "$(html many.md | cells | sed 1d | cut -d';' -f2,3 | sort)" \
			"$(bench-convert "$data/hyperfine-parameters.json" | bench-stat --json -s n | jq -r '.[] | "\(.metric);\(.n)"' | sort)" \
			"a parser of Markdown reads a row for each subject and metric"
	fi
fi
if skip_unless asciidoctor "Asciidoctor reads the table that bench-convert writes"; then
	asciidoctor -e -o odd.html odd.adoc >err 2>&1
	is "$(perl -pe 's/&#(\d+);/$1 == 60 ? "&lt;" : $1 == 62 ? "&gt;" : chr $1/ge' odd.html | cells)$(cat err)" "benchmark;metric;n;median;from;to;min;max
$odd" "Asciidoctor reads names with markup as they are"
fi
done_testing
