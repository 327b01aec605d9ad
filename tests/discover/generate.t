#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list --generate: from a library to benchmarks of its functions.
. "${0%/*}/../lib/tap.sh"

cat >many.c <<'END'
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint32_t word_t;
typedef unsigned char byte_t;
typedef enum { RED = 3, GREEN = 7 } color_t;
typedef struct { int a; } anon_t;
struct point { double x, y; };
int add(int a, int b) { return a + b; }
uint8_t narrow(uint8_t a, int8_t b, int16_t c, uint16_t d) { return (uint8_t)(a + b + c + d); }
long double real(long double a, float b, double c) { return a + b + c; }
__int128 wide(__int128 a, unsigned __int128 b) { return a + (__int128)b; }
bool paints(bool a, color_t c) { return a ? c == RED : c == GREEN; }
word_t crc(word_t start, const byte_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		start = start * 31 + buf[i];
	return start;
}
double dot(const double *x, const double *y, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
void fill(void *p, int c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)p)[i] = (char)c;
}
/* More elements than rows has would be written past its end. */
void clear(double *rows, int nrows, int cols, int stride)
{
	for (int i = 0; i < nrows * cols * stride; i++)
		rows[i] = 0;
}
size_t count_a(const char *restrict text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == 'a';
	return n;
}
void paint(color_t *c, int n) { for (int i = 0; i < n; i++) c[i] = RED; }
volatile int *ticks(volatile int *p) { return p; }
void few(int *a, short n) { for (short i = 0; i < n; i++) a[i] = i; }
void nothing(void) {}
int get() { return 4; }
double log(const char *x) { return *x; }
int aliased(int a, int b) __attribute__((alias("add")));
__attribute__((visibility("hidden"))) int hidden(int a) { return a; }

struct point by_value(struct point a) { return a; }
double by_pointer(const struct point *p) { return p->x; }
void unnamed(anon_t *a) { a->a = 0; }
struct absent *made(int a) { return (struct absent *)(long)a; }
int each(int (*cb)(int), int n) { return cb(n); }
int va(const char *f, ...) { return *f; }
int vl(const char *f, va_list l) { return *f + va_arg(l, int); }
int words(char **list) { return **list; }
double complex turn(double complex z) { return z * z; }
_Noreturn void die(int x) { for (;;) if (x) __builtin_trap(); }
int old(a, f) int a; float f; { return a + (int)f; }
int table(int (*rows)[4]) { return rows[0][0]; }
void benchmark_own(void) {}
static int (*pick(void))(int, int) { return add; }
int chosen(int, int) __attribute__((ifunc("pick")));
END
gcc -w -g -O2 -fno-builtin -shared -fPIC -o libmany.so many.c
gcc -o once -I"$ROOT/include" "$ROOT/tests/discover/bench_once.c"

status 0 'stubs are made' bench-list --generate many_bench.c -o new/folder libmany.so
cp .err told
file=new/folder/many_bench.c
sed -n '/These need a hand/,$s/^ \*	//p' $file >by_hand
is "$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | paste -sd' ')" \
	'add aliased clear count_a crc dot few fill get log narrow nothing paint paints real ticks wide' \
	'of these functions, in order'
is "$(cat by_hand)" "benchmark_own: it is a benchmark already
by_pointer: 'p' is a pointer to struct point
by_value: 'a' is struct point by value
chosen: which code it is, is decided when it is loaded
die: it does not return
each: 'cb' is a pointer to a function
made: it returns a pointer to struct absent
old: 'f' is float of a definition without a prototype
table: 'rows' is a pointer to an array
turn: 'z' is a value of the type complex double
unnamed: 'a' is a pointer to a structure (anon_t)
va: its arguments vary in number
vl: 'l' is a pointer to struct __va_list_tag
words: 'list' is a pointer to a pointer to char" 'the others are named, each with why'
is "$(sed -n 's/^bench-list: \([^ ]*\) needs a hand: /\1: /p' told)" "$(cat by_hand)" \
	'on standard error, too'
like "$(cat told)" 'new/folder/many_bench.c: stubs: 17, functions that need a hand: 14$' 'with the sum'
is "$(bench-list -q --generate quiet.c libmany.so 2>&1)" '' '-q keeps quiet about it'
bench-list -q --generate many_bench.c -o again libmany.so
ok 'a second time the same file comes out' cmp $file again/many_bench.c

like "$(sed -n '/^BENCH(crc,/,/^}/p' $file | tr -d '\n')" \
	'param.n=1024 items=n bytes=n".*arg_buf = seeded_memory\(b, n, .*size_t arg_len = n;' \
	'a buffer has n elements, and its length says so'
like "$(cat $file)" 'BENCH\(dot, .*bytes=16\*n' 'bytes are those of all buffers that are read'
like "$(cat $file)" '^BENCH\(count_a, "category=libmany param\.n=1024"\)' 'how much of a text is read nobody knows'
like "$(sed -n '/^BENCH(few,/,/^}/p' $file | tr -d '\n')" 'param.n=1024"\).*arg_n = 1;' \
	'what n would not fit into does not count'
like "$(cat $file)" 'arg_c_of\[\] = \{ 3, 7 \}' 'an enumeration gets values that it has'

