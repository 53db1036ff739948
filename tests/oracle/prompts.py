"""The 24 prompts per model: 16 that both models continue, and 8 more of the kind that each is made for."""

import pathlib

TEXT = (pathlib.Path(__file__).parent / "text.txt").read_text(encoding="utf-8")


def part_of_text(start, characters):
    at = TEXT.index(start)
    return TEXT[at : at + characters]


SHARED = [
    ("raw-river", "raw", "The river that runs through the old town is"),
    ("raw-invention", "raw", "Few inventions have changed daily life as much as the bicycle, because"),
    ("raw-letter", "raw", "Dear neighbours,\n\nwe are sorry to tell you that on Saturday the"),
    ("raw-list", "raw", "Things to pack for a week in the mountains:\n\n1. A warm jacket\n2."),
    ("code-python", "code", 'def is_palindrome(text):\n    """Says whether text reads the same both ways."""\n'),
    ("code-c", "code", "#include <stdio.h>\n\nint main(void) {\n  for (int i = 1; i <= 10; i++) {\n"),
    ("code-json", "code", '{"name": "Ada", "age": 36, "languages": ["English", "French"], "address": {'),
    ("unicode-german", "unicode", "Der Bäcker an der Ecke öffnet früh, weil"),
    ("unicode-japanese", "unicode", "昔々、ある小さな村に"),
    ("unicode-mixed", "unicode", "Привет 👋🏽, café naïve — “quotes” ½ ≠ ∑ 你好, مرحبا,"),
    ("numbers-squares", "numbers", "1, 4, 9, 16, 25, 36,"),
    ("numbers-sum", "numbers", "12 + 30 = 42\n17 + 25 = 42\n128 + 64 = 192\n251 + 49 ="),
    ("numbers-dates", "numbers", "2021-01-31, 2021-02-28, 2021-03-31, 2021-04-30,"),
    ("long-village", "long", part_of_text("The lighthouse", 1300)),
    ("long-minutes", "long", part_of_text("Minutes of the meeting", 1750)),
    ("long-storm", "long", part_of_text("The storm of that night", 3700)),
]

GEMMA = [
    ("raw-one-word", "raw", "Once"),
    ("raw-capital", "raw", "The capital of France is"),
    ("raw-dialogue", "raw", '"I never said that," she answered.\n"You did," he said. "'),
    ("raw-recipe", "raw", "Tomato soup\n\nIngredients:\n- 1 kg of ripe tomatoes\n- 2 onions\n"),
    ("raw-heading", "raw", "# The history of paper\n\n## Beginnings\n\n"),
    ("code-html", "code", "<ul>\n  <li>Monday</li>\n  <li>Tuesday</li>\n"),
    ("unicode-french", "unicode", "Il était une fois, dans une vallée sans nom, un meunier qui"),
    ("long-bees", "long", part_of_text("Questions that children", 2900)),
]

CHATS = [
    ("chat-capital", [("user", "What is the capital of France?")]),
    ("chat-system", [("system", "You answer in one short sentence."), ("user", "Why is the sky blue?")]),
    ("chat-poem", [("user", "Write a short poem about a cat on a warm roof.")]),
    ("chat-code", [("user", "Write a Python function that returns the n-th Fibonacci number.")]),
    ("chat-unicode", [("user", "Translate “Guten Morgen, schöne Welt! ☀️” into English.")]),
    ("chat-numbers", [("user", "I have 3 boxes with 12 eggs each and break 5. How many are left?")]),
    (
        "chat-turns",
        [
            ("user", "Name a fruit."),
            ("assistant", "Apple."),
            ("user", "Another one, please."),
            ("assistant", "Pear."),
            ("user", "And one that is yellow?"),
        ],
    ),
    ("chat-long", [("user", "Sum up this text in two sentences:\n\n" + part_of_text("Notes for whoever", 1450))]),
]

HIDDEN = {
    "smollm2": "The bakery opens early, because bread takes time",
    "gemma3": "The bakery opens early because bread",
}


def of(model, vocabulary):
    """(name, kind, text) of every prompt of `model`."""
    if model == "gemma3":
        return SHARED + GEMMA
    chats = [
        (name, "chat", vocabulary.chat([{"role": r, "content": c} for r, c in turns]))
        for name, turns in CHATS
    ]
    return SHARED + chats
