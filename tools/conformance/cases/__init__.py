"""The tables of tools/conformance/make_conformance.py, a topic a file."""
# SPDX-License-Identifier: MIT
