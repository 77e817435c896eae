"""The tables of tools/make_conformance.py, a topic a file."""
# SPDX-License-Identifier: MIT
