#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options that compare subjects, without --until decided.
. "${0%/*}/../lib/tap.sh"

status 2 'bench-run refuses --reference without --until decided' \
	bench-run -q -r 5 -w 0 -n old -n new -c true -c true --reference old
like "$(cat .err)" 'require --until decided; to compare a given number of runs, pipe them into bench-compare -b bench' \
	'bench-run says how to compare a given number of runs'
bench-run -q -e none -r 5 -w 0 -n old -n new -c true -c true >samples.csv
bench-compare -q -b bench --reference new --metric wall samples.csv >compared.csv 2>.err
like "$(sed -n 2p compared.csv)" '^command,old,wall,' 'bench-compare -b bench --reference compares such runs with a given one'
done_testing
