"""The tokenizer of a GGUF file, built with the package `tokenizers`; ids for the goldens come from here."""

import functools

import jinja2
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

import weights

CONTROL, USER_DEFINED = 3, 4


def add_marked(tokenizer, meta):
    marked = [
        AddedToken(piece, normalized=False, special=True)
        for piece, kind in zip(meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.token_type"])
        if kind in (CONTROL, USER_DEFINED)
    ]
    tokenizer.add_tokens(marked)
    return tokenizer


def byte_level(meta):
    vocabulary = {piece: index for index, piece in enumerate(meta["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in meta["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return add_marked(tokenizer, meta)


def merges_of_scores(vocabulary, scores):
    """Every split of a piece into two pieces, in the order in which SentencePiece would join them."""
    found = []
    for piece, index in vocabulary.items():
        for cut in range(1, len(piece)):
            left, right = piece[:cut], piece[cut:]
            if left in vocabulary and right in vocabulary:
                found.append((-scores[index], vocabulary[left], vocabulary[right], (left, right)))
    return [pair for _, _, _, pair in sorted(found)]


def sentence_piece(meta):
    pieces = meta["tokenizer.ggml.tokens"]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    normal = {p: i for p, i in vocabulary.items() if meta["tokenizer.ggml.token_type"][i] == 1}
    merges = merges_of_scores(normal, meta["tokenizer.ggml.scores"])
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, byte_fallback=True, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    return add_marked(tokenizer, meta)


class Vocabulary:
    def __init__(self, model):
        self.meta = weights.metadata(weights.reader(model))
        build = byte_level if self.meta["tokenizer.ggml.model"] == "gpt2" else sentence_piece
        self.tokenizer = build(self.meta)
        wants_bos = self.meta["tokenizer.ggml.add_bos_token"]
        self.first = [self.meta["tokenizer.ggml.bos_token_id"]] if wants_bos else []

    def encode(self, text):
        """Ids without BOS; markers in the text become their ids."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def chat(self, messages):
        """The text that the model's own chat template gives, ready for the answer."""
        environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
        template = environment.from_string(self.meta["tokenizer.chat_template"])
        return template.render(messages=messages, add_generation_prompt=True)


@functools.cache
def of(model):
    return Vocabulary(model)
