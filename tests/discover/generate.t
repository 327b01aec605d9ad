#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-list --generate writes benchmarks for the functions of a library.
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

status 0 'bench-list --generate writes a file' bench-list --generate many_bench.c -o new/directory libmany.so
cp .err messages
file=new/directory/many_bench.c
sed -n '/No benchmark was generated/,$s/^ \*	//p' $file >by_hand
is "$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | paste -sd' ')" \
	'add aliased clear count_a crc dot few fill get log narrow nothing paint paints real ticks wide' \
	'bench-list --generate writes a benchmark for each suitable function in order'
is "$(cat by_hand)" "benchmark_own: it is already a benchmark
by_pointer: 'p' is a pointer to struct point
by_value: 'a' is struct point by value
chosen: its code is chosen when it is loaded (an indirect function)
die: it does not return
each: 'cb' is a pointer to a function
made: it returns a pointer to struct absent
old: 'f' is float in a definition without a prototype
table: 'rows' is a pointer to an array
turn: 'z' is a value of the type complex double
unnamed: 'a' is a pointer to a structure (anon_t)
va: it takes a variable number of arguments
vl: 'l' is a pointer to struct __va_list_tag
words: 'list' is a pointer to a pointer to char" 'the file of bench-list --generate lists the skipped functions with reasons'
is "$(sed -n 's/^bench-list: \([^ ]*\): no benchmark generated: /\1: /p' messages)" "$(cat by_hand)" \
	'bench-list --generate lists the skipped functions on standard error'
like "$(cat messages)" 'new/directory/many_bench.c: 17 benchmarks generated, 14 functions skipped$' \
	'bench-list --generate prints the numbers of generated and skipped functions'
is "$(bench-list -q --generate quiet.c libmany.so 2>&1)" '' 'bench-list --generate -q prints nothing'
bench-list -q --generate many_bench.c -o again libmany.so
ok 'bench-list --generate writes the same file again' cmp $file again/many_bench.c

# Several objects.
mkdir apart
echo 'int add(int a, int b) { return a - b; } int sub(int a, int b) { return a - b; }' >apart/more.c
gcc -g -O2 -shared -fPIC -o apart/libmore.so apart/more.c
status 0 'bench-list --generate takes several objects' bench-list --generate both.c libmany.so apart/libmore.so
is "$(sed -n 's/^BENCH(\([^,]*\), "\(category=[a-z]*\).*/\1 \2/p' both.c | sed -n '1p; $p')" "add category=libmany
sub category=libmore" 'bench-list --generate writes the functions of each object'
like "$(cat .err)" 'add: no benchmark generated: another object before this one exports it' 'a function of two objects is that of the first one'
C_INCLUDE_PATH=$ROOT/include sh -c "$(sed -n 's/^ \*	\(gcc .*\)/\1/p' both.c)" 2>log
is "$(nm -D --defined-only both.so | grep -c -e ' benchmark_add$' -e ' benchmark_sub$'),$(ldd both.so | grep -c -e libmany -e libmore)" 2,2 \
	'the command in the file links the benchmarks with both objects'
echo 'static int none;' | gcc -shared -fPIC -x c -o libnone.so - 2>log
status 1 'bench-list --generate refuses objects of which one exports no function' bench-list --generate none.c libmany.so libnone.so
is "$(tail -n 1 .err)$([ -e none.c ] && echo none.c)" "bench-list: libnone.so exports no function" 'bench-list --generate writes no file if one of its objects exports no function'
status 2 'bench-list --generate needs an object' bench-list --generate none.c

like "$(sed -n '/^BENCH(crc,/,/^}/p' $file | tr -d '\n')" \
	'param.n=1024 items=n bytes=n".*arg_buf = seeded_memory\(b, n, .*size_t arg_len = n;' \
	'a generated benchmark passes n as the length of a buffer of n elements'
