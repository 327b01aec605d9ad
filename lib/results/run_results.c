/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json; see run_results.h.
 */
#include <stdlib.h>

#include "io/json_doc.h"
#include "record/provenance.h"
#include "results/output_stream.h"
#include "results/run_results.h"
#include "sys/temp_file.h"
#include "text/units.h"

struct run_results {
	struct output_stream *file; /* NULL: complete */
	char *path;
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
	struct run_results *r = mem_zero(1, sizeof(*r));
	char *path = str_format("%s/results.json", run_dir_path(dir));
	char time[PROVENANCE_TIME_MAX];
	struct buf b = { 0 };

	r->file = output_stream_open(path, TEMP_FILE_NEW, f);
	r->path = path;
	if (!r->file) {
		run_results_close(r);
		return NULL;
	}
	buf_str(&b, "{\n \"format\": \"benchutils results\",\n \"version\": 1,\n");
	put_member(&b, "run", origin[COL_RUN]);
	put_member(&b, "time", (struct text){ time, provenance_time(time, begun_ns) });
	put_member(&b, "host", origin[COL_HOST]);
	put_member(&b, "env", origin[COL_ENV]);
	put_member(&b, "commit", origin[COL_COMMIT]);
	put_facts(&b, host);
	buf_str(&b, " \"samples\": ");
	fwrite(b.ptr, 1, b.len, output_stream_file(r->file));
	buf_free(&b);
	return r;
}

FILE *run_results_file(struct run_results *r)
{
	return output_stream_file(r->file);
}

int run_results_end(
    struct run_results *r, int (*print)(void *ctx, FILE *out), void *ctx, struct fault *f)
{
	struct output_stream *file = r->file;
	FILE *out = output_stream_file(file);
	int status = -1;

	fputs(",\n \"summary\": ", out);
	if (!ferror(out) && print(ctx, out) == 0 && fputs("}\n", out) != EOF)
		status = 0;
	r->file = NULL;
	return output_stream_end(file, status, NULL, r->path, f);
}

void run_results_close(struct run_results *r)
{
	if (!r)
		return;
	output_stream_discard(r->file);
	free(r->path);
	free(r);
}
