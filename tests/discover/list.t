#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench-list finds in objects, folders and globs, and what it says of what cannot be
# measured. tests/counters/events.t has its events.
. "${0%/*}/../lib/tap.sh"

list() { timeout 60 bench-list --csv "$@"; }
# shared OBJECT [ARG...]: compile standard input to a shared object
shared() {
	object=$1
	shift
	gcc -shared -fPIC -g -I"$ROOT/include" -x c -o "$object" - "$@"
}
# column NAME: of the table on standard input; a bar for each comma or newline in quotes
column() {
	awk -v name="$1" '
		{ while (gsub(/"/, "\"") % 2 && (getline more) > 0) $0 = $0 "|" more }
		{
			line = ""
			n = split($0, part, "\"")
			for (i = 1; i <= n; i++) {
				if (i % 2 == 0)
					gsub(/,/, "|", part[i])
				line = line part[i]
			}
			n = split(line, cell, ",")
		}
		NR == 1 { for (i = 1; i <= n; i++) if (cell[i] == name) at = i; next }
		{ print cell[at] }'
}
# told FILE SYMBOL: the status of a symbol
told() { list "$1:$2" | column status; }

cat >good.c <<'END2'
#include <bench.h>
BENCH(sum, "category=numbers param.n=1000,10..30+10 param.sort=a items=n bytes=8*n")
{
	BENCH_LOOP(b) BENCH_CLOBBER();
}
void run_it(void) { }
void benchmark_plain(void) { }
int other(int x) { return x + 1; }
static int benchmark_own(void) { return 1; }
__attribute__((visibility("hidden"))) void benchmark_hidden(void) { benchmark_own(); }
void odd(void) { }
BENCH_CALL(odd, "category=odd " "colour=red")
END2
mkdir lib && shared lib/good.so <good.c
list lib >good.csv
is "$(head -1 good.csv)" 'kind,bench,subject,args,category,status,object,symbol,metadata,source,line,build_id' \
	'a table of subjects'
is "$(column bench <good.csv | paste -sd' ')" 'sum it plain odd' \
	'the exported functions of the names, and those with metadata'
is "$(column subject <good.csv | head -1),$(column symbol <good.csv | head -1),$(column object <good.csv | head -1)" \
	'lib/good.so:benchmark_sum,benchmark_sum,lib/good.so' 'where they are'
is "$(column args <good.csv | head -1)" 'n=1000|10..30+10 sort=a' 'parameters'
is "$(column category <good.csv | paste -sd' ')" 'numbers   odd' 'categories'
is "$(column metadata <good.csv | tail -1)" 'category=odd colour=red' 'metadata, also words that mean nothing here'
is "$(column status <good.csv | sort -u)" ok 'all can be measured'
is "$(column kind <good.csv | sort -u)" function 'as functions'
is "$(column line <good.csv | paste -sd' ')" '2 6 7 12' 'lines, of the metadata or of DWARF'
is "$(column source <good.csv | sort -u)" '<stdin>' 'sources'
is "$(column build_id <good.csv | sort -u)" "$(readelf -n lib/good.so | sed -n 's/.*Build ID: //p')" 'build-id'

# Selections
is "$(list lib/good.so:s* | column bench)" sum 'a glob selects by name'
is "$(list 'lib/good.so:benchmark_*' | column bench | paste -sd' ')" 'sum plain' 'or by symbol'
is "$(list 'lib/*.so:odd' | column bench)" odd 'of all objects that a glob matches'
status 1 'a glob that selects nothing' bench-list 'lib/good.so:nix'
is "$(cat .err)" 'bench-list: lib/good.so: none of its benchmarks has such a name' 'says so'
is "$(list -a lib/good.so | column bench | paste -sd' ')" 'sum it plain other odd' '-a lists every exported function'
is "$(list -a 'lib/good.so:o[!d]*' | column bench)" other '-a with a glob'
cp lib/good.so "lib/a:b.so"
is "$(list lib/a:b.so:sum | column subject)" lib/a:b.so:benchmark_sum 'a colon in a path'
rm lib/a:b.so

# What cannot be measured
strip -o stripped.so lib/good.so
is "$(list stripped.so | column bench | paste -sd' '),$(list stripped.so | column line | paste -sd' ')" \
	'sum it plain odd,2   12' 'stripped: all but the lines that only DWARF has'
