"""Measures how soon typed letters appear in a long note while another device writes."""

import json

from support.depth import DEPTH, runs
from support.notes_editor import EditorCase

# The number of words typed while the latency is measured.
WORDS = runs("ALMANAC_TEST_WORDS", quick=10, standard=20, long=60)
# Whether the editor shows the source, for each measurement.
MODES = (False, True) if DEPTH == "long" else (False,)
LINE = "- [ ] Line {0} of a **note** that has *some* length, and [a link](https://example.org/{0}).\n"


class NotesTypingTests(EditorCase):
    def test_keystrokes_are_quick(self):
        """while another device writes constantly, the latency of keystrokes is measured, and none is lost"""
        for is_source in MODES:
            self.measure(is_source)

    def measure(self, is_source):
        editor = self.editor("".join(LINE.format(number) for number in range(400)), is_source=is_source)
        editor.page.evaluate(OBSERVE)
        editor.caret_at_end_of("Line 5 of")
        editor.type(" ")
        typed = "".join(f"word{number} " for number in range(WORDS))
        devtools = editor.page.context.new_cdp_session(editor.page)
        # The running time of the page's thread, which other load on the machine does not affect.
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        busy = lambda: 1000 * next(one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]
                                   if one["name"] == "TaskDuration")
        works = []
        for start in range(0, len(typed), 8):
            editor.write_elsewhere(lambda body: body.replace("Line 9 of", f"Line 9 (at {start}) of", 1)
                                   if start == 0 else body.replace(f"(at {start - 8})", f"(at {start})", 1))
            for letter in typed[start:start + 8]:
                before = busy()
                editor.page.keyboard.type(letter)
                editor.page.evaluate(NEXT_FRAME)
                works.append(busy() - before)
        line = LINE.format(5).replace("\n", f" {typed}")
        self.until(lambda: line in editor.saved()["body"], lambda: editor.saved()["body"][:900])
        figures = editor.page.evaluate("() => window.keystrokes()")
        works.sort()
        figures["processor"] = {"p50": works[len(works) // 2], "p99": works[len(works) * 99 // 100], "max": works[-1]}
        print(f"  keystrokes, in ms, {'source' if is_source else 'live marks'}: {json.dumps(figures)}")
        self.assertGreaterEqual(figures["keys"], len(typed))


NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Measures the time from a key press until the editor has handled it, and until the next frame is painted. Event Timing
# rounds the latter to 8 ms and omits times below 16 ms.
OBSERVE = """() => {
    const handled = [];
    const painted = [];
    let start = 0;
    addEventListener("keydown", (event) => { start = event.timeStamp; }, { capture: true });
    // After the editor, which takes changes of its nodes in by a microtask.
    addEventListener("input", () => queueMicrotask(() => handled.push(performance.now() - start)));
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (entry.name === "keydown") painted.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 });
    let keys = 0;
    addEventListener("keyup", () => { keys += 1; });
    const at = (all, share) => all.sort((one, other) => one - other)[Math.floor(all.length * share)];
    window.keystrokes = () => ({
        keys,
        handled: { p50: at(handled, 0.5), p99: at(handled, 0.99), max: Math.max(...handled) },
        slowFrames: painted.length, slowest: Math.max(0, ...painted),
        overSixteen: painted.filter((duration) => duration > 16).length,
    });
}"""
