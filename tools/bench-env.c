/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-env: prints the machine's facts and their hash, and checks whether the machine is
 * suitable for benchmarking.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "host/host.h"
#include "host/host_check.h"
#include "io/message.h"
#include "io/opt.h"
#include "io/render.h"
#include "record/bench_csv.h"
#include "sys/kernel_files.h"
#include "text/near_name.h"
#include "text/plural.h"
#include "text/units.h"

enum { WATCH_MS = 200 };

static struct {
	bool check, diff, hash;
	const char *root;
} o;

static const struct opt opts[] = {
	OPT('c', "check", &o.check, NULL,
	    "check whether the machine is suitable for benchmarking"),
	OPT(0, "diff", &o.diff, NULL, "print the facts that differ between two files"),
	OPT(0, "hash", &o.hash, NULL, "print only the hash of the stable facts"),
	OPT(0, "root", &o.root, "DIR", "read /proc, /sys and /etc below DIR instead of /"),
	OPT_END,
};

static const struct opt_rule rules[] = {
	{ "--diff", OPT_EXCLUDES, "--check --hash --root", NULL },
	OPT_RULES_END,
};

static const char *const synopsis[] = {
	"[--csv | --table | --json] [--root DIR] [fact...]",
	"-c [--csv | --table | --json] [--root DIR]",
	"--diff [--csv | --table | --json] old new",
	"--hash [--root DIR]",
	NULL,
};

