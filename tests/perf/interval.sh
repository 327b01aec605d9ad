#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of --interval 10ms for a busy command: with and without the option, in rounds, for one
# thread, and for two, which leave no processor idle on a small machine.
set -eu
PATH=${BUILD:-$(cd "${0%/*}" && pwd)/../../build}/bin:$PATH
rounds=${1:-20}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
gcc -O1 -pthread -x c -o spin - <<'C'
#include <pthread.h>
#include <stdlib.h>

static void *spin(void *arg)
{
	volatile unsigned long n = 0;

	while (n < 1000000000)
		n++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread[64];
	int threads = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 1; i < threads; i++)
		pthread_create(&thread[i], NULL, spin, NULL);
	spin(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
C
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for threads in 1 2; do
		bench-run -q -w 0 -r 1 -e none -n "without-$threads" -- ./spin $threads
		bench-run -q -w 0 -r 1 -e none --interval 10ms -n "with-$threads" -- ./spin $threads
	done
done >s.csv
bench-stat -g bench -s n,median,min s.csv | awk -F, '
	$2 == "wall" { m[$1] = $5; least[$1] = $6 }
	$2 == "user" { u[$1] = $5 }
	END {
		for (t = 1; t <= 2; t++)
			printf "%d thread%s: median wall %.1f ms; with --interval 10ms / without: median %.4f, least %.4f, user %.4f (goal: at most 1.01)\n",
				t, (t > 1 ? "s" : ""), m["without-" t] / 1e6, m["with-" t] / m["without-" t],
				least["with-" t] / least["without-" t], u["with-" t] / u["without-" t]
	}'
