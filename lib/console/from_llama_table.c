/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the Markdown table that llama-bench prints by default: a row for each test, whose
 * last cell is the mean rate of tokens and its standard deviation. The cells have the
 * factors of the other formats of llama-bench, most of them under shorter names.
 */
#include "console/console_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { CELLS_MAX = 64 };

/* The cells of a row without blanks at their ends. */
struct llama_cells {
	struct text cell[CELLS_MAX];
	size_t count;
};

/* Separates a line "| a | b |" into its cells. Returns whether it is one. */
static bool cells_parse(struct text line, struct llama_cells *c)
{
	c->count = 0;
	line = text_trim(line);
	if (line.len < 2 || !text_begins(line, "|") || !text_ends(line, "|"))
		return false;
	line = text_after(line, 1);
	while (line.len) {
		if (c->count == CELLS_MAX)
			return false;
		c->cell[c->count++] = text_trim(text_until(&line, '|'));
	}
	return true;
}

static bool is_title(struct text line, struct llama_cells *c)
{
	return cells_parse(line, c) && c->count > 2 && text_is(c->cell[0], "model") &&
	       text_is(c->cell[c->count - 2], "test") &&
	       text_is(c->cell[c->count - 1], "t/s");
}

static bool llama_recognize(const struct source *s)
{
	struct text rest = s->text, line;
	struct llama_cells c;

	while (line_next(&rest, &line))
		if (is_title(line, &c))
			return true;
	return false;
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct llama_cells title; /* count 0: no table yet */
	struct text commit;
};

/* Returns the commit in the line "build: 2f68ce7cf (6918)" after a table; empty if there is
 * none. */
static struct text find_commit(struct text rest)
{
	struct llama_cells c;
	struct text line;

	while (line_next(&rest, &line)) {
		if (is_title(line, &c))
			break;
		if (text_is(line_word(&line), "build:"))
			return line_word(&line);
	}
	return TEXT("");
}

/* Parses a test such as "pp512", "tg 128", "pp512+tg128" or "tg128 @ d4096", whose numbers
 * are those of tokens. */
static bool test_parse(
    struct text t, struct text *prompt, struct text *gen, struct text *depth)
{
	*prompt = *gen = TEXT("0");
	*depth = TEXT("");
	while (t.len) {
		struct text *to = text_begins(t, "pp")    ? prompt
		                  : text_begins(t, "tg")  ? gen
		                  : text_begins(t, "@ d") ? depth
		                                          : NULL;
		size_t len = 0;

		if (!to)
			return false;
		t = text_trim(text_after(t, to == depth ? 3 : 2));
		while (len < t.len && t.ptr[len] >= '0' && t.ptr[len] <= '9')
			len++;
		if (!len)
			return false;
		*to = (struct text){ t.ptr, len };
		t = text_trim(text_after(t, len));
		if (text_begins(t, "+"))
			t = text_trim(text_after(t, 1));
	}
	return true;
}

/* Names of columns that the other formats have in full. */
static const struct {
	const char *title, *factor;
} names[] = {
	{ "backend", "backends" },
	{ "dev", "devices" },
	{ "embd", "embeddings" },
	{ "fa", "flash_attn" },
	{ "mg", "main_gpu" },
	{ "mmap", "use_mmap" },
	{ "ngl", "n_gpu_layers" },
	{ "nkvo", "no_kv_offload" },
	{ "nopo", "no_op_offload" },
	{ "ot", "tensor_buft_overrides" },
	{ "sm", "split_mode" },
	{ "threads", "n_threads" },
	{ "ts", "tensor_split" },
};

static void put_factor(struct row_builder *out, struct text title, struct text value)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (text_is(title, names[i].title)) {
			row_builder_factor(out, text_of(names[i].factor), value);
			return;
		}
	if (title.len && value.len)
		row_builder_factor(out, title, value);
}

static void put_subject(struct reading *r, const struct llama_cells *row)
{
	struct row_builder *out = r->out;
	struct text prompt, gen, depth, test = row->cell[row->count - 2];

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
	row_builder_set(out, COL_BENCH, row->cell[0]);
	row_builder_set(out, COL_COMMIT, r->commit);
	row_builder_set(out, COL_STATUS, TEXT("ok"));
	if (test_parse(test, &prompt, &gen, &depth)) {
		row_builder_factor(out, TEXT("n_prompt"), prompt);
		row_builder_factor(out, TEXT("n_gen"), gen);
		if (depth.len)
			row_builder_factor(out, TEXT("n_depth"), depth);
	} else {
		row_builder_factor(out, TEXT("test"), test);
	}
	for (size_t i = 1; i + 2 < row->count; i++)
		put_factor(out, r->title.cell[i], row->cell[i]);
}

static int put_row(
    struct reading *r, const struct llama_cells *row, size_t number, struct fault *f)
{
	static const char plus_minus[] = " \xc2\xb1 ";
	struct text rate = row->count ? row->cell[row->count - 1] : TEXT(""), sd = TEXT("");
	const char *at =
	    rate.len ? memmem(rate.ptr, rate.len, plus_minus, strlen(plus_minus)) : NULL;
	double x, spread = 0;

	if (at) {
		sd = text_trim(
		    text_after(rate, (size_t)(at - rate.ptr) + strlen(plus_minus)));
		rate.len = (size_t)(at - rate.ptr);
	}
	if (row->count != r->title.count)
		return fault_set(f, "%s:%zu: %zu cell%s where the table's title has %zu",
		    r->source->name, number, row->count, plural_s(row->count),
		    r->title.count);
	if (!number_parse(text_trim(rate), &x) || !at || !number_parse(sd, &spread))
		return fault_set(f,
		    "%s:%zu: the last cell is not a rate and its standard deviation",
		    r->source->name, number);
	put_subject(r, row);
	r->out->row.sample = ROW_NONE;
	if (row_builder_put(r->out, TEXT("token_rate"), TEXT("1/s"), x, f) < 0)
		return -1;
	return from_statistic(r->out, "token_rate", "sd", TEXT("1/s"), spread, f);
}

static int llama_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out };
	struct text rest = s->text, line;
	int status = 0;

	for (size_t number = 1; status == 0 && line_next(&rest, &line); number++) {
		struct llama_cells row;

		if (is_title(line, &row)) {
			r.title = row;
			r.commit = find_commit(rest);
		} else if (!cells_parse(line, &row)) {
			if (!text_trim(line).len)
				r.title.count = 0;
		} else if (r.title.count && !text_begins(row.cell[0], "---")) {
			status = put_row(&r, &row, number, f);
		}
	}
	return status;
}

const struct format format_llama_table = { .name = "llama-bench-md",
	.meaning = "llama-bench -o md",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = llama_recognize,
	.read = llama_read };
