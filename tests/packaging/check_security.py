"""Holds docs/security.md to the tests: check_security.py SOURCE_FOLDER. Every promise names tests, and each is there."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
there = set()
for folder in ("src", "tests"):
    for path in (root / folder).rglob("*_test.cpp"):
        there |= {f"{suite}.{name}" for suite, name in re.findall(r"TEST(?:_[FP])?\((\w+),\s*(\w+)\)", path.read_text())}

rows = re.findall(r"^\| (.+?) \| (.+?) \|$", (root / "docs/security.md").read_text(), re.M)[1:]
assert len(rows) > 10, "the table of promises was not found"
for promise, shown_by in rows:
    names = re.findall(r"`(\w+\.\w+)`", shown_by)
    assert names, f"no test shows: {promise}"
    for name in names:
        assert name in there, f"{name}, which is to show '{promise}', is no test"
print(f"{len(rows)} promises, each with its tests")
