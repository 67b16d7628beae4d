"""The text of a PDF file as Chromium writes it: a font `/F7` is the object 7, and its `/ToUnicode` has the letters."""

import re
import zlib


def text_of(pdf):
    """Returns the text of all pages, in the order in which it is drawn."""
    objects = dict(re.findall(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL))

    def stream_of(number):
        packed = re.search(rb"stream\r?\n(.*)\r?\nendstream", objects[number], re.DOTALL)[1]
        return zlib.decompress(packed)

    def letters_of(font):
        letters = {}
        names = stream_of(re.search(rb"/ToUnicode (\d+) 0 R", objects[font])[1])
        for first, last, letter in re.findall(rb"<(\w+)> (?:<(\w+)> )?<(\w+)>\n", names):
            for offset in range(int(last or first, 16) - int(first, 16) + 1):
                code = int(letter, 16) + offset
                letters[int(first, 16) + offset] = code.to_bytes(len(letter) // 2, "big").decode("utf-16-be")
        return letters

    fonts, text, letters = {}, [], {}
    for page in objects.values():
        contents = re.search(rb"/Contents (\d+) 0 R", page)
        drawn = stream_of(contents[1]) if contents else b""
        for font, glyphs in re.findall(rb"/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>", drawn):
            if font:
                letters = fonts[font] = fonts.get(font) or letters_of(font)
            else:
                text += [letters.get(int(glyphs[at:at + 4], 16), "") for at in range(0, len(glyphs), 4)]
    return "".join(text)
