/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json; see run_results.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/json_doc.h"
#include "record/provenance.h"
#include "run/run_results.h"
#include "text/units.h"

static const char name[] = "results.json", part[] = "results.json.part";

struct run_results {
	const struct run_dir *dir;
	FILE *out; /* NULL: ended */
};

static void put_member(struct buf *b, const char *member, struct text value)
{
	buf_byte(b, ' ');
	doc_put_text(b, text_of(member));
	buf_str(b, ": ");
	if (value.len)
		doc_put_text(b, value);
	else
		buf_str(b, "null");
	buf_str(b, ",\n");
}

static void put_facts(struct buf *b, const struct host *host)
{
	double number;

	buf_str(b, " \"facts\": {");
	for (size_t i = 0; i < host->count; i++) {
		const struct host_fact *fact = &host->fact[i];

		buf_str(b, i ? ",\n  " : "\n  ");
		doc_put_text(b, text_of(fact->name));
		buf_str(b, ": ");
		if (fact->unit && number_parse(text_of(fact->value), &number))
			doc_put_number(b, number);
		else
			doc_put_text(b, text_of(fact->value));
	}
	buf_str(b, host->count ? "\n },\n" : "},\n");
}

struct run_results *run_results_open(const struct run_dir *dir, const struct text *origin,
    int64_t begun_ns, const struct host *host, struct fault *f)
{
	FILE *out = keep_dir_create(dir, part, f);
	char time[PROVENANCE_TIME_MAX];
	struct buf b = { 0 };
	struct run_results *r;

	if (!out)
		return NULL;
	r = mem_zero(1, sizeof(*r));
	*r = (struct run_results){ .dir = dir, .out = out };
	buf_str(&b, "{\n \"format\": \"benchutils results\",\n \"version\": 1,\n");
	put_member(&b, "run", origin[COL_RUN]);
	put_member(&b, "time", (struct text){ time, provenance_time(time, begun_ns) });
	put_member(&b, "host", origin[COL_HOST]);
	put_member(&b, "env", origin[COL_ENV]);
	put_member(&b, "commit", origin[COL_COMMIT]);
	put_facts(&b, host);
	buf_str(&b, " \"samples\": ");
	fwrite(b.ptr, 1, b.len, out);
	buf_free(&b);
	return r;
}

FILE *run_results_file(struct run_results *r)
{
	return r->out;
}

int run_results_end(
    struct run_results *r, int (*print)(void *ctx, FILE *out), void *ctx, struct fault *f)
{
	FILE *out = r->out;
	int status = -1;

	fputs(",\n \"summary\": ", out);
	if (!ferror(out) && print(ctx, out) == 0 && fputs("}\n", out) != EOF)
		status = 0;
	r->out = NULL;
	status = run_dir_finish(out, status, name, f);
	if (status == 0)
		status = run_dir_rename(r->dir, part, name, f);
	else
		run_dir_remove(r->dir, part);
	return status;
}

void run_results_close(struct run_results *r)
{
	if (!r)
		return;
	if (r->out) {
		fclose(r->out);
		run_dir_remove(r->dir, part);
	}
	free(r);
}
