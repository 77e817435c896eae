#!/usr/bin/env python3
# Soak: hostile clients and bad conditions in rounds, with a look at a lasting server after each.
# SPDX-License-Identifier: MIT
"""One server lasts for the whole soak. A round attacks it from several clients at once and starts other servers under bad
conditions; then a correct client must get the correct picture, and memory, threads and descriptors must be back at their
level. A finding is printed with what repeats its round; exit code 1. docs/guide/soak.md has more."""
import argparse
import random
import secrets
import sys
import threading
import time

import attacks
import launches
from server import Finding, Level, Server
from vtest import Lost

# Memory that a server may keep beyond its level after the first round: kernels and linked programs of thousands of shaders
# (docs/rules/limits.md), and what the C library keeps for each of the threads that it has seen.
MORE_RSS = 512 << 20
MORE_SIZE = 4 << 30


class Soak:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.findings = 0
        self.server = self.start()
        self.idle = self.server.level()
        self.level: Level | None = None
        self.most = 0

    def start(self) -> Server:
        """One heap for all threads: what it keeps says little about leaks if each thread has its own."""
        server = Server(self.options.valkyr, "--quiet", environment={"MALLOC_ARENA_MAX": "1"})
        if not server.started():
            raise Finding(f"the server did not start\n{server.text()}")
        return server

    def report(self, number: int, what: str, error: object):
        self.findings += 1
        print(f"round {number}: FINDING: {what}: {error}\n"
              f"    repeat: tools/soak.sh 0 --seed {self.options.seed} --first {number} --rounds 1", flush=True)

    def attack(self, number: int, chosen, seed: int):
        try:
            chosen(self.server.path, random.Random(seed))
        except Lost:
            pass
        except Finding as finding:
            self.report(number, chosen.__name__, finding)

    def round(self, number: int):
        """One round; everything random in it comes from the seed and its number."""
        start = time.monotonic()
        r = random.Random(f"{self.options.seed} {number}")
        # A short soak has one round with everything in it.
        hostile = attacks.ALL if self.options.all else r.choices(attacks.ALL, k=r.randrange(4, 12))
        threads = [threading.Thread(target=self.attack, args=(number, chosen, r.getrandbits(64)), daemon=True)
                   for chosen in hostile]
        for thread in threads:
            thread.start()
        started = launches.ALL if self.options.all else r.sample(launches.ALL, 2)
        started = [launch for launch in started if launch.__name__ not in self.options.without]
        for launch in started:
            try:
                launch(self.options.valkyr, random.Random(r.getrandbits(64)))
            except Finding as finding:
                self.report(number, launch.__name__, finding)
            except Lost as error:
                self.report(number, launch.__name__, f"not served: {error}")
        for thread in threads:
            thread.join(120)
        level = self.check(number)
        names = sorted({f.__name__ for f in hostile}) + [f.__name__ for f in started]
        print(f"round {number}: {time.monotonic() - start:.1f} s, {level}: {', '.join(names)}", flush=True)

    def check(self, number: int) -> Level | str:
        """The lasting server after a round: its picture and its level. One that fails is replaced."""
        try:
            launches.check_pictures(self.server.path, "the lasting server")
            level = self.server.settle(self.idle.threads, self.idle.descriptors)
            self.level = self.level or level
            self.most = max(self.most, level.rss)
            if level.rss > self.level.rss + MORE_RSS or level.size > self.level.size + MORE_SIZE:
                raise Finding(f"{level}; the level after the first round was {self.level}")
            return level
        except Finding as finding:
            self.report(number, "afterwards", finding)
            self.server.__exit__()
            self.server = self.start()
            self.level = None
            return "a new server"

    def run(self) -> int:
        start = time.monotonic()
        number = self.options.first
        while (number < self.options.first + self.options.rounds if self.options.rounds
               else time.monotonic() - start < 60 * self.options.minutes):
            self.round(number)
            number += 1
        try:
            self.server.end()
        except Finding as finding:
            self.report(number, "the end", finding)
        self.server.__exit__()
        print(f"{number - self.options.first} rounds in {time.monotonic() - start:.0f} s, seed {self.options.seed}: "
              f"{self.findings} findings; memory {self.idle.rss >> 20} MiB idle, "
              f"{(self.level or self.idle).rss >> 20} MiB after the first round, {self.most >> 20} MiB at most")
        return 1 if self.findings else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description="Hostile clients and bad conditions for `valkyr vtest`.")
    parser.add_argument("minutes", type=float, help="how long; 0 with --rounds")
    parser.add_argument("--valkyr", default="build/release/bin/valkyr", help="the program")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="another one gives other rounds")
    parser.add_argument("--first", type=int, default=1, help="number of the first round")
    parser.add_argument("--rounds", type=int, default=0, help="so many rounds instead of minutes")
    parser.add_argument("--all", action="store_true", help="every attack and every launch in each round")
    parser.add_argument("--without", action="append", default=[], help="leave a launch out, by name")
    return Soak(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
