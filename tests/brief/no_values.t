#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Metrics without values on a terminal.
. "${0%/*}/../lib/tap.sh"

skip_unless script 'a terminal shows metrics without values' || { done_testing; exit; }
export LC_ALL=C.UTF-8
timeout 60 script -qec 'bench-run -q -w 0 -r 2 -e none --extract rate=none -- true' /dev/null </dev/null |
	sed 's/\r$//; s/\x1b\[[0-9;]*m//g' >screen
like "$(cat screen)" '^  rate      no values$' 'a metric that no output contained has no values'
done_testing
