/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files, such as ONNX files, as subjects: backends with an engine run them whole.
 */
#ifndef SUBJECT_COMPUTE_FILE_H
#define SUBJECT_COMPUTE_FILE_H

#include "device/devices.h"
#include "device/whole_model.h"
#include "subject/compute.h"
#include "text/near_name.h"

/* Returns whether a name of -M is a model file, by its extension. */
bool compute_file_is(const char *name);
/* Returns the name of its subject, the last part of the path. */
const char *compute_file_bench(const char *path);
/* Checks that a model file can be read and, if it is ONNX, is complete. Returns 0, or -1
 * and the message. */
int compute_file_check(const char *path, struct fault *f);
/* Returns whether a backend runs a model file like a list: an ONNX file on a backend
 * without an engine, whose operations are those of bench-operation.h. */
bool compute_file_is_list(const char *path, const struct device_backend *b);

/*
 * Loads the file of a template with its backend and the options of its engine, to learn
 * its inputs. Returns 0, or -1 and the message if the backend does not read the file or
 * cannot load it.
 */
int compute_file_load(struct template *t, const struct device_backend *b, struct fault *f);
/* Loads the files of all templates once more if options were recognized after the first
 * time. Returns 0, or -1 and the message if an engine rejects them. */
int compute_files_check_options(struct templates *list, struct fault *f);
/* Gives the open dimensions and numbers of a file that runs like a list, whose names are
 * those of columns, their longer names. */
void compute_file_name_symbols(struct template *t);
/* Adds the open first dimensions of a model file as factors, which are 1 by default. */
void compute_file_add_factors(struct template *t);
/* Returns whether an open dimension of an input has this name. */
bool compute_file_has_dimension(const struct compute *c, const char *name);
/* Adds the names of the open dimensions of the inputs, which are allocated. */
void compute_file_add_dimensions(const struct compute *c, struct known_names *known);
/* Returns the input of this name, or NULL. */
const struct backend_port *compute_file_input(const struct compute *c, const char *name);
/* Computes a subject's shapes like compute_finish. Returns 0, or -1 and the message if an
 * open dimension has no size. */
int compute_file_finish(struct subject *s, struct fault *f);

/* Returns the values of the symbols of the model's open dimensions. The caller frees the
 * array. */
struct binding *compute_file_dimensions(const struct subject *s, size_t *count);
/* Returns the subject's options of the engine. The caller frees the array. */
struct binding *compute_engine_options(const struct subject *s, size_t *count);

#endif