static const struct opt_program program = {
	.name = "bench-env",
	.synopsis = synopsis,
	.summary =
	    "Print facts about the machine that affect its speed, or check the machine.",
	.opts = opts,
	.rules = rules,
	.verbose = "with --diff, also print facts that change on their own",
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* Returns whether the output is a table, in which numbers have units. */
static bool for_people(void)
{
	return render_is_table(&opt_common.output);
}

static void end_rows(struct render *r)
{
	if (render_close(r) == 0)
		return;
	if (errno == EPIPE)
		exit(STATUS_TROUBLE);
	message_fail(STATUS_TROUBLE, "standard output: %s", strerror(errno));
}

static void put_fact(struct render *r, const char *env, const struct host_fact *fact)
{
	struct cell cells[] = { CELL_OF_TEXT(text_of(env)),
		CELL_OF_TEXT(text_of(fact->name)), CELL_OF_TEXT(text_of(fact->value)) };
	char pretty[512];
	double number;

	if (fact->unit && for_people())
		cells[2].text =
		    (struct text){ pretty, host_print(fact, pretty, sizeof(pretty)) };
	else if (fact->unit && number_parse(cells[2].text, &number))
		cells[2] = CELL_OF_NUMBER(number);
	render_row(r, cells);
}

static void warn_unknown_fact(const struct host *h, const char *name)
{
	struct known_names known = { .advice = "run bench-env without operands" };
	struct fault f;

	for (size_t i = 0; i < h->count; i++)
		known_names_add(&known, text_of(h->fact[i].name));
	unknown_name(&f, "this machine has no fact", text_of(name), &known);
	message_warn("%s", f.text);
}

/* Prints all facts, or only those named. Returns STATUS_NO if a named fact is missing. */
static int print_facts(const struct host *h, char *const *names, int count)
{
	static const struct render_column columns[] = { { .name = "env", .factor = true },
		{ .name = "fact" }, { .name = "value" } };
	struct render *r = render_open(&opt_common.output, columns, COUNT(columns));
	char env[HOST_HASH_SIZE];
	int status = STATUS_FINE;

	host_env_hash(h, env);
	for (size_t i = 0; i < h->count && !count; i++)
		put_fact(r, env, &h->fact[i]);
	for (int i = 0; i < count; i++) {
		const struct host_fact *fact = host_find(h, names[i]);

		if (fact) {
			put_fact(r, env, fact);
			continue;
		}
		warn_unknown_fact(h, names[i]);
		status = STATUS_NO;
	}
	end_rows(r);
	return status;
}

static int print_advice(const struct host *h)
{
	static const struct render_column columns[] = { { .name = "level" },
		{ .name = "check" }, { .name = "found", .rank = 1, .look = LOOK_PROSE },
		{ .name = "advice", .look = LOOK_PROSE } };
	struct render *r = render_open(&opt_common.output, columns, COUNT(columns));
	struct host_advice advice[HOST_CHECKS_MAX];
	size_t count = host_check(h, advice), unfit = 0;

	for (size_t i = 0; i < count; i++) {
		bool bad = advice[i].severity == HOST_UNFIT;
		struct cell cells[] = { CELL_OF_TEXT(bad ? TEXT("unfit") : TEXT("note")),
			CELL_OF_TEXT(text_of(advice[i].check)),
			CELL_OF_TEXT(text_of(advice[i].found)),
			CELL_OF_TEXT(text_of(advice[i].advice)) };

		cells[0].tint = bad ? TINT_BAD : TINT_NONE;
		unfit += bad;
		render_row(r, cells);
	}
	end_rows(r);
	if (!opt_common.quiet)
		message_warn("%s: %zu problem%s, %zu note%s",
		    unfit       ? "not suitable for benchmarking"
		    : h->unread ? "perhaps not suitable for benchmarking"
		                : "suitable for benchmarking",
		    unfit, plural_s(unfit), count - unfit, plural_s(count - unfit));
	return unfit ? STATUS_NO : STATUS_FINE;
}

/* Reads the facts of a file, which must be those of one env. The strings live as long as
 * the stream. */
static const struct facts *read_facts(struct bench_csv *stream, const char *path)
{
	const struct facts *facts = bench_csv_facts(stream);
	struct fault f;

	if (bench_csv_read(stream, path, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (!facts->count)
		message_fail(
		    STATUS_TROUBLE, "%s: no facts (write them with bench-env)", path);
	if (facts->envs.count > 1)
		message_fail(STATUS_TROUBLE,
		    "%s: facts of %zu different envs, where one is needed", path,
		    facts->envs.count);
	return facts;
}

static int print_differences(char *const *path)
{
	static const struct bench_csv_sink nothing = { 0 };
	static const struct render_column columns[] = { { .name = "fact" },
		{ .name = "old" }, { .name = "new" } };
	struct bench_csv *stream[2];
	const struct facts *facts[2];
	struct fact_difference *list;
	struct render *r;
	size_t count;

	for (size_t i = 0; i < COUNT(stream); i++) {
		stream[i] = bench_csv_open(&nothing, NULL);
		facts[i] = read_facts(stream[i], path[i]);
	}
	count = facts_diff(facts[0], intern_text(&facts[0]->envs, 0), facts[1],
	    intern_text(&facts[1]->envs, 0), opt_common.verbose, &list);
	r = render_open(&opt_common.output, columns, COUNT(columns));
	for (size_t i = 0; i < count; i++)
		render_row(r, (struct cell[]){ CELL_OF_TEXT(list[i].name),
		                  CELL_OF_TEXT(list[i].old), CELL_OF_TEXT(list[i].new) });
	end_rows(r);
	free(list);
	for (size_t i = 0; i < COUNT(stream); i++)
		bench_csv_close(stream[i]);
	return stdout_close(count ? STATUS_NO : STATUS_FINE);
}

static void check_options(int operands, char *const *operand)
{
	if (o.diff && operands != 2)
		opt_usage_error(&program, "--diff requires two files (%d given)", operands);
	if (o.diff && strcmp(operand[0], "-") == 0 && strcmp(operand[1], "-") == 0)
		opt_usage_error(
		    &program, "--diff can read only one file from standard input");
	if (!o.diff && o.check + o.hash + (operands > 0) > 1)
		opt_usage_error(
		    &program, "--check, --hash and names of facts cannot be combined");
}

int main(int argc, char **argv)
{
	standard_files_open();

	int first = opt_parse(&program, argc, argv), status = STATUS_FINE;
	struct host host = { 0 };
	struct buf unread = { 0 };
	struct fault f;
	char env[HOST_HASH_SIZE];

	check_options(argc - first, argv + first);
	if (o.diff)
		return print_differences(argv + first);
	if (!o.root)
		o.root = kernel_files_root();
	if (host_read(&host, o.root, o.hash ? HOST_STABLE : HOST_ALL, &f) < 0 ||
	    (o.check && host_watch(&host, o.root, WATCH_MS, &f) < 0))
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (o.check) {
		status = print_advice(&host);
	} else if (o.hash) {
		host_env_hash(&host, env);
		if (*env)
			puts(env);
	} else {
		status = print_facts(&host, argv + first, argc - first);
	}
	if (host_explain(&host, &unread)) {
		message_warn("%s", unread.ptr);
		status = STATUS_TROUBLE;
	}
	buf_free(&unread);
	host_free(&host);
	return stdout_close(status);
}
