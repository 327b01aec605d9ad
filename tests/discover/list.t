#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list finds benchmarks in objects, directories and patterns, and gives the reason if one cannot
# be measured. tests/counters/events.t tests bench-list events.
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
# status_of FILE SYMBOL: the status of a symbol
status_of() { list "$1:$2" | column status; }

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
BENCH_CALL(odd, "category=odd " "color=red")
END2
mkdir lib && shared lib/good.so <good.c
list lib >good.csv
is "$(head -1 good.csv)" 'kind,bench,subject,args,category,status,object,symbol,metadata,source,line,build_id' \
	'bench-list prints the header of a table of subjects'
is "$(column bench <good.csv | paste -sd' ')" 'sum it plain odd' \
	'bench-list lists exported functions with a benchmark name or with metadata'
is "$(column subject <good.csv | head -1),$(column symbol <good.csv | head -1),$(column object <good.csv | head -1)" \
	'lib/good.so:benchmark_sum,benchmark_sum,lib/good.so' 'bench-list prints the object and the symbol of a function'
is "$(column args <good.csv | head -1)" 'n=1000|10..30+10 sort=a' 'bench-list prints the parameters of a benchmark'
is "$(column category <good.csv | paste -sd' ')" 'numbers   odd' 'bench-list prints the categories of benchmarks'
is "$(column metadata <good.csv | tail -1)" 'category=odd color=red' 'bench-list prints all metadata, including unknown keys'
is "$(column status <good.csv | sort -u)" ok 'bench-list reports that each function can be measured'
is "$(column kind <good.csv | sort -u)" function 'bench-list prints the kind function'
is "$(column line <good.csv | paste -sd' ')" '2 6 7 12' 'bench-list prints source lines from metadata or DWARF'
is "$(column source <good.csv | sort -u)" '<stdin>' 'bench-list prints source files'
is "$(column build_id <good.csv | sort -u)" "$(readelf -n lib/good.so | sed -n 's/.*Build ID: //p')" 'bench-list prints the build ID'

# Selections
is "$(list lib/good.so:s* | column bench)" sum 'bench-list OBJECT:GLOB selects a function by its name'
is "$(list 'lib/good.so:benchmark_*' | column bench | paste -sd' ')" 'sum plain' 'bench-list OBJECT:GLOB selects functions by their symbols'
is "$(list 'lib/*.so:odd' | column bench)" odd 'bench-list selects a function in each object that a pattern matches'
status 1 'bench-list ends with 1 if OBJECT:GLOB selects nothing' bench-list 'lib/good.so:nix'
is "$(cat .err)" 'bench-list: lib/good.so: no benchmark matches the pattern' 'bench-list reports an OBJECT:GLOB that selects nothing'
is "$(list -a lib/good.so | column bench | paste -sd' ')" 'sum it plain other odd' 'bench-list -a lists every exported function'
is "$(list -a 'lib/good.so:o[!d]*' | column bench)" other 'bench-list -a OBJECT:GLOB selects any exported function'
cp lib/good.so "lib/a:b.so"
is "$(list lib/a:b.so:sum | column subject)" lib/a:b.so:benchmark_sum 'bench-list accepts a colon in the path of an object'
rm lib/a:b.so

# Objects and functions that cannot be measured
strip -o stripped.so lib/good.so
is "$(list stripped.so | column bench | paste -sd' '),$(list stripped.so | column line | paste -sd' ')" \
	'sum it plain odd,2   12' 'bench-list lists a stripped object without the lines that only DWARF has'
objcopy --only-keep-debug lib/good.so keep.debug
objcopy --strip-debug --add-gnu-debuglink=keep.debug lib/good.so linked.so
is "$(list linked.so | column line | paste -sd' ')" '2 6 7 12' 'bench-list finds lines in a separate debug file'
gcc -c -fPIC -I"$ROOT/include" good.c
is "$(status_of good.o sum)" 'a relocatable file| not a shared object (link it with -shared)' 'bench-list gives the reason for a relocatable file'
echo 'int main(void) { return 0; }' | cat good.c - >main.c
gcc -rdynamic -I"$ROOT/include" -o prog main.c
is "$(status_of prog sum)" 'a program| not a shared object (link it with -shared)' 'bench-list gives the reason for a program'
gcc -rdynamic -static -I"$ROOT/include" -o prog main.c 2>/dev/null &&
	is "$(status_of prog sum)" 'no such exported symbol' 'bench-list gives the reason for a program that exports nothing'
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
is "$(list patched.so | column status | uniq -c | sed 's/^ *//')" "4 built for $theirs| but this machine is $ours" \
	'bench-list gives the reason for an object for another architecture'
