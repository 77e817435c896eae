#!/usr/bin/env python3
# Busy client: draws one picture after the other until it is killed or has drawn enough.
# SPDX-License-Identifier: MIT
"""usage: busy_client.py SOCKET [PICTURES]     exit code 1: a wrong picture, or the server has gone"""
import os
import sys

import vtest


def main() -> int:
    path = sys.argv[1] or os.environ["VTEST_SOCKET_NAME"]
    left = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 30
    try:
        while left > 0:
            if vtest.draw_triangle(path) != vtest.TRIANGLE or vtest.draw_gears(path) != vtest.GEARS_SHA256:
                return 1
            left -= 1
    except vtest.Lost:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
