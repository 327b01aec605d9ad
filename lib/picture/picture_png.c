/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes PNG files with libpng; see picture.h. libpng limits the sides of a picture to a
 * million pixels, and texts and profiles to 8 MB.
 */
#include <setjmp.h>

#include <png.h>

#include "picture/picture_decoders_priv.h"

/* The state of decoding a file. */
struct png_job {
	png_structp png;
	png_infop info;
	jmp_buf back;
	struct text rest; /* the bytes that have not been read */
	struct picture *out;
	struct fault *f;
};

static _Noreturn void png_failed(png_structp png, const char *why)
{
	struct png_job *job = png_get_error_ptr(png);

	fault_set(job->f, "the PNG file is damaged: %s", why);
	longjmp(job->back, 1);
}

static void png_note(png_structp png, const char *why)
{
	(void)png;
	(void)why;
}

static void png_take(png_structp png, unsigned char *to, size_t bytes)
{
	struct png_job *job = png_get_io_ptr(png);

	if (bytes > job->rest.len) {
		fault_set(job->f, "the PNG file is truncated");
		longjmp(job->back, 1);
	}
	memcpy(to, job->rest.ptr, bytes);
	job->rest.ptr += bytes;
	job->rest.len -= bytes;
}

/* Makes libpng convert to 8 bits of gray or RGB. */
static void png_convert(const struct png_job *job)
{
	const int color = png_get_color_type(job->png, job->info);

	png_set_scale_16(job->png);
	if (color == PNG_COLOR_TYPE_PALETTE)
		png_set_palette_to_rgb(job->png);
	else if (!(color & PNG_COLOR_MASK_COLOR))
		png_set_expand_gray_1_2_4_to_8(job->png);
	png_set_strip_alpha(job->png);
}

/* Decodes the rows. Returns 0, or -1 and the message. */
static int png_rows(struct png_job *job)
{
	int passes;

	png_set_read_fn(job->png, job, png_take);
	png_read_info(job->png, job->info);
	png_convert(job);
	passes = png_set_interlace_handling(job->png);
	png_read_update_info(job->png, job->info);
	if (picture_make(job->out, png_get_image_width(job->png, job->info),
	        png_get_image_height(job->png, job->info),
	        png_get_channels(job->png, job->info), job->f) < 0)
		return -1;
	for (; passes; passes--)
		for (uint32_t y = 0; y < job->out->height; y++)
			png_read_row(job->png,
			    job->out->pixel +
			        (size_t)y * job->out->width * job->out->channels,
			    NULL);
	png_read_end(job->png, NULL);
	return 0;
}

int picture_png_decode(struct text file, struct picture *out, struct fault *f)
{
	struct png_job job = { .rest = file, .out = out, .f = f };
	volatile int status = -1;

	job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, png_failed, png_note);
	job.info = job.png ? png_create_info_struct(job.png) : NULL;
	if (!job.info)
		fault_set(f, "no memory");
	else if (setjmp(job.back) == 0)
		status = png_rows(&job);
	png_destroy_read_struct(&job.png, &job.info, NULL);
	if (status < 0)
		picture_free(out);
	return status;
}
