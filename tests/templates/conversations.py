"""Conversations that the templates are compared on."""

WEATHER = {"type": "function", "function": {
    "name": "get_weather",
    "description": "Get the weather: x > 1 & y < 2 (it's \"nice\")",
    "parameters": {"type": "object", "properties": {
        "city": {"type": "string", "description": "The city, e.g. São Paulo"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "description": "The unit"},
        "days": {"type": "integer", "description": "How many days", "default": 3},
    }, "required": ["city"]}}}
SEARCH = {"type": "function", "function": {
    "name": "search",
    "description": "Search the web\nfor pages",
    "parameters": {"type": "object", "properties": {
        "query": {"type": "string", "description": "What to look for"},
        "filters": {"type": "object", "description": "Filters", "properties": {
            "year": {"type": ["integer", "null"], "description": "Year"},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Tags"}},
            "required": []},
        "ratio": {"type": "number", "minimum": 0.5, "maximum": 1e16},
    }, "required": ["query", "filters"]}}}
NOTHING = {"type": "function", "function": {
    "name": "nothing", "description": "Takes nothing", "parameters": {
        "type": "object", "properties": {}}}}


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def system(text):
    return {"role": "system", "content": text}


def call(name, arguments, identity="abcdef123"):
    return {"id": identity, "type": "function",
            "function": {"name": name, "arguments": arguments}}


def tool(text, name="get_weather", identity="abcdef123"):
    return {"role": "tool", "name": name, "tool_call_id": identity, "content": text}


HELLO = [user("Hello, who are you?")]
CHAT = [user("Hi"), assistant("Hello!"), user("  How are you?\n")]
PROMPTED = [system("You are helpful.\nBe brief. "), *CHAT]
UNICODE = [system("Tu es un éléphant 🐘."), user("你好，世界！ ‘quoted’ <|im_end|> </s>"),
           assistant("Здравствуй ß İ ﬁ\u2028 end"), user("\u00a0 tabs\tand 'quotes' \"double\"\\")]
THINKING = [user("What is 2+2?"),
            assistant("4", reasoning_content="Two and two\nmake four."),
            user("And 3+3?"),
            assistant("<think>\nLet me see\n</think>\n\n6", thinking="Three and three."),
            user("Thanks")]
EMPTY = [system(""), user(""), assistant(""), user("and then?")]
CALLED = [system("Use tools."), user("Weather in Paris?"),
          assistant("", tool_calls=[call("get_weather", {"city": "Paris", "unit": "celsius"})]),
          tool('{"temperature": 21.5, "sky": "clear"}'),
          assistant("It is 21.5 degrees."), user("And in Oslo & Rome?"),
          assistant("Let me look.", reasoning_content="Two cities.", tool_calls=[
              call("get_weather", {"city": "Oslo", "days": 2, "deep": {"a": [1, 2.0, None, True]}},
                   "call00001"),
              call("search", {"query": "Rome — weather <now>", "filters": {"tags": []}},
                   "call00002")]),
          tool("cold", identity="call00001"), tool("warm\nand dry", "search", "call00002")]
CALLED_STRINGS = [user("Weather?"),
                  assistant(None, tool_calls=[call("get_weather", '{"city": "Paris"}')]),
                  tool('{"ok": true}'), assistant("Fine."), user("Thanks")]
OPEN_CALL = [user("Do nothing."), assistant("Sure.", tool_calls=[call("nothing", {})])]
PARTS = [system("Look closely."),
         {"role": "user", "content": [{"type": "text", "text": "What is this? "},
                                      {"type": "text", "text": "Tell me."}]},
         assistant("A cat."), {"role": "user", "content": [
             {"type": "image"}, {"type": "text", "text": "And this?"}]}]
DEVELOPER = [{"role": "developer", "content": "Answer in French."}, user("Hi"),
             assistant("Salut"), user("Bye")]
BROKEN = [user("one"), user("two"), assistant("three"), assistant("four")]
SYSTEMS = [system("one"), system("two"), user("Hi")]
ENDS_ASSISTANT = [user("Count"), assistant("One, two,")]
ARGUMENT_LISTS = [user("x"), assistant("", tool_calls=[
    call("search", {"query": "a/b \"c\" 'd'", "filters": {"year": 2024, "tags": ["x", "y"]},
                    "ratio": 1e-05, "flag": False, "none": None, "text": "line\nline", "n": 10 ** 15})]),
    tool([{"type": "text", "text": "part one"}, {"type": "text", "text": "part two"}])]
LONG = [message for i in range(6) for message in (user(f"question {i}"), assistant(
    f"answer {i}", reasoning_content=f"thought {i}"))] + [user("last")]

SPECIALS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
TOOLS = [WEATHER, SEARCH, NOTHING]


def conversations():
    """(name, context) pairs: each conversation with and without the generation prompt."""
    rows = [
        ("hello", HELLO, {}), ("chat", CHAT, {}), ("prompted", PROMPTED, {}),
        ("unicode", UNICODE, {}), ("thinking", THINKING, {}),
        ("thinking on", THINKING, {"enable_thinking": True, "thinking": True}),
        ("thinking off", THINKING, {"enable_thinking": False, "thinking": False,
                                    "reasoning_effort": "low"}),
        ("empty", EMPTY, {}), ("tools", PROMPTED, {"tools": TOOLS}),
        ("tools, no system", CHAT, {"tools": [SEARCH]}),
        ("tool results", CALLED, {"tools": TOOLS}), ("tool results, no tools", CALLED, {}),
        ("tools, thinking", CALLED, {"tools": TOOLS, "enable_thinking": True, "thinking": True,
                                     "preserve_thinking": True, "clear_thinking": False}),
        ("string arguments", CALLED_STRINGS, {"tools": [WEATHER]}),
        ("open call", OPEN_CALL, {"tools": TOOLS}), ("parts", PARTS, {}),
        ("developer", DEVELOPER, {}), ("broken", BROKEN, {}), ("systems", SYSTEMS, {}),
        ("ends with assistant", ENDS_ASSISTANT, {"continue_final_message": True}),
        ("argument lists", ARGUMENT_LISTS, {"tools": [SEARCH]}), ("long", LONG, {}),
        ("none tools", PROMPTED, {"tools": None, "documents": None}),
        ("documents", CHAT, {"documents": [{"title": "One", "text": "Text é", "doc_id": 1},
                                           {"title": "Two", "text": "More", "doc_id": 2}]}),
        ("no messages", [], {}),
    ]
    for name, messages, more in rows:
        for prompt in (True, False):
            context = {"messages": messages, "add_generation_prompt": prompt, **SPECIALS, **more}
            yield f"{name}, prompt {'on' if prompt else 'off'}", context
    yield "no specials", {"messages": CHAT, "add_generation_prompt": True}
