#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures on every node of a Slurm cluster, and writes the streams as one stream:
#
#	bench-fleet.sh SUBJECTS [option of bench-run...] | bench-store add
#
# A node that fails becomes a row of the benchmark bench-node.sh, without a value and with the status
# of its job. These environment variables change the defaults:
#	NODES    names of nodes, separated by blanks, or n[1-4] (all nodes that sinfo lists)
#	DIR      directory that all nodes share (a new one in the working directory)
#	SBATCH   more options of sbatch, split at blanks, such as --partition=x --time=2:00:00
#	LIMIT    seconds after which jobs are canceled (7200)
#	ADD      database to which each node adds its stream; see bench-node.sh
# The exit status is 1 if a node or a sample failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || {
	echo "usage: bench-fleet.sh SUBJECTS [option of bench-run...]" >&2
	exit 2
}
[ -r "$1" ] || {
	echo "bench-fleet.sh: $1: cannot read the table of subjects" >&2
	exit 2
}
subjects=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
set -f
nodes=${NODES:-$(sinfo -h -N -o %N)}
[ -n "$nodes" ] || {
	echo "bench-fleet.sh: sinfo lists no node; set NODES" >&2
	exit 2
}
# shellcheck disable=SC2086
nodes=$(scontrol show hostnames "$(echo $nodes | tr ' ' ,)" | sort -u)
[ -n "$nodes" ] || exit 2
made=
if [ -z "${DIR:-}" ]; then
	DIR=$(mktemp -d "$PWD/bench-fleet.XXXXXX") || exit 2
	made=$DIR
fi
jobs='' table=''
# shellcheck disable=SC2086
cancel() { [ -z "$jobs" ] || scancel $jobs 2>/dev/null; }
trap 'cancel; [ -z "$made" ] || rm -rf "$made"' EXIT
trap 'exit 1' HUP INT TERM

# Each node has its own job, because an array may run twice on one node and never on another. Files
# that an earlier call left in the directory are removed.
for node in $nodes; do
	rm -f "$DIR/$node.csv" "$DIR/$node.err"
	# shellcheck disable=SC2086
	job=$(sbatch --parsable -w "$node" ${SBATCH:-} "$here/bench-node.sh" "$DIR" "$subjects" "$@") ||
		job=none
	job=${job%%;*}
	[ "$job" = none ] || jobs="$jobs$job "
	table="$table$job $node
"
done

# running: succeeds while one of our jobs has not ended, or the controller does not answer. All jobs are
# listed, because squeue fails for a job that the controller has forgotten.
running() {
	queue=$(squeue -h -o %A 2>/dev/null) || return 0
	for job in $jobs; do
		case "
$queue
" in *"
$job
"*) return 0 ;; esac
	done
	return 1
}
# Jobs are canceled after LIMIT seconds, and no longer waited for two minutes later.
limit=${LIMIT:-7200} waited=0
while running && [ $waited -lt $((limit + 120)) ]; do
	[ $waited -lt "$limit" ] || cancel
	sleep 1
	waited=$((waited + 1))
done

# ended JOB: prints the status of a job without a stream, from the record of Slurm
ended() {
	scontrol show job -o "$1" 2>/dev/null | awk '
		{ for (i = 1; i <= NF; i++) if (split($i, word, "=") == 2) of[word[1]] = word[2] }
		END {
			split(of["ExitCode"], code, ":")
			if (of["JobState"] == "TIMEOUT" || of["JobState"] == "DEADLINE") print "timeout"
			else if (code[1] > 0) print "failed:exit=" code[1]
			else if (code[2] > 0) print "signal " code[2]
			else print "skipped"
		}'
}
failed=0
while read -r job node; do
	[ -n "$node" ] || continue
	if [ -s "$DIR/$node.err" ]; then
		sed "s/^/$node: /" "$DIR/$node.err" >&2
		failed=1
	fi
	if [ -e "$DIR/$node.csv" ]; then
		cat "$DIR/$node.csv" || exit 2
		continue
	fi
	state=skipped
	[ "$job" = none ] || state=$(ended "$job")
	case $state in signal*) state=failed:signal=$(kill -l "${state#signal }") ;; esac
	echo "bench-fleet.sh: node $node wrote no stream: $state" >&2
	printf '%s\n' kind,bench,node,time,host,metric,unit,value,status \
		"command,bench-node.sh,$node,$(date -u +%Y-%m-%dT%H:%M:%S.000000000Z),$node,wall,ns,,$state" || exit 2
	failed=1
done <<END
$table
END
exit $failed
