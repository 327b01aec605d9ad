#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The prose of the project uses none of the phrases of tests/project/phrases.tsv: manual pages, Markdown
# files, comments, messages, the help of programs, shared files, and the descriptions of tests.
. "${0%/*}/../lib/tap.sh"

table=$ROOT/tests/project/phrases.tsv
phrases() { perl "$ROOT/tests/lib/english.pl" "$table" "$@"; }

skip_unless perl "the prose of the project uses no phrase of the table" || done_testing

# The search itself.
cat >sample.1 <<'END'
.Sh DESCRIPTION
The rows behind
the first are printed
so
many times, and
.Fl behind
is a name.
.Bd -literal
echo behind
.Ed
.Dl echo behind
What is this?
What is kept is
printed.
END
is "$(phrases . sample.1)" "sample.1:2: 'behind': write after
sample.1:4: 'so many': write N, or how many
sample.1:13: 'What is kept is printed.': write a noun" \
	'the search finds phrases in the text of a manual page, and none in its displays'
cat >sample.c <<'END'
/* Tells the
 * loader, which is told. */
int f(const char *name)
{
	/* The colour of
	 *
	 * grey. */
	warn("this goes "
	     "on for %s", name);
	return g("behind", 'a', "a 'behind' of", "\"behind us\"");
}
END
is "$(phrases . sample.c)" "sample.c:2: 'told': write reports, prints, shows or distinguishes
sample.c:5: 'colour': write -or
sample.c:7: 'grey': write gray
sample.c:8: 'goes on': write continues
sample.c:10: 'behind': write after" 'the search finds phrases in comments and messages of C'
cat >sample.md <<'END'
# Told
- The `colour` of
  [a page](behind.md), too.
- The colour too.

```sh
echo so many
```
END
is "$(phrases . sample.md)" "sample.md:1: 'Told': write reports, prints, shows or distinguishes
sample.md:3: ', too': write also
sample.md:4: 'colour': write -or" 'the search finds phrases in the text of a Markdown file, and none in its code'
cat >sample.t <<'END'
# It stands.
is "$(echo behind)" '' "a name behind us"
ok 'and so does this' \
	true
status 2 'nor does this' false
END
is "$(phrases . sample.t)" "sample.t:1: 'stands': write is, or are
sample.t:2: 'behind': write after
sample.t:3: 'and so does': write also, or neither
sample.t:5: 'nor does': write also, or neither" 'the search finds phrases in the comments and descriptions of tests'
printf 'one, too many\nenergy_modelled and cpu_utilisation\nmodelled utilisation\n' >sample.csv
is "$(phrases . sample.csv)" "sample.csv:3: 'modelled': write a single l
sample.csv:3: 'utilisation': write -ize" 'the search accepts exceptions and names of columns'

(cd "$ROOT" && find -- Makefile *.md backends docs include lib make man share tests tools -type f \
	\( -name '*.[1-9]' -o -name '*.[ch]' -o -name '*.md' -o -name '*.t' -o -name '*.sh' -o -name '*.sql' -o -name '*.mk' -o -name Makefile \
	-o -path 'share/*' \) ! -path 'tests/fixtures/*' ! -path "tests/project/english.t" ! -name '*.svg') | sort >files
like "$(wc -l <files)" '[0-9]{3}' 'the search covers the files of the project'
# shellcheck disable=SC2046 # names of files have no blanks
phrases "$ROOT" $(cat files) >found
# part NAME ERE: files whose names match are free of the phrases
part() {
	is "$(grep -E "$2" found)" '' "$1 use no phrase of tests/project/phrases.tsv"
	grep -v -E "$2" found >rest
	mv rest found
}
part 'manual pages' '^man/'
part 'Markdown files' '^[^:]*\.md:'
part 'headers' '^[^:]*\.h:'
part 'tests' '^tests/'
part 'shared files' '^share/'
part 'messages, help and comments in C' '.'
done_testing
