"""Measures how soon typed letters appear in a long note while another device writes."""

import json
from collections import Counter

from support.depth import DEPTH, runs
from support.notes_editor import EditorCase

# The number of words typed while the latency is measured.
WORDS = runs("ALMANAC_TEST_WORDS", quick=10, standard=20, long=60)
# Whether the editor shows the source, for each measurement.
MODES = (False, True) if DEPTH == "long" else (False,)
# The time between two keys, in milliseconds, as of somebody who types fast.
RHYTHM = 60
LINE = "- [ ] Line {0} of a **note** that has *some* length, and [a link](https://example.org/{0}).\n"


class NotesTypingTests(EditorCase):
    def test_keystrokes_are_quick(self):
        """while another device writes constantly, the latency of keystrokes is measured, and none is lost"""
        for is_source in MODES:
            self.measure(is_source)

    def measure(self, is_source):
        editor = self.editor("".join(LINE.format(number) for number in range(400)), is_source=is_source)
        editor.caret_at_end_of("Line 5 of")
        editor.type(" ")
        typed = "".join(f"word{number} " for number in range(WORDS))
        browser = editor.page.context.browser
        browser.start_tracing(page=editor.page, categories=["devtools.timeline", "toplevel"])
        for start in range(0, len(typed), 8):
            editor.write_elsewhere(lambda body: body.replace("Line 9 of", f"Line 9 (at {start}) of", 1)
                                   if start == 0 else body.replace(f"(at {start - 8})", f"(at {start})", 1))
            editor.page.keyboard.type(typed[start:start + 8], delay=RHYTHM)
        typing = Typing(json.loads(browser.stop_tracing())["traceEvents"])
        line = LINE.format(5).replace("\n", f" {typed}")
        self.until(lambda: line in editor.saved()["body"], lambda: editor.saved()["body"][:900])
        print(f"  keystrokes, in ms, {'source' if is_source else 'live marks'}: {json.dumps(typing.figures())}")
        self.assertEqual(len(typing.keys), len(typed))
        self.assertEqual(typing.layouts_of_page(), 0, "a letter lays out only the text")
        self.assertLess(typing.animations, len(typed) / 2, "the caret blinks only after a pause")


class Typing:
    """The typing in a trace of Chromium: the events of the page's main thread."""

    def __init__(self, events):
        on_thread = lambda event: (event["pid"], event["tid"])
        keys = [event for event in events if type_of(event) == "keydown"]
        (thread, _), = Counter(map(on_thread, keys)).most_common(1)
        self.animations = sum(event["name"] == "Animation" and event["ph"] == "b" for event in events
                              if on_thread(event) == thread)
        whole = (event for event in events if on_thread(event) == thread and event["ph"] == "X")
        self.events = sorted(whole, key=lambda event: event["ts"])
        self.keys = [event["ts"] for event in self.events if type_of(event) == "keydown"]

    def figures(self):
        """
        Returns, for each key, the time until the frame with the letter is given to the compositor, the processor time
        of the thread until then, and its processor time until the next key, which also writes the text and the list.
        """
        tasks = [event for event in self.events if event["name"] == "ThreadControllerImpl::RunTask"]
        letters = [event["ts"] for event in self.events if type_of(event) == "input"]
        frames = [end_of(event) for event in self.events if event["name"] == "Layerize"]
        figures = {"painted": [], "processorToPaint": [], "processor": []}
        for key, following in zip(self.keys, self.keys[1:]):
            letter = next(time for time in letters if time > key)
            painted = next((time for time in frames if time > letter), following)
            inside = [task for task in tasks if end_of(task) > key and task["ts"] < following]
            busy = lambda end: sum(task.get("tdur", 0) for task in inside if task["ts"] < end)
            for name, time in zip(figures, (painted - key, busy(painted), busy(following))):
                figures[name].append(time / 1000)
        return {name: summary(times) for name, times in figures.items()}

    def layouts_of_page(self):
        """Returns the number of letters whose insertion lays out the whole page."""
        insertions = [event for event in self.events if type_of(event) == "textInput"]
        layouts = [event for event in self.events if event["name"] == "Layout"]
        return sum(not layout["args"]["beginData"]["partialLayout"] for layout in layouts
                   if any(event["ts"] <= layout["ts"] < end_of(event) for event in insertions))


def type_of(event):
    return event["args"]["data"]["type"] if event["name"] == "EventDispatch" else None


def end_of(event):
    return event["ts"] + event["dur"]


def summary(times):
    times = sorted(times)
    shares = {"p50": len(times) // 2, "p99": len(times) * 99 // 100, "max": -1}
    return {name: round(times[at], 1) for name, at in shares.items()}
