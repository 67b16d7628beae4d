"""Words that are typed right before the page is reloaded, left or closed, in Firefox, WebKitGTK and Chromium."""

import random
import time

from driver import firefox, webkit
from engine_case import EngineCase
from playwright_session import chromium
from support.depth import chosen_seed, runs
from support.notes import NotesUser

# The number of tries in each engine, and of those per note; a note must fit into the window.
TRIES = runs("ALMANAC_ENGINE_TRIES", quick=4, standard=8, long=80)
TRIES_OF_A_NOTE = 12
WORDS = ("milk", "Zoë", "naïve", "🥛", "bread", "مفتاح", "the", "plants", "Saturday", "eggs", "🌱", "and", "straße")
# The number of tries between two lines of the output.
REPORTED_TRIES = 50
# The longest pause between the last key and the end of the page, in milliseconds.
LONGEST_PAUSE = 300
# The number of new tabs for a blocked page, and the time in seconds that WebKit has to end the process of a tab.
RECOVERIES = 3
PROCESS_END = 10
# Reads the text of the open note.
TEXT = """
const roots = [...document.querySelectorAll(".note *")].map((each) => each.shadowRoot);
const field = roots.findLast((root) => root?.querySelector('[aria-multiline="true"]'));
return field && [...field.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\\n");
"""


class LeavingJourneys:
    ways = ("reload", "leave", "close", "back")

    def test_words_before_leaving(self):
        """words that are typed right before the page is reloaded, left or closed are there once"""
        seed = chosen_seed()
        chance = random.Random(seed)
        self.user = NotesUser(self.instance)
        # A blocked database takes no new notes.
        notes = {number: self.user.create(f"From {number}") for number in range(0, TRIES, TRIES_OF_A_NOTE)}
        self.open("notes", self.user.link())
        self.page.css(".account-name").await_text(self.user.name)
        texts, faults, began = {}, [], time.monotonic()
        self.kept_pages = self.blocked_pages = 0
        for number in range(TRIES):
            if number in notes:
                note = notes[number]
                self.page.go(f"#/{self.user.environment}/notes/{note}")
                self.page.css(".note h1, h1.spoken", f"From {number}").await_shown()
                texts[note] = ""
            way, pause = chance.choice(self.ways), chance.choice((0, 0, chance.randint(1, LONGEST_PAUSE)))
            words = "".join(chance.choice(WORDS) + str(number) + chance.choice("   \n")
                            for _ in range(chance.randint(1, 5)))
            self.body().click()
            self.page.press("Control+End")
            self.page.type(words, pause)
            self.end_page(way)
            texts[note] += words
            try:
                self.await_body(texts[note])
            except AssertionError as failure:
                if self.recovers(texts[note]):
                    continue
                faults.append(f"try {number}, {way} after {pause} ms: {failure}")
                print(f"  {faults[-1]}", flush=True)
                texts[note] = self.page.run(TEXT)
            if number % REPORTED_TRIES == REPORTED_TRIES - 1 or number + 1 == TRIES:
                took = (time.monotonic() - began) / (number + 1)
                print(f"  {self.page.version}: {len(faults)} of {number + 1} ends of a page lost or doubled letters, "
                      f"{took:.1f} s each; {self.kept_pages} pages were kept, {self.blocked_pages} were blocked, "
                      f"ALMANAC_TEST_SEED={seed}", flush=True)
        self.assertEqual(faults, [])
        for note, text in texts.items():
            self.page.until(lambda note=note, text=text: self.user.notes()[note]["body"] == text,
                            lambda note=note, text=text: f"the server has {self.user.notes()[note]}, not {text!r}")

    def end_page(self, way):
        """Ends the page in one of the ways, and opens the note again."""
        address = self.page.url
        if way == "reload":
            self.page.reload()
        elif way == "close":
            self.page.replace_tab(address)
        else:
            self.page.leave_for(f"{self.instance.url}/icon.svg")
            if way == "back":
                self.kept_pages += self.page.go_back()
            else:
                self.page.open(address)

    def recovers(self, text):
        """Returns true if the engine had blocked the page's database, and has the text after it has ended the page."""
        return False

    def body(self):
        return self.page.role("textbox", "Note text")

    def await_body(self, text):
        self.page.until(lambda: self.page.run(TEXT) == text, lambda: f"{self.page.run(TEXT)!r}, not {text!r}")


class LeavingInFirefox(LeavingJourneys, EngineCase):
    start_engine = staticmethod(firefox)


class LeavingInWebKit(LeavingJourneys, EngineCase):
    # WebKit's driver answers no command after a page that was kept is shown again.
    ways = LeavingJourneys.ways[:-1]

    def recovers(self, text):
        # WebKitGTK 2.50 sometimes leaves a transaction of an ended worker open. No page can read the database until the
        # process of that worker has ended, some seconds after its tab.
        address = self.page.url
        for _ in range(RECOVERIES):
            self.page.replace_tab("about:blank")
            time.sleep(PROCESS_END)
            self.page.open(address)
            try:
                self.await_body(text)
            except AssertionError:
                continue
            self.blocked_pages += 1
            return True
        return False
    start_engine = staticmethod(webkit)


class LeavingInChromium(LeavingJourneys, EngineCase):
    start_engine = staticmethod(chromium)
