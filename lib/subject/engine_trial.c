/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries backends; see engine_trial.h. Each device is measured by a bench-run of its own, so
 * that the trial and the measurement agree, and a crash or a hang does no harm. The result
 * is a file whose name is the hash of all that may change it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/paths.h"
#include "device/device_choice.h"
#include "device/whole_model.h"
#include "io/csv_table.h"
#include "model/onnx_file.h"
#include "subject/compute_file.h"
#include "subject/compute_request.h"
#include "subject/engine_trial.h"
#include "sys/parent_dirs.h"
#include "sys/process_run.h"
#include "sys/temp_file.h"
#include "text/units.h"

/* The limit of the trial of one device. */
static const double limit_ns = 60e9;

/* A device that may run the model. */
struct trial_side {
	const struct device *device;
	char *value; /* of -b */
	double ns;   /* of one iteration; NAN if it does not run there */
};

struct trial {
	const struct template *of;
	const struct trial_opts *opts;
	struct trial_side *side;
	size_t count, cap;
};

/* Where the names of external tensors are appended. */
struct external_files {
	struct buf *key;
	const char *path; /* of the ONNX file */
	int directory;    /* the length of its directory */
	struct text last; /* most tensors are in the same file as the tensor before */
};

static void add_side(struct trial *t, const struct devices *d, const struct device *device)
{
	*VEC_ADD(t->side, t->count, t->cap) = (struct trial_side){
		.device = device, .value = device_value(d, device), .ns = NAN
	};
}

/* Adds the device that auto would choose without engines, if the model runs there. */
static void add_own(struct trial *t, const struct devices *d)
{
	struct device_choice choice;
	struct buf note = { 0 };
	struct fault ignored;

	if (device_choose_backend(d, "auto", false, &choice, &note, &ignored) < 0)
		return;
	if (!compute_file_is(t->of->list) ||
	    compute_file_is_list(t->of->list, choice.backend))
		add_side(t, d, choice.device[0]);
	device_choice_free(&choice);
	buf_free(&note);
}

/* Adds the devices of engines that run the model; lists run as ONNX. Returns whether there
 * is one. */
static bool add_engines(struct trial *t, const struct devices *d)
{
	const char *file = compute_file_is(t->of->list) ? t->of->list : "list.onnx";
	size_t before = t->count;

	for (size_t i = 0; i < d->count; i++) {
		const struct device *device = &d->device[i];
		const struct device_backend *b = &d->backend[device->backend];

		/* OpenVINO's device auto is an alias of another one. */
		if (whole_model_reads(b->formats, file) && !*device->about.unusable &&
		    !device_is_emulated(&device->about) &&
		    strcasecmp(device->about.word, "auto") != 0)
			add_side(t, d, device);
	}
	return t->count > before;
}

static void trial_free(struct trial *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->side[i].value);
	free(t->side);
}

/* Returns sweep i of the common ones and those of the template. */
static const struct sweep *sweep_at(const struct trial *t, size_t i)
{
	return i < t->opts->commons ? &t->opts->common[i]
	                            : &t->of->sweep[i - t->opts->commons];
}

/* Returns the number of the value of a sweep that is tried: the first one, or of -J and -j
 * the largest number. */
static size_t tried_value(const struct sweep *s)
{
	size_t best = 0;

	for (size_t i = 1; s->workers && i < s->count; i++)
		best = s->workers[i] > s->workers[best] ? i : best;
	return best;
}

/* Returns the tried number of workers. */
static uint32_t tried_workers(const struct trial *t)
{
	for (size_t i = 0; i < t->opts->commons; i++)
		if (t->opts->common[i].workers && t->opts->common[i].count)
			return t->opts->common[i].workers[tried_value(&t->opts->common[i])];
	return 1;
}

/* Appends the options that set the tried value of each sweep that the device takes, and the
 * inputs. The caller frees them. */
static void put_sweeps(
    const struct trial *t, const struct device *device, char **argv, size_t *argc)
{
	for (size_t i = 0; i < t->opts->commons + t->of->sweeps; i++) {
		const struct sweep *s = sweep_at(t, i);

		if (!s->count || s->rate ||
		    (!device->about.threads && strcmp(s->name, "threads") == 0))
			continue;
		argv[(*argc)++] = str_copy(s->of_engine    ? "--engine-option"
		                           : !s->workers   ? "-P"
		                           : s->of_threads ? "-j"
		                                           : "-J");
		argv[(*argc)++] = s->workers ? str_copy(s->value[tried_value(s)])
		                             : str_format("%s=%s", s->name, s->value[0]);
	}
	for (size_t i = 0; i < t->opts->inputs; i++) {
		argv[(*argc)++] = str_copy("--input");
		argv[(*argc)++] = str_copy(t->opts->input[i]);
	}
}

/* Returns the least time of an iteration with this number of workers in a stream of
 * bench-run; NAN if there is none, or if the device is emulated. */
