#!/bin/sh
# Every example of every manual page, in its order and in one directory, as a reader would paste
# them. Status 1 is an answer, too: something became worse, a run failed, the machine is unfit.
. "${0%/*}/../lib/tap.sh"

# examples PAGE: the blocks (.Bd) and lines (.Dl) from its first .Sh EXAMPLES on, or of all of a
# tutorial, as files; lines that stand together are one
examples() {
	awk -v all="$(expr "$1" : '.*bench\.7$')" '
		/^\.Sh/ { on = all || /EXAMPLES/ }
		!on { next }
		/^\.Bd -literal/ { file = sprintf("example%02d", ++n); next }
		/^\.Dl/ && !line { file = sprintf("example%02d", ++n) }
		{ line = sub(/^\.Dl /, "") }
		/^\.Ed/ || (/^\./ && !line) { file = "" }
		file != "" {
			gsub(/\\-/, "-"); gsub(/\\e/, "\\"); gsub(/\\\(aq/, "\047"); gsub(/\\&/, "")
			print >file
		}' "$ROOT/man/$1"
}
# works FILE [STATUS]: what is told of its end when that is none to expect
works() {
	timeout 100 sh "$1" >out 2>err </dev/null
	got=$?
	[ $got -le "${2:-1}" ] || { echo "status $got" && cat err; }
}
# The host that a page speaks of is this one.
mkdir bin
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >bin/ssh
chmod 755 bin/ssh
# Debian's, before one that asks for a home of its own.
ln -s /usr/bin/rustc bin/rustc
flamegraph=/usr/share/perl5/Devel/NYTProf
PATH=$T/bin:$PATH:$flamegraph
# As if the headers were installed.
mkdir include
ln -s "$ROOT/include/bench.h" include/bench.h
ln -s "$ROOT/include/bench-backend.h" include/bench-backend.h
export C_INCLUDE_PATH="$T/include" CPLUS_INCLUDE_PATH="$T/include"

for page in "$ROOT"/man/*.[1357]; do
	page=${page##*/}
	mkdir "$page" && cd "$page" || exit
	examples "$page"
	ln -s "$ROOT/share" share
	for example in example[0-9]*; do
		[ -e "$example" ] || continue
		case $(cat "$example") in
		*'git bisect'*) mv "$example" ../bisect && continue ;;
		*bench-prof*) skip_unless sampling "$page: $example" || continue ;;
		esac
		case $(cat "$example") in
		*rustc*) skip_unless /usr/bin/rustc "$page: $example" || continue ;;
		*parallel\ *) skip_unless parallel "$page: $example" || continue ;;
		*g++*) skip_unless g++ "$page: $example" || continue ;;
		*flamegraph.pl*) skip_unless $flamegraph/flamegraph.pl "$page: $example" || continue ;;
		esac
		# Process 1234 is one that is busy.
		sh -c 'while grep -q 1234 "$1"; do :; done' busy "$example" & busy=$!
		sed "s/-p 1234 --duration 10 /-p $busy --duration 0.3 /" "$example" >pasted
		# A compiler's 1 is no answer.
		case $page in
		*.3) is "$(works pasted 0)" '' "$page: $example" ;;
		*) is "$(works pasted)" '' "$page: $example" ;;
		esac
		kill $busy 2>/dev/null
	done
	cd ..
done
# The search for the commit that made it slow, in a project whose third commit did.
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
sed -i 's/BAD GOOD/main main~3/; s/GOOD/main~3/' ../bisect
# A busy machine may mislead a step.
for _ in 1 2 3; do
	sh ../bisect >out 2>&1
	found=$(git log -1 --format=%s refs/bisect/bad)
	grep -q 'is the first bad commit' out && [ "$found" = 'commit 3' ] && break
	git bisect reset >/dev/null 2>&1
done
is "$found" 'commit 3' 'bench-compare.1: git bisect finds the commit that made it slow'
cd ..
done_testing
