# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for shell tests: source it first. Programs of the build come first in PATH, and the test
# runs in an empty directory of its own, $T, which goes away at the end.
# shellcheck shell=sh

ROOT=$(cd "${0%/*}/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
PATH=$BUILD/bin:$PATH
T=$(mktemp -d "${TMPDIR:-/tmp}/benchutils.XXXXXX")
HOME=$T
XDG_DATA_HOME=$T/data
# Compiling for compute devices takes long, so all tests share the results.
XDG_CACHE_HOME=${BENCH_TEST_CACHE:-$BUILD/tests/cache}
unset BENCH_DB BENCH_ROOT BENCH_RUN_OPTS BENCH_SHARE COLUMNS LINES NO_COLOR XDG_CONFIG_HOME
# Engines are found only where a test calls use_engines.
unset BENCH_ONNXRUNTIME BENCH_OPENVINO VIRTUAL_ENV
VENV=$ROOT/build/venv
# AddressSanitizer fails on the thread-local memory of libraries that generate code at run time,
# such as oneDNN.
[ -z "${SANITIZED:-}" ] || ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0
[ -z "${SANITIZED:-}" ] || export ASAN_OPTIONS
# Tables on a pseudo-terminal are not paged.
BENCH_PAGER='cat'
TERM=xterm
export TERM ROOT BUILD PATH T HOME XDG_DATA_HOME XDG_CACHE_HOME BENCH_PAGER
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T" || exit 1
tests=0 failures=0

# unmarked [FILE]: prints a stream without end marks; see bench-csv(5)
unmarked() { grep -Ev ',rows,1,[0-9]+,ok,$' "$@"; }

# makes_sense DESCRIPTION: succeeds if the text can be a sentence that makes sense alone. The same rule is
# in tap.h.
makes_sense() {
	case $1 in
	[Aa]nd\ * | [Bb]ut\ * | [Ss]o\ * | [Nn]or\ * | [Oo]r\ * | [Ww]ith\ * | [Ww]ithout\ * | [Aa]lso\ * | \
		[Tt]oo\ * | [Ll]ikewise\ * | [Tt]hen\ *) return 1 ;;
	*[!\ ]\ *[!\ ]\ *[!\ ]*) return 0 ;;
	esac
	return 1
}

# result STATUS DESCRIPTION: writes one TAP line. A description that makes no sense alone fails.
result() {
	tests=$((tests + 1))
	if ! makes_sense "$2"; then
		failures=$((failures + 1))
		printf 'not ok %d - %s\n' $tests "$2"
		note 'the description is no sentence that makes sense alone (three words or more; not And, But, With ...)'
	elif [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' $tests "$2"
	else
		failures=$((failures + 1))
		printf 'not ok %d - %s\n' $tests "$2"
	fi
}

note() { printf '%s\n' "$*" | sed 's/^/# /'; }

# ok DESCRIPTION COMMAND [ARG...]: the command must succeed
ok() {
	what=$1
	shift
	"$@" >"$T/.out" 2>&1
	got=$?
	result $got "$what"
	[ $got -eq 0 ] || { note "status $got: $*"; sed 's/^/# /' "$T/.out"; }
}

# is GOT WANT DESCRIPTION: the two texts must be equal
is() {
	[ "$1" = "$2" ]
	got=$?
	result $got "$3"
	[ $got -eq 0 ] || { note "got:  $1"; note "want: $2"; }
}

# like TEXT ERE DESCRIPTION: a line of the text must match
like() {
	printf '%s\n' "$1" | grep -Eq -e "$2"
	got=$?
	result $got "$3"
	[ $got -eq 0 ] || { note "text:  $1"; note "wants: $2"; }
}

# unlike TEXT ERE DESCRIPTION: no line of the text may match
unlike() {
	! printf '%s\n' "$1" | grep -Eq -e "$2"
	got=$?
	result $got "$3"
	[ $got -eq 0 ] || { note "text:   $1"; note "has in: $2"; }
}

# status N DESCRIPTION COMMAND [ARG...]: the command must end with status N; its output is in
# $T/.out and $T/.err
status() {
	want=$1 what=$2
	shift 2
	"$@" >"$T/.out" 2>"$T/.err"
	got=$?
	[ $got -eq "$want" ]
	result $? "$what"
	[ $got -eq "$want" ] || { note "status $got, not $want: $*"; sed 's/^/# /' "$T/.err"; }
}

# wait_for COMMAND...: repeats the command until it succeeds, for ten seconds at most
wait_for() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 1
		sleep 0.05
	done
}
# wait_long COMMAND...: repeats the command until it succeeds, for 80 seconds at most
wait_long() {
	for _ in 1 2 3 4 5 6 7 8; do
		wait_for "$@" && return 0
	done
	return 1
}
# alive PATTERN, gone PATTERN: whether a process whose command line matches runs, or none
alive() { pgrep -f "$1" >/dev/null; }
gone() { ! alive "$1"; }

# use_engines: lets programs find the engines that `make deps-engines` has installed
use_engines() { export VIRTUAL_ENV="$VENV"; }
# in_venv GLOB: whether there is such a file among the packages that `make deps-engines` has installed
in_venv() {
	# shellcheck disable=SC2086 # it is a glob
	set -- "$VENV"/lib/python3*/site-packages/$1
	[ -e "$1" ]
}

