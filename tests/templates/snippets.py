"""Small templates, one per feature, with the context each is rendered over."""

import snippets_filters
import snippets_methods
import snippets_operators
import snippets_python
import snippets_statements
import snippets_tests

CONTEXT = {
    "name": "World", "count": 3, "ratio": 0.5, "big": 12345678901234567890, "none_": None,
    "yes": True, "no": False, "empty": "", "text": "Hello, World!", "uni": "ǅé ß 你好 🐘 ΑΣ ΑΣΒ",
    "items": ["b", "a", "C", "a"], "numbers": [3, 1, 2, 10], "floats": [1.0, 0.1, 1e16, 1e-05],
    "user": {"name": "Ann", "age": 30, "tags": ["x", "y"], "keys": "shadowed"},
    "people": [{"name": "Bob", "age": 25, "city": "Oslo"}, {"name": "ann", "age": 30},
               {"name": "Cid", "age": 25, "city": "oslo"}],
    "tree": [{"n": 1, "kids": [{"n": 2, "kids": []}, {"n": 3, "kids": [{"n": 4, "kids": []}]}]}],
    "quotes": "it's <b>\"bold\"</b> & more\\\n", "lines": "one\ntwo\r\nthree\x0bfour\n\nsix",
    "messages": [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"},
                 {"role": "user", "content": "three"}],
    "nested": {"a": {"b": [1, {"c": "deep"}]}}, "spaces": " \t\u00a0x y\u2003 \n",
}

MODULES = [snippets_operators, snippets_methods, snippets_filters, snippets_tests,
           snippets_python]


def snippets():
    rows = [("{{ " + expression + " }}", CONTEXT)
            for module in MODULES for expression in module.EXPRESSIONS]
    rows += [(statement, CONTEXT) for statement in snippets_statements.STATEMENTS]
    return rows