patched 18 "\\0377\\0376"
is "$(status_of patched.so sum)" "built for machine 65279| but this machine is $ours" \
	'bench-list gives the reason for an object for an unknown architecture'
echo 'void benchmark_narrow(void) { }' >narrow.c
if skip_unless -m32 'bench-list gives the reason for an object for i386'; then
	gcc -m32 -shared -nostdlib -fPIC -o narrow.so narrow.c
	is "$(status_of narrow.so narrow)" "built for i386| but this machine is $ours" \
		'bench-list gives the reason for an object for i386'
fi
if skip_unless -mx32 'bench-list gives the reason for an object with another word size'; then
	gcc -mx32 -shared -nostdlib -fPIC -o narrow.so narrow.c
	is "$(status_of narrow.so narrow)" "built for 32 bits| but this machine uses 64" \
		'bench-list gives the reason for an object with another word size'
fi
shared data.so <<'END2'
int benchmark_data = 3;
__thread int run_tls = 4;
void benchmark_fine(void) { run_tls++; }
END2
is "$(status_of data.so data),$(status_of data.so tls),$(status_of data.so fine)" \
	'data| not a function,data| not a function,ok' 'bench-list gives the reason for data with the name of a benchmark'
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
is "$(status_of meta.so a)" 'teardown=nix is not an exported function' 'bench-list reports a teardown function that does not exist'
is "$(status_of meta.so b)" 'setup=data is not an exported function' 'bench-list reports a setup function that is data'
is "$(status_of meta.so c)" "$malformed 'category=' is not key=value" 'bench-list reports a key of metadata without a value'
is "$(status_of meta.so d)" "$malformed 'items' is not key=value" 'bench-list reports a word of metadata that is not key=value'
is "$(status_of meta.so e)" "$malformed 'items' is given twice" 'bench-list reports a key of metadata that is given twice'
is "$(status_of meta.so f)" "$malformed parameter 'host': the name is reserved for a column" 'bench-list reports a parameter with a reserved name'
like "$(status_of meta.so g)" "^$malformed.*5\.\.1" 'bench-list reports an invalid list of values'
is "$(status_of meta.so h)" "$malformed the text contains a control character" 'bench-list reports a control character in metadata'
is "$(status_of meta.so i)" ok 'bench-list accepts a good benchmark in an object with bad ones'
is "$(status_of meta.so lost),$(status_of meta.so own)" 'no such exported symbol,no such exported symbol' 'bench-list reports metadata of functions that are not exported'
is "$(status_of meta.so data)" 'data| not a function' 'bench-list reports metadata of data'
is "$(status_of meta.so twice)" "$malformed two entries for this symbol" 'bench-list reports two metadata entries of one function'
is "$(list meta.so | column bench | grep -c twice)" 1 'bench-list lists a function with two metadata entries once'
is "$(status_of meta.so .benchutils)" "$malformed the entry does not begin with bench1" 'bench-list reports a metadata entry without a symbol'
echo 'double missing(double), also(void); void benchmark_m(void) { missing(also()); }
	extern int maybe(void) __attribute__((weak)); void run_w(void) { if (maybe) maybe(); }' >missing.c
shared missing.so <missing.c
like "$(status_of missing.so m)" '^unresolved symbols: (missing|also) and 1 more$' 'bench-list reports unresolved symbols'
echo 'int nowhere(void); int half(void) { return nowhere(); }' | shared lib/libhalf.so
echo 'void benchmark_h(void) {}' | shared half.so -Wl,--no-as-needed -Llib -lhalf "-Wl,-rpath,$T/lib"
is "$(status_of half.so h)" "unresolved symbol: nowhere (needed by $T/lib/libhalf.so)" \
	'bench-list reports an unresolved symbol of a needed library'