objcopy --only-keep-debug lib/good.so keep.debug
objcopy --strip-debug --add-gnu-debuglink=keep.debug lib/good.so linked.so
is "$(list linked.so | column line | paste -sd' ')" '2 6 7 12' 'which may be in a file of their own'
gcc -c -fPIC -I"$ROOT/include" good.c
is "$(told good.o sum)" 'a relocatable file| no shared object (link it with -shared)' 'a relocatable file'
echo 'int main(void) { return 0; }' | cat good.c - >main.c
gcc -rdynamic -I"$ROOT/include" -o prog main.c
is "$(told prog sum)" 'a program| no shared object (link it with -shared)' 'a program'
gcc -rdynamic -static -I"$ROOT/include" -o prog main.c 2>/dev/null &&
	is "$(told prog sum)" 'no such exported symbol' 'one that exports nothing'
machine=$(od -An -tu1 -j18 -N1 lib/good.so | tr -d ' ')
# patched OFFSET BYTES: a copy of the object with other bytes there
patched() {
	cp lib/good.so patched.so
	printf %b "$2" | dd of=patched.so bs=1 seek="$1" conv=notrunc 2>/dev/null
}
ours=$(uname -m | tr _ -)
if [ "$machine" = 183 ]; then
	patched 18 "\\0076" && theirs=x86-64
else
	patched 18 "\\0267" && theirs=aarch64
fi
is "$(list patched.so | column status | uniq -c | sed 's/^ *//')" "4 made for $theirs| this is $ours" 'for another machine'
patched 18 "\\0377\\0376"
is "$(told patched.so sum)" "made for machine 65279| this is $ours" 'for one without a name'
echo 'void benchmark_narrow(void) { }' >narrow.c
if skip_unless -m32 '32 bits'; then
	gcc -m32 -shared -nostdlib -fPIC -o narrow.so narrow.c
	is "$(told narrow.so narrow)" "made for i386| this is $ours" '32 bits'
fi
if skip_unless -mx32 '32 bits of the same machine'; then
	gcc -mx32 -shared -nostdlib -fPIC -o narrow.so narrow.c
	is "$(told narrow.so narrow)" "made for 32 bits| this machine's are 64" '32 bits of the same machine'
fi
shared data.so <<'END2'
int benchmark_data = 3;
__thread int run_tls = 4;
void benchmark_fine(void) { run_tls++; }
END2
is "$(told data.so data),$(told data.so tls),$(told data.so fine)" \
	'data| not a function,data| not a function,ok' 'data under the name of a function'
cat >meta.c <<'END2'
#include <bench.h>
#include "decl.h"
void setup_it(void) { }
int data;
BENCH(a, "setup=setup_it teardown=nix") { BENCH_LOOP(b); }
BENCH(b, "setup=data") { BENCH_LOOP(b); }
BENCH(c, "category= items=1") { BENCH_LOOP(b); }
BENCH(d, "items") { BENCH_LOOP(b); }
BENCH(e, "items=1 items=2") { BENCH_LOOP(b); }
BENCH(f, "param.host=1") { BENCH_LOOP(b); }
BENCH(g, "param.n=5..1") { BENCH_LOOP(b); }
BENCH(h, "a\tb=1") { BENCH_LOOP(b); }
BENCH(i, "setup=setup_it") { BENCH_LOOP(b); }
BENCH_CALL(lost, "")
BENCH_CALL(data, "")
BENCH_CALL(own, "")
static void own(void) { setup_it(); }
BENCH_CALL(twice, "category=first")
#define IN_SECTION __attribute__((section(".benchutils"), used BENCH_RETAIN_))
void (*keep)(void) = own;
void twice(void) { }
static const char second[] IN_SECTION = "bench1\tcall\ttwice\tx.c\t1\t";
static const char old[] IN_SECTION = "bench0\tcall\ttwice\tx.c\t1\t";
END2
: >decl.h
shared meta.so -I. <meta.c
malformed="malformed metadata:"
is "$(told meta.so a)" 'its teardown nix is not an exported function' 'a teardown that is not there'
is "$(told meta.so b)" 'its setup data is not an exported function' 'a setup that is none'
is "$(told meta.so c)" "$malformed 'category=' is not key=value" 'a key without a value'
is "$(told meta.so d)" "$malformed 'items' is not key=value" 'a word'
is "$(told meta.so e)" "$malformed 'items' is given twice" 'a key given twice'
is "$(told meta.so f)" "$malformed parameter 'host': that is a column of the format and may not be taken" 'a reserved parameter'
like "$(told meta.so g)" "^$malformed.*5\.\.1" 'a bad list'
is "$(told meta.so h)" "$malformed there is a control character in it" 'a control character'
is "$(told meta.so i)" ok 'beside a good one'
is "$(told meta.so lost),$(told meta.so own)" 'no such exported symbol,no such exported symbol' 'of a function that is not exported'
is "$(told meta.so data)" 'data| not a function' 'of data'
is "$(told meta.so twice)" "$malformed there are two entries" 'two of the same'
is "$(list meta.so | column bench | grep -c twice)" 1 'which are one row'
is "$(told meta.so .benchutils)" "$malformed it does not begin with bench1" 'one of nobody'
echo 'double missing(double), also(void); void benchmark_m(void) { missing(also()); }
	extern int maybe(void) __attribute__((weak)); void run_w(void) { if (maybe) maybe(); }' >missing.c
