/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that share/metrics.csv has each metric of bench-run, with the same unit.
 */
#include "protocol/run_metric.h"
#include "record/metric.h"
#include "tests/lib/tap.h"

static void test_table(const struct metrics *known)
{
	for (unsigned m = 0; m < RUN_METRICS; m++) {
		const char *name = run_metric_name((enum run_metric)m),
		           *unit = run_metric_unit((enum run_metric)m);
		const struct metric *found =
		    name ? metrics_find(known, text_of(name)) : NULL;

		if (tap_ok(found && unit, "share/metrics.csv has metric %u, %s", m,
		        name ? name : "without a name"))
			tap_text(unit, found->unit,
			    "the unit of a metric is that of share/metrics.csv");
	}
}

static void test_between(void)
{
	tap_ok(run_metric_between("co2e", METRIC_ENERGY, METRIC_CO2E_MODELLED),
	    "co2e is a metric of energy");
	tap_ok(!run_metric_between("wall", METRIC_ENERGY, METRIC_CO2E_MODELLED),
	    "wall is not a metric of energy");
	tap_ok(run_metric_between("ok", METRIC_WALL, METRIC_OK),
	    "run_metric_between includes the last metric of the range");
}

int main(void)
{
	struct fault f;
	struct metrics *known = metrics_open(&f);

	if (tap_ok(known != NULL, "share/metrics.csv can be read"))
		test_table(known);
	test_between();
	metrics_free(known);
	return tap_end();
}