static double least_wall(struct text stream, uint32_t workers)
{
	static const char *const names[] = { "metric", "value", "status", "device_type",
		"workers" };
	struct csv_table g = { 0 };
	struct fault f;
	size_t at[COUNT(names)];
	double least = NAN, ns;

	if (csv_table_open(&g, stream, "trial", &f) < 0) {
		csv_table_free(&g);
		return NAN;
	}
	csv_table_locate(&g, names, COUNT(names), at);
	while (csv_table_next(&g, &f) == 1)
		if (text_is(csv_table_field(&g, at[0]), "wall") &&
		    text_is(csv_table_field(&g, at[2]), "ok") &&
		    !text_is(csv_table_field(&g, at[3]), "emulator") &&
		    (workers == 1 ||
		        (number_parse(csv_table_field(&g, at[4]), &ns) && ns == workers)) &&
		    number_parse(csv_table_field(&g, at[1]), &ns))
			least = fmin(least, ns);
	csv_table_free(&g);
	return least;
}

/* Measures the model on a device. */
static void try_side(const struct trial *t, struct trial_side *s)
{
	char *const fixed[] = { "-q", "-e", "none", "-r", "3", "-w", "1", "--processes",
		"1", "-M", t->of->list, "-b", s->value };
	char *no_options[] = { "BENCH_RUN_OPTS=", NULL };
	char **env = process_env(no_options);
	size_t argc = 0, first = COUNT(fixed) + 1;
	char **argv =
	    mem_zero(first + 2 * (t->opts->commons + t->of->sweeps + t->opts->inputs) + 1,
	        sizeof(*argv));
	struct buf out = { 0 }, err = { 0 };
	struct fault f;

	argv[argc++] = bin_path("bench-run");
	for (size_t i = 0; i < COUNT(fixed); i++)
		argv[argc++] = fixed[i];
	put_sweeps(t, s->device, argv, &argc);
	if (process_run_limited(argv, env, limit_ns, &out, &err, &f) == 0)
		s->ns = least_wall(text_in(&out), tried_workers(t));
	for (size_t i = first; i < argc; i++)
		free(argv[i]);
	free(argv[0]);
	free(argv);
	free(env);
	buf_free(&out);
	buf_free(&err);
}

/* Returns the resolved path of the model's file or list, or NULL. */
static char *model_path(const char *list)
{
	char *in_share = str_format("models/%s.csv", list), *shared = share_path(in_share);
	char *path =
	    realpath(compute_file_is(list) || strchr(list, '/') ? list : shared, NULL);

	free(in_share);
	free(shared);
	return path;
}

