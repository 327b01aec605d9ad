/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of characters against Unicode 15.0.0, and of whole texts; cutting at columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tests/lib/tap.h"
#include "text/display_text.h"
#include "text/display_width.h"

/*
 * Code points with their class in EastAsianWidth-15.0.0.txt and whether they are drawn over
 * another character: nonspacing and enclosing marks, format characters but the soft hyphen
 * (UnicodeData.txt, general categories Mn, Me and Cf), and conjoining Hangul vowels and
 * finals.
 */
static const struct {
	unsigned code;
	const char *class;
	bool zero;
} published[] = {
	{ 0x20, "Na", false },   /* SPACE */
	{ 0x41, "Na", false },   /* LATIN CAPITAL LETTER A */
	{ 0x7e, "Na", false },   /* TILDE */
	{ 0xa0, "N", false },    /* NO-BREAK SPACE */
	{ 0xa1, "A", false },    /* INVERTED EXCLAMATION MARK */
	{ 0xad, "A", false },    /* SOFT HYPHEN */
	{ 0xb5, "N", false },    /* MICRO SIGN */
	{ 0xd7, "A", false },    /* MULTIPLICATION SIGN */
	{ 0xe9, "A", false },    /* LATIN SMALL LETTER E WITH ACUTE */
	{ 0x300, "A", true },    /* COMBINING GRAVE ACCENT */
	{ 0x301, "A", true },    /* COMBINING ACUTE ACCENT */
	{ 0x391, "A", false },   /* GREEK CAPITAL LETTER ALPHA */
	{ 0x3b1, "A", false },   /* GREEK SMALL LETTER ALPHA */
	{ 0x483, "N", true },    /* COMBINING CYRILLIC TITLO */
	{ 0x5d0, "N", false },   /* HEBREW LETTER ALEF */
	{ 0x5b0, "N", true },    /* HEBREW POINT SHEVA */
	{ 0x627, "N", false },   /* ARABIC LETTER ALEF */
	{ 0x64b, "N", true },    /* ARABIC FATHATAN */
	{ 0x905, "N", false },   /* DEVANAGARI LETTER A */
	{ 0xe01, "N", false },   /* THAI CHARACTER KO KAI */
	{ 0xe31, "N", true },    /* THAI CHARACTER MAI HAN-AKAT */
	{ 0x10d0, "N", false },  /* GEORGIAN LETTER AN */
	{ 0x1100, "W", false },  /* HANGUL CHOSEONG KIYEOK */
	{ 0x115f, "W", false },  /* HANGUL CHOSEONG FILLER */
	{ 0x1160, "N", true },   /* HANGUL JUNGSEONG FILLER */
	{ 0x11a8, "N", true },   /* HANGUL JONGSEONG KIYEOK */
	{ 0x1ef9, "N", false },  /* LATIN SMALL LETTER Y WITH TILDE */
	{ 0x200b, "N", true },   /* ZERO WIDTH SPACE */
	{ 0x200c, "N", true },   /* ZERO WIDTH NON-JOINER */
	{ 0x200d, "N", true },   /* ZERO WIDTH JOINER */
	{ 0x2026, "A", false },  /* HORIZONTAL ELLIPSIS */
	{ 0x203b, "A", false },  /* REFERENCE MARK */
	{ 0x2190, "A", false },  /* LEFTWARDS ARROW */
	{ 0x20a9, "H", false },  /* WON SIGN */
	{ 0x20ac, "A", false },  /* EURO SIGN */
	{ 0x20dd, "N", true },   /* COMBINING ENCLOSING CIRCLE */
	{ 0x20e3, "N", true },   /* COMBINING ENCLOSING KEYCAP */
	{ 0x2211, "A", false },  /* N-ARY SUMMATION */
	{ 0x231a, "W", false },  /* WATCH */
	{ 0x2500, "A", false },  /* BOX DRAWINGS LIGHT HORIZONTAL */
	{ 0x2588, "A", false },  /* FULL BLOCK */
	{ 0x25cf, "A", false },  /* BLACK CIRCLE */
	{ 0x2606, "A", false },  /* WHITE STAR */
	{ 0x2615, "W", false },  /* HOT BEVERAGE */
	{ 0x2764, "N", false },  /* HEAVY BLACK HEART */
	{ 0x28ff, "N", false },  /* BRAILLE PATTERN DOTS-12345678 */
	{ 0x2e80, "W", false },  /* CJK RADICAL REPEAT */
	{ 0x2ff0, "W", false },  /* IDEOGRAPHIC DESCRIPTION CHARACTER LEFT TO RIGHT */
	{ 0x3000, "F", false },  /* IDEOGRAPHIC SPACE */
	{ 0x3001, "W", false },  /* IDEOGRAPHIC COMMA */
	{ 0x3042, "W", false },  /* HIRAGANA LETTER A */
	{ 0x302a, "W", true },   /* IDEOGRAPHIC LEVEL TONE MARK */
	{ 0x303f, "N", false },  /* IDEOGRAPHIC HALF FILL SPACE */
	{ 0x3099, "W", true },   /* COMBINING KATAKANA-HIRAGANA VOICED SOUND MARK */
	{ 0x30a2, "W", false },  /* KATAKANA LETTER A */
	{ 0x3131, "W", false },  /* HANGUL LETTER KIYEOK */
	{ 0x3400, "W", false },  /* CJK IDEOGRAPH */
	{ 0x4dc0, "N", false },  /* HEXAGRAM FOR THE CREATIVE HEAVEN */
	{ 0x4e00, "W", false },  /* CJK IDEOGRAPH */
	{ 0x9fff, "W", false },  /* CJK IDEOGRAPH */
	{ 0xa000, "W", false },  /* YI SYLLABLE IT */
	{ 0xa960, "W", false },  /* HANGUL CHOSEONG TIKEUT-MIEUM */
	{ 0xac00, "W", false },  /* HANGUL SYLLABLE */
	{ 0xd7a3, "W", false },  /* HANGUL SYLLABLE */
	{ 0xd7b0, "N", true },   /* HANGUL JUNGSEONG O-YEO */
	{ 0xe000, "A", false },  /* PRIVATE USE */
	{ 0xf900, "W", false },  /* CJK COMPATIBILITY IDEOGRAPH-F900 */
	{ 0xfe0e, "A", true },   /* VARIATION SELECTOR-15 */
	{ 0xfe0f, "A", true },   /* VARIATION SELECTOR-16 */
	{ 0xfe10, "W", false },  /* PRESENTATION FORM FOR VERTICAL COMMA */
	{ 0xfe30, "W", false },  /* PRESENTATION FORM FOR VERTICAL TWO DOT LEADER */
	{ 0xfeff, "N", true },   /* ZERO WIDTH NO-BREAK SPACE */
	{ 0xff01, "F", false },  /* FULLWIDTH EXCLAMATION MARK */
	{ 0xff21, "F", false },  /* FULLWIDTH LATIN CAPITAL LETTER A */
	{ 0xff60, "F", false },  /* FULLWIDTH RIGHT WHITE PARENTHESIS */
	{ 0xff61, "H", false },  /* HALFWIDTH IDEOGRAPHIC FULL STOP */
	{ 0xff71, "H", false },  /* HALFWIDTH KATAKANA LETTER A */
	{ 0xffa0, "H", false },  /* HALFWIDTH HANGUL FILLER */
	{ 0xffe0, "F", false },  /* FULLWIDTH CENT SIGN */
	{ 0xffe5, "F", false },  /* FULLWIDTH YEN SIGN */
	{ 0xffe8, "H", false },  /* HALFWIDTH FORMS LIGHT VERTICAL */
	{ 0xfffd, "A", false },  /* REPLACEMENT CHARACTER */
	{ 0x16fe0, "W", false }, /* TANGUT ITERATION MARK */
	{ 0x17000, "W", false }, /* TANGUT IDEOGRAPH */
	{ 0x1b000, "W", false }, /* KATAKANA LETTER ARCHAIC E */
	{ 0x1d7ff, "N", false }, /* MATHEMATICAL MONOSPACE DIGIT NINE */
	{ 0x1f004, "W", false }, /* MAHJONG TILE RED DRAGON */
	{ 0x1f0cf, "W", false }, /* PLAYING CARD BLACK JOKER */
	{ 0x1f1e6, "N", false }, /* REGIONAL INDICATOR SYMBOL LETTER A */
	{ 0x1f300, "W", false }, /* CYCLONE */
	{ 0x1f3fb, "W", false }, /* EMOJI MODIFIER FITZPATRICK TYPE-1-2 */
	{ 0x1f468, "W", false }, /* MAN */
	{ 0x1f600, "W", false }, /* GRINNING FACE */
	{ 0x1f680, "W", false }, /* ROCKET */
	{ 0x1f9ea, "W", false }, /* TEST TUBE */
	{ 0x1faf8, "W", false }, /* RIGHTWARDS PUSHING HAND */
	{ 0x20000, "W", false }, /* CJK IDEOGRAPH */
	{ 0x2a6df, "W", false }, /* CJK IDEOGRAPH */
	{ 0x30000, "W", false }, /* CJK IDEOGRAPH */
	{ 0xe0020, "N", true },  /* TAG SPACE */
	{ 0xe0100, "A", true },  /* VARIATION SELECTOR-17 */
};

