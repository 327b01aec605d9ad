#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands in README.md work when they are pasted in order, and files and make targets that
# Markdown files name exist. The rule for README.md: a reader can run each block marked "sh", and each
# cell of a table that begins with a command in backquotes. Indented blocks are for building and
# installing; only their make targets are checked.
# slow
. "${0%/*}/../lib/tap.sh"

# commands FILE: writes each block marked "sh" and each cell with a command of ours to a file, in order
commands() {
	awk '
		function begin() { file = sprintf("command%02d", ++n) }
		/^```sh$/ { begin(); block = 1; next }
		/^```/ { block = 0; next }
		block { print >file; next }
		/^\|/ {
			gsub(/\\\|/, "\1")
			cells = split($0, cell, "|")
			for (i = 1; i <= cells; i++)
				if (match(cell[i], /^ *`bench-[^`]*`/)) {
					line = substr(cell[i], RSTART, RLENGTH)
					gsub(/^ *`|`$/, "", line)
					gsub("\1", "|", line)
					begin()
					print line >file
				}
		}' "$1"
}
# works FILE: what is wrong with its end, if anything. Status 1 is an answer, such as "worse".
works() {
	timeout 100 sh "$1" >out 2>err </dev/null
	got=$?
	[ $got -le 1 ] || { echo "status $got" && cat err; }
}
# lacks WORD: whether the command does without it
lacks() { ! grep -q -e "$1" "$command"; }

printf '%s\n' '```sh' 'true' 'exit 3' '```' '```console' 'exit 4' '```' '    exit 5' '| a | b |' '|---|---|' \
	'| one | `bench-none \| cat` |' '| `bench-none -c` | [bench-x](y) |' >sample.md
commands sample.md
is "$(cat command01):$(cat command02):$(cat command03):$(echo command*)" \
	'true
exit 3:bench-none | cat:bench-none -c:command01 command02 command03' \
	'the test finds blocks marked sh and commands in tables'
is "$(works command01)" 'status 3' 'the test fails for a command that fails'
rm command*

mkdir page && cd page || exit
commands "$ROOT/README.md"
head -c 400000 /usr/bin/perl >part
like "$(find . -name 'command*' | wc -l)" '^[1-9][0-9]$' 'README.md has commands to run'
for command in command[0-9]*; do
	[ -e "$command" ] || continue
	number=${command#command}
	name="command ${number#0} of README.md ends as it should: $(head -n 1 "$command" | tr '#' ' ')"
	lacks bench-prof || skip_unless sampling "$name" || continue
	lacks bench-plot || skip_unless gnuplot "$name" || continue
	# A tenth of the file is compressed as well, except where a profile needs samples.
	! lacks bench-prof || sed -i "s|/usr/bin/perl|$T/page/part|g" "$command"
	is "$(works "$command")" '' "$name"
done
cd ..

# markdown: the Markdown files whose readers start at the root or follow a link from there
markdown() { (cd "$1" && find . -name '*.md' ! -path './build*' ! -path './.*/*' | sed 's|^\./||' | sort); }
# links FILE: the targets of a Markdown file's links, without those to other sites
links() {
	grep -v '^    ' "$1" | grep -o '\](\([^)]*\))' | sed 's/^](//; s/)$//; s/#.*//; s/ .*//' |
		grep -v -e '^$' -e '^[a-z]*:'
}
# dangling ROOT FILE: a line for each link of a Markdown file that leads nowhere
dangling() {
	links "$1/$2" | while read -r target; do
		(cd "$1/$(dirname "$2")" && [ -e "$target" ]) || echo "$2: $target"
	done
}
# unknown_paths ROOT FILE: a line for each path of the tree between backquotes that does not exist. In
# a path, words in capitals are placeholders.
unknown_paths() {
	grep -o '`[^`]*`' "$1/$2" | tr -d '`' | tr ' ' '\n' | sed 's/[.,:;]$//' |
		grep -E '^(\.ci|backends|docs|include|lib|make|man|share|tests|tools)/[^{$]*$' | sort -u |
		while read -r path; do
			glob=$(echo "$path" | sed -E '/README/!s/[A-Z]{3,}/*/g')
			# shellcheck disable=SC2086 # a pattern
			(cd "$1" && ls -d $glob) >/dev/null 2>&1 || echo "$2: $path"
		done
}
mkdir -p copy/docs copy/lib/x
cat >copy/docs/a.md <<'END'
[a](b.md), [c](../lib/x), ![d](no.svg), [e](https://e.org/f) and [g](#h): `lib/x`, `lib/NAME` and `lib/y`.
END
: >copy/docs/b.md
is "$(dangling copy docs/a.md)" 'docs/a.md: no.svg' 'the test finds a link that leads nowhere'
is "$(unknown_paths copy docs/a.md)" 'docs/a.md: lib/y' 'the test finds a path that does not exist'

for file in $(markdown "$ROOT"); do
	dangling "$ROOT" "$file"
done >found
is "$(cat found)" '' 'every link of a Markdown file leads to a file'
for file in README.md HACKING.md CONTRIBUTING.md SECURITY.md; do
	[ ! -e "$ROOT/$file" ] || unknown_paths "$ROOT" "$file"
done >found
is "$(cat found)" '' 'every path that README, HACKING, CONTRIBUTING or SECURITY names exists'

# unlisted ROOT: a line for each module of a room of lib/ that the room's README does not name, by its name
# or by a pattern
unlisted() {
	(cd "$1" && for page in lib/*/README.md; do
		tr -cs 'a-z0-9_*' '\n' <"$page" | grep '[a-z]' | sort -u >"$T/words"
		for file in "${page%README.md}"*.c; do
			module=${file##*/}
			while read -r word; do
				# shellcheck disable=SC2254 # a pattern
				case ${module%.c} in $word) continue 2 ;; esac
			done <"$T/words"
			echo "$page: ${module%.c}"
		done
	done)
}
mkdir -p copy/lib/room && : >copy/lib/room/one.c && : >copy/lib/room/two_x.c && : >copy/lib/room/three.c
printf '%s\n' 'Modules: `one`, `two_*`.' >copy/lib/room/README.md
is "$(unlisted copy)" 'lib/room/README.md: three' 'the test finds a module that the README of its room does not name'
is "$(unlisted "$ROOT")" '' 'the README of each room that has one names all modules of the room'

# targets FILE: the names of make targets in a Markdown file, in backquotes or indented blocks
targets() {
	awk '/^    / { print; next } { while (match($0, /`[^`]*`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' \
		"$1" | sed 's/^ *sudo //; s/^ *//; s/#.*//' | sed -n 's/^make  *//p' | tr ' ' '\n' | grep -E '^[a-z][a-z-]*$' | sort -u
}
made=$(cat "$ROOT/Makefile" "$ROOT"/make/*.mk)
for file in README.md HACKING.md CONTRIBUTING.md; do
	[ -e "$ROOT/$file" ] || continue
	for target in $(targets "$ROOT/$file"); do
		printf '%s\n' "$made" | grep -Eq "^([a-z-]+ )*$target( [a-z-]+)*:" || echo "$file: make $target"
	done
done >found
is "$(cat found)" '' 'every make target that README, HACKING or CONTRIBUTING names exists'
done_testing
