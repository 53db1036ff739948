"""Small templates, one per feature, with the context each is rendered over."""


def snippets():
    return []
