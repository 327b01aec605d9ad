#!/bin/sh
# The rooms of the house, as the table in lib/README.md has them: who may include whom, what is
# pure, who may print and exit. Each rule is first held against the tree, then against a copy in
# which it is broken.
. "${0%/*}/../lib/tap.sh"

# Headers of the C library, the kernel and the compiler; every other one in angle brackets is
# third party.
system='assert complex ctype dirent dlfcn elf endian err errno fcntl fenv float fnmatch ftw getopt glob
	immintrin inttypes langinfo libgen limits link locale malloc math netdb omp poll pthread pwd regex sched
	search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
	string strings syscall termios time unistd wchar wctype
	arpa/.* asm/.* linux/.* net/.* netinet/.* sys/.*'
words() { printf '%s\n' "$@" | tr -s ' \n\t' '|||' | sed 's/^|//; s/|$//'; }
system_re="^($(words "$system"))\.h$"

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

# The table as "room<TAB>may include<TAB>marks"; a room of lib by its name, others by their folder.
table() {
	awk -F ' *[|] *' '/^[|] `/ { gsub(/`/, ""); print $2 "\t" $4 "\t" $5 }' lib/README.md
}

# places: "file<TAB>room" for the files named on standard input; bare lib/FILE has the room "lib"
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
	xargs awk 'FNR == 1 { print FILENAME } { if (/\*\//) nextfile; if (/(^|[ .])Pure(\.|[;:] )/) print FILENAME "\tpure" }' \
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
			for (i = split(own "|lib/|include/|", folder, "|"); i > 0; i--)
				if ((folder[i] $3) in room)
					to = folder[i] $3
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
	awk -F '\t' -v unmoved='^(lib|backends)$' '
		FILENAME == ARGV[1] { known[$1] = 1; n = split($2, may, " "); for (i = 1; i <= n; i++) allowed[$1, may[i]] = 1; next }
		FILENAME == ARGV[2] { if (!known[$2] && !told[$2]++ && $2 !~ unmoved && $2 != "include") print $2 ": a room that the table lacks"; there[$2] = 1; next }
		$1 != "arrow" || $2 ~ unmoved || $3 ~ unmoved { next }
		{ used[$2, $3] = 1 }
		!(($2, $3) in allowed) && !said[$2, $3]++ { print $4 ": " $2 " may not include " $3 }
		END {
			for (pair in allowed) {
				split(pair, p, SUBSEP)
				if (!used[p[1], p[2]] && there[p[1]] && there[p[2]] && !there["lib"] && !there["backends"])
					print "lib/README.md: " p[1] " does not include " p[2]
			}
		}' "$T/table" "$T/places" "$T/arrows"
	awk -F '\t' '{ n = split($2, may, " "); for (i = 1; i <= n; i++) print $1, may[i] }' "$T/table" |
		tsort 2>&1 >/dev/null | sed 's/^tsort: -/lib\/README.md/'
	# What a room may do: its marks; a module whose header says that it is pure is held to that.
	awk -F '\t' -v unmoved='^(lib|backends)$' '
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
		mark !~ / prints / && $2 ~ /^(v?(err|errx|warn|warnx)\(|v?printf\(|puts\(|putchar\(|perror\(|stderr)$/ &&
				room[$1] !~ unmoved {
			print $1 ": library code prints (" $2 ")"
		}
		mark !~ / exits / && $2 ~ /^(_?exit|_Exit|quick_exit|abort)\($/ && room[$1] !~ unmoved {
			print $1 ": library code ends the program (" $2 ")"
		}' "$T/table" "$T/places" "$T/said_pure" "$T/includes" "$T/calls"
}

cd "$ROOT" || exit 1
is "$(crossings)" '' "the tree keeps the rules of lib/README.md"
done_testing