/* Writes a code point as UTF-8; independent of the code under test. */
static size_t encode(char *out, unsigned code)
{
	size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = bytes; i-- > 1; code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(lead[bytes] | code);
	return bytes;
}

static void test_published(void)
{
	for (size_t i = 0; i < COUNT(published); i++) {
		bool wide = strcmp(published[i].class, "W") == 0 ||
		            strcmp(published[i].class, "F") == 0;
		size_t want = published[i].zero ? 0 : wide ? 2 : 1;
		char s[4];
		struct text t = { s, encode(s, published[i].code) };
		struct display_char got = display_char(t);

		tap_ok(got.columns == want && got.bytes == t.len && !got.escaped,
		    "U+%04X of class %s takes %zu columns (%zu)", published[i].code,
		    published[i].class, want, got.columns);
	}
}

static void test_texts(void)
{
	static const struct {
		const char *text, *what;
		size_t width;
	} texts[] = {
		{ "", "the empty text", 0 },
		{ "sort/n=1000", "ASCII", 11 },
		{ "µs…", "Latin and an ambiguous ellipsis", 3 },
		{ "快速", "ideographs", 4 },
		{ "ソート", "katakana", 6 },
		{ "ｿｰﾄ", "half-width katakana", 3 },
		{ "Ｓｏｒｔ", "full-width Latin", 8 },
		{ "快速 sort（한）", "scripts next to each other", 15 },
		{ "한글", "precomposed Hangul", 4 },
		{ "\u1112\u1161\u11ab\u1100\u1173\u11af", "conjoining Hangul", 4 },
		{ "\u304b\u3099", "kana with a combining voicing mark", 2 },
		{ "cafe\u0301", "a combining accent", 4 },
		{ "Z\u0351\u036b\u0343algo", "three accents on one letter", 5 },
		{ "a\u200bb", "a zero-width space", 2 },
		{ "\u0915\u094d\u200d\u0937", "a Devanagari cluster with a joiner", 2 },
		{ "\u0915\u093e", "a spacing mark", 2 },
		{ "soft\u00adhyphen", "a soft hyphen", 11 },
		{ "😀", "an emoji", 2 },
		{ "👍🏽", "an emoji and a skin tone", 4 },
		{ "👩\u200d🔬", "emoji that a joiner joins", 4 },
		{ "🇩🇪", "two regional indicators", 2 },
		{ "\u2615\ufe0f", "an emoji with a variation selector", 2 },
		{ "\u2764\ufe0f", "a narrow symbol with a variation selector", 1 },
		{ "1\ufe0f\u20e3", "a keycap", 1 },
		{ "a\tb\n", "a tab and a newline, which are escaped", 6 },
		{ "\033[31m", "an escape character, which is escaped", 8 },
		{ "\xc2\x85", "a C1 control, which is escaped", 8 },
		{ "\xe5\xbf", "a broken sequence, which is escaped", 8 },
		{ "\u202eabc", "a change of direction, which is escaped", 15 },
	};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct text t = text_of(texts[i].text);
		struct buf clean = { 0 };

		display_text_clean(&clean, t);
		tap_ok(display_width(t) == texts[i].width, "the width of %s is %zu (%zu)",
		    texts[i].what, texts[i].width, display_width(t));
		tap_ok(
		    display_width(text_in(&clean)) == texts[i].width,
		    "cleaning does not change the width of %s", texts[i].what);
		buf_free(&clean);
	}
}

