#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules for rooms: which room may include which, is pure, or may print or exit, as the table in
# lib/README.md says, and how large files and rooms may be. The tree must keep all rules; then each
# rule is broken in a small tree, which must be reported.
. "${0%/*}/../lib/tap.sh"

# Headers of the C library, the kernel and the compiler; every other one in angle brackets is
# third party.
system='assert complex ctype dirent dlfcn elf endian err errno fcntl fenv float fnmatch ftw getopt glob grp
	immintrin inttypes langinfo libgen limits link locale malloc math netdb omp poll pthread pwd regex sched
	search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
	string strings syscall termios time unistd wchar wctype
	arpa/.* asm/.* linux/.* net/.* netinet/.* sys/.*'
words() { printf '%s\n' "$@" | tr -s ' \n\t' '|||' | sed 's/^|//; s/|$//'; }
system_re="^($(words "$system"))\.h$"
# Functions that keep a result or a state for the whole process: two threads that call one of them
# race. lgamma writes signgam; the others have a sibling whose name ends in _r.
shared_state=$(words 'lgamma lgammaf lgammal gamma gammaf gammal strtok localtime gmtime ctime asctime
	getpwuid getpwnam getgrgid getgrnam getlogin ttyname tmpnam rand srand setlocale')

# sources FOLDER...: the C files and headers in them
sources() { find "$@" -type f -name '*.[ch]' | sort; }

# "file<TAB>kind<TAB>header" for every include; kind is < or a quote
includes() {
	awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]+/) {
		text = substr($0, RSTART, RLENGTH)
		sub(/^[^<"]*/, "", text)
		print FILENAME "\t" substr(text, 1, 1) "\t" substr(text, 2)
	}' "$@"
}

# The words of C files without comments and strings, as "file<TAB>word", calls as "word("
calls() {
	awk '
	FNR == 1 { comment = 0 }
	{
		rest = $0
		code = ""
		while (rest != "") {
			if (comment) {
				comment = !(end = index(rest, "*/"))
				rest = end ? substr(rest, end + 2) : ""
			} else if (match(rest, /\/\*|\/\/|"([^"\\]|\\.)*"|'\''([^'\''\\]|\\.)*'\''/)) {
				code = code substr(rest, 1, RSTART - 1) " "
				comment = substr(rest, RSTART, 2) == "/*"
				if (substr(rest, RSTART, 2) == "//")
					rest = ""
				rest = substr(rest, RSTART + RLENGTH)
			} else {
				code = code rest
				rest = ""
			}
		}
		while (match(code, /[A-Za-z_][A-Za-z_0-9]* *\(?/)) {
			word = substr(code, RSTART, RLENGTH)
			gsub(/ /, "", word)
			if (!((FILENAME, word) in seen))
				print FILENAME "\t" word
			seen[FILENAME, word] = 1
			code = substr(code, RSTART + RLENGTH)
		}
	}' "$@"
}

# The table as "room<TAB>may include<TAB>marks"; a room of lib by its name, others by their directory.
table() {
	awk -F ' *[|] *' '/^[|] `/ { gsub(/`/, ""); print $2 "\t" $4 "\t" $5 }' lib/README.md
}

# places: "file<TAB>room" for the files named on standard input
places() {
	awk '{
		room = $0
		sub(/\/[^\/]*$/, "", room)
		sub(/^lib\//, "", room)
		print $0 "\t" room
	}'
}

# crossings: prints a line for each place in the present directory that breaks a rule
crossings() {
	table >"$T/table"
	sources lib tools backends include >"$T/files"
	places <"$T/files" >"$T/places"
	xargs awk 'FNR == 1 { print FILENAME } /(^|[ .])Pure(\.|[;:] )/ { print FILENAME "\tpure" } /\*\// { nextfile }' \
		<"$T/files" | awk -F '\t' '$2 { sub(/\.[ch]$/, "", $1); print $1 }' >"$T/said_pure"
	# shellcheck disable=SC2046 # names of our files have no blanks
	includes $(cat "$T/files") >"$T/includes"
	# shellcheck disable=SC2046
	calls $(sources lib backends | grep '\.c$') >"$T/calls"
	awk -F '\t' -v system_re="$system_re" '
		FILENAME == ARGV[1] { room[$1] = $2; next }
		$2 == "<" && $3 !~ system_re {
			library = $3
			sub(/\/.*/, "", library)
			module = $1
			sub(/\.[ch]$/, "", module)
			if ($1 ~ /^tools\/[^\/]*$/)
				print $1 ": a tool includes <" $3 ">; that is for a module of lib"
			else if ($1 ~ /^backends\/(cpu|gpu)\//)
				next
			else if (library in home && home[library] != module)
				print $1 ": <" $3 "> is already included by " home[library]
			else
				home[library] = module
		}' "$T/places" "$T/includes"
	# Arrows between rooms, each with the first include line that makes it.
	awk -F '\t' '
		FILENAME == ARGV[1] { room[$1] = $2; next }
		$2 == "<" { next }
		{
			own = $1
			sub(/\/[^\/]*$/, "/", own)
			to = ""
			for (i = split(own "|lib/|include/|", directory, "|"); i > 0; i--)
				if ((directory[i] $3) in room)
					to = directory[i] $3
			if (to == "")
				print $1 ": \"" $3 "\" is not a header of this tree"
			else if (room[to] != room[$1]) {
				print "arrow\t" room[$1] "\t" room[to] "\t" $1
				if ($3 ~ /_priv\.h$/)
					print $1 ": \"" $3 "\" is private to another room"
			} else if (to ~ /^lib\/.*\// && $3 !~ /\//)
				print $1 ": \"" $3 "\" is written without its room"
		}' "$T/places" "$T/includes" >"$T/arrows"
	grep -v '^arrow' "$T/arrows"
	awk -F '\t' '
		FILENAME == ARGV[1] { known[$1] = 1; n = split($2, may, " "); for (i = 1; i <= n; i++) allowed[$1, may[i]] = 1; next }
		FILENAME == ARGV[2] { if (!known[$2] && !told[$2]++ && $2 != "include") print $2 ": a room that the table lacks"; there[$2] = 1; next }
		$1 != "arrow" { next }
		{ used[$2, $3] = 1 }
		!(($2, $3) in allowed) && !said[$2, $3]++ { print $4 ": " $2 " may not include " $3 }
		END {
			for (pair in allowed) {
				split(pair, p, SUBSEP)
				if (!used[p[1], p[2]] && there[p[1]] && there[p[2]])
					print "lib/README.md: " p[1] " does not include " p[2]
			}
		}' "$T/table" "$T/places" "$T/arrows"
	awk -F '\t' '{ n = split($2, may, " "); for (i = 1; i <= n; i++) print $1, may[i] }' "$T/table" |
		tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^ -]*\)$/\1/p' | sort -u | paste -sd' ' |
		sed -n 's/^./lib\/README.md: a cycle of &/p'
	# Checks code against its room's marks. A module whose header says "Pure." must also be pure.
	awk -F '\t' -v shared_state="$shared_state" '
		BEGIN { n = split(shared_state, name, "[|]"); for (i = 1; i <= n; i++) shared[name[i] "("] = 1 }
		FILENAME == ARGV[1] { marks[$1] = " " $3 " "; next }
		FILENAME == ARGV[2] { room[$1] = $2; next }
		FILENAME == ARGV[3] { said[$1] = 1; next }
		{ module = $1; sub(/\.[ch]$/, "", module); mark = marks[room[$1]]; pure = mark ~ / pure / || module in said }
		FILENAME == ARGV[4] && pure && $2 == "<" &&
				$3 ~ /^(err|fcntl|unistd|dirent|dlfcn|locale|poll|spawn|signal|sys\/.*)\.h$/ {
			print $1 ": a pure module includes <" $3 ">"
		}
		FILENAME == ARGV[4] { next }
		pure && $2 ~ /^(FILE|fopen\(|fprintf\(|fputs\(|fwrite\(|fread\(|getenv\()$/ {
			print $1 ": a pure module uses " $2
		}
		$1 ~ /^(lib|backends)\// && ($2 in shared || $2 == "signgam") {
			print $1 ": " $2 " keeps its state in memory that all threads share"
		}
		mark !~ / prints / && $2 ~ /^(v?(err|errx|warn|warnx)\(|v?printf\(|puts\(|putchar\(|perror\(|stderr)$/ {
			print $1 ": library code prints (" $2 ")"
		}
		mark !~ / exits / && $2 ~ /^(_?exit|_Exit|quick_exit|abort)\($/ {
			print $1 ": library code ends the program (" $2 ")"
		}' "$T/table" "$T/places" "$T/said_pure" "$T/includes" "$T/calls"
}

# overgrown: prints a line for each file, room or directory in the present directory that is too large
overgrown() {
	find Makefile .ci backends docs include lib make share tests tools -type f \( -name '*.[ch]' -o -name '*.cc' -o \
		-name '*.sh' -o -name '*.t' -o -name '*.py' -o -name '*.mk' -o -name '*.bash' -o -name Makefile -o -name run \) |
		sort | xargs awk 'FNR == 501 { print FILENAME ": more than 500 lines" }'
	for room in lib/*/; do
		set -- "$room"*.c
		[ $# -le 45 ] || echo "$room: more than 45 C files"
	done
	find lib -maxdepth 1 -type f ! -name README.md | sort | sed 's/$/: a file outside of the rooms/'
}

cd "$ROOT" || exit 1
is "$(crossings)" '' 'the tree keeps the rules of lib/README.md'
is "$(overgrown)" '' 'no source file has more than 500 lines, no room more than 45 C files, and lib itself none'

# A small tree that keeps all rules.
# put FILE LINE...: writes a file
put() {
	file=$1
	shift
	mkdir -p "${file%/*}"
	printf '%s\n' "$@" >"$file"
}
mkdir "$T/sound" && cd "$T/sound" || exit 1
put lib/README.md '| room | purpose | may include | marks |' '|---|---|---|---|' \
	'| `base` | memory |  | prints exits |' \
	'| `text` | numbers | base | pure |' \
	'| `db` | databases | base text |  |' \
	'| `tools` | programs | base text db | prints exits |'
put lib/base/fault.h 'int fault(void);'
put lib/base/fault.c '#include <err.h>' '#include "base/fault.h"' 'int fault(void) { errx(1, "no memory"); }'
put lib/text/units.h 'int units(void);'
put lib/text/units.c '#include <string.h>' '#include "base/fault.h"' '#include "text/units.h"' \
	'// fopen(x) and printf(x) in a comment' '/* exit(1), getenv("A"),' ' * FILE, abort() */' \
	'int units(void) { return strlen("FILE *f = fopen(a, b); exit(1)") > '"'\"'"'; }'
put lib/db/db.h '/* Opens databases. */' 'int db_open(void);'
put lib/db/db_priv.h 'int db_hidden(void);'
put lib/db/db.c '#include <fcntl.h>' '#include <sqlite3.h>' '#include "base/fault.h"' '#include "db/db.h"' \
	'#include "db/db_priv.h"' '#include "text/units.h"' 'int db_open(void) { return open("a", 0); }'
put tools/bench-x.c '#include <stdio.h>' '#include "base/fault.h"' '#include "db/db.h"' '#include "text/units.h"' \
	'int main(void) { puts("x"); exit(0); }'
put include/bench.h 'int bench(void);'
mkdir -p .ci backends docs make share tests
put ./Makefile 'all:'
is "$(crossings; overgrown)" '' 'a small tree that keeps the rules passes, comments and strings notwithstanding'

# caught MESSAGE DESCRIPTION COMMAND...: the command breaks the small tree, and this is reported
caught() {
	rm -rf "$T/broken"
	cp -r "$T/sound" "$T/broken"
	cd "$T/broken" || exit 1
	message=$1 what=$2
	shift 2
	"$@"
	is "$(crossings; overgrown)" "$message" "$what is reported"
}
# adds LINE FILE: puts a line first
adds() { sed -i "1i $1" "$2"; }
# may ROOM TEXT: what a room may include, from now on
may() { sed -i "s/^\\(| \`$1\` | [a-z]* | \\)[^|]*/\\1$2 /" lib/README.md; }

caught 'tools/bench-x.c: a tool includes <sqlite3.h>; that is for a module of lib' \
	'a tool that includes a third-party header' adds '#include <sqlite3.h>' tools/bench-x.c
caught 'lib/db/db.c: <sqlite3.h> is already included by lib/base/fault' \
	'a second module that includes a third-party header' adds '#include <sqlite3.h>' lib/base/fault.c
caught 'lib/text/units.c: text may not include db' 'an include that the table does not allow' \
	sh -c 'sed -i "s|base/fault.h|db/db.h|" lib/text/units.c; sed -i "s/^\(| .text. | numbers | \)base/\1/" lib/README.md'
caught 'lib/README.md: tools does not include text' 'an arrow of the table that no include uses' \
	sed -i /units.h/d tools/bench-x.c
cycle() {
	may base db
	adds '#include "db/db.h"' lib/base/fault.c
}
caught 'lib/README.md: a cycle of base db text' \
	'a cycle in the table' cycle
caught 'tools/bench-x.c: "db/db_priv.h" is private to another room' "an include of another room's private header" \
	sed -i 's|db/db.h|db/db_priv.h|' tools/bench-x.c
caught 'lib/text/units.c: "units.h" is written without its room' 'an include without its room' \
	sed -i 's|text/units.h|units.h|' lib/text/units.c
caught 'lib/text/units.c: "text/unit.h" is not a header of this tree' 'an include of a header that is not there' \
	sed -i 's|text/units.h|text/unit.h|' lib/text/units.c
caught 'attic: a room that the table lacks' 'a directory of lib that the table lacks' put lib/attic/old.h 'int old(void);'
caught 'lib/text/units.c: a pure module includes <fcntl.h>' 'a pure room that includes <fcntl.h>' \
	adds '#include <fcntl.h>' lib/text/units.c
for word in FILE 'fopen(' 'fread(' 'getenv('; do
	caught "lib/text/units.c: a pure module uses $word" "a pure room that uses $word" \
		sed -i "\$a int pure_no_more = $word);" lib/text/units.c
done
says_pure() { put lib/db/db.h '/* Opens databases. Pure. */' 'int db_open(void);'; }
caught 'lib/db/db.c: a pure module includes <fcntl.h>' 'a module that says "Pure." and includes <fcntl.h>' says_pure
for word in 'printf(' 'puts(' 'warnx(' 'err(' stderr; do
	caught "lib/db/db.c: library code prints ($word)" "a room that must not print and uses $word" \
		sed -i "\$a int prints = $word);" lib/db/db.c
done
for word in 'exit(' '_exit(' 'abort('; do
	caught "lib/db/db.c: library code ends the program ($word)" "a room that must not exit and uses $word" \
		sed -i "\$a int exits = $word);" lib/db/db.c
done
for word in 'lgamma(' 'strtok(' 'localtime(' signgam; do
	caught "lib/db/db.c: $word keeps its state in memory that all threads share" "a use of $word in lib" \
		sed -i "\$a int races = $word);" lib/db/db.c
done
long() { awk 'BEGIN { while (i++ < 501) print "/* */" }' >"$1"; }
for file in tools/bench-y.c lib/base/long.h make/long.mk tests/long.t share/long.sh tests/long.py Makefile; do
	caught "$file: more than 500 lines" "a file of more than 500 lines ($file)" long $file
done
crowd() { for i in $(seq 45); do put "lib/db/more$i.c" ''; done; }
caught 'lib/db/: more than 45 C files' 'a room of more than 45 C files' crowd
caught "$(printf '%s\n' 'lib: a room that the table lacks' 'lib/loose.c: a file outside of the rooms')" 'a file of lib outside of the rooms' put lib/loose.c ''
done_testing
