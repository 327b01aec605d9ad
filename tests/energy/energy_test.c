/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of energy: domains, counters that wrap, uncertainty, the model, carbon; and
 * counters that wrap several times between two readings.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "energy/carbon.h"
#include "energy/energy.h"
#include "energy/energy_pool.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-12 * fabs(want);
}

static void test_domains(void)
{
	static const struct {
		const char *name;
		bool known;
		enum energy_domain domain;
		bool adds;
	} cases[] = {
		{ "package-0", true, ENERGY_PACKAGE, true },
		{ "package-1-die-0", true, ENERGY_PACKAGE, true },
		{ "core", true, ENERGY_CORE, false },
		{ "uncore", true, ENERGY_UNCORE, false },
		{ "dram", true, ENERGY_DRAM, true },
		{ "psys", true, ENERGY_PSYS, false },
		{ "packaged", false, ENERGY_PACKAGE, false },
		{ "cor", false, ENERGY_CORE, false },
		{ "", false, ENERGY_CORE, false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		enum energy_domain d = ENERGY_DOMAINS;
		bool known = energy_domain_parse(text_of(cases[i].name), &d);

		tap_ok(known == cases[i].known && (!known || d == cases[i].domain),
		    "energy_domain_parse recognizes the domain '%s'", cases[i].name);
		tap_ok(!known || energy_domain_adds(d) == cases[i].adds,
		    "energy_domain_adds says whether the domain '%s' is part of a sum",
		    cases[i].name);
	}
}

static void test_advance(void)
{
	static const struct {
		uint64_t before, after, range, want;
	} cases[] = {
		{ 0, 0, 100, 0 },
		{ 10, 30, 100, 20 },
		{ 90, 5, 100, 15 },
		{ 262143328850 - 1, 4, 262143328850, 5 },
		{ 5, UINT64_MAX, 0, UINT64_MAX - 5 },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(energy_advance(cases[i].before, cases[i].after, cases[i].range) ==
		           cases[i].want,
		    "energy_advance from %llu to %llu with the range %llu",
		    (unsigned long long)cases[i].before, (unsigned long long)cases[i].after,
		    (unsigned long long)cases[i].range);
	tap_ok(near(energy_safe_s(262143328850, 1e6), 262.14332885),
	    "energy_safe_s is the shortest time to a wrap");
	tap_ok(isinf(energy_safe_s(0, 1e6)),
	    "energy_safe_s is infinite for a counter that does not wrap");
}

/* Compares the variance with that of random uniform errors at both ends. */
static void test_uncertainty(void)
{
	enum { DRAWS = 200000 };
	const double power = 20, update = 1e-3;
	double squares = 0;

	srand48(1);
	for (int i = 0; i < DRAWS; i++)
		squares += pow(power * update * (drand48() - drand48()), 2);
	tap_ok(fabs(squares / DRAWS / energy_variance(power, update, 0) - 1) < 0.01,
	    "energy_variance is the variance of two delayed readings");
	tap_ok(near(energy_variance(0, 1e-3, 6e-5), 6e-10),
	    "energy_variance is the variance of two rounded readings");
	tap_ok(near(energy_variance(20, 1e-3, 6e-5),
	           energy_variance(20, 1e-3, 0) + energy_variance(0, 1e-3, 6e-5)),
	    "energy_variance adds the variances of delay and rounding");
}

static void test_model(void)
{
	static const struct {
		const char *spec;
		double watts;
	} cases[] = { { "tdp=65W", 65 }, { "tdp=6.5", 6.5 }, { "tdp=0W", 0 }, { "tdp=", 0 },
		{ "tdp=W", 0 }, { "65W", 0 }, { "tdp=65kW", 0 }, { "tdp=-1W", 0 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f;
		double watts = 0;
		bool fine = energy_model_parse(cases[i].spec, &watts, &f) == 0;

		tap_ok(fine == (cases[i].watts > 0) && (!fine || watts == cases[i].watts),
		    "energy_model_parse accepts or rejects the model '%s'", cases[i].spec);
	}
	tap_ok(near(energy_modelled(65, 2, 4), 32.5),
	    "energy_modelled returns the energy of 2 s on one of 4 processors at 65 W");
}

static void test_carbon(void)
{
	struct text csv = TEXT("country,alpha3,name,g_per_kwh,year,source,licence\n"
	                       "FR,FRA,France,44.18,2024,\"a, b\",CC BY 4.0\n"
	                       "DE,DEU,Germany,344.14,2024,a,CC BY 4.0\n");
	static const struct {
		const char *spec;
		double want;
	} cases[] = { { "DE", 344.14 }, { "fr", 44.18 }, { "Deu", 344.14 }, { "0", 0 },
		{ "12.5", 12.5 }, { "-1", NAN }, { "", NAN }, { "D", NAN }, { "XX", NAN },
		{ "Germany", NAN }, { "alpha3", NAN } };
	struct fault f;
	double g;

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool fine = carbon_parse(cases[i].spec, csv, "c.csv", &g, &f) == 0;

		tap_ok(fine == !isnan(cases[i].want) && (!fine || g == cases[i].want),
		    "carbon_parse returns the intensity for '%s', or rejects it",
		    cases[i].spec);
	}
	carbon_parse("XX", csv, "c.csv", &g, &f);
	tap_ok(strstr(f.text, "c.csv") && strstr(f.text, "XX"),
	    "carbon_parse names the table and the unknown code");
	tap_ok(carbon_parse("DE", TEXT("a\nb,c\n"), "c.csv", &g, &f) < 0,
	    "carbon_parse rejects a table with other columns");
	tap_ok(near(energy_co2e(3.6e6, 344.14), 344.14),
	    "energy_co2e converts 3.6e6 J to one kWh");
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (!out || fputs(text, out) < 0 || fclose(out) != 0)
		abort();
}

static void put_zone(const char *energy, const char *range)
{
	static const char *const dirs[] = { "sys", "sys/class", "sys/class/powercap",
		"sys/class/powercap/intel-rapl:0" };

	for (size_t i = 0; i < COUNT(dirs); i++)
		mkdir(dirs[i], 0777);
	put("sys/class/powercap/intel-rapl:0/name", "package-0\n");
	put("sys/class/powercap/intel-rapl:0/max_energy_range_uj", range);
	put("sys/class/powercap/intel-rapl:0/energy_uj", energy);
}

static void wait_s(double s)
{
	struct timespec t = { (time_t)s, (long)(fmod(s, 1) * 1e9) };

	nanosleep(&t, NULL);
}

/* A range of 2000 J is safe for 2 s, so the counter is read every second. */
static void test_watching(void)
{
	struct energy_reading before = { 0 }, after = { 0 };
	struct energy_pool pool = { 0 };
	struct quantity energy;
	struct kernel_files files;
	struct fault f;
	struct energy_sources *p;

	put_zone("1000000000\n", "2000000000\n");
	if (kernel_files_open(&files, ".", &f) < 0)
		abort();
	p = energy_sources_open(&files);
	tap_ok(
	    energy_sources_state(p) == ENERGY_READY && energy_sources_list(p)->count == 1,
	    "energy_sources_open finds one counter");
	energy_sources_read(p, &before);
	put_zone("500000000\n", "2000000000\n");
	wait_s(1.3);
	put_zone("100000000\n", "2000000000\n");
	wait_s(1.3);
	energy_sources_read(p, &after);
	energy_pool_between(p, &before, &after, &pool);
	energy_pool_total(p, &pool, &energy);
	tap_ok(pool.sure && energy.value == 3100,
	    "the thread of energy_sources detects two wraps between two readings");

	/* 20 W for 4 runs of 25 ms. */
	energy_pool_clear(p, &pool);
	pool.runs = 4;
	pool.seconds = 0.1;
	pool.joules[0] = 2;
	energy_pool_total(p, &pool, &energy);
	tap_ok(energy.value == 0.5 &&
	           near(energy.uncertainty,
	               sqrt(energy_variance(20, 1e-3, 2000.0 / 4294967296) / 4)),
	    "the mean of four samples has half the uncertainty of one");
	tap_ok(!energy_pool_domain(p, &pool, ENERGY_DRAM, &energy),
	    "energy_pool_domain has no value for a domain without a counter");
	energy_sources_close(p);

	put_zone("1000000\n", "2000000\n");
	p = energy_sources_open(&files);
	energy_sources_read(p, &before);
	wait_s(0.01);
	energy_sources_read(p, &after);
	energy_pool_between(p, &before, &after, &pool);
	tap_ok(
	    !pool.sure, "energy_pool_between is not sure about a range of 2 J after 10 ms");
	put_zone("gone\n", "2000000\n");
	energy_sources_read(p, &after);
	tap_ok(after.failed,
	    "energy_sources_read reports a file without a number as a failure");
	energy_sources_close(p);

	/* A range of 100 J is safe for 0.1 s. */
	put_zone("1000000\n", "100000000\n");
	p = energy_sources_open(&files);
	energy_sources_read(p, &before);
	wait_s(0.07);
	put_zone("gone\n", "100000000\n");
	energy_sources_read(p, &after);
	put_zone("2000000\n", "100000000\n");
	wait_s(0.07);
	energy_sources_read(p, &after);
	energy_pool_between(p, &before, &after, &pool);
	tap_ok(!after.failed && !pool.sure,
	    "energy_pool_between is not sure about a counter that could not be read for a "
	    "while, in which it may have wrapped");
	energy_sources_close(p);
	kernel_files_close(&files);
	energy_reading_free(&before);
	energy_reading_free(&after);
	free(pool.joules);
}

int main(void)
{
	if (!scratch_begin())
		return 1;
	test_domains();
	test_advance();
	test_uncertainty();
	test_model();
	test_carbon();
	test_watching();
	scratch_end();
	return tap_end();
}
