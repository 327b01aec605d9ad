#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The column commit: what git says of the working directory, without executing anything that the
# repository's own configuration names.
# slow: one case waits ten seconds, for the limit of git
. "${0%/*}/../lib/tap.sh"

cat >.gitconfig <<'E2'
[user]
	name = x
	email = x@example.org
[init]
	defaultBranch = main
[protocol "file"]
	allow = always
E2
export GIT_CONFIG_NOSYSTEM=1
column() { bench-run -q -r 1 -w 0 -e none -- true 2>"$T/.err" | awk -F, 'NR == 2 { print $5 }'; }
# touched FILE: its content is the same, but git has to look at it again
touched() { touch -d 2001-01-01 "$1"; }

# A git that does not answer; what becomes of it is looked at last.
mkdir -p slow/bin slow/.git
printf '#!/bin/sh\nexec sleep 6%s.5\n' $$ >slow/bin/git
chmod +x slow/bin/git
(cd slow && PATH=$T/slow/bin:$PATH bench-run -r 1 -w 0 -e none -- true >late.csv 2>late.err) &
slow=$!

git init -q repo
cd repo || exit 1
is "$(column)" '' 'a repository without commits has no commit'
echo a >file
git add file
git commit -q -m one
head=$(git rev-parse HEAD)
is "$(column)" "$head" 'the commit that is checked out is in the column commit'
is "$(mkdir -p sub/directory && cd sub/directory && column)" "$head" 'the commit is found from a directory below'
touched file
is "$(column)" "$head" 'a file that was touched but not changed leaves the commit clean'
echo new >untracked
is "$(column)" "$head" 'a file that git does not know leaves the commit clean'
echo b >file
is "$(column)" "$head-dirty" 'a changed file makes the commit dirty'
git add file
is "$(column)" "$head-dirty" 'a change that is staged makes the commit dirty'
git reset -q --hard
rm file
is "$(column)" "$head-dirty" 'a removed file makes the commit dirty'
git reset -q --hard
if skip_unless sampling 'bench-prof also fills the column commit'; then
	is "$(bench-prof -q -e cpu-clock --csv -- true | awk -F, 'NR == 2 { print $5 }')" "$head" 'bench-prof also fills the column commit'
fi

# Each of these would leave a file
mark() { printf 'touch %s/ran-%s; ' "$T" "$1"; }
ran() { (cd "$T" && for file in ran-*; do [ ! -e "$file" ] || printf '%s ' "$file"; done); }
# plant: everything that git could execute for this repository
plant() {
	git config core.fsmonitor "$(mark fsmonitor)"
	git config core.hooksPath "$T/hooks"
	git config diff.external "$(mark external)"
	git config diff.evil.textconv "$(mark textconv) cat"
	git config diff.evil.command "$(mark command)"
	git config alias.status "!$(mark alias)"
	git config alias.describe "!$(mark alias)"
	git config core.pager "$(mark pager) cat"
	git config core.editor "$(mark editor)"
	git config core.sshCommand "$(mark ssh)"
	git config filter.evil.clean "$(mark clean) cat"
	git config filter.evil.required true
	git config filter.long.process "$(mark process)"
	git config filter.a=b.clean "$(mark equal) cat"
	git config --file "$T/included" filter.included.clean "$(mark included) cat"
	git config include.path "$T/included"
}
mkdir "$T/hooks"
for hook in post-index-change fsmonitor-watchman query-watchman pre-commit post-checkout; do
	{ echo '#!/bin/sh' && mark "$hook" && echo; } >"$T/hooks/$hook"
