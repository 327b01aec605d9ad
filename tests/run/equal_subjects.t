#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-run measures no subject twice, and says which option names it twice.
. "${0%/*}/../lib/tap.sh"

# refuses ERE DESCRIPTION OPTIONS: bench-run must end with status 2, one line that matches, and no row
refuses() {
	want=$1 what=$2
	shift 2
	timeout 60 bench-run -q -e none -w 0 "$@" >out.csv 2>err
	is "$? $(wc -l <err) $(wc -c <out.csv)" '2 1 0' "bench-run rejects $what"
	like "$(cat err)" "$want" "bench-run reports $what"
}
refuses "'echo 1' would be measured twice: a parameter has the same value twice" 'equal values of a parameter' -P n=1,2,1 -- echo '{n}'
refuses "'dot' would be measured twice on the same device: name each kernel, model and backend once" 'a backend that is named twice' \
	-k dot -P n=8 -b ref,ref
refuses "'dot' would be measured twice on the same device" 'a kernel that is named twice' -k dot,dot -P n=8 -b ref
refuses "two subjects are 'a' with the same parameters: give them different names with -n" 'commands with equal names' \
	-n a -n a -c true -c false
refuses '--compare with the column that distinguishes the subjects: bench, or a parameter of -P' '--until decided without a column' \
	--until decided -c true -c false
done_testing
