#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages, completions and the Makefile agree with the programs and the tree; shellcheck finds
# no fault in the scripts.
# slow
. "${0%/*}/../lib/tap.sh"

export LC_ALL=C.UTF-8
tools=$(cd "$BUILD/bin" && ls)

# Our pages are not in the machine's index of manuals, so lint cannot follow their names. In one pipe, the messages
# about the index, which are on standard error, would break lines of standard output, which mandoc buffers.
lint() {
	(cd "$ROOT/man" && mandoc -Tlint -Wstyle ./*.[1-9]) >linted 2>lint_index
	cat linted lint_index | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db'
}
if skip_unless mandoc "mandoc finds no fault in the manual"; then
	is "$(lint)" '' "mandoc finds no fault in the manual"
fi
if skip_unless groff "groff reports nothing about the manual"; then
	is "$(cd "$ROOT/man" && groff -mdoc -Tutf8 -ww ./*.[1-9] 2>&1 >/dev/null)" '' "groff reports nothing about the manual"
fi
if skip_unless mandoc "the manual fits into 80 columns"; then
	is "$(cd "$ROOT/man" && for page in *.[1-9]; do
		mandoc -Tascii -O width=78 "$page" | sed 's/.\x08//g' |
			awk -v page="$page" 'length > 80 { print page ": " $0 }'
	done)" '' "the manual fits into 80 columns"
fi

grep -o '^\.Xr bench[^ ]* [1-9]' "$ROOT"/man/* | sed 's/.*Xr //; s/ /./' | sort -u |
	while read -r page; do
		[ -e "$ROOT/man/$page" ] || echo "$page"
	done >dangling
is "$(cat dangling)" '' "every page of ours that a manual page refers to exists"

# headings_missing PAGE...: prints the references whose section does not exist: .Sx refers to a section of the same page,
# and .Dq, "in" and the name of a page of ours to a section of that page. A reference in another form, which could not be
# checked, is also printed.
headings_missing() {
	awk 'function title(text) { gsub(/"/, "", text); sub(/( [.,;:)])+$/, "", text); return text }
		function refer(page, text) { at[++n] = page; sought[n] = text }
		{ page = FILENAME; sub(/.*\//, "", page) }
		/^\.S[hs] / { heading[page, title(substr($0, 5))] }
		/^\.Sx / { refer(page, title(substr($0, 5))) }
		/^\.Dq / { if (before != "and" || FNR != line + 2) quoted = ""; quoted = quoted "\n" title(substr($0, 5)); line = FNR }
		/^\.Pq see [A-Z]+ in Xr bench/ || (/^\.Xr bench/ && before ~ /[Tt]he section [A-Z ]+ of$/) {
			printf "%s: not as .Dq: %s\n", page, /^\.Pq/ ? $0 : before " " $0
		}
		FNR == line + 2 && before ~ /^(in|of)$/ && /^\.Xr bench/ {
			count = split(substr(quoted, 2), titles, "\n")
			for (k = 1; k <= count; k++) refer($2 "." $3, titles[k])
		}
		{ before = $0 }
		END { for (k = 1; k <= n; k++) if (!((at[k], sought[k]) in heading)) print at[k] ": " sought[k] }' "$@"
}
is "$(headings_missing "$ROOT"/man/*)" '' "every section to which a manual page refers exists"
printf '%s\n' '.Sh EXIT STATUS' '.Sx EXIT STATUS ,' '.Sx EXIT' '.Dq quoted' '.Dq PLOTS' and '.Dq MAPS' in '.Xr bench-x 1 .' \
	'.Dq EXIT STATUS' in '.Xr bench-x 1 .' >bench-x.1
printf '%s\n' '.Pq see PLOTS in Xr bench-x 1 .' 'see the section MAPS of' '.Xr bench-x 1 .' >bench-y.1
is "$(headings_missing bench-y.1 | wc -l)" 2 "a reference in a form that cannot be checked is reported"
is "$(headings_missing bench-x.1)" 'bench-x.1: EXIT
bench-x.1: PLOTS
bench-x.1: MAPS' "a reference to a section that does not exist is reported"

# unlicensed: prints the sources without a license in their first two lines
unlicensed() {
	find "$@" -name '*.[ch]' -exec awk 'FNR == 1 { licensed = 0 } /SPDX-License-Identifier: / { licensed = 1 }
		FNR == 2 { if (!licensed) print FILENAME; nextfile }' {} +
}
is "$(cd "$ROOT" && unlicensed backends include lib share tools)" '' "every source names its license"
printf '%s\n' 'int x;' 'int y;' >unlicensed.c
is "$(unlicensed unlicensed.c)" unlicensed.c "a source without a license is reported"

# Sources are found by wildcard: files unknown to git would be built and installed unnoticed.
if git -C "$ROOT" rev-parse >/dev/null 2>&1; then
	is "$(git -C "$ROOT" ls-files --others --exclude-standard)" '' "no file in the tree is unknown to git"
fi
# made VARIABLE: the words of a variable of the Makefile
made() { make -s -C "$ROOT" BUILD="$BUILD" --eval "print-it: ; @printf '%s\\n' \$($1)" print-it | sort; }
files() { (cd "$ROOT/$1" && find . -type f -name "$2" | sed "s|^\./||" | sort); }
is "$(made MAN)" "$(files man '*')" "make installs every page of the manual"
is "$({ made SHARE && made EXAMPLES | sed 's|^|examples/|'; } | sort)" "$(files share '*')" "make installs every file of share"
is "$(made SCRIPTS)" "$(files tests '*.t' | sed 's|^|tests/|')" "make runs every script of the tests"
is "$(printf 'common\npage\n%s\n' "$(made EVIDENCE)" | sort)" "$(files tests/validation '*.sh' | sed 's/\.sh$//')" \
	"make evidence has every section"

# The root of the checkout is a fixed list: nothing that a run left there is kept.
if skip_unless "$ROOT/.git" "git tracks nothing at the root but the files and directories on the list"; then
	printf '%s\n' .ci .clang-format .git-blame-ignore-revs .gitignore CONTRIBUTING.md HACKING.md LICENSE LICENSES Makefile \
		NEWS.md README.md SECURITY.md backends docs include lib make man share tests tools |
		sort >listed_root
	git -C "$ROOT" ls-files | sed 's|/.*||' | sort -u >tracked_root
	is "$(comm -13 listed_root tracked_root)" '' \
		"git tracks nothing at the root but the files and directories on the list"
fi

# Some tests need something that not every machine has, or are not for every build.
sed -n 's/.*skip_unless \([A-Za-z0-9/._+-]*\) .*/\1/p' "$ROOT"/tests/*/*.t \
	"$ROOT/tests/lib/manual_page.sh" | sort -u |
	grep -v -x -e pmu -e unsanitized -e another-user -e cpu-quota -e memory-limit -e control-groups -e '-.*' -e '.*no-such-.*' >needs
# array NAME: the words of one of the lists of continuous integration
array() { sed -n "/^$1=($/,/^)$/s/^	//p" "$ROOT/.ci/run"; }
array needs >.required
is "$(array packages | sort | uniq -d)" '' \
	"continuous integration installs nothing twice"
is "$(sort .required | uniq -d)" '' "continuous integration requires no need twice"
is "$(sort -u .required | comm -23 needs -)" '' "continuous integration requires every need for which tests skip"

# Options of a program, such as "-r" and "--runs", and its verbs: according to the program, and
# according to its page.
told() {
	"$1" --list-options | awk -F '\t' '
		$1 == "verb" { print "verb " $2; next }
		{ if ($1 != "") print $1; print $2 }' | sort
}
written() {
	awk '/^\.Sh/ { section = $2 }
		section == "OPTIONS" && /^\.It Fl/ {
			for (i = 3; i <= NF; i++)
				if ($(i - 1) == "Fl") {
					sub(/^\\?-/, "-", $i)
					print "-" $i
				}
		}
		/^\.Sh (VERBS|KINDS)/ { section = "VERBS" }
		section == "VERBS" && /^\.It Cm/ { print "verb " $3 }' "$ROOT/man/$1.1" | sort
}
for tool in $tools; do
	is "$(written "$tool")" "$(told "$tool")" "the page of $tool has its options, and no others"
	like "$($tool --help)" "^usage: $tool " "$tool --help begins with its usage"
	like "$($tool --version)" "^$tool \(benchutils\) [0-9]" "$tool --version prints the name and the version"
done

# Warnings turned off: $ in single quotes, as for sh -c and awk, and functions called indirectly. Most
# scripts use tap.sh. The others are checked with its variables instead of its text, which halves the time.
if skip_unless shellcheck "shellcheck finds no fault in the scripts"; then
	mkdir -p stub/lib
	echo '# shellcheck shell=sh' >stub/lib/tap.sh
	grep -oE '[A-Za-z_]+=' "$ROOT/tests/lib/tap.sh" | sort -u | sed 's/.*/export &x/' >>stub/lib/tap.sh
	(cd "$ROOT" && find tests .ci share make -type f \( -name '*.t' -o -name '*.sh' -o -name run -o \
		-name '*.bash' \) -print0 | xargs -0 -n 8 -P "$(nproc)" \
		shellcheck -x -P "$T/stub/lib:SCRIPTDIR" -e SC2016,SC2317) >faults 2>&1
	is "$(cat faults)" '' "shellcheck finds no fault in the scripts"
fi

# completed WORD...: prints the completions of bash for the last word
completed() {
	bash -c '. "$ROOT/share/completions/benchutils.bash"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_benchutils "$1"
		echo "${COMPREPLY[*]}"' bash "$@"
}
is "$(completed bench-env --che)" --check "bash completes an option"
is "$(completed bench-run -r '')" '' "bash completes no value of an option that takes a number"
like "$(completed bench-run bench-sta)" '^bench-stat( bench-stat)*$' "bash completes the command"
is "$(completed bench-store ad)" add "bash completes a verb"
is "$(completed bench-store add e)" '' "bash completes no second verb of bench-store"
is "$(completed bench-run -k gemm_b)" gemm_batched "bash completes a kernel"
is "$(completed bench-run --model resnet50,vit_)" resnet50,vit_b_16 "bash completes the second model"
is "$(completed bench-list --export x.onnx -M resnet5)" resnet50 "bash completes the model of bench-list --export"
is "$(completed bench-run -b re)" ref "bash completes a backend"
is "$(completed bench-compare -b re)" '' "bash completes no columns after bench-compare -b without a file"
cat >names.csv <<'END'
run,kind,bench,level,sample,metric,unit,value
r,command,a,1,1,wall,ns,1
r,command,a,1,1,$(touch ran),ns,1
END
is "$(completed bench-compare names.csv -b b)" bench "bash completes a column of the file for bench-compare -b"
is "$(completed bench-stat names.csv -g bench,le)" bench,level "bash completes the second column of bench-stat -g"
is "$(completed bench-plot box names.csv --metric w)" wall "bash completes a metric of the file"
is "$(completed bench-stat names.csv --metric '$')" '\$\(touch\ ran\)' "bash quotes a metric with special characters"
is "$(ls ran 2>/dev/null)" '' "bash runs no command in the name of a metric"
is "$(completed bench-run --order r)" random "bash completes an order"
is "$(completed bench-run --order = r)" random "bash completes an order after an equals sign"
is "$(completed bench-run --order = | wc -w)" 3 "bash completes all orders after an equals sign"
is "$(completed bench-run -E ca)" cache "bash completes a set of events"
is "$(completed bench-stat -s outl)" outliers "bash completes a statistic"
is "$(completed bench-convert --to mark)" markdown "bash completes a format"
is "$(completed bench-report --theme d),$(completed bench-compare --adjust h)" dark,holm "bash completes a theme and a correction"
printf 'run,kind,bench,e\033[31m,sample,metric,unit,value\nr,command,a,1,1,wall,ns,1\n' >escape.csv
is "$(bench-stat --list-options group escape.csv | paste -sd,)" run,kind,bench "names with control characters are not completed"
if skip_unless fish "fish completes options and names"; then
	fishes() {
		fish -c "source '$ROOT/share/completions/benchutils.fish'; complete -C '$1'" | cut -f1
	}
	is "$(fishes 'bench-env --che')" --check "fish completes an option"
	is "$(fishes 'bench-run -k gemm_b')" gemm_batched "fish completes a kernel"
	is "$(fishes 'bench-run --model resnet50,vit_')" resnet50,vit_b_16 \
		"fish completes the second model"
	is "$(fishes 'bench-run -b re')" ref "fish completes a backend"
	is "$(fishes 'bench-stat names.csv -g bench,le')" bench,level "fish completes the second column of bench-stat -g"
	is "$(fishes 'bench-convert --to mark')" markdown "fish completes a format"
	is "$(fishes 'bench-convert --to=mark')" --to=markdown "fish completes a format after an equals sign"
	is "$(fishes 'bench-run --order ' | sort | paste -sd' ')" 'interleaved random sequential' \
		"fish completes no files for an option with names"
	is "$(fishes 'bench-run -f nam')" names.csv "fish completes files for an option without names"
	is "$(fishes 'bench-store ad')" add "fish completes a verb"
	is "$(fishes 'bench-store add nam')" names.csv "fish completes files after a verb"
	is "$(fishes 'bench-run -r 5 bench-sta')" bench-stat "fish completes the command"
fi
if skip_unless zsh "zsh completes options and names"; then
	zshes() {
		timeout 60 zsh -f "$ROOT/tests/project/complete.zsh" "$ROOT/share/completions" "$1"
	}
	is "$(zshes 'bench-env --che')" 'bench-env --check' "zsh completes an option"
	is "$(zshes 'bench-store ad')" 'bench-store add' "zsh completes a verb"
	is "$(zshes 'bench-run -k gemm_b')" 'bench-run -k gemm_batched' "zsh completes a kernel"
	is "$(zshes 'bench-run -b re')" 'bench-run -b ref' "zsh completes a backend"
	is "$(zshes 'bench-run --model resnet50,vit_')" 'bench-run --model resnet50,vit_b_16' "zsh completes the second model"
	is "$(zshes 'bench-run --model ./nam')" 'bench-run --model ./names.csv' "zsh completes the file of a model"
	is "$(zshes 'bench-run --order r')" 'bench-run --order random' "zsh completes an order"
	is "$(zshes 'bench-run --order=r')" 'bench-run --order=random' "zsh completes an order after an equals sign"
	is "$(zshes 'bench-stat names.csv -g bench,le')" 'bench-stat names.csv -g bench,level' \
		"zsh completes the second column of bench-stat -g"
	is "$(zshes 'bench-run -f nam')" 'bench-run -f names.csv' "zsh completes files for an option without names"
fi
for tool in $tools; do
	is "$(grep -l -w -e "$tool" "$ROOT"/share/completions/* | wc -l)" 3 "the completions of bash, zsh and fish name $tool"
done
for page in bench-load.7 bench-tutorial.7; do
	like "$(cat "$ROOT/man/$page")" 'docs/gallery\.md' "$page refers to the plot of coordinated omission"
done
like "$(cat "$ROOT/docs/gallery.md")" 'coordinated omission\]\(gallery/omission.svg\)' "the gallery has the plot to which the manual refers"
done_testing
