"""Browser contexts as devices of one user, each with tabs of the page, and everything that can happen to them."""

import json
import os
import queue
import random
import sys
import threading
import time
import traceback
from collections import Counter
from types import SimpleNamespace

from greenlet import getcurrent

from support.case import BrowserCase
from support.chromium import chromium
from support.devices import Device, Stalled, Versions
from support.world import DISTURBANCES, MOST_DEVICES, PATIENCE, World

# How many worlds are looked at, and how many of them at once.
WORLDS = int(os.environ.get("ALMANAC_TEST_WORLDS", "0"))
AT_ONCE = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "3"))
# So many failures end it.
ENOUGH = 3
# In so many of all the browser may not have loaded a page, or not in time.
MOST_STALLED = 0.1
# On the average; in seconds. What asks a page waits for as long as that does not answer.
LONGEST_WORLD = PATIENCE
# One of those that are looked at ends within so many seconds.
LONGEST_SILENCE = 2 * PATIENCE


def take(seeds):
    try:
        return seeds.get_nowait()
    except queue.Empty:
        return None


class WorldsTests(BrowserCase):
    def test_worlds(self):
        """devices with tabs that are killed, cut off, out of room and renewed agree with the library and the command
        line, and every word is there once"""
        if WORLDS == 0:
            self.skipTest("on request: ALMANAC_TEST_WORLDS=40")
        seed = int(os.environ.get("ALMANAC_TEST_SEED") or random.randrange(1 << 30))
        versions = Versions(self.instance.home)
        self.addCleanup(versions.end)
        seeds = queue.Queue()
        for world in range(seed, seed + WORLDS):
            seeds.put(world)
        tally, failures, looked_at, ended = Counter(), [], {}, []
        begun = time.monotonic()
        heard = [begun]

        def work():
            # What Playwright goes on with when it has an answer.
            mine = getcurrent()
            with chromium() as browser:
                stage = SimpleNamespace(browser=browser, instance=self.instance)
                devices = []
                while len(failures) < ENOUGH and (world := take(seeds)) is not None:
                    devices = devices or [Device(stage) for _ in range(MOST_DEVICES)]
                    looked_at[threading.current_thread()] = (f"ALMANAC_TEST_SEED={world} ALMANAC_TEST_WORLDS=1", mine)
                    happened, failure = self.look_at(devices, versions, world)
                    tally.update(happened)
                    ended.append(world)
                    heard[0] = time.monotonic()
                    if failure:
                        print(f"  world {world} failed", flush=True)
                        failures.append(failure)
                    if failure or happened["stalled"]:
                        self.end(devices)
                self.end(devices)

        workers = [threading.Thread(target=work, daemon=True) for _ in range(min(AT_ONCE, WORLDS))]
        for worker in workers:
            worker.start()
        end = begun + LONGEST_WORLD * (2 + WORLDS // len(workers))
        while any(worker.is_alive() for worker in workers) and time.monotonic() < min(end, heard[0] + LONGEST_SILENCE):
            workers[0].join(0.5)
            workers = [worker for worker in workers if worker.is_alive()] or workers
        frames = sys._current_frames()  # pylint: disable=protected-access
        left = ["\n".join([world, *traceback.format_stack(mine.gr_frame or frames[worker.ident])])
                for worker, (world, mine) in looked_at.items() if worker.is_alive()]
        tally["stalled"] += len(left)
        print(f"  {len(ended)} worlds from ALMANAC_TEST_SEED={seed}, {time.monotonic() - begun:.0f} s: {dict(tally)}",
              flush=True)
        if failures:
            self.fail("\n\n".join([f"{len(failures)} of {len(ended)} worlds failed", *failures]))
        self.assertLessEqual(tally["stalled"], MOST_STALLED * WORLDS, "\n\n".join(left))
        self.assertEqual(len(ended) + len(left), WORLDS)
        if WORLDS >= 40:
            self.assertEqual([kind for kind in DISTURBANCES if not tally[kind]], [])

    def look_at(self, devices, versions, seed):
        """How often what happened in a world, and what went wrong."""
        world = World(self.instance, devices, versions, seed)
        failure = ""
        try:
            try:
                world.run()
            except Stalled:
                world.others.end()
                world.happened["stalled"] += 1
                return world.happened, failure
            except Exception:  # pylint: disable=broad-except
                failure = "\n".join([traceback.format_exc(), *(device.evidence() for device in world.devices)])
            failure += "\n".join(world.end())
        except Exception:  # pylint: disable=broad-except
            failure += traceback.format_exc()
        if failure:
            failure = (f"ALMANAC_TEST_SEED={seed} ALMANAC_TEST_WORLDS=1: {failure}\n{world.done} of "
                       f"{json.dumps(world.plan)} with {len(world.devices)} devices")
        return world.happened, failure

    @staticmethod
    def end(devices):
        for device in devices:
            device.end()
        devices.clear()
