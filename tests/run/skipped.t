#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Subjects that cannot be measured have skipped rows and the others are measured; --strict
# rejects them. The other programs read such rows.
. "${0%/*}/../lib/tap.sh"

run() { timeout 60 bench-run -e none -w 0 -r 2 --processes 1 --sample-time 10us "$@"; }
# ends FILE: bench and status of each row of wall, sorted
ends() { awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["metric"] == "wall" { print $at["bench"] "=" $at["status"] }' "$1" | sort | uniq | paste -sd' '; }
# cells COLUMN... <FILE: these of each row of wall
cells() { awk -F, -v names="$*" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
	$at["metric"] == "wall" { line = ""
		for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[name[i]]
		print line }'; }

printf 'echo hi\n' >plain
printf '#!%s/none\n' "$T" >orphan
printf '#!/bin/sh\n' >script
: >empty
chmod +x plain orphan script empty
status 1 'a command that cannot be started is skipped, and the status is that of a failure' \
	run -q -c ./script -c ./plain -c ./orphan -c ./empty -c no-such-program
cp .out many.csv
is "$(ends many.csv)" './empty=skipped ./orphan=skipped ./plain=skipped ./script=ok no-such-program=skipped' \
	'each command that cannot be started is one skipped row, and the others are measured'
is "$(grep -c ,wall, many.csv)" 6 'a skipped subject has one row'
is "$(wc -l <.err)" 4 'each skipped subject has one line on standard error, even with -q'
like "$(cat .err)" '^bench-run: ./plain: skipped: ./plain: .* no first line such as #!/bin/sh' 'a script without #! is reported with the reason'
like "$(cat .err)" "^bench-run: ./orphan: skipped: .*interpreter $T/none: No such file" 'a script whose interpreter is missing is reported'
status 0 'bench-run -i exits with 0 although a subject is skipped' run -q -i -c true -c ./plain
status 2 'bench-run -i exits with 2 if no subject can be measured' run -i -c ./plain -c no-such-program
is "$(wc -c <.out),$(wc -l <.err)" 0,2 'bench-run writes no rows and reports each reason if no subject can be measured'
status 2 '--strict measures nothing if a subject cannot be measured' \
	run --strict -c 'touch ran' -c ./plain -c no-such-program -f none.so
is "$(wc -c <.out),$(wc -l <.err),$(test -e ran || echo none)" 0,4,none '--strict reports all reasons at once'
like "$(cat .err)" '^bench-run: --strict: 3 of 4 subjects cannot be measured$' '--strict reports how many subjects cannot be measured'
mkdir -p root/proc/sys/fs/binfmt_misc
printf 'enabled\ninterpreter /bin/x\nflags: \nextension .foo\n' >root/proc/sys/fs/binfmt_misc/foo
printf 'disabled\ninterpreter /bin/x\nflags: \nextension .bar\n' >root/proc/sys/fs/binfmt_misc/bar
printf 'enabled\ninterpreter /bin/x\nflags: \noffset 1\nmagic 0203ff\nmask ffff00\n' >root/proc/sys/fs/binfmt_misc/magic
mkdir misc
for file in run_a.foo run_b.bar run_c; do printf 'code\n' >misc/$file; done
printf '\001\002\003\004' >misc/run_d
chmod +x misc/*
is "$(BENCH_ROOT=$T/root bench-list --csv misc | cut -d, -f2,6 | sed 's/the kernel.*/not/' | paste -sd' ')" \
	'bench,status run_a.foo,ok run_b.bar,not run_c,not run_d,ok' 'formats of binfmt_misc can be started'

# Subjects of bench-list can be measured, or have a reason.
mkdir directory
cp plain directory/run_plain && cp script directory/run_script
bench-list --csv directory >directory.csv
like "$(grep run_plain directory.csv)" 'run_plain,,,the kernel cannot start it: ' 'bench-list reports why a script without #! cannot be started'
status 1 'a directory with a script without #! is measured' run -q -I directory.csv
is "$(ends .out)" 'run_plain=skipped run_script=ok' 'a script without #! in a directory is a skipped row'

# Functions: missing objects and symbols, and an object that disappears.
gcc -x c -shared -fPIC -o fine.so - <<'END'
void benchmark_fine(void) { }
void benchmark_also(void) { }
END
status 1 'a symbol that is missing is skipped' run -q -f fine.so:benchmark_none -f fine.so:fine -f none.so -f none.so:run_that
is "$(ends .out)" 'fine=ok none.so=skipped none=skipped that=skipped' 'functions and objects that are missing are skipped rows'
is "$(cells bench object <.out | sort -u | paste -sd';')" 'fine fine.so;none fine.so;none.so none.so;that none.so' 'a missing function has the columns of a function'
printf 'kind,bench,subject,args\nfunction,fine,%s,\nfunction,gone,%s,\ncommand,lost,./none {n},n=1..2\nkernel,odd,odd,\n' \
	./fine.so:benchmark_fine ./fine.so:benchmark_gone >table.csv
status 1 'subjects of a table that are missing are skipped' run -q -I table.csv
is "$(ends .out)" 'fine=ok gone=skipped lost=skipped odd=skipped' 'each subject of a table that is missing is a skipped row'
cp fine.so goes.so
status 1 'an object that is deleted during the run is skipped' run -q --setup 'rm -f goes.so' -f goes.so:fine -f fine.so:also
is "$(ends .out),$(grep -c ',goes.so.*skipped' .out)" 'also=ok fine=skipped,1' 'a function that cannot be loaded is one skipped row'
like "$(cat .err)" 'fine: skipped: .*goes\.so' 'the reason why a function cannot be loaded is reported'
cp script goes
status 1 'a command that is deleted during the run is skipped' run -q --setup 'rm -f goes' -c ./goes -c true
is "$(ends .out)" './goes=skipped true=ok' 'a command that is deleted during the run is a skipped row'
cp script goes
status 2 '--strict ends the run when a command is deleted' run -q --strict --setup 'rm -f goes' -c ./goes -c true
echo x >in1
status 1 'a subject without its input is skipped' run -q --stdin 'in{n}' -P n=1,2 -c 'true {n}'
cp script goes
status 2 'bench-run exits with 2 if its only command is deleted during the run' run -q --setup 'rm -f goes' -c ./goes
is "$(ends .out)" './goes=skipped' 'bench-run writes a skipped row if its only command is deleted during the run'

# A program that a hook creates, and parameters of --setup alone.
status 0 'a program that --setup creates is measured' run -q --setup 'cp script made-{n}' -P n=1,2 -c './made-{n}'
is "$(ends .out)" './made-{n}=ok' 'programs that --setup creates have only successful samples'
status 2 'a program that --setup does not create is not measured' run -q --setup true -c ./made-never
status 2 'a parameter that only --setup has is refused' run -q --setup 'cp script made-{n}' -P n=1,2 -c ./made-1
like "$(cat .err)" '^bench-run: -P n: only --setup has \{n\}, but each --setup runs before' \
	'the message about a parameter that only --setup has says why'
status 2 'equal commands with different --setup are refused' run -q --setup 'echo a' --setup 'echo b' -n a -n b -c ./script -c ./script
like "$(cat .err)" "^bench-run: 'a' and 'b' are the same command with different --setup, but each --setup runs before" \
	'the message about equal commands with different --setup names both'
status 2 'equal functions with different --setup are refused' run -q --setup 'echo a' --setup 'echo b' -n a -n b -f fine.so:fine -f fine.so:fine
like "$(cat .err)" "^bench-run: 'a' and 'b' are the same function with different --setup, .* own object" \
	'the message about equal functions with different --setup names both'
status 2 'a parameter that no function takes, and only --setup has, is refused' run -q --setup 'echo {n}' -P n=1,2 -f fine.so:fine
like "$(cat .err)" '^bench-run: -P n: only --setup has \{n\}, .*: use \{n\} in --env too' \
	'the message about a parameter that a function does not take names --env'
status 0 'functions with different --setup and --env are measured' run -q --setup 'true {n}' --env 'n={n}' -P n=1,2 -f fine.so:fine
status 0 'different functions with different --setup are measured' run -q --setup 'true a' --setup 'true b' -f fine.so:fine -f fine.so:also
# shellcheck disable=SC2086
status 2 'equal kernels with different --setup are refused' run -q --setup 'echo a' --setup 'echo b' -n a -n b -k gemm -k gemm -b ref -P m=4 -P n=4 -P k=4
status 0 'equal commands with one --setup are measured' run -q --setup true -n a -n b -c ./script -c ./script
status 0 'a parameter that --prepare has too is accepted' run -q --setup 'true {n}' --prepare 'true {n}' -P n=1,2 -c ./made-1

# Kernels and models: names, backends, devices.
small="-P m=4 -P n=4 -P k=4"
# shellcheck disable=SC2086
status 1 'a backend that is missing is skipped' run -q -k gemm,odd -b ref,tpu $small -P dtype=float64
is "$(cells bench backend dtype status <.out | sort -u | paste -sd';')" \
	'gemm ref float64 ok;gemm tpu float64 skipped;odd   skipped' 'a list on a missing backend, and a missing list, are skipped rows'
# shellcheck disable=SC2086
status 1 'a device that is missing is skipped' run -q -k gemm -b ref -P device=0,7,0+1 $small
is "$(cells device status <.out | sort -u | paste -sd';')" '0+1 skipped;7 skipped;reference ok' 'each device that is missing is a skipped row'
# shellcheck disable=SC2086
status 1 'an impossible shape is skipped' run -q -M vit_b_16 -b ref -P layers=1 -P heads=7,12 -P image=32
is "$(cells heads status <.out | sort -u | paste -sd';')" '12 ok;7 skipped' 'an impossible shape is a skipped row'
# shellcheck disable=SC2086
status 2 'bench-run exits with 2 if all subjects are unsupported' run -q -k gemm -b ref $small -P dtype=float16
is "$(cells bench status <.out)" 'gemm unsupported' 'bench-run writes the rows of subjects that are all unsupported'
like "$(cat .err)" '^bench-run: gemm: unsupported: .*float16' 'bench-run -q reports why all subjects are unsupported'
status 2 'bench-run rejects an unknown element type' run -q -k gemm -b ref -P dtype=float7,float64
status 2 'bench-run rejects a parameter that no list has, even if a list is missing' run -q -k gemm,odd -b ref -P x=1

# A build without the GPU plug-ins.
mkdir -p built/bin built/lib/benchutils
cp "$BUILD/bin/bench-run" built/bin/
cp -r "$BUILD/libexec" "$BUILD/share" built/ 2>/dev/null
for name in rocm hip cuda; do
	built/bin/bench-run -k gemm -b $name 2>.err
	like "$(cat .err)" "^bench-run: backend '$name' is unavailable: this build has no plug-in '(hip|cuda)' \\(run make again\\)" \
		"-b $name in a build without its plug-in explains how to build it"
done

# Skipped rows in the other programs.
run -q -n a -c true -n b -c true >old.csv
run -q -n a -c true -n b -c ./plain >new.csv 2>/dev/null
is "$(bench-stat -g bench,metric -s n,failed new.csv | grep b,wall)" b,wall,ns,0,1 'bench-stat counts a skipped subject as failed'
status 2 'bench-compare exits with 2 if one side skipped a subject' bench-compare old.csv new.csv
like "$(cat .err)" "bench=b: no successful sample in 'new.csv'" 'bench-compare names the subject that one side lacks'
# shellcheck disable=SC2086
run -q -k gemm -b tpu,ref,webnn $small >sides.csv 2>/dev/null
like "$(bench-compare -b backend --allow-missing sides.csv 2>&1)" "old is backend 'ref'" 'bench-compare does not use a side with only skipped rows as the reference'
ok 'bench-store keeps skipped rows' bench-store -D s.db add -q many.csv
is "$(bench-store -D s.db export | ends /dev/stdin)" "$(ends many.csv)" 'bench-store exports skipped rows'
ok 'bench-convert accepts skipped rows' sh -c 'bench-convert -t json many.csv | bench-convert >back.csv'
is "$(ends back.csv)" "$(ends many.csv)" 'skipped rows survive conversion to JSON and back'
ok 'bench-report draws a page of a run with skipped rows' bench-report -o page.html many.csv
if skip_unless gnuplot 'plots of skipped rows'; then
	# shellcheck disable=SC2086
	run -q -P m=4,8 -P n=4 -P k=4 -k gemm,odd -b ref,tpu >line.csv 2>/dev/null
	ok 'a line is drawn even if a skipped subject has no x' timeout 20 bench-plot line -x m -o line.svg line.csv
	ok 'bars are drawn as text even if subjects were skipped' timeout 20 sh -c 'bench-plot bar line.csv </dev/null >text'
	like "$(cat text)" 'n = 2' 'the bars of the measured subjects are drawn'
fi
done_testing
