/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes JPEG files with libjpeg; see picture.h.
 */
#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

#include "picture/picture_decoders_priv.h"

/* A progressive file may have many scans, each of which costs as much as a file: a small
 * file could take hours. */
enum { SCANS_MAX = 500 };

/* The state of decoding a file. */
struct jpeg_job {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf back;
	struct picture *out;
	struct fault *f;
};

static _Noreturn void jpeg_failed(j_common_ptr c)
{
	struct jpeg_job *job = c->client_data;
	char why[JMSG_LENGTH_MAX];

	c->err->format_message(c, why);
	fault_set(job->f, "the JPEG file is damaged: %s", why);
	longjmp(job->back, 1);
}

/* Receives warnings and traces. Other damage than a missing end is tolerated, as other
 * programs do. */
static void jpeg_note(j_common_ptr c, int level)
{
	struct jpeg_job *job = c->client_data;

	if (level >= 0 || c->err->msg_code != JWRN_JPEG_EOF)
		return;
	fault_set(job->f, "the JPEG file is truncated");
	longjmp(job->back, 1);
}

static void jpeg_advanced(j_common_ptr c)
{
	struct jpeg_job *job = c->client_data;

	if (job->jpeg.input_scan_number <= SCANS_MAX)
		return;
	fault_set(job->f, "the JPEG file has more than %d scans", SCANS_MAX);
	longjmp(job->back, 1);
}

/* Selects the colors to decode to. Returns 0, or -1 and the message. */
static int jpeg_select(struct jpeg_job *job)
{
	struct jpeg_decompress_struct *j = &job->jpeg;

	switch (j->jpeg_color_space) {
	case JCS_GRAYSCALE:
		j->out_color_space = JCS_GRAYSCALE;
		break;
	case JCS_YCbCr:
	case JCS_RGB:
		j->out_color_space = JCS_RGB;
		break;
	default:
		return fault_set(job->f, "the JPEG file has %s colors: convert it to RGB",
		    j->num_components == 4 ? "CMYK" : "unknown");
	}
	return picture_make(job->out, j->image_width, j->image_height,
	    j->out_color_space == JCS_RGB ? 3 : 1, job->f);
}

/* Decodes the rows. Returns 0, or -1 and the message. */
static int jpeg_rows(struct jpeg_job *job, struct text file)
{
	struct jpeg_decompress_struct *j = &job->jpeg;

	jpeg_create_decompress(j);
	j->progress = &job->progress;
	jpeg_mem_src(j, (const unsigned char *)file.ptr, file.len);
	jpeg_read_header(j, TRUE);
	if (jpeg_select(job) < 0)
		return -1;
	jpeg_start_decompress(j);
	while (j->output_scanline < j->output_height) {
		JSAMPROW row = job->out->pixel + (size_t)j->output_scanline *
		                                     j->output_width * job->out->channels;

		jpeg_read_scanlines(j, &row, 1);
	}
	jpeg_finish_decompress(j);
	return 0;
}

int picture_jpeg_decode(struct text file, struct picture *out, struct fault *f)
{
	struct jpeg_job job = { .out = out, .f = f };
	volatile int status = -1;

	job.jpeg.err = jpeg_std_error(&job.errors);
	job.jpeg.client_data = &job;
	job.errors.error_exit = jpeg_failed;
	job.errors.emit_message = jpeg_note;
	job.progress.progress_monitor = jpeg_advanced;
	if (setjmp(job.back) == 0)
		status = jpeg_rows(&job, file);
	jpeg_destroy_decompress(&job.jpeg);
	if (status < 0)
		picture_free(out);
	return status;
}
