#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Makefile: what it asks pkg-config and the compiler, what it passes on, what it says, and when
# it does something again. Nearly all is dry, or builds a small part in a directory of its own.
. "${0%/*}/../lib/tap.sh"

# As if called by hand: no variables and jobs from the make that runs the tests.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL PKG_CONFIG CPPFLAGS
# Wrappers that note their calls in $T/calls.
mkdir wrapped
for program in pkg-config gcc; do
	printf '#!/bin/sh\necho %s "$@" >>"%s/calls"\nexec %s "$@"\n' "$program" "$T" "$(command -v $program)" >wrapped/$program
	chmod 755 wrapped/$program
done
PATH=$T/wrapped:$PATH
own() { make -C "$ROOT" BUILD="$T/own" "$@"; }
# calls PROGRAM COMMAND...: how often the command calls the program; its output is in out
calls() {
	: >"$T/calls"
	program=$1
	shift
	"$@" >out 2>&1 || echo "status $?"
	grep -c "^$program " "$T/calls"
}
small=$T/own/lib/benchutils/allocs.so

got=$(calls pkg-config own -n all)
ok "a dry run of all calls pkg-config at most 20 times ($got)" test "$got" -gt 0 -a "$got" -le 20
is "$(calls pkg-config own -n all)" 0 'make keeps the answers of pkg-config'
is "$(calls gcc own "$small")" 3 'make calls the compiler three times for a library of two sources'
ok 'make uses a build directory outside of the tree' test -s "$small"
is "$(calls gcc own "$small")" 0 'make without changes calls no compiler'
is "$(calls gcc own "$small" CPPFLAGS=-DOTHER | grep -c '^[3-9]\|^[1-9][0-9]')" 1 'make compiles again when flags changed'

own -n all CPPFLAGS=-DREACHED V=1 2>&1 | grep -E -e '-c -o ' >compiles
is "$(grep -vc -e -DREACHED compiles),$(grep -c REACHED compiles | sed 's/[0-9][0-9][0-9]/many/')" 0,many \
	'CPPFLAGS reaches every call of the compiler'

own -n tests ROOM=compare 2>&1 | sed -n 's/.*run_all\.sh//p' | tr ' ' '\n' | grep . | sed 's|.*/tests/||; s|tests/||' | sort >chosen
is "$(paste -sd' ' chosen)" "$(find "$ROOT/tests/compare" -name '*.t' -o -name '*_test.c' |
	sed 's|.*/\(.*\)\.c$|\1|; s|.*/tests/||' | sort | paste -sd' ')" \
	'make tests ROOM=compare runs only the tests of that room'

own -qp help 2>/dev/null | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' | grep -v -x FORCE | sort -u >phony
own help | sed -n 's/^  make \([^ ]*\) .*/\1/p' | sort >listed
is "$(comm -23 phony listed)" '' 'make help lists every target that makes no file'
is "$(comm -13 phony listed)" '' 'every target that make help lists exists'
is "$(sort listed | uniq -d)" '' 'make help lists no target twice'
is "$(own --no-print-directory help | awk 'length > 80')" '' 'make help fits into 80 columns'

printf '#!/bin/sh\ncase $* in *jansson*) exit 1 ;; esac\nexec pkg-config "$@"\n' >lacking
chmod 755 lacking
own BUILD="$T/lacking.build" PKG_CONFIG="$T/lacking" all >out 2>&1
is "$?,$(grep -v -e '^make: \*\*\*' -e '^make: [EL]' out)" "2,make: missing: jansson; 'make deps' installs the packages on Debian, README.md names them for others" \
	'a missing library is reported in one line that names make deps'

mkdir packages
touch -d '2 hours ago' packages
export PKG_CONFIG_PATH="$T/packages"
own -n all >/dev/null 2>&1
is "$(calls pkg-config own -n all)" 0 'an unchanged directory of pkg-config is not read again'
echo Name: new >packages/new.pc
ok 'a changed directory of pkg-config is read again' test "$(calls pkg-config own -n all)" -gt 0
is "$(calls pkg-config own -n all)" 0 'a changed directory of pkg-config is read again only once'
unset PKG_CONFIG_PATH

# Objects of sources that are gone, or that git does not know, would be linked unseen.
made() { own -s --no-print-directory --eval "print-it: ; @printf '%s\\n' \$($1)" print-it | sort; }
ar t "$BUILD/libbench.a" | sort >objects
made LIB_SRC | sed 's|.*/||; s/c$/o/' | sort >wanted
is "$(comm -3 objects wanted)" '' 'the library has an object for each of its sources, and no others'
if skip_unless "$ROOT/.git" 'git knows every source of the library and the programs'; then
	git -C "$ROOT" ls-files | sort >known
	is "$({ made LIB_SRC && made HELPER_SRC && made OPTION_SRC && made TOOL_SRC && made PRELOAD_SRC && made BACKEND_SRC; } | sort -u |
		comm -23 - known)" '' 'git knows every source of the library and the programs'
fi
# A library of one room, in a tree whose sources come and go.
mkdir -p tree/lib/base tree/tools
cp -r "$ROOT/Makefile" "$ROOT/make" "$ROOT/tests" tree
for name in kept gone; do
	echo "int $name(void); int $name(void) { return 0; }" >tree/lib/base/$name.c
done
members() { make -s -C tree BUILD="$T/of_tree" WARN= PKG_CFLAGS= "$T/of_tree/libbench.a" >out 2>&1 && ar t of_tree/libbench.a | sort | paste -sd' '; }
is "$(members)" 'gone.o kept.o' 'make finds a source in a room without a line in the Makefile'
rm tree/lib/base/gone.c
is "$(members)" kept.o 'the object of a source that is gone leaves the library'
done_testing
