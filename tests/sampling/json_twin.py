"""JSON answers against Python's json: json_twin.py DRIVER

Walks: thousands of answers of random tokens under the mask are all objects for Python's reader.
Texts: objects that Python writes, and the same with bytes changed, are judged as Python judges them.
"""

import json
import random
import re
import subprocess
import sys

from changed import changed

ALPHABET = b'{}[]",:0123456789.eE+-tfn\\ \n\t"u' + bytes([0x80, 0xC3, 0xE2, 0xFF, 0])
WALKS = 4000
TEXTS = 6000


def ask(driver, *arguments, lines=()):
    text = "".join(line.hex() + "\n" for line in lines)
    done = subprocess.run([driver, *arguments], input=text, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def refuse(word):
    raise ValueError(word)


def is_object(text):
    """Whether `text` is what cairn calls one JSON object."""
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=refuse)
        strings = []
        json.loads(text.decode("utf-8"), object_pairs_hook=lambda pairs: strings.extend(pairs))
        json.dumps([strings, value], ensure_ascii=False).encode("utf-8")  # surrogates stand in pairs
    except (ValueError, RecursionError):
        return False
    # Outside of strings: no exponent of three digits, which may not fit a double.
    plain = re.sub(rb'"(?:[^"\\]|\\.)*"', b'""', text, flags=re.DOTALL)
    return isinstance(value, dict) and not re.search(rb"[eE][+-]?\d{3}", plain)


def random_value(dice, depth):
    kind = dice.randrange(8 if depth > 0 else 6)
    if kind == 0:
        return dice.choice([None, True, False])
    if kind == 1:
        return dice.choice([0, -1, 17, 10**18, -(10**15)])
    if kind == 2:
        return dice.choice([0.5, -1e-9, 3.25e20, 1e99, -0.0])
    if kind < 6:
        letters = ['a', '"', "\\", "\n", "\t", "é", "€", "😀", "/", "\x01", "\x7f", " ", "{", "]"]
        return "".join(dice.choice(letters) for _ in range(dice.randrange(8)))
    if kind == 6:
        return [random_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    return {str(random_value(dice, 0)): random_value(dice, depth - 1) for _ in range(dice.randrange(4))}


def random_text(dice):
    value = {str(i): random_value(dice, 4) for i in range(dice.randrange(4))}
    return json.dumps(value, ensure_ascii=dice.random() < 0.5, indent=dice.choice([None, 0, 2]),
                      separators=dice.choice([None, (",", ":")])).encode("utf-8")


def check_walks(driver):
    walks = [bytes.fromhex(line) for line in ask(driver, "walks", str(WALKS))]
    assert len(walks) == WALKS
    for walk in walks:
        assert is_object(walk), f"not an object: {walk!r}"
    return sum(map(len, walks))


def check_texts(driver):
    dice = random.Random(5)
    whole = [random_text(dice) for _ in range(TEXTS)]
    for text, verdict in zip(whole, ask(driver, "check", lines=whole)):
        assert is_object(text) and verdict == "object", f"{text!r} is an object, found {verdict}"
    starts = [text[: dice.randrange(len(text))] for text in whole]
    for text, verdict in zip(starts, ask(driver, "check", lines=starts)):
        assert verdict == "beginning", f"{text!r} begins an object, found {verdict}"
    others = [changed(dice, text, ALPHABET) for text in whole]
    for text, verdict in zip(others, ask(driver, "check", lines=others)):
        expected = is_object(text)
        assert (verdict == "object") == expected, f"{text!r}: Python says {expected}, found {verdict}"
    return sum(map(is_object, others))


def main():
    driver = sys.argv[1]
    size = check_walks(driver)
    valid = check_texts(driver)
    print(f"{WALKS} walks of {size} bytes, {TEXTS} objects, their beginnings, and {TEXTS} changed "
          f"texts of which {valid} were objects: all as Python's json says")


main()