shared missing.so <missing.c
like "$(told missing.so m)" '^unresolved symbols: (missing|also) and 1 more$' 'unresolved symbols'
echo 'int nowhere(void); int half(void) { return nowhere(); }' | shared lib/libhalf.so
echo 'void benchmark_h(void) {}' | shared half.so -Wl,--no-as-needed -Llib -lhalf "-Wl,-rpath,$T/lib"
is "$(told half.so h)" "unresolved symbol: nowhere| which $T/lib/libhalf.so needs" 'one of a library that it needs'
echo 'int puts(const char *); void benchmark_p(void) { puts("p"); }' | shared alone.so -nostdlib
is "$(told alone.so p)" ok 'the C library is there unasked'
echo 'double missing(double x) { return x; } double also(void) { return 1; }' | shared lib/libhave.so
shared there.so -Llib -lhave <missing.c
is "$(told there.so m)" 'libhave.so is not found| which it needs' 'a library that is not there'
is "$(LD_LIBRARY_PATH=nix:lib told there.so m)" ok 'LD_LIBRARY_PATH'
shared there.so -Llib -lhave "-Wl,-rpath,\$ORIGIN/lib" <missing.c
is "$(told there.so m)" ok 'a path from $ORIGIN'
is "$(cd lib && told ../there.so m)" ok 'wherever one stands'
shared there.so -Llib -lhave -Wl,--disable-new-dtags,-rpath,"$T/lib" <missing.c
is "$(told there.so m)" ok 'the older form of the path'
echo 'double missing(double); double f(double x) { return missing(x); }' | shared lib/libover.so -Llib -lhave
echo 'double f(double); void benchmark_f(void) { f(1); }' | shared over.so -Llib -lover "-Wl,-rpath,$T/lib" -Wl,--allow-shlib-undefined
like "$(told over.so f)" "^libhave.so is not found. which $T/lib/libover.so needs$" 'a library that another one needs'
echo 'double f(double); void benchmark_f(void) { f(1); }' |
	shared over.so -Llib -lover -Wl,--disable-new-dtags "-Wl,-rpath,$T/lib" -Wl,--allow-shlib-undefined
is "$(told over.so f)" ok 'which the older form of the path finds'
echo 'double p(double x) { return x; }' | shared path.so
echo 'double p(double); double q(double x) { return p(x); }' >q.c
shared lib/libq.so -Wl,-soname,libq.so.1 <q.c
echo 'double q(double); void benchmark_q(void) { q(1); }' |
	shared named.so -Wl,./lib/libq.so -Wl,./path.so -Wl,-rpath,"$T/lib" -Wl,--allow-shlib-undefined
is "$(told named.so q)" 'libq.so.1 is not found| which it needs' 'a library is sought by the name that it has'
cp lib/libq.so lib/libq.so.1
is "$(told named.so q),$(cd lib && told ../named.so q)" 'ok,./path.so is not found| which it needs' \
	'one with a slash in it from where one stands'
mkdir deep
echo 'double p(double x) { return x; }' >p.c
shared deep/x.so -Wl,-soname,libx.so.1 <p.c
shared lib/libuser.so -Wl,./deep/x.so <q.c
shared deep/x.so <p.c
echo 'double q(double); void benchmark_q(void) { q(1); }' |
	shared named.so -Wl,--no-as-needed,./deep/x.so -Llib -luser -Wl,-rpath,"$T/lib" -Wl,--allow-shlib-undefined
