#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The site that bench-report --site builds from a store: its files, what a second build writes, and
# what an interrupted build leaves.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/site/store.sh"

export LC_ALL=C.UTF-8
url=https://example.org/repo/commit/
# The words of a page, one space between two.
words() { sed "s/<[^>]*>/ /g; s/&[a-z]*;/ /g; s/$(printf '\302\240')/ /g" "$1" | tr -s ' \n' '  '; }
# links SITE: prints the links and sources of all pages that lead to no file of the site
links() {
	find "$1" -name '*.html' | while read -r page; do
		grep -o '\(href\|src\)="[^"]*"' "$page" | sed 's/^[^"]*"//; s/"$//; s/#.*//; /:/d' | sort -u | while read -r link; do
			[ -z "$link" ] || [ -e "${page%/*}/$link" ] || echo "$page: $link"
		done
	done
}
# same SITE SITE: succeeds if the files of two sites are equal, except their states
same() { diff -r -x .bench-site "$1" "$2" >"$T/.diff" 2>&1; }
commit_of() { printf '%07x%033d' $(($1 * 7919 + 16777216)) "$1"; }

history 0 59 >most.csv
history 59 1 >last.csv
bench-store -q -D a.db add most.csv
bench-store -q -D a.db tag v1.0 --commit "$(commit_of 40)"

status 0 "bench-report --site builds a site" bench-report --site site --repo-url $url a.db
like "$(cat .err)" '12 series, 118 runs .118 read.; [0-9]+ files written' "bench-report --site says what it built"
is "$(links site)" '' "all links of a site lead to files"
is "$(grep -c '<tr><td><a' site/index.html)" 12 "the index has a row for each series"
like "$(words site/index.html)" 'slower n=10 wall host0 .*\+(19|20)\.[0-9]% 2026-02-03' "the index has the latest change of a series"
like "$(words site/regressions.html)" "2026-02-03 $(commit_of 30 | cut -c1-9) slower n=10 wall host0 [0-9.]+ ms [0-9.]+ ms \+(19|20)\.[0-9]% \(\+(19|20)\.[0-9]% to \+(19|20)\.[0-9]%\)" \
	"the list of regressions has the commit, the levels, and the size with its interval"
is "$(grep -c '<tr><td>2' site/regressions.html) $(grep -c '<tr><td>2' site/improvements.html)" '4 2' \
	"the lists of changes have the planted changes and no others"
