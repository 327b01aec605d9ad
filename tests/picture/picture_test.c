/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares pictures with those of Pillow (tests/fixtures/data/pictures/make.py), and
 * decodes damaged files.
 */
#include <math.h>
#include <stdlib.h>

#include "io/gzip.h"
#include "picture/picture_prepare.h"
#include "port/npy.h"
#include "port/npz.h"
#include "port/port_spec.h"
#include "tests/lib/tap.h"

static const char folder[] = "tests/fixtures/data/pictures";

/* Reads a file of the fixtures. */
static struct buf read_fixture(const char *name)
{
	char *path = str_format("%s/%s", folder, name);
	struct buf file = { 0 };
	struct fault f = { "" };

	if (file_read(path, &file, &f) < 0)
		printf("# %s\n", f.text);
	free(path);
	return file;
}

static const struct {
	const char *file, *expected, *settings;
} cases[] = {
	{ "color.jpg", "color.jpg", "resize=18" },
	{ "gray.jpg", "gray.jpg", "resize=18" },
	{ "rotated.jpg", "rotated.jpg", "resize=18" },
	{ "color.png", "color.png", "" },
	{ "palette.png", "palette.png", "resize=18,filter=bilinear" },
	{ "alpha.png", "alpha.png", "resize=18" },
	{ "gray.png", "gray.png", "resize=18" },
	{ "bits.png", "bits.png", "resize=18" },
	{ "gray16.png", "gray16.png", "resize=18" },
	{ "color.png", "bicubic", "resize=18,filter=bicubic" },
	{ "color.png", "larger", "resize=70x61,filter=bicubic" },
	{ "color.png", "exact", "resize=12x20" },
	{ "color.png", "unresized", "resize=none" },
	{ "color.png", "one channel", "resize=18" },
};

/* Prepares a picture for an input of 8-bit integers with these sizes, channels last.
 * Returns the largest difference from the expected elements, or NAN and the message. */
static double difference(size_t number, const struct npy *want, struct fault *f)
{
	struct buf file = read_fixture(cases[number].file);
	char *text = str_format("x,%s", cases[number].settings);
	const struct picture_input to = { (uint32_t)want->size[0], (uint32_t)want->size[1],
		(uint32_t)want->size[2], true, false, false };
	double *x = mem_zero(want->elements.len, sizeof(*x)), most = 0;
	struct picture p = { 0 };
	struct port_spec spec = { 0 };

	if (port_spec_parse(text, &spec, f) < 0 ||
	    picture_decode(text_in(&file), &p, f) < 0 ||
	    picture_prepare(&p, &spec.picture, &to, x, f) < 0)
		most = NAN;
	for (size_t i = 0; !isnan(most) && i < want->elements.len; i++)
		most = fmax(most, fabs(x[i] - (unsigned char)want->elements.ptr[i]));
	picture_free(&p);
	port_spec_free(&spec);
	buf_free(&file);
	free(text);
	free(x);
	return most;
}

static void check_expected(void)
{
	struct buf archive = read_fixture("expected.npz");

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf file = { 0 };
		struct npy want = { 0 };
		struct fault f = { "" };
		double most = NAN;

		if (npz_read(text_in(&archive), cases[i].expected,
		        &file, &f) == 0 &&
		    npy_read(text_in(&file), &want, &f) == 0)
			most = difference(i, &want, &f);
		tap_ok(want.elements.len && most <= 1,
		    "%s with '%s' differs from Pillow by %g, at most one gray level %s",
		    cases[i].file, cases[i].settings, most, f.text);
		buf_free(&file);
	}
	buf_free(&archive);
}

static void check_normalized(void)
{
	struct picture white = { 2, 2, 3, mem_zero(12, 1) };
	const struct picture_input to = { 2, 2, 3, false, true, false },
	                           gray = { 2, 2, 1, false, true, false },
	                           bytes = { 2, 2, 3, false, false, true };
	const struct picture_settings none = { .unresized = true },
	                              bgr = { .unresized = true, .color = PICTURE_BGR };
	double x[12];
	struct fault f;

	memset(white.pixel, 255, 12);
	white.pixel[0] = 0;
	picture_prepare(&white, &none, &to, x, &f);
	tap_ok(fabs(x[0] + 0.485 / 0.229) < 1e-12 && fabs(x[1] - 0.515 / 0.229) < 1e-12 &&
	           fabs(x[4] - 0.544 / 0.224) < 1e-12 && fabs(x[8] - 0.594 / 0.225) < 1e-12,
	    "floating-point inputs are normalized as for ImageNet, channel after channel");
	picture_prepare(&white, &bgr, &to, x, &f);
	tap_ok(fabs(x[8] + 0.406 / 0.225) < 1e-12 && fabs(x[0] - 0.515 / 0.229) < 1e-12,
	    "color=bgr stores blue before red");
	picture_prepare(&white, &none, &bytes, x, &f);
	tap_ok(x[0] == -128 && x[1] == 127, "signed 8-bit inputs hold pixels minus 128");
	picture_prepare(&white, &none, &gray, x, &f);
	tap_ok(fabs(x[0] - 179 / 255.0) < 1e-12 && x[3] == 1,
	    "inputs of one channel hold gray from 0 to 1");
	picture_free(&white);
}

