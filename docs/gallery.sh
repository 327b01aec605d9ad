#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the gallery to a folder: gallery.md, and gallery/ with its plots, from
# gallery.txt and the streams in tests/fixtures/data/gallery.
#     PATH=$PWD/build/bin:$PATH sh docs/gallery.sh FOLDER
set -e

here=$(cd "${0%/*}" && pwd)
mkdir -p "$1/gallery"
out=$(cd "$1" && pwd)
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cp "$here"/../tests/fixtures/data/gallery/*.csv "$T"
cd "$T"
export LC_ALL=C.UTF-8
unset BENCH_SHARE

# code LANGUAGE: prints standard input as a block of code
code() {
	echo "\`\`\`$1"
	cat
	printf '```\n\n'
}

# lines: prints the list with continued lines joined
lines() { sed -e ':a' -e '/\\$/{N;s/\\\n[[:space:]]*//;ba' -e '}' -e '/^#/d' "$here/gallery.txt"; }
# folded COMMAND: prints a command on lines of at most 88 columns
folded() { printf '%s\n' "$1" | fold -s -w 88 | sed -e '$!s/ *$/ \\/' -e '2,$s/^/    /'; }

lines >list
{
	cat <<'PAGE'
# Gallery

The plots of `bench-plot`, each with the command that draws it. The streams are recordings of
real runs, in [tests/fixtures/data/gallery](../tests/fixtures/data/gallery). The commands that made
them are at the end. `make gallery` writes this page from [gallery.txt](gallery.txt).

PAGE
	printf 'Drawn by %s.\n\n' "$(gnuplot --version)"
	while read -r key rest; do
		case $key in
		picture)
			file=${rest%% *} title=${rest#* }
			printf '## %s\n\n' "$title"
			words=
			;;
		word)
			printf '%s\n' "$rest"
			words=yes
			;;
		draw)
			[ -z "$words" ] || echo
			if [ "$file" = - ]; then
				sh -c "$rest" | code text
			else
				sh -c "$rest"
				mv "$file" "$out/gallery/$file"
				printf '![%s](gallery/%s)\n\n' "$title" "$file"
			fi
			folded "$rest" | code sh
			;;
		esac
	done <list
	printf '## The streams\n\n'
	cat <<'PAGE'
[record.sh](../tests/fixtures/data/gallery/record.sh) runs these commands on files of random numbers
and words, and keeps the rows of the metrics that are drawn.

PAGE
	while read -r key name rest; do
		[ "$key" != stream ] || folded "$name: $rest"
	done <list | code text
} >page.md
sed -e '$d' page.md >"$out/gallery.md"