like "$(cat $file)" 'BENCH\(dot, .*bytes=16\*n' 'the bytes of a generated benchmark include all buffers that are read'
# STREAM (McCalpin 1995) counts 16 bytes for copy and scale, and 24 for add and triad.
cat >stream.c <<'END'
#include <string.h>
void copy(double *c, const double *a, size_t n) { for (size_t i = 0; i < n; i++) c[i] = a[i]; }
void triad(double *a, const double *b, const double *c, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i]; }
void move(void *to, const void *from, size_t n) { memmove(to, from, n); }
END
gcc -g -O1 -shared -fPIC -o libstream.so stream.c
bench-list -q --generate stream_bench.c libstream.so
is "$(sed -n 's/^BENCH(\([^,]*\),.*\(bytes=[^"]*\)".*/\1 \2/p' stream_bench.c | sort | paste -sd,)" 'copy bytes=16*n,move bytes=n,triad bytes=24*n' \
	'the bytes of a generated benchmark are those of STREAM, and the length of a copy of memory'
like "$(cat $file)" '^BENCH\(count_a, "category=libmany param\.n=1024"\)' 'a generated benchmark has no bytes for a text whose read length is unknown'
like "$(sed -n '/^BENCH(few,/,/^}/p' $file | tr -d '\n')" 'param.n=1024"\).*arg_n = 1;' \
	'a generated benchmark passes 1 for an integer that is too narrow for n'
like "$(cat $file)" 'arg_c_of\[\] = \{ 3, 7 \}' 'a generated benchmark uses the enumerators of an enumeration'

# The file's comment gives the command that compiles it.
command=$(sed -n 's/^ \*	\(gcc .*\)/\1/p' $file)
(cd new/directory && C_INCLUDE_PATH=$ROOT/include sh -c \
	"$command -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes" >../../warnings 2>&1)
is "$?$(cat warnings)" 0 'the generated file compiles with its command and without a warning'
object=$T/new/directory/many_bench.so
is "$(nm -D --defined-only "$object" | sed -n 's/.* T benchmark_//p' | paste -sd' ')" \
	"$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | paste -sd' ')" 'the object of the generated file exports all benchmarks'
for name in add aliased clear count_a crc dot few fill get log narrow nothing paint paints real ticks wide; do
	./once "$object" benchmark_$name n=500 ITERATIONS=3 || echo "$name failed"
done >ran 2>&1
is "$(grep -c 'next=2 ' ran)$(grep failed ran)" 17 'each generated benchmark runs'
status 0 'bench-run measures the generated benchmarks' bench-run -q -e none -r 1 --processes 1 -P n=500 -f "$object"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$at["metric"] == "wall" && $at["status"] == "ok" { print $at["bench"] }' .out | sort -u |
	paste -sd' ')" "$(sed -n 's/^BENCH(\([^,]*\),.*/\1/p' $file | sort | paste -sd' ')" 'bench-run measures each generated benchmark'
(cd new/directory && C_INCLUDE_PATH=$ROOT/include gcc -shared -fPIC -g -fsanitize=address \
	many_bench.c ../../many.c -w -fno-builtin -o ../../checked.so)
gcc -fsanitize=address -o once_checked -I"$ROOT/include" "$ROOT/tests/discover/bench_once.c"
for name in clear count_a crc dot fill paint; do
	ASAN_OPTIONS=detect_leaks=0 ./once_checked ./checked.so benchmark_$name n=500 || echo "$name failed"
done >ran 2>&1
is "$(grep failed ran)" '' 'generated benchmarks stay within their buffers'

cp libmany.so whole.so
objcopy --only-keep-debug whole.so whole.so.debug
strip --strip-all -o split.so whole.so
status 1 'bench-list --generate ends with 1 without debug information' bench-list --generate none.c split.so
like "$(cat .err)" '^bench-list: split.so has no debug information, .* of its 31 functions ' \
	'bench-list --generate reports missing debug information'
