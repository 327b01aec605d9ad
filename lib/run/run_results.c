/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.json; see run_results.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/json_doc.h"
#include "record/provenance.h"
#include "run/run_results.h"
#include "sys/temp_file.h"
#include "text/units.h"

struct run_results {
	struct temp_file *file; /* NULL: complete */
	FILE *out;              /* the same file with another descriptor */
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

static FILE *open_stream(int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");

	if (!out && own >= 0)
		close(own);
	return out;
}

struct run_results *run_results_open(const struct run_dir *dir, const struct text *origin,
    int64_t begun_ns, const struct host *host, struct fault *f)
{
	struct run_results *r = mem_zero(1, sizeof(*r));
	char *path = str_format("%s/results.json", run_dir_path(dir));
	char time[PROVENANCE_TIME_MAX];
	struct buf b = { 0 };

	r->file = temp_file_open(path, TEMP_FILE_NEW, f);
	r->out = r->file ? open_stream(temp_file_fd(r->file)) : NULL;
	if (r->file && !r->out)
		fault_errno(f, "%s", path);
	free(path);
	if (!r->out) {
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
	fwrite(b.ptr, 1, b.len, r->out);
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
	struct temp_file *file = r->file;
	int status = -1;

	fputs(",\n \"summary\": ", r->out);
	if (!ferror(r->out) && print(ctx, r->out) == 0 && fputs("}\n", r->out) != EOF)
		status = 0;
	status = run_dir_finish(r->out, status, "results.json", f);
	r->out = NULL;
	if (status < 0)
		return status;
	r->file = NULL;
	return temp_file_commit(file, f);
}

void run_results_close(struct run_results *r)
{
	if (!r)
		return;
	if (r->out)
		fclose(r->out);
	if (r->file)
		temp_file_discard(r->file);
	free(r);
}
