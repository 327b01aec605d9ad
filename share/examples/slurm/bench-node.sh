#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm job that measures on its node, which it does not share:
#
#	sbatch [-w NODE | --array=1-N] bench-node.sh DIR SUBJECTS [option of bench-run...]
#
# SUBJECTS is a table as bench-list writes. The complete stream, with the facts of the node, becomes
# DIR/NODE.csv (DIR/NODE.TASK.csv for an array). If ADD is a database that all nodes can reach, a
# postgresql:// URL, the stream is added there, and the file is empty.
#SBATCH --job-name=bench
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time=1:00:00
#SBATCH --output=/dev/null
set -u
dir=$1 subjects=$2
shift 2
node=${SLURMD_NODENAME:-$(hostname)}
stream=$dir/$node${SLURM_ARRAY_TASK_ID:+.$SLURM_ARRAY_TASK_ID}
# The column node distinguishes nodes of one host, and hosts with equal names.
{ bench-env && bench-run -q --label node="$node" "$@" -I "$subjects"; } \
	>"$stream.part" 2>"$stream.err"
measured=$?
# Status 1: samples failed. The stream is complete, and contains them with their status.
[ $measured -le 1 ] || exit $measured
[ -s "$stream.err" ] || rm "$stream.err"
if [ -n "${ADD:-}" ]; then
	bench-store -D "$ADD" add -q "$stream.part" 2>>"$stream.err" || exit
	: >"$stream.part"
fi
mv "$stream.part" "$stream.csv" || exit
exit $measured