echo 'int puts(const char *); void benchmark_p(void) { puts("p"); }' | shared alone.so -nostdlib
is "$(status_of alone.so p)" ok 'bench-list finds symbols of the C library in an object that is not linked with it'
echo 'double missing(double x) { return x; } double also(void) { return 1; }' | shared lib/libhave.so
shared there.so -Llib -lhave <missing.c
is "$(status_of there.so m)" 'needs libhave.so| which is not found' 'bench-list reports a library that does not exist'
is "$(LD_LIBRARY_PATH=nix:lib status_of there.so m)" ok 'bench-list finds a library in LD_LIBRARY_PATH'
shared there.so -Llib -lhave "-Wl,-rpath,\$ORIGIN/lib" <missing.c
is "$(status_of there.so m)" ok 'bench-list finds a library through a DT_RUNPATH with $ORIGIN'
is "$(cd lib && status_of ../there.so m)" ok 'bench-list resolves $ORIGIN in any working directory'
shared there.so -Llib -lhave -Wl,--disable-new-dtags,-rpath,"$T/lib" <missing.c
is "$(status_of there.so m)" ok 'bench-list finds a library through DT_RPATH'
echo 'double missing(double); double f(double x) { return missing(x); }' | shared lib/libover.so -Llib -lhave
echo 'double f(double); void benchmark_f(void) { f(1); }' | shared over.so -Llib -lover "-Wl,-rpath,$T/lib" -Wl,--allow-shlib-undefined
like "$(status_of over.so f)" "^$T/lib/libover.so needs libhave.so. which is not found$" \
	'bench-list reports a missing library of a needed library'
echo 'double f(double); void benchmark_f(void) { f(1); }' |
	shared over.so -Llib -lover -Wl,--disable-new-dtags "-Wl,-rpath,$T/lib" -Wl,--allow-shlib-undefined
is "$(status_of over.so f)" ok 'bench-list applies the DT_RPATH of an object to the libraries of its libraries'
echo 'double p(double x) { return x; }' | shared path.so
echo 'double p(double); double q(double x) { return p(x); }' >q.c
shared lib/libq.so -Wl,-soname,libq.so.1 <q.c
echo 'double q(double); void benchmark_q(void) { q(1); }' |
	shared named.so -Wl,./lib/libq.so -Wl,./path.so -Wl,-rpath,"$T/lib" -Wl,--allow-shlib-undefined
is "$(status_of named.so q)" 'needs libq.so.1| which is not found' 'bench-list searches a library by its soname'
cp lib/libq.so lib/libq.so.1
is "$(status_of named.so q),$(cd lib && status_of ../named.so q)" 'ok,needs ./path.so| which is not found' \
	'bench-list searches a library name with a slash from the working directory'
mkdir deep
echo 'double p(double x) { return x; }' >p.c
shared deep/x.so -Wl,-soname,libx.so.1 <p.c
shared lib/libuser.so -Wl,./deep/x.so <q.c
shared deep/x.so <p.c
echo 'double q(double); void benchmark_q(void) { q(1); }' |
	shared named.so -Wl,--no-as-needed,./deep/x.so -Llib -luser -Wl,-rpath,"$T/lib" -Wl,--allow-shlib-undefined