/* Appends the path, the size and the time of a file, if it exists. */
static void put_file(struct buf *key, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0)
		buf_printf(key, "file %s %lld %lld.%09ld\n", path, (long long)st.st_size,
		    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Appends the file of an external tensor of an ONNX file. */
static int put_external(void *ctx, struct onnx_tensor *tensor, struct fault *f)
{
	struct external_files *e = ctx;
	char *path;

	(void)f;
	if (!tensor->is_external || text_equal(tensor->location, e->last))
		return 0;
	e->last = tensor->location;
	path = str_format("%.*s%.*s", e->directory, e->path, (int)tensor->location.len,
	    tensor->location.ptr);
	put_file(e->key, path);
	free(path);
	return 0;
}

/* Appends the other files of a model: those of external tensors, or the weights next to a
 * file of OpenVINO or Paddle. */
static void put_other_files(struct buf *key, const char *path)
{
	static const char *const pairs[][2] = { { ".xml", ".bin" },
		{ ".pdmodel", ".pdiparams" } };
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	struct external_files e = {
		.key = key, .path = path, .directory = slash ? (int)(slash - path) + 1 : 0
	};
	struct onnx_file file;
	struct fault ignored;

	for (size_t i = 0; dot && i < COUNT(pairs); i++)
		if (strcasecmp(dot, pairs[i][0]) == 0) {
			char *other =
			    str_format("%.*s%s", (int)(dot - path), path, pairs[i][1]);

			put_file(key, other);
			free(other);
		}
	if (onnx_file_is_named(path) && onnx_file_open(path, &file, &ignored) == 0) {
		onnx_tensors_visit(&file.model, put_external, &e, &ignored);
		onnx_file_close(&file);
	}
}

/* Appends all that the result depends on; nothing if the model cannot be identified. */
static void put_key(const struct trial *t, struct buf *key)
{
	char *path = model_path(t->of->list);
	struct utsname host;
	struct stat st;

	if (path && stat(path, &st) == 0 && uname(&host) == 0) {
		buf_printf(key, "bench-run %s\nhost %s\nworkers %u\n", BENCH_VERSION,
		    host.nodename, (unsigned)tried_workers(t));
		put_file(key, path);
		put_other_files(key, path);
		for (size_t i = 0; i < t->opts->inputs; i++) {
			const char *equals = strchr(t->opts->input[i], '=');

			buf_printf(key, "input %s\n", t->opts->input[i]);
			put_file(key, equals ? equals + 1 : "");
		}
		for (size_t i = 0; i < t->opts->commons + t->of->sweeps; i++)
			if (sweep_at(t, i)->count && !sweep_at(t, i)->workers &&
			    !sweep_at(t, i)->rate)
				buf_printf(key, "parameter %s=%s\n", sweep_at(t, i)->name,
				    sweep_at(t, i)->value[0]);
		for (size_t i = 0; i < t->count; i++) {
			const struct backend_device *about = &t->side[i].device->about;

			buf_printf(key, "device %s %s, %u units, %s\n", t->side[i].value,
			    about->name, about->units, about->version);
		}
	}
	free(path);
}

/* Returns the file of a result; NULL if there is no directory for it. */
static char *result_path(const struct buf *key)
{
	char *dir = compute_cache_dir(), *path = NULL;

	if (*dir && key->len)
		path = str_format("%s/trial-%016llx", dir,
		    (unsigned long long)text_hash(text_in(key), 0));
	free(dir);
	return path;
}

/* Reads the times of an earlier trial. Returns whether there was one. */
static bool read_result(struct trial *t, const struct buf *key, const char *path)
{
	struct buf text = { 0 };
	struct fault ignored;
	bool found = path && file_read(path, &text, &ignored) == 0 && text.len > key->len &&
	             memcmp(text.ptr, key->ptr, key->len) == 0;
	const char *p = found ? text.ptr + key->len : NULL;

	for (size_t i = 0; i < t->count && found; i++) {
		struct text line = { p, strcspn(p, "\n") };

		found = p[line.len] == '\n';
		t->side[i].ns = NAN;
		found =
		    found && (text_is(line, "none") || number_parse(line, &t->side[i].ns));
		p += line.len + found;
	}
	buf_free(&text);
	return found;
}

/* Keeps the times. Errors are ignored, because they only cost time later. */
static void write_result(const struct trial *t, const struct buf *key, const char *path)
{
	struct buf text = { 0 };
	struct fault ignored;
	char number[NUMBER_TEXT_MAX];

	if (!path)
		return;
	buf_put(&text, key->ptr, key->len);
	for (size_t i = 0; i < t->count; i++) {
		number_print(number, t->side[i].ns);
		buf_printf(&text, "%s\n", isnan(t->side[i].ns) ? "none" : number);
	}
	parent_dirs_make(path, 0777, &ignored);
	temp_file_write(path, 0, text_in(&text), &ignored);
	buf_free(&text);
}

/* Appends the choice and the times. */
static void note_choice(
    const struct trial *t, const struct trial_side *best, bool kept, struct buf *note)
{
	char number[32];

	buf_printf(note, "backend auto: %s for %s: ", best->value, t->of->bench);
	units_print(number, sizeof(number), best->ns, "ns");
	buf_printf(note, "%s in %s trial", number, kept ? "an earlier" : "a");
	for (size_t i = 0; i < t->count; i++) {
		const struct trial_side *s = &t->side[i];

		if (s == best || isnan(s->ns))
			continue;
		units_print(number, sizeof(number), s->ns, "ns");
		buf_printf(note, ", %s %s", s->value, number);
	}
	buf_str(note, "\n");
}

/* Measures the model on all devices, or reads the times of an earlier trial. Returns the
 * fastest device; the first one if the model runs on none. */
static const struct trial_side *find_fastest(struct trial *t, struct buf *note)
{
	const struct trial_side *best = &t->side[0];
	struct buf key = { 0 };
	char *path;
	bool kept;

	put_key(t, &key);
	path = result_path(&key);
	kept = read_result(t, &key, path);
	for (size_t i = 0; i < t->count; i++) {
		if (!kept && t->opts->progress) {
			char *what =
			    str_format("trying %s on %s", t->of->bench, t->side[i].value);

			t->opts->progress(t->opts->ctx, what, (double)i / (double)t->count);
			free(what);
		}
		if (!kept)
			try_side(t, &t->side[i]);
		if (isnan(best->ns) || t->side[i].ns < best->ns)
			best = &t->side[i];
	}
	if (!isnan(best->ns)) {
		if (!kept)
			write_result(t, &key, path);
		note_choice(t, best, kept, note);
	}
	free(path);
	buf_free(&key);
	return best;
}

char *engine_trial_fastest(const struct devices *d, const struct template *of,
    const struct trial_opts *opts, struct buf *note)
{
	struct trial t = { .of = of, .opts = opts };
	char *value = NULL;

	add_own(&t, d);
	if (add_engines(&t, d))
		value =
		    str_copy(t.count > 1 ? find_fastest(&t, note)->value : t.side[0].value);
	trial_free(&t);
	return value;
}
