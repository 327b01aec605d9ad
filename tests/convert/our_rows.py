# SPDX-License-Identifier: GPL-3.0-or-later
# Functions for scripts that compare bench-convert with the readers of other programs.
import csv
import subprocess
from decimal import Decimal


def rows(path, *columns):
    """Returns these columns of each row that bench-convert reads from a file, and its value."""
    out = subprocess.run(["bench-convert", "-q", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [tuple(row.get(name, "") for name in columns) + (float(row["value"]) if row["value"] else None,)
            for row in csv.DictReader(out.splitlines())]


def scaled(value, exponent):
    """Returns a number times a power of ten, rounded once."""
    return float(Decimal(repr(value)).scaleb(exponent))


def compare(got, want):
    """Fails if the rows differ, and shows the first differences."""
    wrong = [pair for pair in zip(got, want) if pair[0] != pair[1]]
    assert got and len(got) == len(want) and not wrong, (len(got), len(want), wrong[:3])