done
chmod +x "$T"/hooks/*

for filter in evil long a=b included; do
	echo "$filter" >"$filter.txt"
	echo "$filter.txt filter=$filter diff=evil" >>.git/info/attributes
done
git add .
git commit -q -m two
head=$(git rev-parse HEAD)
plant
for file in *.txt; do touched "$file"; done
is "$(column)" "$head" 'a repository that names programs in its configuration has a clean commit'
is "$(ran)" '' 'no program is executed that the configuration of a repository names'
echo more >>evil.txt
is "$(column)" "$head-dirty" 'a repository that names programs has a dirty commit after a change'
is "$(ran)" '' 'no program of a changed repository is executed'
# The traps are real: git itself falls into them
git status >/dev/null 2>&1
like "$(ran)" fsmonitor 'git status executes the programs of the configuration'
rm -f "$T"/ran-*

# Filters of the user are run, even where the repository has others of that name
cd "$T" || exit 1
git config --global filter.upper.clean 'tr a-z A-Z'
git config --global filter.upper.smudge 'tr A-Z a-z'
git init -q filtered
cd filtered || exit 1
echo text >file
echo 'file filter=upper' >.gitattributes
git add .
git commit -q -m one
head=$(git rev-parse HEAD)
is "$(git show HEAD:file)" TEXT 'a filter of the user changes what git keeps'
touched file
is "$(column)" "$head" 'filters of the user are run'
git config filter.upper.clean "$(mark clean) cat"
touched file
is "$(column)" "$head" 'filters of the user take precedence over those of the repository'
is "$(ran)" '' 'filters of the repository are not run'

# Submodules
cd "$T" || exit 1
git init -q whole
cd whole || exit 1
git submodule --quiet add "$T/repo" part 2>/dev/null
git commit -q -m one
head=$(git rev-parse HEAD)
rm -f "$T"/ran-*
is "$(column)" "$head" 'a clean submodule leaves the commit clean'
cd part || exit 1
plant
echo '*.txt filter=evil' >>"$(git rev-parse --git-path info/attributes)"
cd .. || exit 1
for file in part/*.txt; do touched "$file"; done
is "$(column)" "$head" 'a submodule that names programs in its configuration leaves the commit clean'
is "$(ran)" '' 'no program is executed that the configuration of a submodule names'
echo more >>part/file
is "$(column)" "$head-dirty" 'a change in a submodule makes the commit dirty'
is "$(ran)" '' 'no program of a changed submodule is executed'

# A repository without some of its objects makes git ask the other end for them, with a program
cd "$T" || exit 1
git init -q lazy
cd lazy || exit 1
echo a >file
git add file
git commit -q -m one
git config extensions.partialClone origin
git config core.repositoryFormatVersion 1
git config remote.origin.promisor true
git config remote.origin.url ssh://example.org/x
git config core.sshCommand "$(mark ssh)"
rm -rf ".git/objects/$(git rev-parse 'HEAD^{tree}' | cut -c1-2)"
column >/dev/null
is "$(ran)" '' 'no program is executed to fetch objects that are missing'
git config remote.origin.url "ext::sh -c touch% $T/ran-ext"
git config protocol.ext.allow always
column >/dev/null
is "$(ran)" '' 'no program of an ext:: address is executed to fetch objects'
git status >/dev/null 2>&1
like "$(ran)" ext 'git status executes the program of an ext:: address'

cd "$T" || exit 1
wait $slow
is "$(awk -F, 'NR == 2 { print $5 }' slow/late.csv)" '' 'a git that does not answer leaves the column commit empty'
is "$(cat slow/late.err)" 'bench-run: git did not report the commit within 10 s: the column commit is empty (set it with --commit TEXT)' \
	'a git that does not answer is reported'
ok 'a git that does not answer is killed' gone "sleep 6$$.5"

# A signal while git does not answer
printf '#!/bin/sh\necho >asked\nexec sleep 6%s.6\n' $$ >slow/bin/git
for signal in TERM:143 INT:130; do
	rm -f slow/asked
	(cd slow && PATH=$T/slow/bin:$PATH exec env --default-signal=INT bench-run -r 1 -w 0 -e none -- touch measured) \
		>stopped.csv 2>stopped.err &
	run=$!
	wait_for test -e slow/asked
	kill -${signal%:*} $run
	wait $run
	is $? ${signal#*:} "SIG${signal%:*} ends a run while git does not answer"
	is "$(cat stopped.err)" 'bench-run: interrupted after 0 of 1 run' "SIG${signal%:*} does not wait until git is late"
	ok "SIG${signal%:*} also kills git" gone "sleep 6$$.6"
	ok "nothing is measured after SIG${signal%:*} while git does not answer" test ! -e slow/measured
done

done_testing