like "$(cat site/regressions.html)" "href=\"$url$(commit_of 30)\"" "--repo-url links commits"
is "$(grep -c '<entry>' site/feed.xml)" 6 "the feed has an entry for each change"
! skip_unless xmllint "the feed and the badges are well-formed XML" ||
	ok "the feed and the badges are well-formed XML" xmllint --noout site/feed.xml site/badge.svg site/badge/*.svg
like "$(cat site/badge.svg)" '4 worse, 2 better' "the badge of the site counts verdicts"
page=$(echo site/b/slower-wall-*.html)
like "$(words "$page")" 'Host Factors Last value .* host1 n=100 .* Changes .* Values .* 2026-03-0[0-9]' "a page has series, changes and values"
like "$(words "$page")" 'Samples of the newest run .* host0 n=10 run-58-0 6 (2[0-9]\.[0-9]+ ms ){5}' "a page has the quantiles of the newest run"
is "$(grep -c 'class="histogram"' "$page")" 4 "a page has a histogram of each series"
is "$(grep -o 'class="line s[0-9]"' "$page" | wc -l)" 4 "the plot of a page has a line for each series"

# The changes are those of bench-compare --history on the same rows.
bench-store -D a.db export | bench-compare --history --csv - >history.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ printf "%s n=%s %s %s %.2g\n", $c["bench"], $c["n"], $c["host"], substr($c["commit"], 1, 9), $c["p"] }' history.csv | sort >theirs
words site/regressions.html >both && words site/improvements.html >>both
grep -oE '[0-9a-f]{9} [a-z]+ n=[0-9]+ wall host[01] .{1,60}%\) [0-9.e-]+ . [a-z]+' both |
	sed -E 's/^([0-9a-f]{9}) ([a-z]+ n=[0-9]+) wall (host[01]) .*%\) ([0-9.e-]+) . [a-z]+$/\2 \3 \1 \4/' | sort >ours
ok "a site has the changes and the p that bench-compare --history finds" cmp theirs ours
is "$(wc -l <ours)" 6 "six changes of a site were compared"

# --- incremental builds

status 0 "a second build succeeds" bench-report --site site --repo-url $url a.db
like "$(cat .err)" '0 read.; 0 files written, 0 removed' "a second build reads and writes nothing"
bench-store -q -D a.db add last.csv
bench-report --site site --repo-url $url a.db 2>.err
like "$(cat .err)" '120 runs .2 read.' "a build after one more night reads only the new runs"
bench-report -q --site whole --repo-url $url a.db
ok "a site built in two steps equals one built at once" same site whole
like "$(bench-report --site site --repo-url $url --title Other a.db 2>&1)" ' [1-9][0-9]* files written' "a new title changes the pages"
bench-report -q --site site --repo-url $url a.db
ok "a site with its old options equals the whole one" same site whole
bench-store -D a.db export | grep -v faster | bench-store -q -D b.db add
like "$(bench-report --site site --repo-url $url b.db 2>&1)" '[1-9][0-9]* removed' "files of removed series are removed"
bench-report -q --site pruned --repo-url $url b.db
ok "a site after removals equals one built at once" same site pruned
history 0 1 | sed 's/run-0/late/; s/T00:/T05:/; s/T01:/T06:/' >late.csv
bench-store -q -D b.db add late.csv
bench-report -q --site site --repo-url $url b.db
bench-report -q --site repeated --repo-url $url b.db
ok "a site with another run of an old commit equals one built at once" same site repeated
like "$(cat "site/data/$(basename site/b/slower-wall-*.html .html | sed 's/.*-//').js")" ',k:\[2,-1,0,0' "two runs of a commit are one point"
truncate -s 20000 site/.bench-site/results
bench-report -q --site site --repo-url $url b.db
ok "a build with damaged results reads them again" same site repeated
if skip_unless perl "results that were forged are read again"; then
	for what in entries series factors; do
		perl "$ROOT/tests/site/forge.pl" site/.bench-site/results $what
		bench-report --site site --repo-url $url b.db 2>.err
		like "$(cat .err)" '([0-9]+) runs .([1-9][0-9]*) read.' "results with forged $what are read from the store again"
		ok "a site built with forged $what is right" same site repeated
	done
fi
sed 's/^\([0-9a-f]*\) \([0-9]*\) /\1\n\2 /' site/.bench-site/manifest >damaged && cp damaged site/.bench-site/manifest
bench-report -q --site site --repo-url $url b.db
ok "a build with a damaged list of its files writes them again" same site repeated
rm "$(echo site/b/slower-wall-*.html)"
: >site/feed.xml
bench-report -q --site site --repo-url $url b.db
ok "missing and shortened files are written again" same site repeated

tr a b <site/index.html >changed && cp changed site/index.html
bench-report -q --site site --repo-url $url b.db
ok "a build trusts the files of a complete build" cmp changed site/index.html
touch site/.bench-site/building site/.new-1 site/data/.new-2
bench-report -q --site site --repo-url $url b.db
ok "a build trusts no file of an interrupted build" same site repeated

# --- machines

for night in 1 2; do
	{
		echo "run,time,host,env,bench,sample,metric,unit,value
m$night,2026-04-0${night}T00:00:00Z,host0,env0,b,0,wall,ns,1"
		printf '\nenv,fact,value\nenv0,kernel,6.%s\nenv0,load_1min,%s\nenv0,cpu_model,quick\n' $night $night
	} | bench-store -q -D facts.db add
done
bench-report -q --site machines facts.db
like "$(words machines/machines.html)" 'host0 env0 2026-04-01 2026-04-02 2 .* 2026-04-02 host0 env0 kernel 6.1 6.2 Facts .* cpu_model quick kernel 6.2 load_1min 2 ' \
	"the page of machines has the newest facts, and when they changed"
like "$(words site/machines.html)" 'The store has no facts, so it is unknown how environments differ' \
	"the page of machines does not state that facts are the same if there are none"
{ history 0 30 && history 30 30 | sed 's/,env0,/,env9,/'; } | bench-store -q -D moved.db add
bench-report -q --site moved moved.db
is "$(grep -c '<tr><td>2' moved/regressions.html) $(grep -c 'worse</span>.*env changed' moved/regressions.html)" '4 2' \
	"the list of regressions says which series changed with the environment"
is "$(grep -c '<tr><td>2' moved/improvements.html) $(grep -c 'env changed' moved/improvements.html)" '2 0' \
	"a change in one environment has no such note"

# --- profiles

{
	profile p0 aaaaaaaaaaaa 1 100
	profile p1 bbbbbbbbbbbb 2 105
	profile p2 bbbbbbbbbbbb 3 110
	printf 'run,time,host,env,commit,kind,bench,sample,metric,unit,value\nw,2026-01-03T00:00:00Z,host0,env0,bbbbbbbbbbbb,command,work,0,wall,ns,1\n'
} >profiles.csv
bench-store -q -D p.db add profiles.csv
bench-report -q --site first p.db
profile p3 cccccccccccc 4 400 | bench-store -q -D p.db add
page=$(basename first/b/profile-*.html)
like "$(words "first/b/$page")" 'newest profile is that of bbbbbbbbbbbb, run p2 of 2026-01-03. It is compared with that of aaaaaaaaaaaa, run p0 of 2026-01-01\.' \
	"a profile is compared with that of another commit"
like "$(words "first/b/$page")" "No function's share changed significantly" "a profile says that no share changed significantly"
cp -r first grown
like "$(bench-report --site grown p.db 2>&1)" '^bench-report: 1 series' "stacks are no series of a site"
bench-report -q --site profiles p.db
ok "a site with profiles built in two steps equals one built at once" same grown profiles
like "$(bench-report --site grown p.db 2>&1)" '.0 read.; 0 files written, 0 removed' "a build without new profiles writes nothing"
like "$(words "profiles/b/$page")" ' hot b x itself went from 11% to 40% of the profile' "a page of a profile says which function's share changed"
like "$(words "profiles/b/$page")" ' Self before Self now Total before Total now Verdict hot b x 11% 40% 11% 40% more ' "a page of a profile has the differences of functions"
like "$(words "profiles/b/$page")" 'Function Self Total hot b x 40% 40% parse 40% 40% ' "a page of a profile has a table of functions"
is "$(links profiles)$(grep -o 'data="[^"]*"' "profiles/b/$page" | cut -d'"' -f2 | while read -r svg; do ls "profiles/b/$svg"; done | wc -l)" 2 "a page of a profile shows two flame graphs"
like "$(cat "profiles/b/${page%.html}-changes.svg")" 'against bbbbbbbbb<' "the differential flame graph names the commit that it is compared with"
is "$(grep -l '<b>' profiles/*.html profiles/b/*)" '' "hostile names of functions are escaped"
is "$(grep -c "</span> <a href=.b/$page" profiles/index.html) $(grep -l "$page" profiles/profiles.html profiles/b/work-*.html | wc -l)" '1 2' "the index, the list and the benchmark lead to the page of a profile"
is "$(grep -rl hot --include='*.html' --include='*.js' --include='*.xml' profiles)" "profiles/b/$page" "names of functions are only on pages of profiles"
echo 'a key of the tests' >key
bench-report -q --anonymize --anonymize-key key --site hidden p.db
bench-store -D p.db export | bench-report --anonymize --anonymize-key key >hidden.html
hidden=$(grep -o 'frame-[0-9a-f]*' hidden/b/profile-*.html | sort -u)
ok "an anonymized site has the names of functions that an anonymized page has" grep -q "itself.*$hidden\|$hidden.*itself" hidden.html
is "$(grep -rl -e anna -e host0 hidden)" '' "an anonymized site has no names of profiles"

# --- interrupted and concurrent builds

history 0 60 | awk -F, 'BEGIN { OFS = FS } /^run,/ { print } $7 == "steady" { for (i = 0; i < 40; i++) { $7 = "bench" i; print } }' >large.csv
bench-store -q -D large.db add large.csv
bench-report -q --site complete large.db
bench-report -q --site killed a.db
bench-report -q --site killed large.db &
build=$!
wait_for sh -c 'ls killed/b | grep -q "^bench1"' || true
kill -9 $build 2>/dev/null
wait $build 2>/dev/null
is "$(find killed -name '*.html' -exec tail -qc 8 {} + | sort -u)" '</html>' "each page of a killed build is complete"
bench-report -q --site killed large.db
ok "the build after a killed build makes the whole site" same killed complete
if have flock; then
	exec 8>site/.bench-site/lock
	flock 8
	status 2 "a second build at the same time fails" bench-report --site site a.db
	like "$(cat .err)" 'site: another build is running' "the message says that another build is running"
	exec 8>&-
fi

# --- refused directories and options

mkdir mine && echo text >mine/file
status 2 "a directory with other files is refused" bench-report --site mine a.db
like "$(cat .err)" 'mine: neither empty nor a site of bench-report' "the message says that the directory is not a site"
is "$(ls -A mine)" file "a refused directory remains unchanged"
status 2 "a site needs a directory with a name" bench-report --site '' a.db
is "$(cat .err)" 'bench-report: the name of the directory of the site is empty' "an empty name of a directory is reported"
if skip_unless unsanitized "an empty directory that cannot be read is reported with its error"; then
	for limit in 4 5 6 7 8; do
		rm -rf few
		prlimit --nofile=$limit bench-report --site few a.db 3>&- 4>&- 5>&- 6>&- 7>&-
	done 2>err
	is "$(grep -c 'Too many open files' err) $(wc -l <err)" '5 5' \
		"an empty directory that cannot be read is reported with its error"
fi
head -n 3 most.csv | bench-store -q -D tiny.db add
(
	ulimit -f 20
	trap '' XFSZ
	exec bench-report --site short tiny.db
) 2>err
is "$? $(grep -c 'short/[^.]*[.][a-z]*: File too large' err) $(find short -name '.new*')" '2 1 ' "a site that cannot be written leaves no incomplete files"
status 2 "a file is refused as a directory" bench-report --site a.db b.db
status 2 "a directory without a parent is refused" bench-report --site none/site a.db
status 2 "a database that does not exist is refused" bench-report --site new none.db
ok "a missing database leaves no directory" [ ! -e new ]
status 2 "--site refuses two databases" bench-report --site new a.db b.db
status 2 "--site refuses --output" bench-report --site new -o page.html a.db
status 2 "--since is refused without --site" bench-report --since v1.0 most.csv
status 2 "an unknown release is refused" bench-report --site new --since v9 a.db
like "$(cat .err)" "--since v9: .*neither such a tag nor such a commit" "the message names the unknown release"
rm -rf new
status 2 "a pattern that matches no metric is refused" bench-report --site new -y nothing a.db
rm -rf new

# --- releases, the default database, hostile names

bench-report -q --site tagged --since v1.0 a.db
like "$(words tagged/index.html)" 'slower n=10 wall host0 [^%]* (\+|−)?0\.[0-9]% = same' "--since limits the verdict to later changes"
is "$(words tagged/index.html | grep -oE '[^ ]*[^ 0-9]0\.0%')" '' "a change that is shown as 0 has no sign"
like "$(words tagged/index.html)" ' 0\.0% = same' "the site has a change that is shown as 0"
bench-report -q --site abbreviated --since "$(commit_of 40 | cut -c1-7)" a.db
sed "s/$(commit_of 40 | cut -c1-7)/v1.0/" abbreviated/index.html >index.html
ok "--since accepts an abbreviated commit" cmp index.html tagged/index.html
BENCH_DB=a.db bench-report -q --site default --repo-url $url
ok "the default database is \$BENCH_DB" same default whole

# --order.
for c in $(seq 59 -1 1); do commit_of "$c"; echo; done >order
status 0 "bench-report --site accepts an order of commits" bench-report --site ordered --order order a.db
like "$(cat .err)" '[0-9]+ runs left out, because the commits are not in the order file' "the runs of commits that --order lacks are counted"
like "$(cat ordered/badge.svg)" '2 worse, 4 better' "in the reverse order, what became worse became better"
axis() { words "$1"/b/slower-wall-*.html | grep -oE '[0-9a-f]{9} [0-9a-f]{9} [0-9a-f]{9} [0-9a-f]{9}' | head -n 1; }
is "$(axis ordered | cut -c1-9),$(axis whole)" "$(commit_of 59 | cut -c1-9)," "the axis of a plot has the commits with --order, otherwise dates"
bench-report -q --site ordered --repo-url $url a.db
ok "a build without --order undoes it" same ordered whole
echo 0123456789 >foreign
status 2 "an order without any commit of the database is refused" bench-report --site ordered --order foreign a.db
is "$(cat .err)" "bench-report: foreign: has none of the commits in the database" "the order without any commit of the database is named"
ok "a refused order changes no page" same ordered whole
status 2 "an order that does not exist is refused" bench-report --site new --order nowhere a.db
status 2 "--order is refused without --site" bench-report --order order most.csv

odd='</script><script>alert(1)</script>"<img src=x onerror=alert(2)>'"'&\\"
q=$(printf '%s' "$odd" | sed 's/"/""/g')
{
	echo 'run,time,host,env,commit,kind,bench,"fac<b>tor",sample,metric,unit,value'
	for c in $(seq 12); do
		for s in 0 1 2; do
			echo "\"$q$c\",2026-01-$(printf %02d "$c")T00:00:00Z,\"$q\",\"$q\",\"$q$c\",\"$q\",\"$q\",\"$q\",$s,\"$q\",\"$q\",$c$s"
		done
	done
	printf '\nenv,fact,value\n"%s","%s","%s"\n' "$q" "$q" "$q"
	printf '\nrun,bench,sample,metric,unit,value\nq,"../../up\nnew\342\200\256line",0,wall,ns,1\n'
} >odd.csv
bench-store -q -D odd.db add odd.csv
status 0 "a site of hostile names is built" bench-report -q --site odd --title "$odd" --repo-url "$url" odd.db
is "$(find odd -type f -not -path '*/.bench-site/*' | grep -cv '^odd/[a-z0-9/-]*\.[a-z]*$')" 0 "names of files have only letters, digits and hyphens"
is "$(grep -rl --include='*.html' --include='*.svg' --include='*.xml' -e '<img' -e '<b>' -e 'alert(1)</script>' odd)" '' \
	"hostile names are escaped in pages"
is "$(cat odd/data/*.js | grep -c '<')" 0 "hostile names are escaped in data"
is "$(cat odd/*.html odd/b/*.html odd/data/*.js | grep -c "$(printf '\342\200\256')")" 0 "characters that change the direction of writing are shown as escapes"
is "$(links odd)" '' "all links of a site of hostile names lead to files"
done_testing
