# Terminal: runs a command with a terminal on standard error, or also on standard output.
# SPDX-License-Identifier: MIT
import os
import pty
import subprocess
import threading
import unittest


def run_on_terminal(command, *, both=False, environment=None, cwd=None, term="xterm"):
    """The result; its stderr is the terminal's text, with `both` including standard output.

    Skips the test if the system has no terminal."""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no terminal to be had: {error}")
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=theirs if both else subprocess.PIPE,
                               stderr=theirs, env={**os.environ, "TERM": term, **(environment or {})})
    os.close(theirs)
    drawn = []
    reader = threading.Thread(target=read_all, args=(ours, drawn))
    reader.start()
    printed, _ = process.communicate(timeout=120)
    reader.join()
    os.close(ours)
    return subprocess.CompletedProcess(command, process.returncode, (printed or b"").decode(), b"".join(drawn).decode())


def read_all(descriptor, pieces):
    while True:
        try:
            piece = os.read(descriptor, 4096)
        except OSError:  # On Linux, the other end of the terminal is closed.
            return
        if not piece:
            return
        pieces.append(piece)
