"""Texts with a byte or two changed."""


def changed(dice, text, alphabet):
    """`text` with one or two bytes of `alphabet` put in, put in the place of others, or with bytes taken out."""
    text = bytearray(text)
    for _ in range(dice.randrange(1, 3)):
        at = dice.randrange(len(text) + 1)
        byte = dice.choice(list(alphabet))
        action = dice.randrange(3)
        if action == 0:
            text.insert(at, byte)
        elif at < len(text) and action == 1:
            text[at] = byte
        elif at < len(text):
            del text[at]
    return bytes(text)