# have NEED: whether this machine has it
have() {
	case $1 in
	pmu) perf_counts ;;
	sampling) perf_samples ;;
	switches) perf_samples && { [ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 1 ]; } ;;
	root) [ "$(id -u)" = 0 ] ;;
	another-user) setpriv --reuid 65534 --regid 65534 --clear-groups \
		test -x "$BUILD/libexec/benchutils/bench-spawn" 2>/dev/null ;;
	cpu-quota) has_limit cpu cpu.max cpu.cfs_quota_us ;;
	memory-limit) has_limit memory memory.max memory.limit_in_bytes ;;
	control-groups) mkdir "$(group_mount)/$$.probe" 2>/dev/null && rmdir "$(group_mount)/$$.probe" ;;
	own-mounts) unshare -m true 2>/dev/null ;;
	unsanitized) [ -z "${SANITIZED:-}" ] ;;
	jsonschema) python3 -c "import $1" 2>/dev/null ;;
	openblas) device_of cpu ;;
	opencl) device_of opencl ;;
	onnxruntime) in_venv 'onnxruntime/capi/libonnxruntime.so.*' ;;
	onnxruntime-qnn) in_venv 'onnxruntime_qnn/libonnxruntime_providers_qnn.so' ;;
	openvino) in_venv 'openvino/libs/libopenvino_c.so*' ;;
	onnx-python) in_venv 'onnx/__init__.py' ;;
	asv | duckdb | pandas | polars | pyperf) in_venv "$1/__init__.py" ;;
	opentelemetry-proto) in_venv 'opentelemetry/proto/metrics/v1/metrics_pb2.py' ;;
	prometheus-client) in_venv 'prometheus_client/openmetrics/parser.py' ;;
	pytest-benchmark) in_venv 'pytest_benchmark/stats.py' ;;
	*/*) [ -e "$1" ] ;;
	-m*) echo 'int f(void) { return 0; }' | gcc "$1" -x c -shared -nostdlib -fPIC -o "$T/.linked" - 2>/dev/null ;;
	clang-openmp) echo 'int main(void) { return 0; }' | clang -fopenmp -x c -o "$T/.linked" - 2>/dev/null ;;
	lib*) echo 'int main(void) { return 0; }' | gcc -x c -o "$T/.linked" - \
		-Wl,-Bstatic "-l${1#lib}" -Wl,-Bdynamic -lm -pthread 2>/dev/null ;;
	crond) busybox --list 2>/dev/null | grep -qx crond ;;
	postgresql) ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v psql >/dev/null ;;
	pq) ! bench-store -D 'postgresql://?port=0' --wait 0 list 2>&1 | grep -q 'libpq' ;;
	R) command -v Rscript >/dev/null 2>&1 ;;
	coin | survival) Rscript --vanilla -e "library($1)" >/dev/null 2>&1 ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# control_group CONTROLLER: the name of a new control group of this test, of version 1 or 2
control_group() {
	if [ -d "/sys/fs/cgroup/$1" ]; then
		echo "/sys/fs/cgroup/$1/benchutils.$$"
	else
		echo "/sys/fs/cgroup/benchutils.$$"
	fi
}
# group_mount: where control groups of version 2 are mounted
group_mount() { awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo; }
# has_limit CONTROLLER FILE...: whether a control group can be created, and has one of the files
has_limit() {
	group=$(control_group "$1")
	shift
	mkdir "$group" 2>/dev/null || return 1
	limits=$(cd "$group" && ls "$@" 2>/dev/null)
	rmdir "$group"
	[ -n "$limits" ]
}
device_of() { timeout 60 bench-list --csv backends "$1" 2>/dev/null | grep -q '^[^,]*,[1-9]'; }
perf_counts() { bench-run -q -r 1 -w 0 -e instructions -- true 2>/dev/null | grep -q 'instructions.*,ok'; }
perf_samples() { bench-prof -q -e cpu-clock -- true >/dev/null 2>&1; }

# skip_unless NEED DESCRIPTION: succeeds if the machine has NEED. Otherwise it reports the test as
# skipped, or as failed if $BENCH_REQUIRE names the need or is "all".
skip_unless() {
	have "$1" && return 0
	makes_sense "$2" || result 1 "$2"
	tests=$((tests + 1))
	case " ${BENCH_REQUIRE:-} " in
	*" $1 "* | *" all "*)
		failures=$((failures + 1))
		echo "not ok $tests - $2: $1 is required and not here" ;;
	*) echo "ok $tests - $2 # SKIP no $1 here" ;;
	esac
	return 1
}

# replay FILE NAME: reports the results that another test wrote to a file as results of this test.
# A file without a valid plan, because the other test died, counts as one more failure.
replay() {
	awk -v n="$tests" -v name="$2" '
		/^1\.\.[0-9]+$/ { plan = substr($0, 4); next }
		/^(not )?ok [0-9]+ / { sub(/ok [0-9]+/, "ok " ++n); seen++ }
		{ print }
		END { if (plan == "" || plan != seen + 0) print "not ok " ++n " - " name " comes to its end" }' "$1" >"$T/.replay"
	cat "$T/.replay"
	tests=$((tests + $(grep -Ec '^(not )?ok ' "$T/.replay")))
	failures=$((failures + $(grep -c '^not ok ' "$T/.replay")))
}

done_testing() {
	echo "1..$tests"
	[ "$failures" -eq 0 ]
	exit
}