like "$(status_of named.so q)" 'needs libx.so.1. which is not found$' 'bench-list reports a library whose soname is the name of no file'
shared deep/x.so -Wl,-soname,libx.so.1 <p.c
is "$(status_of named.so q)" ok 'bench-list accepts a library that is already loaded under another name'
echo 'void v(void) { }' >v.c
echo 'V1 { }; V2 { global: v; } V1;' >v.map
shared lib/libv.so -Wl,--version-script=v.map <v.c
echo 'void v(void); void benchmark_v(void) { v(); }' | shared wants.so -Llib -lv "-Wl,-rpath,$T/lib"
is "$(status_of wants.so v)" ok 'bench-list accepts a library with the symbol version that was linked'
echo 'V1 { global: v; };' >v.map
shared lib/libv.so -Wl,--version-script=v.map <v.c
is "$(status_of wants.so v)" 'needs symbols of version V2| which libv.so lacks' 'bench-list reports a library without the symbol version'
shared lib/libv.so <v.c
is "$(status_of wants.so v)" ok 'bench-list accepts a library without symbol versions as ld.so does'
is "$(list -a lib/libhave.so | column status | sort -u)" ok 'bench-list -a reports that exported functions can be called'
shared same.so <<'END2'
void benchmark_x(void) { }
void run_x(void) { }
void run_y(void) { }
END2
is "$(list same.so | column bench | paste -sd' ')" 'benchmark_x run_x y' 'bench-list keeps the symbols of two functions that would have the same name'
cat >version.c <<'END2'
void new(void) { }
void old(void) { }
__asm__(".symver new,benchmark_new@@V2");
__asm__(".symver old,benchmark_new@V1");
END2
echo 'V1 { global: *; }; V2 { } V1;' >version.map
shared version.so -fno-toplevel-reorder -Wl,--version-script=version.map <version.c
is "$(list version.so | column symbol | grep -c new)" 1 'bench-list lists only the default version of a symbol'
if skip_unless g++ 'bench-list lists a benchmark that was compiled as C++'; then
	printf '%s\n' '#include <bench.h>' '#include <vector>' 'BENCH(vector, "category=c++ param.n=5 items=n")' \
		'{ std::vector<double> v(bench_count(b, "n")); BENCH_LOOP(b) BENCH_KEEP(v.data()); }' >plus.cc
	g++ -shared -fPIC -I"$ROOT/include" -o plus.so plus.cc
	is "$(list plus.so | column bench),$(status_of plus.so vector),$(list plus.so | column args)" vector,ok,n=5 'bench-list lists a benchmark that was compiled as C++'
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
good.so sum 2 0' 'bench-run measures the subjects of bench-list that can be measured'
is "$(cat err)" 'bench-run: tls: skipped: data, not a function
bench-run: data: skipped: data, not a function' 'bench-run -q gives the reason for each subject that it skips'

# Directories, commands, names
mkdir -p tree/b tree/a/deep 'tree/c d'
ln -s .. tree/a/up
ln -s nowhere tree/a/dangling
ln -s self tree/self
cp lib/good.so tree/b/z.so
cp lib/good.so tree/a/deep/y.so
ln -s ../a/deep/y.so tree/b/link.so
echo text >tree/readme
mkfifo tree/pipe.so
mkdir tree/directory.so
for name in tree/run_me tree/bench_me 'tree/c d/run it' "tree/c d/run_a,b's" tree/benchmark_not "tree/run_
line"; do
	printf '#!/bin/sh\n' >"$name"
	chmod 755 "$name"
done
chmod 644 tree/benchmark_not
cp lib/good.so tree/run_lib.so
list tree >tree.csv 2>err
is "$?,$(cat err)" '0,' 'bench-list lists a directory without a message'
is "$(column subject <tree.csv | grep -o '.*:benchmark_sum' | paste -sd' ')" \
	'tree/a/deep/y.so:benchmark_sum tree/b/z.so:benchmark_sum tree/run_lib.so:benchmark_sum' \
	'bench-list lists each object of a directory once and in order despite links'
is "$(list commands tree | column subject)" "tree/bench_me
'tree/c d/run_a|b'\\''s'
'tree/run_|line'
tree/run_me" 'bench-list quotes the paths of commands'
is "$(list commands tree | column bench | paste -sd' ')" "bench_me run_a|b's run_|line run_me" 'bench-list names commands after their files'
is "$(list functions tree | column kind | sort -u),$(list functions,commands tree | column kind | sort -u | paste -sd' ')" \
	'function,command function' 'bench-list lists only the kinds that are named'
