#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that starts another one where /proc is not mounted, as in a plain chroot.
. "${0%/*}/../lib/tap.sh"

for need in own-mounts root gnuplot unsanitized; do
	skip_unless $need 'bench-plot reports that /proc is not mounted' || done_testing
done
printf 'bench,metric,value\na,wall,1\na,wall,2\n' >samples.csv
unshare -m sh -c 'mount -t tmpfs none /proc && bench-plot box samples.csv' >out 2>err
is "$? $(cat err)" '2 bench-plot: the input of gnuplot cannot be opened again: /proc/self/fd: No such file or directory' \
	'bench-plot reports that /proc is not mounted, and not that gnuplot is missing'
unshare -m sh -c 'mount -t tmpfs none /proc && bench-run -q --interval 10ms -r 1 -- true' >out 2>err
is "$? $(cat err)" '2 bench-run: /proc is not mounted, so the processes of a command cannot be observed (as root: mount -t proc proc /proc)' \
	'bench-run --interval reports that /proc is not mounted'
done_testing
