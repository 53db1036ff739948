"""Python's jinja2 set up the way transformers sets it up for chat templates.

Source: transformers 5.x, utils/chat_template_utils.py, as its behaviour: the immutable sandbox with
trim_blocks, lstrip_blocks, loop controls and a generation tag; tojson over json.dumps; dict and
namespace of its own; raise_exception and strftime_now. The time is fixed.
"""

import datetime
import functools
import json

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2024, 7, 26, 14, 5, 9)


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_body")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    @jinja2.pass_eval_context
    def _body(self, context, caller):
        return caller()


class Dict:
    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)


class Namespace(jinja2.utils.Namespace):
    def __init__(*args, **kwargs):
        self, args = args[0], args[1:]
        attributes = dict(*args, **kwargs)
        for name in attributes:
            Namespace.check(name)
        jinja2.utils.Namespace.__init__(self, attributes)

    def __setitem__(self, name, value):
        Namespace.check(name)
        jinja2.utils.Namespace.__setitem__(self, name, value)

    @staticmethod
    def check(name):
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(f"underscore in {name!r}")


class Raised(jinja2.exceptions.TemplateError):
    """What raise_exception raises: its message is compared too."""


def raise_exception(message):
    raise Raised(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                      sort_keys=sort_keys)


def environment():
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = NOW.strftime
    made.globals["dict"] = Dict()
    made.globals["namespace"] = Namespace
    return made


ENVIRONMENT = environment()


@functools.lru_cache(maxsize=4)
def compiled(template):
    return ENVIRONMENT.from_string(template)


def render(template, context):
    """{"text": ...}, {"raised": message} for raise_exception, or {"error": message}."""
    try:
        return {"text": compiled(template).render(**context)}
    except Raised as raised:
        return {"raised": str(raised.message)}
    except Exception as error:  # every kind of Python error is a refusal
        return {"error": f"{type(error).__name__}: {error}"}
