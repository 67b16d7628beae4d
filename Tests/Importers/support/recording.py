"""The form of a recording, which Tests/Core/ImportingTests/Recording.swift reads."""

import copy
import json
import pathlib

#: An answer that is the caller's default, and one that the system makes at random.
DEFAULT, RANDOM = object(), object()


def write(folder, client, now, keys, callers, answer):
    """Writes answers.jsonl.

    callers is a list of attributes. answer(key, attributes) returns the value of a flag, DEFAULT or RANDOM. Each call gets
    a copy of the attributes, because GrowthBook's client empties what it was given.
    """
    values = {key: [] for key in keys}
    lines = []
    for attributes in callers:
        places = [_place(values[key], answer(key, copy.deepcopy(attributes))) for key in keys]
        lines.append({"context": attributes, "answers": places})
    head = {"client": client, "now": now, "flags": [{"key": key, "values": values[key]} for key in keys]}
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in [head, *lines])
    (pathlib.Path(folder) / "answers.jsonl").write_text(text, encoding="utf-8")


def _place(values, value):
    if value is DEFAULT:
        return -1
    if value is RANDOM:
        return -2
    # Python's 1, 1.0 and True are equal, but as JSON they differ.
    text = json.dumps(value, sort_keys=True)
    for place, known in enumerate(values):
        if json.dumps(known, sort_keys=True) == text:
            return place
    values.append(value)
    return len(values) - 1
