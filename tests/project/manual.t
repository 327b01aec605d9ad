#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command that a manual page displays works; tests/lib/manual_page.sh runs those of one page.
# slow
. "${0%/*}/../lib/tap.sh"

# The pages whose commands take longest come first, so that none of them runs alone at the end.
pages=$(cd "$ROOT/man" && printf '%s\n' bench-tutorial.7 bench-run.1 bench-compare.1 bench.h.3 *.[1357] | awk '!seen[$0]++')
(
	for page in $pages; do
		echo "$page"
	done | xargs -P 4 -I PAGE sh -c "sh '$ROOT/tests/lib/manual_page.sh' PAGE >'$T/PAGE.tap' 2>'$T/PAGE.err'"
) &
trying=$!

# Meanwhile: the search for the commit that made a program slow, in a project whose third commit did.
mkdir project && cd project || exit
git init -q -b main .
git config user.name x
git config user.email x@example.org
echo all: >Makefile
printf '#!/bin/sh\nsleep 0.01\n' >prog
chmod 755 prog
for commit in 1 2 3 4; do
	[ $commit -eq 3 ] && echo sleep 0.02 >>prog
	echo $commit >file
	git add Makefile prog file
	git commit -q -m "commit $commit"
done
awk '/^\.Bd/ { text = ""; next } /^\.Ed/ { if (text ~ /git bisect/) printf "%s", text; next }
	{ gsub(/\\-/, "-"); gsub(/\\e/, "\\"); gsub(/\\\(aq/, "\047"); gsub(/\\&/, ""); text = text $0 "\n" }' \
	"$ROOT/man/bench-compare.1" | sed 's/BAD GOOD/main main~3/; s/GOOD/main~3/' >../bisect
# A busy machine may mislead a step.
for _ in 1 2 3; do
	sh ../bisect >out 2>&1
	found=$(git log -1 --format=%s refs/bisect/bad)
	grep -q 'is the first bad commit' out && [ "$found" = 'commit 3' ] && break
	git bisect reset >/dev/null 2>&1
done
is "$found" 'commit 3' 'git bisect, as in bench-compare.1, finds the commit that made a program slow'
cd ..

wait $trying
is "$?" 0 'manual_page.sh succeeds for every page'
for page in $pages; do
	replay "$page.tap" "$page"
	sed 's/^/# /' "$page.err"
done
done_testing