# The command is the one that the file gives.
command=$(sed -n 's/^ \*	\(gcc .*\)/\1/p' $file)
(cd new/folder && C_INCLUDE_PATH=$ROOT/include sh -c \
	"$command -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes" >../../warnings 2>&1)
is "$?$(cat warnings)" 0 'the file compiles as it says, without a warning'
object=$T/new/folder/many_bench.so
is "$(nm -D --defined-only "$object" | sed -n 's/.* T benchmark_//p' | paste -sd' ')" \
	"$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | paste -sd' ')" 'the object has all benchmarks'
for name in add aliased clear count_a crc dot few fill get log narrow nothing paint paints real ticks wide; do
	./once "$object" benchmark_$name n=500 ITERATIONS=3 || echo "$name failed"
done >ran 2>&1
is "$(grep -c 'next=2 ' ran)$(grep failed ran)" 17 'and each of them runs'
status 0 'bench-run measures them' bench-run -q -e none -r 1 --processes 1 -P n=500 -f "$object"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$at["metric"] == "wall" && $at["status"] == "ok" { print $at["bench"] }' .out | sort -u |
	paste -sd' ')" "$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | sort | paste -sd' ')" 'all of them'
(cd new/folder && C_INCLUDE_PATH=$ROOT/include gcc -shared -fPIC -g -fsanitize=address \
	many_bench.c ../../many.c -w -fno-builtin -o ../../checked.so)
gcc -fsanitize=address -o once_checked -I"$ROOT/include" "$ROOT/tests/discover/bench_once.c"
for name in clear count_a crc dot fill paint; do
	ASAN_OPTIONS=detect_leaks=0 ./once_checked ./checked.so benchmark_$name n=500 || echo "$name failed"
done >ran 2>&1
is "$(grep failed ran)" '' 'inside of its buffers'

cp libmany.so whole.so
objcopy --only-keep-debug whole.so whole.so.debug
strip --strip-all -o split.so whole.so
status 1 'without debug information there is nothing to make' bench-list --generate none.c split.so
like "$(cat .err)" '^bench-list: split.so has no debug information, .* of its 31 functions: ' 'which is told'
is "$(wc -l <.err)" 1 'in one line'
ok 'and no file is left' test ! -e none.c
objcopy --add-gnu-debuglink=whole.so.debug split.so
status 0 'a debug file beside it will do' bench-list -q --generate split.c split.so
sed -n '/^extern/,$p' split.c | sed 's/=split/=libmany/' >a
sed -n '/^extern/,$p' $file >b
ok 'and gives the same' cmp a b

cat >other.c <<'END'
struct point { int x; };
int only(struct point *p) { return p->x; }
END
gcc -g -shared -fPIC -o other.so other.c
status 1 'when all need a hand' bench-list --generate other_bench.c other.so
like "$(cat .err)" "^bench-list: only needs a hand: 'p' is a pointer to struct point" 'they are named'
ok 'but nothing is written' test ! -e other_bench.c
if skip_unless g++ 'C++'; then
	echo 'int c(int a) { return a; } extern "C" int plain(int a) { return a; }
		extern "C" int refers(int &a) { return a; }' >cc.cc
	g++ -g -shared -fPIC -o cc.so cc.cc
	bench-list --generate cc_bench.c cc.so 2>told
	like "$(cat told)" '^bench-list: _Z1ci needs a hand: its name is mangled' 'C++ is told by its names'
	like "$(cat told)" "^bench-list: refers needs a hand: 'a' is a value of a type that C lacks" 'and types'
	is "$(grep -c '^BENCH(' cc_bench.c)" 1 'what follows C is measured'
fi

cp $file before
status 2 'an existing file is left alone' bench-list --generate many_bench.c -o new/folder libmany.so
like "$(tail -1 .err)" '^bench-list: new/folder/many_bench.c already exists: ' 'a generated file that would be overwritten is named'
ok 'with what it had' cmp $file before
status 2 'what is no object' bench-list --generate x.c many.c
like "$(cat .err)" '^bench-list: many.c is no shared object that' 'is refused'
gcc -g -o program "$ROOT/tests/discover/bench_once.c" -I"$ROOT/include"
status 2 'a program' bench-list --generate x.c program
like "$(cat .err)" '^bench-list: program is no shared object that' 'is none'
status 2 'what is not there' bench-list --generate x.c absent.so
like "$(cat .err)" '^bench-list: absent.so: No such file' 'is told as that'
status 2 'a name without .c' bench-list --generate x libmany.so
like "$(cat .err)" "^bench-list: 'x' is no name for the file: NAME.c" 'is refused'
status 2 'a path for a name' bench-list --generate new/x.c libmany.so
status 2 'no object' bench-list --generate x.c
status 2 '-o alone' bench-list -o new events
mkdir '*' && cp libmany.so '*/'
status 2 'a path that would end the comment' bench-list --generate x.c '*/libmany.so'
like "$(cat .err)" 'cannot stand in a comment of C$' 'is refused'
status 2 'a folder that cannot be made' bench-list -q --generate x.c -o many.c/x libmany.so
like "$(cat .err)" '^bench-list: cannot make the folder many.c/x: Not a directory' 'is told'
done_testing
