#!/bin/sh
# The layers of the house: who may include what, who may print and exit. Each rule is first
# held against the tree, then against a copy in which it is broken.
. "${0%/*}/lib.sh"

# Headers of the C library and the kernel; every other one in angle brackets is third party.
system='assert complex ctype dirent dlfcn elf endian err errno fcntl fenv float fnmatch ftw getopt glob
	inttypes langinfo libgen limits link locale math netdb poll pthread pwd regex sched search
	semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
	string strings syscall termios time unistd wchar wctype
	arpa/.* asm/.* linux/.* net/.* netinet/.* sys/.*'

# What does no input or output: they may see each other, base.h and what parses text in memory.
pure='adjust bootstrap carbon change change_window checksum components cpu_ticks decimate diagnose dip dist
	divide dtype dwarf_names energy exact fill formula fuse graph graph_check graph_count
	graph_prune group identity infer intern jackknife layout_names maps meta model_build model_expand
	model_learn model_list model_parts model_words model_words_dense model_words_element
	model_words_token model_words_value nest number_set pack pack_format palette perf_record placement procfs
	record redraw report_cut report_seen resample resample_pairs resample_sides rng select shift sides signature speedup
	stacks stamp stats steady stub stub_plan symbol thresholds units unwind versions welch whiten'
pure_sees='backend base metric model sheet words'

# The only ones that speak or end the program, and how one ends it after a signal.
speakers='base opt'
# call_start, gang, launch: the child's half of a fork; call_talk: a helper whose client is gone.
enders='base call_process call_start call_talk gang interrupt launch opt'

words() { printf '%s\n' "$@" | tr -s ' \n\t' '|||' | sed 's/^|//; s/|$//'; }
system_re="^($(words "$system"))\.h$"
pure_re="^($(words "$pure"))$"
pure_sees_re="^($(words "$pure" "$pure_sees"))\.h$"
speakers_re="^($(words "$speakers"))$"
enders_re="^($(words "$enders"))$"

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

# crossings: prints a line for each place in the present directory that crosses a layer
crossings() {
	includes lib/*.[ch] tools/*.c >"$T/includes"
	calls lib/*.c >"$T/calls"
	awk -F '\t' -v system_re="$system_re" '
		$2 == "<" && $3 !~ system_re {
			library = $3
			sub(/\/.*/, "", library)
			if ($1 ~ /^tools\//)
				print $1 ": a tool includes <" $3 ">; that is for a module of lib"
			else if (library in home && home[library] != $1)
				print $1 ": <" $3 "> is already included by " home[library]
			else
				home[library] = $1
		}' "$T/includes"
	while IFS='	' read -r file kind header; do
		[ "$kind" = '<' ] || [ -e "lib/$header" ] || [ -e "$ROOT/include/$header" ] ||
			echo "$file: \"$header\" is not a header of lib"
	done <"$T/includes"
	awk -F '\t' -v pure_re="$pure_re" -v sees_re="$pure_sees_re" '
		{ module = $1; sub(/.*\//, "", module); sub(/\..*/, "", module) }
		$1 !~ /^lib\// || module !~ pure_re { next }
		$2 != "<" && $3 !~ sees_re { print $1 ": a pure module includes \"" $3 "\"" }
		$2 == "<" && $3 ~ /^(err|fcntl|unistd|dirent|dlfcn|locale|poll|spawn|signal|sys\/.*)\.h$/ {
			print $1 ": a pure module includes <" $3 ">"
		}' "$T/includes"
	awk -F '\t' -v pure_re="$pure_re" -v speakers_re="$speakers_re" -v enders_re="$enders_re" '
		{ module = $1; sub(/.*\//, "", module); sub(/\..*/, "", module) }
		module ~ pure_re && $2 ~ /^(FILE|fopen\(|fprintf\(|fputs\(|fwrite\(|fread\(|getenv\()$/ {
			print $1 ": a pure module uses " $2
		}
		module !~ speakers_re &&
		$2 ~ /^(v?(err|errx|warn|warnx)\(|v?printf\(|puts\(|putchar\(|perror\(|stderr)$/ {
			print $1 ": library code prints (" $2 ")"
		}
		module !~ enders_re && $2 ~ /^(_?exit|_Exit|quick_exit|abort)\($/ {
			print $1 ": library code ends the program (" $2 ")"
		}' "$T/calls"
}

cd "$ROOT" || exit 1
is "$(crossings)" '' "no layer is crossed"

# breaks FILE LINE PATTERN DESCRIPTION: with the line at its end, a file must be reported
breaks() {
	cp -R "$ROOT/lib" "$ROOT/tools" "$T/tree/"
	printf '%s\n' "$2" >>"$1"
	like "$(crossings)" "$3" "$4"
}

mkdir "$T/tree" && cd "$T/tree" || exit 1
breaks tools/bench-stat.c '#include <sqlite3.h>' '^tools/bench-stat.c: a tool includes <sqlite3' \
	"a tool that includes a third party's header is found"
breaks lib/sheet.c '#include <jansson.h>' '^lib/.*: <jansson.h> is already included by lib/' \
	"so is a second includer"
breaks lib/units.c '#include <perfmon/another.h>' '<perfmon/.*> is already included by' \
	"of another header of the same library, too"
breaks lib/stats.c '#include "../tools/part.h"' '^lib/stats.c: "../tools/part.h" is not a header of lib' \
	"so is lib including from tools"
breaks lib/stats.h '#include "stream.h"' '^lib/stats.h: a pure module includes "stream.h"' \
	"a pure module that sees a stream"
breaks lib/infer.c '#include <fcntl.h>' '^lib/infer.c: a pure module includes <fcntl.h>' \
	"a pure module with I/O headers"
breaks lib/units.c 'int leak(FILE *f);' '^lib/units.c: a pure module uses FILE' \
	"a pure module with a FILE"
breaks lib/stream.c 'void leak(void) { printf("x"); }' '^lib/stream.c: library code prints \(printf' \
	"library code that prints"
breaks lib/stream.c 'void leak(void) { warnx("x"); }' '^lib/stream.c: library code prints \(warnx' \
	"library code that warns"
breaks lib/host.c 'void leak(void) { exit (2); }' '^lib/host.c: library code ends the program' \
	"library code that exits"
breaks lib/host.c '/* it"s exit(2) */ char c = '"'\\\"'"', *leak = "/* \" exit(2)"; // exit(2)' '^$' \
	"but not in comments and strings"
breaks lib/host.c '/* exit */ void leak(void) { "/*"; abort(); }' 'ends the program \(abort' \
	"and right behind them"
done_testing
