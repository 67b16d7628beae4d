"""A simulation: devices of one user with tabs of the page, a random plan of events, and a final comparison."""

import random
import time
from collections import Counter

from playwright.sync_api import Error

from support.devices import MAX_TABS, WORDS, wait_until
from support.notes import PAGE_KEPT, NotesUser
from support.other_clients import OtherClients

STEPS = 16
MAX_DEVICES = 3
# The time for all devices to converge, in seconds.
CONVERGENCE_TIMEOUT = 60
# The time after which a waiting device syncs again, in seconds.
SYNC_INTERVAL = 3

DISTURBANCES = ("offline", "cut off", "kill typing", "kill writing", "kill when marked", "kill when written", "close",
                "open", "refused", "held", "full", "update", "command", "concurrent write")
# The outcomes of a request that crosses the writes of other clients.
REQUEST_OUTCOMES = ("request lost", "answer lost", "answer late")
# The number of disturbances per simulation, in addition to the writes.
DISTURBANCES_PER_SIMULATION = 6
# The number of simulations, from a multiple of it, that together contain each disturbance three times.
SIMULATIONS_PER_SHUFFLE = 7


class Simulation:
    def __init__(self, instance, devices, versions, seed, on_progress):
        """`on_progress` is called after each step; with `waits` before a step that waits for other simulations."""
        self.seed = seed
        self.on_progress = on_progress
        self.versions = versions
        self.random = random.Random(seed)
        self.user = NotesUser(instance)
        self.lives = 0
        # The log lines of each write.
        self.units = []
        self.happened = Counter()
        self.done = 0
        self.devices = devices[:self.random.choice((2, 2, 3))]
        self.other_clients = OtherClients(instance, "development", self.user.token, random.Random(seed))
        self.plan = self.planned()

    def first_word(self):
        self.lives += 1
        return (self.lives - 1) * WORDS

    def planned(self):
        """Returns the plan: kind of step, number of the device, seed of its random choices."""
        kinds = disturbances_of(self.seed)
        more = ("type", "write", "write", "heal", "concurrent write")
        kinds += [self.random.choice(more) for _ in range(STEPS - len(kinds))]
        self.random.shuffle(kinds)
        return [(kind, self.random.randrange(len(self.devices)), self.random.randrange(1 << 30))
                for kind in ["write", *kinds]]

    def run(self):
        for tab in [device.begin(self.user, self.first_word) for device in self.devices]:
            tab.ready().page.evaluate(PAGE_KEPT)
        for kind, number, seed in self.plan:
            device = self.devices[number]
            self.done += 1
            self.on_progress()
            self.step(kind, device, random.Random(seed))
            device.close_dead_tabs()
            device.close_dead_tabs()
            if not device.tabs and not device.is_blocked:
                device.open_tab()
        self.settle()

    def step(self, kind, device, chance):
        what = {"offline": device.go_offline, "cut off": device.cut_off, "heal": device.heal}.get(kind)
        if what:
            what()
            self.happened[kind] += 1
            return
        if kind == "command":
            self.command(chance)
            return
        if device.is_blocked:
            # The device's database is blocked; its user notices after some words.
            if device.tabs and kind == "type":
                self.type_blocked(device, chance)
                return
            device.release()
        if not device.tabs:
            device.open_tab()
        tab = chance.choice(device.tabs)
        getattr(self, kind.replace(" ", "_"))(device, tab.ready(), chance)

    # Steps of users.

    def decide(self, tab, chance):
        """Decides on a write, and returns its log lines."""
        lines = tab.ask("decide", chance.randrange(1 << 30))
        self.units.append(lines)
        return lines

    def write(self, _device, tab, chance):
        lines = self.decide(tab, chance)
        try:
            lines += tab.ask("act")
        except Error as failure:
            if "the page has no" in failure.message or "simulation." in failure.message:
                raise
            self.happened["refused writes"] += 1
            return
        lines.append("done")
        self.happened["write"] += 1

    def type(self, _device, tab, chance):
        self.begin_typing(tab, chance)
        tab.log_stored()

    def begin_typing(self, tab, chance):
        """Types into a note without waiting for the save; returns true if a note accepted the text."""
        return self.open_note(tab, chance) and self.type_here(tab, chance)

    @staticmethod
    def open_note(tab, chance):
        notes = tab.ask("ids")
        if notes and (not tab.ask("isEditing", notes[0]) or chance.randrange(2)):
            tab.open(chance.choice(notes))
        return bool(notes)

    def type_here(self, tab, chance, by_letter=True, at_end=False):
        editor = tab.log_stored()
        phrase = tab.ask("phrase", chance.randrange(1 << 30))
        tab.ask("focus", 0 if not at_end and chance.randrange(6) == 0 else 1)
        keyboard = tab.page.keyboard
        if at_end:
            keyboard.press("Control+End")
        else:
            self.go_somewhere(keyboard, chance)
        by_letter = by_letter and (tab.device.is_offline or tab.device.is_cut_off)
        before, after = tab.ask("aroundCaret")
        # A killed write must not have begun inside a word of another write.
        if after[:1].isalpha() and (by_letter or before[-1:].isalpha()):
            keyboard.press("Control+End")
        text = f" {phrase['text']} "
        lines = phrase["lines"]
        self.units.append(lines)
        if by_letter:
            # Other devices must not treat the typed prefix of a word as a word.
            lines[:] = [line.replace("insert ", "type ") for line in lines]
            keyboard.type(text)
        else:
            keyboard.insert_text(text)
        shown = tab.ask("editor")["text"]
        is_taken = all(line.split(" ")[1] in shown for line in lines)
        if is_taken:
            tab.typed.append((editor["note"], lines))
            self.happened["type"] += 1
        return is_taken

    @staticmethod
    def go_somewhere(keyboard, chance):
        keyboard.press("Control+Home")
        for _ in range(chance.randrange(5)):
            keyboard.press("ArrowDown")
        keyboard.press(chance.choice(("Home", "End")))
        for _ in range(chance.randrange(4)):
            keyboard.press("Control+ArrowRight")

    def command(self, chance):
        """Writes with the command line, which may not know the note yet."""
        tab = next((tab for device in self.devices for tab in device.tabs if not device.is_blocked), None)
        if not tab:
            return
        notes = [note for note in self.user.notes()]
        if notes and chance.randrange(6):
            is_done = self.append(tab.ready(), chance.choice(notes), chance)
        else:
            is_done = self.ask_command(tab.ready(), chance, "note", "create", "command")
        self.happened["command"] += is_done

    def append(self, tab, note, chance):
        return self.ask_command(tab, chance, "note", "edit", note, "--append")

    def ask_command(self, tab, chance, *words):
        """Writes a phrase with the command line; returns true on success."""
        phrase = tab.ask("phrase", chance.randrange(1 << 30))
        if self.other_clients.ask({"words": [*words, f" {phrase['text']}"]})["status"] != 0:
            return False
        self.units.append([*phrase["lines"], "done"])
        return True

    def concurrent_write(self, device, tab, chance):
        """Types into a note whose request is lost, or merged with another write and answered late or never."""
        device.heal()
        tab.ask("sync")
        if not self.open_note(tab, chance):
            return
        with device.sending(tab) as sent:
            if self.type_here(tab, chance, by_letter=False) and wait_until(sent, SYNC_INTERVAL):
                self.write_concurrently(device, tab, chance, sent())

    def write_concurrently(self, device, tab, chance, request):
        words = [line.split(" ")[1] for line in self.units[-1]]
        note = tab.ask("editor")["note"]
        outcome = REQUEST_OUTCOMES[(self.seed + self.happened["concurrent write"]) % len(REQUEST_OUTCOMES)]
        if outcome != "request lost":
            device.gate.hold_answers()
            self.append(tab, note, chance)
            request.continue_()
            wait_until(lambda: self.has_received(note, words), SYNC_INTERVAL)
        # Type where the other clients wrote, so that a change applied twice is visible.
        self.type_here(tab, chance, by_letter=False, at_end=True)
        if outcome == "request lost":
            request.abort()
        elif outcome == "answer late":
            device.gate.let_answers_go()
        else:
            device.gate.shut()
            device.gate.open()
        self.happened[outcome] += 1
        self.happened["concurrent write"] += 1

    def has_received(self, note, words):
        """Returns true if a note on the server contains the words."""
        found = self.user.notes().get(note)
        return found is not None and all(word in f"{found['title']} {found['body']}" for word in words)

    # Disturbances.

    def kill_typing(self, _device, tab, chance):
        self.begin_typing(tab, chance)
        tab.kill()
        self.happened["kill typing"] += 1

    def kill_writing(self, _device, tab, chance):
        self.decide(tab, chance)
        tab.page.evaluate("() => simulation.startAct()")
        tab.kill()
        self.happened["kill writing"] += 1

    def kill_when_marked(self, device, tab, chance):
        """Kills the page at the moment it reports that the typed text is stored."""
        device.quota.empty()
        if self.open_note(tab, chance):
            tab.until("() => simulation.editor().status !== 'inThisTab'")
            tab.ask("dieWhenStored")
            if self.type_here(tab, chance, by_letter=False):
                tab.ask("isDead")
                tab.typed.pop()[1].append("done")
                self.happened["kill when marked"] += 1
        tab.kill()

    def kill_when_written(self, device, tab, chance):
        """Kills the page at the moment its worker reports a completed write."""
        device.quota.empty()
        lines = self.decide(tab, chance)
        lines += [*tab.ask("actAndDie"), "done"]
        tab.kill()
        self.happened["kill when written"] += 1

    def close(self, _device, tab, chance):
        self.begin_typing(tab, chance)
        tab.close()
        self.happened["close"] += 1

    def open(self, device, _tab, _chance):
        if len(device.tabs) < MAX_TABS:
            device.open_tab()
            self.happened["open"] += 1

    def refused(self, device, _tab, _chance):
        device.refuse()
        self.happened["refused"] += 1

    def held(self, device, tab, chance):
        self.begin_typing(tab, chance)
        device.hold()
        self.happened["held"] += 1

    def type_blocked(self, device, chance):
        tab = chance.choice(device.tabs)
        note = tab.page.url.split("/")[-1]
        if "/notes/" not in tab.page.url or not tab.ask("isEditing", note):
            return
        self.type_here(tab, chance)
        if chance.randrange(2):
            tab.kill()
            self.happened["kill blocked"] += 1

    def full(self, device, tab, chance):
        if not device.quota.is_full and device.quota.fill():
            self.happened["full"] += 1
        self.begin_typing(tab, chance)

    def update(self, device, tab, chance):
        device.heal()
        # Another simulation's update would offer the old version before this tab has reloaded.
        self.on_progress(waits=True)
        with self.versions.changing:
            self.on_progress()
            self.take_update(device, tab.ready(), chance)

    def take_update(self, device, tab, chance):
        old = tab.version()
        if not self.versions.offer(tab.page, old):
            return
        if chance.randrange(2):
            device.go_offline()
        self.begin_typing(tab, chance)
        tab.page.locator(".bar-line").get_by_role("button", name="Reload").first.click()
        self.on_progress()
        tab.until("""(old) => globalThis.simulation &&
            !document.querySelector('script[src*="main.js"]').src.includes(old)""", old,
                  timeout=1000 * CONVERGENCE_TIMEOUT)
        self.happened["update"] += 1

    def settle(self):
        """Waits until all devices are equal, and checks the notes against the write log."""
        for device in self.devices:
            device.heal()
            if not device.tabs:
                device.open_tab()
            for tab in device.tabs:
                tab.ready()
        self.units += self.other_clients.ask({"ends": True})["logs"]
        different = []
        if not wait_until(lambda: self.have_same(different), CONVERGENCE_TIMEOUT):
            raise AssertionError(f"the devices do not converge: {different}")
        for device in self.devices:
            for tab in device.tabs:
                for _, lines in tab.typed:
                    lines.append("done")
        listed, trashed = self.saved()
        for name, notes in self.other_clients.ask({"lists": True})["lists"].items():
            if plain(notes) != listed:
                raise AssertionError(f"{name} has {notes}, the server {listed}")
        problem = self.devices[0].tabs[0].ask("problem", self.units, listed, trashed)
        if problem:
            raise AssertionError(f"{problem}; the list {listed}, the trash {trashed}, the log lines {self.units}")

    def have_same(self, different):
        """Syncs all tabs, and waits for a while until all are equal."""
        self.on_progress()
        for device in self.devices:
            for tab in device.tabs:
                tab.ask("sync")

        def poll():
            different[:] = self.differences()
            return not different
        return wait_until(poll, SYNC_INTERVAL)

    def differences(self):
        """Returns the differences between each tab and the server, including the tab's reported state."""
        listed, trashed = self.saved()
        found = []
        for number, device in enumerate(self.devices):
            leading = 0
            for tab in device.tabs:
                snapshot = tab.ask("snapshot")
                state, editor = snapshot["state"], tab.ask("editor")
                leading += state["isLeader"]
                place = f"device {number}, tab {device.tabs.index(tab)}"
                is_synced = state["phase"] == "upToDate" and not state["pending"] and not state["attention"]
                if not is_synced or snapshot["status"] != "good":
                    found.append(f"{place} has the status {snapshot['status']}: {state}")
                elif editor["status"] not in (None, "onServer"):
                    found.append(f"{place} shows {editor}")
                elif plain(snapshot["list"]) != listed:
                    found.append(f"{place} has {plain(snapshot['list'])}, the server {listed}")
                elif ids_of(snapshot["trash"]) != ids_of(trashed):
                    found.append(f"{place} has in its trash {plain(snapshot['trash'])}, the server {trashed}")
            if leading != 1:
                found.append(f"of the tabs of device {number} {leading} sync")
        return found

    def saved(self):
        """Returns the server's notes in the list, in display order, and in the trash."""
        answer = self.user.must("GET", "/notes?limit=1000")
        notes = [{**answer["details"][note], "id": note} for note in answer["order"]]
        listed = plain([note for note in notes if note["pinned"]] + [note for note in notes if not note["pinned"]])
        gone = self.user.must("GET", "/notes?since=0&limit=1000")["deleted"] if answer["revision"] else []
        trashed = [{**self.user.must("GET", f"/notes/{note}?revision={answer['revision']}"), "id": note}
                   for note in gone]
        return listed, plain(trashed)

    def end(self):
        """Resets the devices; returns the complaints of their pages."""
        complaints = []
        for device in self.devices:
            device.leave()
            complaints += device.person.checks.remaining()
            device.person.checks.complaints.clear()
            device.person.checks.console.clear()
        return complaints


def disturbances_of(seed):
    """Returns the disturbances of a simulation: its slice of a shuffled list that
    SIMULATIONS_PER_SHUFFLE simulations share."""
    shuffled = list(DISTURBANCES)
    random.Random(seed // SIMULATIONS_PER_SHUFFLE).shuffle(shuffled)
    first = seed % SIMULATIONS_PER_SHUFFLE * DISTURBANCES_PER_SIMULATION
    return [shuffled[number % len(shuffled)] for number in range(first, first + DISTURBANCES_PER_SIMULATION)]


def plain(notes):
    return [{key: note.get(key) for key in ("id", "title", "body", "tags", "pinned")} for note in notes]


def ids_of(trash):
    """Returns the ids in the trash. Only ids are compared: a device learns of changes to a trashed note when it is
    restored."""
    return {note["id"] for note in trash}