is "$(wc -l <.err)" 1 'bench-list --generate reports missing debug information in one line'
ok 'bench-list --generate writes no file without debug information' test ! -e none.c
objcopy --add-gnu-debuglink=whole.so.debug split.so
status 0 'bench-list --generate reads a debug file in the same directory' bench-list -q --generate split.c split.so
sed -n '/^extern/,$p' split.c | sed 's/=split/=libmany/' >a
sed -n '/^extern/,$p' $file >b
ok 'bench-list --generate writes the same functions from a debug file' cmp a b

cat >other.c <<'END'
struct point { int x; };
int only(struct point *p) { return p->x; }
END
gcc -g -shared -fPIC -o other.so other.c
status 1 'bench-list --generate ends with 1 if all functions are skipped' bench-list --generate other_bench.c other.so
like "$(cat .err)" "^bench-list: only: no benchmark generated: 'p' is a pointer to struct point" \
	'bench-list --generate names each function if all are skipped'
ok 'bench-list --generate writes no file if all functions are skipped' test ! -e other_bench.c
if skip_unless g++ 'bench-list --generate skips C++ names'; then
	echo 'int c(int a) { return a; } extern "C" int plain(int a) { return a; }
		extern "C" int refers(int &a) { return a; }' >cc.cc
	g++ -g -shared -fPIC -o cc.so cc.cc
	bench-list --generate cc_bench.c cc.so 2>messages
	like "$(cat messages)" '^bench-list: _Z1ci: no benchmark generated: its name is mangled' \
		'bench-list --generate skips C++ names'
	like "$(cat messages)" "^bench-list: refers: no benchmark generated: 'a' is a value of a type that C does not have" \
		'bench-list --generate skips C++ types'
	is "$(grep -c '^BENCH(' cc_bench.c)" 1 'bench-list --generate writes a benchmark for a C function of a C++ library'
fi

cp $file before
status 2 'bench-list --generate ends with 2 if the file exists' bench-list --generate many_bench.c -o new/directory libmany.so
like "$(tail -1 .err)" '^bench-list: new/directory/many_bench.c already exists: ' 'bench-list --generate names an existing file'
ok 'bench-list --generate does not change an existing file' cmp $file before
status 2 'bench-list --generate ends with 2 for a file that is not an object' bench-list --generate x.c many.c
like "$(cat .err)" '^bench-list: many.c is not a shared object ' 'bench-list --generate names a file that is not an object'
gcc -g -o program "$ROOT/tests/discover/bench_once.c" -I"$ROOT/include"
status 2 'bench-list --generate ends with 2 for a program' bench-list --generate x.c program
like "$(cat .err)" '^bench-list: program is not a shared object ' 'bench-list --generate names a program that is not a shared object'
status 2 'bench-list --generate ends with 2 if the object does not exist' bench-list --generate x.c absent.so
like "$(cat .err)" '^bench-list: absent.so: No such file' 'bench-list --generate names an object that does not exist'
status 2 'bench-list --generate rejects a name without .c' bench-list --generate x libmany.so
like "$(cat .err)" "^bench-list: 'x' is not a valid file name: use NAME.c" 'bench-list --generate says which names are valid'
status 2 'bench-list --generate rejects a path' bench-list --generate new/x.c libmany.so
status 2 'bench-list --generate without an object is an error' bench-list --generate x.c
status 2 'bench-list rejects -o without --generate' bench-list -o new events
mkdir '*' && cp libmany.so '*/'
status 2 'bench-list --generate rejects a path that would end the comment' bench-list --generate x.c '*/libmany.so'
like "$(cat .err)" 'a C comment cannot contain this path$' 'bench-list --generate says why it rejects the path'
status 2 'bench-list --generate ends with 2 if the directory cannot be created' bench-list -q --generate x.c -o many.c/x libmany.so
like "$(cat .err)" '^bench-list: cannot create the directory many.c/x: Not a directory' \
	'bench-list --generate names the directory that cannot be created'
done_testing
