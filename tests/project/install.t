#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What make install puts somewhere works there, and make uninstall takes it away again.
. "${0%/*}/../lib/tap.sh"

if ! skip_unless unsanitized 'make install and make uninstall work'; then
	done_testing
fi
make_quietly() { make -s -C "$ROOT" BUILD="$BUILD" DESTDIR="$T/root" PREFIX=/usr "$@"; }

ok 'make install succeeds' make_quietly install
PATH=$T/root/usr/bin:/usr/bin:/bin
is "$(command -v bench-run)" "$T/root/usr/bin/bench-run" 'bench-run is installed'
bench-run -q -e none -r 6 -w 0 -- true >s.csv
is $? 0 'the installed bench-run finds its helper'
bench-run -q -e none -r 6 -w 0 -- true >t.csv
ok 'the installed bench-compare finds the metric table' bench-compare -q --threshold 100000% s.csv t.csv
ok 'the installed bench-store finds its schema' bench-store -q -D h.db add s.csv
ok 'the installed bench-plot finds its templates' bench-plot box --script s.csv
ok 'the installed bench-report finds the other programs' bench-report -o s.html s.csv
ok 'the installed bench-prof finds its allocator' sh -c 'bench-prof -q --heap -- ls | grep -q alloc_bytes'
is "$(bench-run -q -e none -r 1 --processes 1 -k gemm -b ref -P m=4 -P n=4 -P k=4 | grep -c ',wall,.*,ok,')" 1 \
	'the installed bench-compute finds the kernels'
is "$(bench-list --csv backends | wc -l)" "$(($(find root/usr/lib/benchutils -name 'backend-*.so' | wc -l) + 2))" \
	'the installed bench-list finds the backends'
for header in bench-backend.h bench-operation.h bench-engine.h; do
	ok "the header $header is installed" test -s root/usr/include/$header
done
about() { PKG_CONFIG_PATH=$T/root/usr/share/pkgconfig pkg-config "$@" benchutils; }
headers=$(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_SYSROOT_DIR=$T/root about --cflags)
printf '#include <bench-backend.h>\n#include <bench.h>\n' >includes.c
# shellcheck disable=SC2086 # flags are words
ok 'a compiler finds the headers with the flags of pkg-config' gcc -fsyntax-only $headers includes.c
is "$(about --variable=plugindir)" /usr/lib/benchutils 'pkg-config knows the directory of plug-ins'
is "$(about --modversion)" "$(bench-run -V | sed -n '1s/.* //p')" 'pkg-config knows the version of the programs'
ok 'the suites are installed' test -s root/usr/share/benchutils/suites/small.csv
ok 'the object that the suites measure is installed' test -s root/usr/lib/benchutils/basics.so
like "$(cat root/usr/share/doc/benchutils/examples/cron/crontab)" '^PATH=/usr/bin:' \
	'the installed crontab finds the programs below PREFIX'
ok 'the manual is installed' test -s root/usr/share/man/man1/bench-run.1
ok 'the page of bench.h is installed' test -s root/usr/share/man/man3/bench.h.3
for link in bash-completion/completions/bench-run fish/vendor_completions.d/bench-run.fish \
	zsh/site-functions/_benchutils; do
	ok "the completion $link leads to a file" test -s "root/usr/share/$link"
done
ok 'make uninstall succeeds' make_quietly uninstall
is "$(find root ! -type d | head -3)" '' 'make uninstall leaves no file'

mkdir -p mine other/libexec/benchutils
: >mine/kept
status 2 'make uninstall rejects a PREFIX with a blank' make_quietly uninstall PREFIX="$T/mine $T/other" DESTDIR=
like "$(cat .err)" "^make: PREFIX or DESTDIR has characters that install cannot handle: ' '" \
	'the message about PREFIX shows its blank'
ok 'make uninstall with a blank in PREFIX removes nothing' test -e mine/kept -a -d other/libexec/benchutils
status 2 'make install rejects a DESTDIR with a comma' make_quietly install DESTDIR="$T/a,b"
ok 'make install with a comma in DESTDIR installs nothing' test ! -e a,b
done_testing
