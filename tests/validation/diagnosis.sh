#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how often bench-stat --diagnose has findings, in faulty values and in good ones.
. "${0%/*}/common.sh"

tables=$((REPEATS / 20 > 4 ? REPEATS / 20 : 4))
findings='outliers autocorrelation drift modes clock'

cat <<END
## Diagnosis

This table shows the findings of \`bench-stat --diagnose\` in $tables tables of 10 groups, each of 2 runs of
30 samples: the percentage of tables with any finding, with the 95% interval of that rate, and the
percentage of groups with each finding. Because p is corrected for all checks of all groups, at most 5% of
the tables should have a finding if the values are independent, have one mode, and have no longer tail
than the log-normal distribution.

| family | tables with any finding | $(echo "$findings" | sed 's/ / | /g') |
|---|---|---|---|---|---|---|
END
for f in normal lognormal uniform exponential bimodal spike autocorrelated drifting runs clock; do
	k=0
	while [ $k -lt $tables ]; do
		k=$((k + 1))
		family $f subjects=10 runs=2 n=30 seed=$((k + 5000)) | bench-stat --diagnose |
			awk -F, -v table=$k 'NR > 1 { print table, $4 }'
	done | awk -v name=$f -v tables=$tables -v findings="$findings" "$wilson"'
		{ if (!($1 in seen)) any++; seen[$1]; count[$2]++ }
		END {
			printf "| %s | %s |", name, per_cent(any, tables)
			n = split(findings, finding, " ")
			for (i = 1; i <= n; i++) printf " %.1f |", 10 * count[finding[i]] / tables
			print ""
		}'
done
printf '\nMade by `REPEATS=%d sh tests/validation/diagnosis.sh`.\n' "$REPEATS"