like "$(told named.so q)" '^libx.so.1 is not found' 'a library that no file has the name of'
shared deep/x.so -Wl,-soname,libx.so.1 <p.c
is "$(told named.so q)" ok 'one that is loaded already under another name'
echo 'void v(void) { }' >v.c
echo 'V1 { }; V2 { global: v; } V1;' >v.map
shared lib/libv.so -Wl,--version-script=v.map <v.c
echo 'void v(void); void benchmark_v(void) { v(); }' | shared wants.so -Llib -lv "-Wl,-rpath,$T/lib"
is "$(told wants.so v)" ok 'a library of the version that was linked'
echo 'V1 { global: v; };' >v.map
shared lib/libv.so -Wl,--version-script=v.map <v.c
is "$(told wants.so v)" 'libv.so has no symbols of version V2| which it needs' 'an older one'
shared lib/libv.so <v.c
is "$(told wants.so v)" ok 'one without versions, which ld.so takes, too'
is "$(list -a lib/libhave.so | column status | sort -u)" ok '-a: candidates'
shared same.so <<'END2'
void benchmark_x(void) { }
void run_x(void) { }
void run_y(void) { }
END2
is "$(list same.so | column bench | paste -sd' ')" 'benchmark_x run_x y' 'a name that two would have is taken by none'
cat >version.c <<'END2'
void new(void) { }
void old(void) { }
__asm__(".symver new,benchmark_new@@V2");
__asm__(".symver old,benchmark_new@V1");
END2
echo 'V1 { global: *; }; V2 { } V1;' >version.map
shared version.so -fno-toplevel-reorder -Wl,--version-script=version.map <version.c
is "$(list version.so | column symbol | grep -c new)" 1 'of several versions the newest'
if skip_unless g++ 'C++'; then
	printf '%s\n' '#include <bench.h>' '#include <vector>' 'BENCH(vector, "category=c++ param.n=5 items=n")' \
		'{ std::vector<double> v(bench_count(b, "n")); BENCH_LOOP(b) BENCH_KEEP(v.data()); }' >plus.cc
	g++ -shared -fPIC -I"$ROOT/include" -o plus.so plus.cc
	is "$(list plus.so | column bench),$(told plus.so vector),$(list plus.so | column args)" vector,ok,n=5 'C++'
fi

# From one program to the next
bench-list lib/good.so data.so | bench-run -q -e none -r 2 -w 0 --processes 1 --sample-time 50us -I - 2>err | bench-stat -s n,failed >stat.csv
is "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; value = NF - 1; next }
	$at["metric"] == "wall" { print $at["object"], $at["bench"], $value, $(value + 1) }' stat.csv | sort -u)" \
	'data.so data 0 1
data.so fine 2 0
data.so tls 0 1
good.so it 2 0
good.so odd 2 0
good.so plain 2 0
good.so sum 2 0' 'bench-run measures what can be measured'
is "$(cat err)" 'bench-run: tls: skipped: data, not a function
bench-run: data: skipped: data, not a function' 'bench-run says why a subject of a table is skipped, with -q too'

# Folders, commands, names
mkdir -p tree/b tree/a/deep 'tree/c d'
ln -s .. tree/a/up
ln -s nowhere tree/a/dangling
ln -s self tree/self
cp lib/good.so tree/b/z.so
cp lib/good.so tree/a/deep/y.so
ln -s ../a/deep/y.so tree/b/link.so
echo text >tree/readme
mkfifo tree/pipe.so
mkdir tree/folder.so
for name in tree/run_me tree/bench_me 'tree/c d/run it' "tree/c d/run_a,b's" tree/benchmark_not "tree/run_
line"; do
	printf '#!/bin/sh\n' >"$name"
	chmod 755 "$name"
done
chmod 644 tree/benchmark_not
cp lib/good.so tree/run_lib.so
list tree >tree.csv 2>err
is "$?,$(cat err)" '0,' 'a folder'
is "$(column subject <tree.csv | grep -o '.*:benchmark_sum' | paste -sd' ')" \
	'tree/a/deep/y.so:benchmark_sum tree/b/z.so:benchmark_sum tree/run_lib.so:benchmark_sum' \
	'each object once, in order, whatever links there are'
is "$(list commands tree | column subject)" "tree/bench_me
'tree/c d/run_a|b'\\''s'
'tree/run_|line'
tree/run_me" 'commands, quoted'
is "$(list commands tree | column bench | paste -sd' ')" "bench_me run_a|b's run_|line run_me" 'by their names'
is "$(list functions tree | column kind | sort -u),$(list functions,commands tree | column kind | sort -u | paste -sd' ')" \
	'function,command function' 'kinds'
