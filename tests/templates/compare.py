#!/usr/bin/env python3
"""Compares cairn's chat templates with Python's jinja2, byte by byte.

  compare.py RENDER_TEMPLATES [NAME]   all templates and all snippets, or those named like NAME

Renders every template of the fetched llama.cpp sources over conversations.py, and every snippet of
snippets.py, with oracle.py and with the program RENDER_TEMPLATES. Both must give the same text, or
both refuse; the message of raise_exception must be equal too.
"""

import json
import os
import pathlib
import subprocess
import sys

import conversations
import oracle
import snippets

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("CAIRN_TEST_DATA", ROOT / "build" / "test-data"))
TEMPLATES = DATA / "llama.cpp" / "models" / "templates"
TEMPLATES_MIN = 70


def jobs(wanted):
    paths = sorted(TEMPLATES.glob("*.jinja"))
    if len(paths) < TEMPLATES_MIN:
        sys.exit(f"compare: {TEMPLATES}: {len(paths)} templates, expected {TEMPLATES_MIN}; "
                 "tests/data/fetch fetches them")
    for path in paths:
        for name, context in conversations.conversations():
            yield f"{path.stem}: {name}", path.read_text(encoding="utf-8"), context
    for number, (template, context) in enumerate(snippets.snippets()):
        yield f"snippet {number}: {template}", template, context


def rendered(program, rows):
    lines = "".join(json.dumps({"template": template, "context": context}) + "\n"
                    for _, template, context in rows)
    result = subprocess.run([program], input=lines.encode(), capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"compare: {program} ended with {result.returncode}: {result.stderr.decode()}")
    return [json.loads(line) for line in result.stdout.split(b"\n") if line]


def difference(expected, found):
    """What differs, or None."""
    if "text" in expected:
        if found.get("text") == expected["text"]:
            return None
        return f"expected {expected['text']!r}\n     found {found.get('text', found)!r}"
    if "text" in found:
        return f"expected a refusal ({expected}), found {found['text']!r}"
    if "raised" in expected and found["error"] != expected["raised"]:
        return f"expected the message {expected['raised']!r}, found {found['error']!r}"
    return None


def main(program, wanted=""):
    rows = [row for row in jobs(wanted) if wanted in row[0]]
    texts, refusals, different = 0, 0, []
    for (name, template, context), found in zip(rows, rendered(program, rows), strict=True):
        expected = oracle.render(template, context)
        texts += "text" in expected
        refusals += "text" not in expected
        if problem := difference(expected, found):
            different.append(f"{name}\n  {problem}")
    for problem in different[:40]:
        print(problem)
    print(f"{len(rows)} renderings: {texts} texts and {refusals} refusals by jinja2, "
          f"{len(different)} differ")
    return 1 if different or not rows else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