/* Decodes and prepares a file, which may be damaged. Returns whether that succeeds. */
static bool survives(struct text file, struct fault *f)
{
	const struct picture_settings none = { 0 };
	const struct picture_input to = { 8, 8, 3, false, true, false };
	double x[3 * 8 * 8];
	struct picture p;
	bool good =
	    picture_decode(file, &p, f) == 0 && picture_prepare(&p, &none, &to, x, f) == 0;

	picture_free(&p);
	return good;
}

/* Returns the number of prefixes of a file that are accepted or refused without a reason.
 */
static size_t accepted_prefixes(struct text file)
{
	size_t wrong = 0;

	for (size_t len = 0; len + 16 < file.len; len++) {
		char *part = mem_text(file.ptr, len);
		struct fault f = { "" };

		wrong += survives((struct text){ part, len }, &f) || !*f.text ||
		         strchr(f.text, '\n');
		free(part);
	}
	return wrong;
}

/* Decodes copies of a file with changed bytes, which must not crash. */
static void flip_bytes(struct text file, uint32_t seed)
{
	for (uint32_t i = 0; i < 300; i++) {
		char *copy = mem_text(file.ptr, file.len);
		struct fault f = { "" };

		for (int k = 0; k < 3; k++) {
			seed = seed * 1664525u + 1013904223u;
			copy[(seed >> 8) % file.len] = (char)seed;
		}
		survives((struct text){ copy, file.len }, &f);
		free(copy);
	}
}

static void check_damaged(void)
{
	static const char *const names[] = { "color.jpg", "gray.jpg", "color.png",
		"palette.png" };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct buf file = read_fixture(names[i]);
		struct text t = { file.ptr, file.len };

		tap_ok(accepted_prefixes(t) == 0,
		    "each truncated %s is refused with a reason in one line", names[i]);
		flip_bytes(t, (uint32_t)i);
		tap_ok(true, "damaged copies of %s crash nothing", names[i]);
		buf_free(&file);
	}
}

/* Checks that a file is refused with a message that contains a text. */
static void refuses(struct buf file, const char *want, const char *what)
{
	struct fault f = { "" };
	bool good = survives(text_in(&file), &f);

	if (!tap_ok(!good && strstr(f.text, want), "%s", what))
		printf("# got: %s\n", f.text);
	buf_free(&file);
}

/* Returns color.png with this size in its header, and the checksum that belongs to it. */
static struct buf resized_png(const char *width, const char *height)
{
	struct buf file = read_fixture("color.png");
	uint32_t sum;

	memcpy(file.ptr + 16, width, 4);
	memcpy(file.ptr + 20, height, 4);
	sum = gzip_checksum((struct text){ file.ptr + 12, 17 });
	for (int i = 0; i < 4; i++)
		file.ptr[29 + i] = (char)(sum >> (24 - 8 * i));
	return file;
}

/* Returns color.jpg with the largest size in its header. */
static struct buf huge_jpeg(void)
{
	struct buf file = read_fixture("color.jpg");

	for (size_t i = 0; i + 9 < file.len; i++)
		if (memcmp(file.ptr + i, "\xff\xc0\0\x11", 4) == 0)
			memcpy(file.ptr + i + 5, "\xff\xdc\xff\xdc", 4);
	return file;
}

static void check_refused(void)
{
	struct buf other = { 0 }, cmyk = read_fixture("cmyk.jpg");

	buf_str(&other, "GIF89a");
	refuses(other, "neither a JPEG nor a PNG file", "other files are refused");
	refuses(cmyk, "CMYK", "a CMYK picture is refused");
	refuses(resized_png("\0\0\xff\xff", "\0\0\xff\xff"), "65535x65535 pixels",
	    "a PNG file of too many pixels is refused");
	refuses(resized_png("\x7f\xff\xff\xff", "\0\0\0\1"), "damaged",
	    "a PNG file of too wide rows is refused");
	refuses(resized_png("\0\0\0\x2d", "\0\0\0\0"), "damaged",
	    "a PNG file without pixels is refused");
	refuses(
	    huge_jpeg(), "65500x65500 pixels", "a JPEG file of too many pixels is refused");
}

/* Returns whether the decoders are compiled in. */
static bool has_decoders(void)
{
	bool has = true;

	for (int i = 0; i < 2; i++) {
		struct buf file = read_fixture(i ? "color.png" : "color.jpg");
		struct picture p;
		struct fault f = { "" };

		if (picture_decode(text_in(&file), &p, &f) < 0)
			has = has && !strstr(f.text, "was built without");
		picture_free(&p);
		buf_free(&file);
	}
	return has;
}

int main(void)
{
	if (!has_decoders()) {
		puts("1..0 # SKIP benchutils was built without libjpeg or libpng");
		return 0;
	}
	check_expected();
	check_normalized();
	check_damaged();
	check_refused();
	return tap_end();
}
