#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm job that measures on the node it gets, alone:
#
#	sbatch [-w NODE | --array=1-N] bench-node.sh DIR SUBJECTS [option of bench-run...]
#
# SUBJECTS is a table as bench-list writes. The stream, with the facts of the node, is
# DIR/NODE.csv once it is whole (DIR/NODE.TASK.csv of an array). With ADD=DATABASE it goes to
# that database, which has to be one that all nodes reach, a postgresql:// URL, and the file is
# empty.
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
# Nodes of one host, and hosts of one name, are told apart by a column.
{ bench-env && bench-run -q --label node="$node" "$@" -I "$subjects"; } \
	>"$stream.part" 2>"$stream.err"
measured=$?
# 1 says that runs failed: the stream is whole, and has them with their status.
[ $measured -le 1 ] || exit $measured
[ -s "$stream.err" ] || rm "$stream.err"
if [ -n "${ADD:-}" ]; then
	bench-store -D "$ADD" add -q "$stream.part" 2>>"$stream.err" || exit
	: >"$stream.part"
fi
mv "$stream.part" "$stream.csv" || exit
exit $measured