(cd tree && bench-list commands run_me >../out)
is "$(column subject <out)" ./run_me 'a command of this folder is not sought in PATH'
bench-list commands tree | bench-run -q -e none -r 1 -w 0 -I - >samples.csv 2>err
is "$(grep -c ',wall,' samples.csv),$(cat err)" '4,' 'bench-run measures them'
bench-list -v tree 2>&1 >/dev/null | sort >err
like "$(grep readme err)" '^bench-list: tree/readme: neither an ELF file nor a command$' '-v tells what is passed over'
like "$(grep pipe err)" 'tree/pipe.so: not a regular file' 'pipes'
like "$(grep dangling err)" 'a link that leads to nothing' 'links'
like "$(grep benchmark_not err)" 'not executable' 'scripts that cannot be run'
is "$(list 'tree/*/*.so' | column bench | grep -c sum)" 2 'a glob'
is "$(list tree tree/b 'tree/b/*' | column bench | grep -c sum)" 3 'found again it is not told again'
is "$(list tree/b/z.so tree/b/z.so | column bench | grep -c sum)" 2 'but when it is named'
mkdir functions && cp lib/good.so functions/
is "$(list ./functions | column bench | grep -c sum)" 1 'a folder that has the name of a kind'
cp lib/good.so './functions/new
line, "x".so'
is "$(list functions functions | column object | tail -1)" 'functions/new|line| x.so' 'any name'
if [ "$(id -u)" != 0 ] || skip_unless another-user 'what may not be read'; then
	mkdir closed && cp lib/good.so shut.so && cp lib/good.so closed/ && chmod 0 closed shut.so
	chmod 755 "$T"
	bench_list=$(command -v bench-list)
	user='setpriv --reuid 65534 --regid 65534 --clear-groups'
	[ "$(id -u)" = 0 ] || user=
	$user "$bench_list" --csv . >out 2>err
	is "$?,$(column bench <out | grep -c sum)" "2,$(list . 2>/dev/null | column subject | grep -v -e shut.so -e closed | grep -c _sum)" \
		'what may not be read does not keep from the rest'
	is "$(paste -sd' ' err)" 'bench-list: ./closed: Permission denied bench-list: ./shut.so: Permission denied' 'and is told'
	chmod 755 closed shut.so
fi

# Bad input
status 2 'a file that is not there' bench-list nix lib/good.so
is "$(cat .err),$(grep -c sum .out)" 'bench-list: nix: No such file or directory,1' 'is told once, and the rest goes on'
status 1 'no benchmark in an object' bench-list lib/libhave.so
is "$(cat .err)" 'bench-list: lib/libhave.so: it exports no benchmark_* or run_* (-a lists all functions)' 'is told'
status 1 'nor in a text' bench-list tree/readme
is "$(cat .err)" 'bench-list: tree/readme: neither an ELF file nor a command' 'is told, too'
is "$(bench-list -q tree/readme 2>&1 | grep -v ^kind)" '' 'but not with -q'
status 1 'a pipe' bench-list tree/pipe.so
status 2 'nothing to list' bench-list
status 2 'events with something else' bench-list events,functions .
like "$(cat .err)" 'events have a table of their own' 'which are another table'
status 0 'a glob in quotes' bench-list 'lib/g*.so'
status 2 'one that matches nothing' bench-list 'lib/x*.so'
head -c 3000 lib/good.so >cut.so
status 2 'a file cut short' bench-list cut.so
is "$(cat .err)" 'bench-list: cut.so: cut short or damaged' 'is told'
printf '\177ELF' >magic.so
status 2 'nothing but the magic' bench-list magic.so
status 2 'a full disk' sh -c 'bench-list -a lib/good.so >/dev/full'
# Bytes changed anywhere end in a table or in a message, never in a signal.
size=$(wc -c <lib/good.so)
awk -v size="$size" 'BEGIN { srand(7); for (i = 0; i < 60; i++) print int(rand() * (i % 3 ? size : 64)), int(rand() * 256) }' |
	while read -r at byte; do
		patched "$at" "\\0$(printf %03o "$byte")"
		timeout 20 bench-list -a patched.so >/dev/null 2>err || [ $? -le 2 ] || echo "$at $byte"
		grep -i sanitizer err
	done >signals
is "$(cat signals)" '' 'damaged objects'
done_testing