(cd tree && bench-list commands run_me >../out)
is "$(column subject <out)" ./run_me 'bench-list adds ./ to a command of the current directory'
bench-list commands tree | bench-run -q -e none -r 1 -w 0 -I - >samples.csv 2>err
is "$(grep -c ',wall,' samples.csv),$(cat err)" '4,' 'bench-run measures the commands that bench-list finds'
bench-list -v tree 2>&1 >/dev/null | sort >err
like "$(grep readme err)" '^bench-list: tree/readme: neither an ELF file nor a command$' 'bench-list -v reports a skipped text file'
like "$(grep pipe err)" 'tree/pipe.so: not a regular file' 'bench-list -v reports a skipped pipe'
like "$(grep dangling err)" 'a broken symbolic link' 'bench-list -v reports a broken symbolic link'
like "$(grep benchmark_not err)" 'not executable' 'bench-list -v reports a script that is not executable'
is "$(list 'tree/*/*.so' | column bench | grep -c sum)" 2 'bench-list lists the objects that a pattern matches'
is "$(list tree tree/b 'tree/b/*' | column bench | grep -c sum)" 3 'bench-list lists an object once that several operands find'
is "$(list tree/b/z.so tree/b/z.so | column bench | grep -c sum)" 2 'bench-list lists an object twice that is named twice'
mkdir functions && cp lib/good.so functions/
is "$(list ./functions | column bench | grep -c sum)" 1 'bench-list ./functions lists a directory that has the name of a verb'
cp lib/good.so './functions/new
line, "x".so'
is "$(list functions functions | column object | tail -1)" 'functions/new|line| x.so' 'bench-list quotes names with newlines and commas'
if [ "$(id -u)" != 0 ] || skip_unless another-user 'bench-list lists the rest if a file may not be read'; then
	mkdir closed && cp lib/good.so shut.so && cp lib/good.so closed/ && chmod 0 closed shut.so
	chmod 755 "$T"
	bench_list=$(command -v bench-list)
	user='setpriv --reuid 65534 --regid 65534 --clear-groups'
	[ "$(id -u)" = 0 ] || user=
	$user "$bench_list" --csv . >out 2>err
	is "$?,$(column bench <out | grep -c sum)" "2,$(list . 2>/dev/null | column subject | grep -v -e shut.so -e closed | grep -c _sum)" \
		'bench-list lists the rest if a file may not be read'
	is "$(paste -sd' ' err)" 'bench-list: ./closed: Permission denied bench-list: ./shut.so: Permission denied' 'bench-list names the file and the directory that may not be read'
	chmod 755 closed shut.so
fi

# Bad input
status 2 'bench-list ends with 2 if a file does not exist' bench-list nix lib/good.so
is "$(cat .err),$(grep -c sum .out)" 'bench-list: nix: No such file or directory,1' 'bench-list names a file that does not exist once and lists the rest'
status 1 'bench-list ends with 1 if an object has no benchmark' bench-list lib/libhave.so
is "$(cat .err)" 'bench-list: lib/libhave.so: exports no function named benchmark_* or run_* (-a lists all functions)' \
	'bench-list reports an object without a benchmark'
status 1 'bench-list ends with 1 for a text file' bench-list tree/readme
is "$(cat .err)" 'bench-list: tree/readme: neither an ELF file nor a command' 'bench-list reports that a text file is not a benchmark'
cp tree/readme net.onnx
status 1 'bench-list lists no objects in an ONNX file' bench-list net.onnx
is "$(cat .err)" 'bench-list: net.onnx: a model, not an object or a command (use bench-list models FILE)' 'bench-list says how to list an ONNX file'
is "$(bench-list -q tree/readme 2>&1 | grep -v ^kind)" '' 'bench-list -q does not report that a text file is not a benchmark'
status 1 'bench-list ends with 1 for a pipe' bench-list tree/pipe.so
status 2 'bench-list without operands is an error' bench-list
status 2 'bench-list rejects events combined with functions' bench-list events,functions .
like "$(cat .err)" 'events cannot be combined with other verbs' 'bench-list says that events must be listed separately'
status 0 'bench-list expands a quoted pattern' bench-list 'lib/g*.so'
status 2 'bench-list ends with 2 if a pattern matches no file' bench-list 'lib/x*.so'
head -c 3000 lib/good.so >cut.so
status 2 'bench-list ends with 2 for a truncated object' bench-list cut.so
is "$(wc -c <"$T/.out")" 0 'bench-list prints no header for a truncated object'
is "$(cat .err)" 'bench-list: cut.so: truncated or damaged' 'bench-list reports a truncated object'
printf '\177ELF' >magic.so
status 2 'bench-list ends with 2 for an object that has only the ELF magic' bench-list magic.so
status 2 'bench-list ends with 2 if the disk is full' sh -c 'bench-list -a lib/good.so >/dev/full'
# An object with random bytes changed gives a table or a message, and never crashes bench-list.
size=$(wc -c <lib/good.so)
awk -v size="$size" 'BEGIN { srand(7); for (i = 0; i < 60; i++) print int(rand() * (i % 3 ? size : 64)), int(rand() * 256) }' |
	while read -r at byte; do
		patched "$at" "\\0$(printf %03o "$byte")"
		timeout 20 bench-list -a patched.so >/dev/null 2>err || [ $? -le 2 ] || echo "$at $byte"
		grep -i sanitizer err
	done >signals
is "$(cat signals)" '' 'bench-list does not crash on damaged objects'
done_testing
