"""Grammars of JSON Schemas against Python's jsonschema: schema_twin.py DRIVER

Walks: answers of random tokens under the mask, for random schemas, are all valid.
Values: what is valid, written in the order of the schema, is accepted, and so are its beginnings.
Changes: of texts with bytes changed, none that is accepted is invalid.
Faults: a schema other than the one that was enforced is noticed by the same checks.
"""

import json
import random
import subprocess
import sys

import jsonschema

from changed import changed

SCHEMAS = 500
WALKS = 12
NAMES = ["a", "b", "red", "ä", 'q"', "a b", "x/y", "~"]
VALUES = ["red", "a", 'q"', "", "é", 1, 12, -3, 0.5, True, False, None, [], [1, 2], {}, {"a": 1}]


def random_schema(dice, depth, definitions):
    """A schema of the subset; those that refer to each other can always end."""
    kind = dice.randrange(13 if depth > 0 else 7)
    if kind == 0:
        return dice.choice([{}, True, {"title": "T", "description": "d", "default": 1}])
    if kind == 1:
        return {"type": dice.choice(["string", "number", "integer", "boolean", "null"])}
    if kind == 2:
        return {"enum": dice.sample(VALUES, dice.randrange(1, 5))}
    if kind == 3:
        return {"const": dice.choice(VALUES)}
    if kind == 4:
        return {"type": dice.sample(["string", "number", "integer", "boolean", "null"], 2)}
    if kind == 5:
        return {"enum": ["red", "green", 7, None], "type": dice.choice(["string", "null", ["integer", "null"]])}
    if kind == 6:
        return {"$ref": "#/$defs/" + dice.choice(definitions)} if depth > 0 else {"type": "object"}
    if kind == 7:
        return {"anyOf": [random_schema(dice, depth - 1, definitions) for _ in range(dice.randrange(1, 4))]}
    if kind == 8:
        low = dice.randrange(3)
        schema = {"type": "array", "items": random_schema(dice, depth - 1, definitions)}
        if dice.random() < 0.5:
            schema["minItems"] = low
        if dice.random() < 0.5:
            schema["maxItems"] = low + dice.randrange(3)
        return schema
    names = dice.sample(NAMES, dice.randrange(4))
    schema = {"type": "object", "properties": {n: random_schema(dice, depth - 1, definitions) for n in names}}
    schema["required"] = [n for n in names if dice.random() < 0.5]
    more = dice.randrange(4)
    if more == 1:
        schema["additionalProperties"] = False
    if more == 2:
        schema["additionalProperties"] = random_schema(dice, depth - 1, definitions)
    if more == 3:
        schema["additionalProperties"] = True
    return schema


def random_root(dice):
    names = ["p", "q"]
    schema = random_schema(dice, 3, names)
    if not isinstance(schema, dict):
        schema = {"anyOf": [schema]}
    leaf = {"type": "integer"}
    schema["$defs"] = {
        name: {"anyOf": [leaf, random_schema(dice, 2, names)]} for name in names
    }
    return schema


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def is_valid(schema, text):
    try:
        value = json.loads(text.decode("utf-8"))
    except ValueError:
        return False
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def in_order(schema, root, value):
    """Writes a value as the grammar does: members in the order of the schema, others behind."""
    if isinstance(schema, dict) and "$ref" in schema:
        return in_order(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, value)
    schema = schema if isinstance(schema, dict) else {}
    for option in schema.get("anyOf", []):
        whole = {**option, "$defs": root["$defs"]} if isinstance(option, dict) else option
        if jsonschema.Draft202012Validator(whole).is_valid(value):
            return in_order(option, root, value)
    if isinstance(value, dict):
        listed = schema.get("properties", {})
        names = [n for n in listed if n in value] + [n for n in value if n not in listed]
        return {n: in_order(listed.get(n, {}), root, value[n]) for n in names}
    if isinstance(value, list):
        return [in_order(schema.get("items", {}), root, each) for each in value]
    return value


