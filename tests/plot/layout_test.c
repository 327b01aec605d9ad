/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the whiskers of boxes, and the placement of names next to points. */
#include <math.h>

#include "plot/layout.h"
#include "plot/layout_names.h"
#include "tests/lib/tap.h"

static void test_whiskers(void)
{
	double value[] = { 1, 2, 3, 4, 5, 6, 7, 8, 100 };
	struct mark m = { .value = value, .n = COUNT(value) };
	struct whiskers w = whiskers_of(&m);

	tap_ok(w.q1 == 3 && w.q3 == 7, "the quartiles of a box are of type 7");
	tap_ok(w.lo == 1 && w.hi == 8 && w.first == 0 && w.last == 8,
	    "whiskers end at values, and values beyond them are outliers");
	m.n = 1;
	w = whiskers_of(&m);
	tap_ok(w.lo == 1 && w.hi == 1 && w.q1 == 1, "one value is its own whisker");
	m.n = 0;
	w = whiskers_of(&m);
	tap_ok(isnan(w.lo) && isnan(w.q1), "a mark without values has no whiskers");
}

static bool overlap(const struct names_point *a, const struct names_point *b, double column)
{
	return fabs(a->name_y - b->name_y) < 20 * 0.9 - 1e-9 &&
	       a->name_x < b->name_x + b->width * column - 1e-9 &&
	       b->name_x < a->name_x + a->width * column - 1e-9;
}

static void test_names(void)
{
	struct names_room room = { .right = 800, .bottom = 400, .column = 8, .row = 20 };
	struct names_line roof = { 0, 205, 800, 205 };
	struct names_point one = { .x = 400, .y = 200, .width = 10 }, edge = one, crowd[40];
	size_t shown = 0, covered = 0, led = 0;

	names_place(&one, 1, &room);
	tap_ok(one.shown && one.name_x > one.x && one.name_y == one.y,
	    "a name is on the right of its point");
	edge.x = 790;
	names_place(&edge, 1, &room);
	tap_ok(edge.shown && edge.name_x + edge.width * room.column <= room.right,
	    "a name stays within the axes");
	room.line = &roof;
	room.lines = 1;
	names_place(&one, 1, &room);
	tap_ok(one.shown && fabs(one.name_y - 205) >= 0.45 * room.row,
	    "a name does not cover a line");
	room.lines = 0;
	for (size_t i = 0; i < COUNT(crowd); i++)
		crowd[i] = (struct names_point){ .x = 400 + (double)(i % 8) * 6,
			.y = 200 + (double)(i / 8) * 6,
			.width = 12 };
	names_place(crowd, COUNT(crowd), &room);
	for (size_t i = 0; i < COUNT(crowd); i++) {
		shown += crowd[i].shown;
		for (size_t k = 0; k < i && crowd[i].shown; k++)
			covered +=
			    crowd[k].shown && overlap(&crowd[i], &crowd[k], room.column);
	}
	tap_ok(covered == 0, "names do not cover each other");
	tap_ok(shown > 0 && shown < COUNT(crowd),
	    "names without room are left out (%zu of %zu)", shown, COUNT(crowd));
	room.leaders = true;
	names_place(crowd, COUNT(crowd), &room);
	for (size_t i = 0; i < COUNT(crowd); i++)
		led += crowd[i].shown && crowd[i].led;
	names_place(&one, 1, &room);
	tap_ok(led > 0 && one.shown && !one.led,
	    "names that are far from their points have lines to them (%zu)", led);
}

int main(void)
{
	test_whiskers();
	test_names();
	return tap_end();
}
