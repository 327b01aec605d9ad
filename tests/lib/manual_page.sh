#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manual_page.sh PAGE: runs every command that one manual page displays, in order and in one directory,
# as if a reader pasted them, and writes TAP. Status 1 also counts as success of bench-compare and
# bench-env, because it is an answer: something became worse, or the machine is unfit.
. "${0%/*}/../lib/tap.sh"
page=$1

# examples PAGE: writes each block (.Bd -literal) and each group of adjacent lines (.Dl) of the page to
# a file. Displays that are no commands are .Bd -unfilled.
examples() {
	awk '
		/^\.Bd -literal/ { file = sprintf("example%02d", ++n); next }
		/^\.Dl/ && !line { file = sprintf("example%02d", ++n) }
		{ line = sub(/^\.Dl /, "") }
		/^\.Ed/ || (/^\./ && !line) { file = "" }
		file != "" {
			gsub(/\\-/, "-"); gsub(/\\e/, "\\"); gsub(/\\\(aq/, "\047"); gsub(/\\&/, "")
			print >file
		}' "$ROOT/man/$1"
}
# works FILE: what is wrong with its end, if anything
works() {
	most=0
	! grep -q -e bench-compare -e bench-env "$1" || most=1
	timeout 100 sh "$1" >out 2>err </dev/null
	got=$?
	[ $got -le $most ] || { echo "status $got" && cat err; }
}
# lacks WORD: whether the example does without it
lacks() { ! grep -q -e "$1" "$example"; }

# The host that a page speaks of is this one.
mkdir bin
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >bin/ssh
chmod 755 bin/ssh
# Debian's, before one that asks for a home of its own.
ln -s /usr/bin/rustc bin/rustc
PATH=$T/bin:$PATH:/usr/share/perl5/Devel/NYTProf
# As if the headers were installed.
mkdir include
ln -s "$ROOT"/include/*.h include
export C_INCLUDE_PATH="$T/include" CPLUS_INCLUDE_PATH="$T/include"

mkdir page && cd page || exit
examples "$page"
ln -s "$ROOT/share" share
for example in example[0-9]*; do
	[ -e "$example" ] || continue
	number=${example#example}
	name="example ${number#0} of $page runs: $(grep -v '^#' "$example" | head -n 1 | tr '#' ' ')"
	# tests/project/manual.t has a project for this one.
	lacks 'git bisect' || continue
	lacks bench-prof || skip_unless sampling "$name" || continue
	lacks 'bench-prof --wait' || skip_unless switches "$name" || continue
	lacks rustc || skip_unless /usr/bin/rustc "$name" || continue
	lacks 'parallel ' || skip_unless parallel "$name" || continue
	lacks Rscript || skip_unless R "$name" || continue
	lacks g++ || skip_unless g++ "$name" || continue
	lacks '-M [./]*net\.onnx' || { skip_unless onnxruntime "$name" && use_engines; } || continue
	lacks onnxruntime || { skip_unless onnxruntime "$name" && use_engines; } || continue
	lacks openvino || { skip_unless openvino "$name" && use_engines; } || continue
	lacks flamegraph.pl || skip_unless /usr/share/perl5/Devel/NYTProf/flamegraph.pl "$name" || continue
	# A tenth of the file is compressed as well, except where a profile needs samples, or where the
	# file is compared with /bin/ls, which has the same size.
	if lacks bench-prof && lacks /bin/ls; then sed -i "s|/bin/bash|/bin/sh|g" "$example"; fi
	busy=''
	if ! lacks 1234; then # process 1234 is one that is busy
		sh -c 'while :; do :; done' & busy=$!
		sed -i "s/-p 1234 --duration 10 /-p $busy --duration 0.3 /" "$example"
	fi
	is "$(works "$example")" '' "$name"
	[ -z "$busy" ] || kill $busy 2>/dev/null
done
done_testing