static void cut_is(const char *s, size_t columns, const char *start, const char *end)
{
	struct text t = text_of(s);
	char *first = mem_text(t.ptr, display_prefix(t, columns));
	size_t tail = display_suffix(t, columns);

	tap_text(first, start, "the start of a text is cut at a column");
	tap_text(s + t.len - tail, end, "the end of a text is cut at a column");
	free(first);
}

static void test_cuts(void)
{
	struct buf b = { 0 };

	cut_is("abcdef", 3, "abc", "def");
	cut_is("abc", 9, "abc", "abc");
	cut_is("abc", 0, "", "");
	cut_is("快速排序", 5, "快速", "排序");
	cut_is("e\u0301o\u0301u\u0301", 2, "e\u0301o\u0301", "o\u0301u\u0301");
	cut_is("\u0301ab", 2, "\u0301ab", "\u0301ab");
	display_put(&b, TEXT("快速排序"), 5);
	display_put(&b, TEXT("|e\u0301"), 4);
	display_put(&b, TEXT("|"), 1);
	buf_byte(&b, '\0');
	tap_text(b.ptr, "快速 |e\u0301  |", "a text is cut or padded to its columns");
	buf_free(&b);
}

int main(void)
{
	test_published();
	test_texts();
	test_cuts();
	return tap_end();
}
