#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Samples that a page of formats finds in arrays of arrays.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

cat >mine <<'.'
meaning x
need    times
metric  wall times unit=ns
.
echo '{"times": [1, [2, 3], 4, [[5], 6]]}' >in.json
is "$(bench-convert -f ./mine in.json | columns process,sample,value,status)" ',0,1,
1,0,2,
1,1,3,
,2,4,
3,0,,skipped
3,1,6,' 'bench-convert gives only the samples in an inner array a process'
done_testing
