/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anonymizes the streams of a report; see report_anonymize.h. */
#include "record/anonymize_stream.h"
#include "report/report_anonymize.h"

static int replace_text(struct anonymizer *a, struct report_file *file, struct fault *f)
{
	struct buf out = { 0 };
	int status;

	buf_str(&out, "");
	status = anonymize_stream(a, file->name, file->in.text, &out, f);
	if (status == 0) {
		memory_file_close(&file->in);
		status = memory_file_create(&file->in, f);
	}
	if (status == 0)
		status = memory_file_add(&file->in, text_in(&out), f);
	buf_free(&out);
	return status == 0 ? memory_file_map(&file->in, f) : -1;
}

int report_anonymize(const char *key_file, struct report_file *file, size_t files,
    struct report_file *baseline, struct fault *f)
{
	struct anonymizer *a = anonymizer_open(key_file, f);
	int status = a ? 0 : -1;

	for (size_t i = 0; i < files && status == 0; i++)
		status = anonymizer_learn_stream(a, file[i].name, file[i].in.text, f);
	if (baseline && status == 0)
		status = anonymizer_learn_stream(a, baseline->name, baseline->in.text, f);
	for (size_t i = 0; i < files && status == 0; i++) {
		status = replace_text(a, &file[i], f);
		if (files > 1)
			memory_file_keep_text(&file[i].in);
	}
	if (baseline && status == 0)
		status = replace_text(a, baseline, f);
	if (a)
		anonymizer_close(a);
	return status;
}
