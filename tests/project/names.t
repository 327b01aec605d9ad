#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names in C: no two things have one name if a reader, a linker or an #include could confuse them,
# each public function is called by another file, and names have American spelling. Each rule is
# checked on the tree and the build, and then on a copy that breaks it.
. "${0%/*}/../lib/tap.sh"

# Several objects define these: each program has a main, each plug-in bench_backend, each preloaded
# library an allocator, and a file or its stand-in is compiled: db_pq, and the decoders of pictures.
shared_names='main bench_backend db_pq picture_jpeg_decode picture_png_decode aligned_alloc calloc free malloc memalign posix_memalign
	pvalloc realloc reallocarray valloc'
# Each backend defines what its sessions and models are.
shared_tags='backend_session backend_model'

# same_externals OBJECTS SOURCES: a line for each name that two objects define. Objects mirror the
# tree; one whose source is gone is left over from an earlier build.
same_externals() {
	(cd "$1" && find . -name '*.o') | while read -r object; do
		[ ! -e "$2/${object%.o}.c" ] || echo "$object"
	done | (cd "$1" && xargs nm -A -g --defined-only) | awk -v shared="$shared_names" '
		BEGIN {
			n = split(shared, name)
			for (i = 1; i <= n; i++)
				may[name[i]] = 1
		}
		{
			# Weak symbols are meant to be shared; compilers and sanitizers add names with "__".
			if (NF < 3 || $(NF - 1) ~ /^[vVwW]$/ || $NF in may || $NF ~ /^__/)
				next
			file = $1
			sub(/:[^:]*$/, "", file)
			sub(/^\.\//, "", file)
			if ($NF in home)
				print $NF ": in " home[$NF] " and in " file
			home[$NF] = file
		}'
}

sources() {
	find lib tools backends include -name '*.[ch]' 2>/dev/null | sort
}

# same_tags: a line for each struct, union or enum that is defined in two files, if a header has it
same_tags() {
	# shellcheck disable=SC2046
	awk -v shared="$shared_tags" '
		BEGIN {
			n = split(shared, name)
			for (i = 1; i <= n; i++)
				may[name[i]] = 1
		}
		match($0, /^[ \t]*(typedef |static |extern |const )*(struct|union|enum) [A-Za-z_0-9]+( *\{|;)/) {
			tag = substr($0, RSTART, RLENGTH)
			opaque = tag ~ /;$/
			sub(/( *\{|;)$/, "", tag)
			sub(/.* /, "", tag)
			if (tag in may)
				next
			if (FILENAME ~ /\.h$/)
				public[tag] = 1
			if (!opaque && homes[tag] " " !~ " " FILENAME " ") {
				homes[tag] = homes[tag] " " FILENAME
				count[tag]++
			}
		}
		END {
			for (tag in public)
				if (count[tag] > 1)
					print tag ": defined in" homes[tag]
		}' $(sources)
}

# hiding: a line for each static function with the name of a function of libc or libm
hiding() {
	# shellcheck disable=SC2046
	awk '
		FNR == NR { libc[$1] = 1; next }
		/^static / && match($0, /[A-Za-z_][A-Za-z_0-9]*\(/) {
			name = substr($0, RSTART, RLENGTH - 1)
			if (name in libc)
				print FILENAME ": static " name "()"
		}' "$T/libc" $(sources)
}

# uncalled: prints a line for each function in a header of lib or tools that no other file calls. Calls
# from a unit test do not count, unless the function's own file also calls it.
uncalled() {
	# shellcheck disable=SC2046
	awk '
	# The line without comments and strings
	function code(line,   out, end) {
		out = ""
		while (line != "") {
			if (comment) {
				end = index(line, "*/")
				comment = !end
				line = end ? substr(line, end + 2) : ""
			} else if (line ~ /["\047\/]/ &&
			    match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047/)) {
				out = out substr(line, 1, RSTART - 1) " "
				comment = substr(line, RSTART, 2) == "/*"
				line = substr(line, RSTART, 2) == "//" ? "" : substr(line, RSTART + RLENGTH)
			} else {
				out = out line
				line = ""
			}
		}
		return out
	}
	FNR == 1 {
		comment = 0
		header = FILENAME ~ /\.h$/
		public = header && FILENAME ~ /^(lib|tools)\//
		unit = FILENAME ~ /_test\.c$/
		split("", seen)
	}
	{
		line = code($0)
		if (line !~ /[A-Za-z_]/)
			next
		first = ""
		if (line ~ /^[a-z]/ && line !~ /^(static|typedef)/ && line !~ /\( *\*/ &&
		    match(line, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
			first = substr(line, RSTART, RLENGTH - 1)
			if (public)
				prototype[first] = FILENAME
			else if (!header && line !~ /;[ \t]*$/)
				home[first] = FILENAME
		}
		if (header && line !~ /^(\t|#define|static)/)
			next
		while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
			word = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (word == first)
				first = ""
			else if (!(word in seen)) {
				seen[word] = 1
				users[word] = users[word] " " FILENAME
				if (unit)
					tried[word] = 1
			}
		}
	}
	END {
		for (name in prototype) {
			n = split(users[name], file, " ")
			own = out = 0
			for (i = 1; i <= n; i++)
				if (file[i] == home[name])
					own = 1
				else if (file[i] !~ /_test\.c$/)
					out = 1
			if (!out && !(own && name in tried))
				print prototype[name] ": " name "() has no caller outside its file"
		}
	}' $(sources) $(find tests -name '*.[ch]' | sort)
}

# british: a line for each name in British spelling, except those of metrics and of a key of model lists
british() {
	# shellcheck disable=SC2046
	grep -noiE '[a-z0-9_]*(colour|neighbour|behaviour|(summar|normal|optim|util|initial|recogn)is(e|ing|ation))[a-z0-9_]*' \
		$(sources) | grep -viE ':(metric_)?(cpu|gpu)_utilisation$|:renormalise$'
}

cd "$ROOT" || exit 1
nm -D --defined-only "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libm.so.6)" |
	awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' >"$T/libc"
like "$(grep -cx -e read -e write -e sin "$T/libc")" '^3$' "the functions of libc and libm are listed"
is "$(same_externals "$BUILD/obj" "$ROOT")" '' "no two objects define the same external name"
is "$(same_tags)" '' "no header defines the tag of another file"
is "$(hiding)" '' "no static function hides one of libc or libm"
is "$(uncalled)" '' "each public function has a caller outside its file"
is "$(british)" '' "names have American spelling"

# breaks FILE LINE: a copy of the sources in which the file ends with the line
breaks() {
	rm -rf "$T/tree"
	mkdir "$T/tree"
	cp -R "$ROOT/lib" "$ROOT/tools" "$T/tree/"
	(cd "$ROOT" && find tests -name '*_test.c' -exec cp --parents {} "$T/tree" \;)
	cd "$T/tree" || exit 1
	file=$(find lib tools -name "$1")
	printf '%s\n' "$2" >>"$file"
}

for file in one room/two stale; do
	mkdir -p "$T/objects/room" "$T/sources/room"
	echo 'int names_twice(void); int names_twice(void) { return 0; } int main(void) { return 0; }' \
		>"$T/sources/$file.c"
	gcc -c -o "$T/objects/$file.o" "$T/sources/$file.c"
done
rm "$T/sources/stale.c"
is "$(same_externals "$T/objects" "$T/sources" | sort -u | sed 's/in .*/in two objects/')" \
	'names_twice: in two objects' "a function that two objects define is found, main and left-over objects are not"
breaks units.c 'struct row {'
like "$(same_tags)" '^row: defined in lib/.*record\.h lib/.*units\.c$' \
	"a struct of a .c with the tag of a header's is found"
breaks units.h 'struct row {'
like "$(same_tags)" '^row: defined in .*units\.h' "a struct that two headers define is found"
breaks units.h 'struct names_opaque;'
printf '%s\n' 'struct names_opaque {' | tee -a "$(find lib -name units.c)" >>"$(find lib -name shell_words.c)"
like "$(same_tags)" '^names_opaque: defined in .*words\.c .*units\.c$' \
	"a second definition of an opaque struct is found"
breaks units.c 'static const char *read(int fd)'
like "$(hiding)" '^lib/.*units\.c: static read\(\)$' "a static function named read is found"
breaks units.h 'int units_forgotten(void); /* units_forgotten() */'
like "$(uncalled)" '^lib/.*units\.h: units_forgotten\(\) has no caller' \
	"a public function that nothing calls is found"
breaks units.c 'static int units_colour, summarise_units(void);'
like "$(british | tr '\n' ' ')" '^lib/.*units\.c:[0-9]+:units_colour lib/.*units\.c:[0-9]+:summarise_units $' \
	"names in British spelling are found"
printf '%s\n' 'int units_forgotten(void)' '{' '}' >>"$(find lib -name units.c)"
printf '%s\n' 'int main(void)' '{' '	return units_forgotten();' '}' >tools/caller.c
unlike "$(uncalled)" 'units_forgotten' "a function with a caller in another file is not reported"
done_testing