def has_listed_containers(node):
    if isinstance(node, list):
        return any(map(has_listed_containers, node))
    if not isinstance(node, dict):
        return False
    listed = [*node.get("enum", []), node.get("const")]
    return any(isinstance(each, (list, dict)) for each in listed) or has_listed_containers(list(node.values()))


def check_walks(driver, dice, schema, seed):
    reply = driver.ask(schema=schema, walks=WALKS, seed=seed)
    if "error" in reply:
        assert "nothing satisfies" in reply["error"], f"{schema}: {reply['error']}"
        return None
    texts = [bytes.fromhex(text) for text in reply["texts"]]
    ended = [text for text in texts if text]
    for text in ended:
        assert is_valid(schema, text), f"{schema}: {text!r} is not valid"
    return ended


def small(text):
    """A number whose exponent has two digits however Python writes it."""
    number = float(text)
    return number if number == 0 or 1e-80 < abs(number) < 1e80 else 0.5


def check_texts(driver, dice, schema, texts):
    """Valid texts are accepted, also in another writing; what is accepted is valid."""
    styles = [{"separators": (",", ":")}]  # the one spelling of enumerated arrays and objects
    if not has_listed_containers(schema):
        styles += [{"indent": 1}, {}]
    whole = [
        json.dumps(in_order(schema, schema, json.loads(text, parse_float=small)), ensure_ascii=False, **dice.choice(styles)).encode()
        for text in texts
    ]
    broken = [changed(dice, text, b'{}[]",:0123456789.e-tfnabr \\') for text in whole]
    starts = [text[: dice.randrange(len(text) + 1)] for text in whole]
    verdicts = driver.ask(schema=schema, texts=[t.hex() for t in whole + starts + broken])["verdicts"]
    for text, verdict in zip(whole, verdicts):
        assert verdict == "whole", f"{schema}: {text!r} is valid, found {verdict}"
    for text, verdict in zip(starts, verdicts[len(whole):]):
        assert verdict != "no", f"{schema}: {text!r} begins a valid text, found {verdict}"
    refused = 0
    for text, verdict in zip(broken, verdicts[2 * len(whole):]):
        refused += verdict != "whole"
        assert verdict != "whole" or is_valid(schema, text), f"{schema}: {text!r} is accepted and not valid"
    return refused


def with_fault(dice, schema):
    """The schema with one thing changed in it, in a part that every answer has."""
    places = []

    def visit(node):
        if not isinstance(node, dict):
            return
        if node.get("type") in ("string", "integer", "boolean"):
            places.append(lambda: node.update(type="null"))
        if "const" in node:
            places.append(lambda: node.update(const="another"))
        if node.get("minItems"):
            places.append(lambda: node.update(minItems=node["minItems"] + 99))
            visit(node["items"])
        for name in node.get("required", []):
            visit(node["properties"][name])
        if len(node.get("anyOf", [])) == 1:
            visit(node["anyOf"][0])

    schema = json.loads(json.dumps(schema))
    visit(schema)
    if not places:
        return None
    dice.choice(places)()
    return schema


def main():
    driver = Driver(sys.argv[1])
    dice = random.Random(11)
    walks, impossible, unended, refused, planted, noticed = 0, 0, 0, 0, 0, 0
    for number in range(SCHEMAS):
        schema = random_root(dice)
        texts = check_walks(driver, dice, schema, number * WALKS)
        if texts is None:
            impossible += 1
            continue
        walks += len(texts)
        unended += WALKS - len(texts)
        refused += check_texts(driver, dice, schema, texts)
        fault = with_fault(dice, schema)
        if fault is not None and texts:
            planted += 1
            noticed += not all(is_valid(fault, text) for text in texts)
    assert walks > 0.95 * WALKS * SCHEMAS, f"{walks} walks ended, {unended} did not"
    assert noticed == planted > 80, f"{noticed} of {planted} faults were noticed"
    print(f"{walks} walks of {SCHEMAS} schemas are valid ({impossible} schemas hold nothing, {unended} walks did "
          f"not end), so is every changed text that was accepted ({refused} were refused); {noticed} of "
          f"{planted} planted faults show")


main()
