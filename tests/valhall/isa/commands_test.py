#!/usr/bin/env python3
"""valkyr asm, dis and isa as a user meets them.

SPDX-License-Identifier: MIT

usage: commands_test.py VALKYR [UNITTEST ARGUMENTS...]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CASES = ROOT / "tests/valhall/encodings/generated.txt"
VALKYR = ""

TEXT = """loop: IADD_IMM.i32 r0, r0, #0xFFFFFFFF
  BRANCHZ.reconverge r0.h0, offset:loop
  NOP.end
"""
HEX = """00 ff ff ff ff c0 10 01
00 fe ff ff 27 c0 1f 50
00 00 00 00 00 c0 00 78
"""


def run(*arguments, stdin=""):
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    result = subprocess.run([VALKYR, *arguments], input=data, capture_output=True, timeout=60)
    return result.returncode, result.stdout, result.stderr.decode()


def good(*arguments, stdin=""):
    code, out, err = run(*arguments, stdin=stdin)
    assert code == 0, err
    return out


class Assembler(unittest.TestCase):
    def test_hex_and_binary_output(self):
        self.assertEqual(good("asm", "--hex", "-", stdin=TEXT).decode(), HEX)
        self.assertEqual(good("asm", "-", stdin=TEXT), bytes.fromhex(HEX))

    def test_output_file(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder) / "x.s", pathlib.Path(folder) / "x.bin"
            source.write_text(TEXT)
            self.assertEqual(good("asm", str(source), "-o", str(target)), b"")
            self.assertEqual(target.read_bytes(), bytes.fromhex(HEX))

    def test_all_errors_with_place_line_and_caret(self):
        code, out, err = run("asm", "--hex", "-", stdin="NOP\nMOV.i32 r64, r0\nFOO\n")
        self.assertEqual((code, out), (1, b""))
        self.assertIn("<stdin>:2:9: error: MOV.i32: destination: register 'r64' out of range, r0..r63", err)
        self.assertIn("<stdin>:3:1: error: unknown instruction 'FOO'", err)
        self.assertIn("    MOV.i32 r64, r0\n            ^\n", err)

    def test_a_file_that_is_not_there(self):
        code, _, err = run("asm", "/no/such/file.s")
        self.assertEqual(code, 1)
        self.assertIn("/no/such/file.s", err)


class Disassembler(unittest.TestCase):
    def test_hex_and_binary_input(self):
        listing = good("dis", "--hex", "-", stdin=HEX)
        self.assertEqual(listing, good("dis", "-", stdin=bytes.fromhex(HEX)))
        self.assertEqual(listing.decode().splitlines()[1],
                         "00 fe ff ff 27 c0 1f 50    BRANCHZ.reconverge r0.h0, offset:-2")

    def test_text_output_assembles_again(self):
        text = good("dis", "--hex", "--text", "-", stdin=HEX)
        self.assertIn(b"L0:", text)
        self.assertEqual(good("asm", "--hex", "-", stdin=text).decode(), HEX)

    def test_all_generated_cases_come_back(self):
        lines = [line for line in CASES.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(good("dis", "--hex", str(CASES)).decode().splitlines(), lines)

    def test_words_that_do_not_decode_are_shown_and_reported(self):
        code, out, err = run("dis", "--hex", "-", stdin="01 00 00 00 00 00 00 ff\n")
        self.assertEqual(code, 1)
        self.assertEqual(out.decode(), "01 00 00 00 00 00 00 ff    .word 0xFF00000000000001\n")
        self.assertIn("<stdin>: error: word 0: ", err)

    def test_malformed_input(self):
        code, _, err = run("dis", "--hex", "-", stdin="00 00 00 00 00 c0 00 78\nxyz\n")
        self.assertEqual(code, 1)
        self.assertIn("<stdin>:2:1: error: ", err)
        code, _, err = run("dis", "-", stdin=b"1234567")
        self.assertEqual(code, 1)
        self.assertIn("multiple of eight", err)


class Reference(unittest.TestCase):
    def test_page(self):
        page = good("isa", "fma.f32").decode()
        for part in ["FMA.f32 - Fused multiply-add", "FMA.f32[.clamp][.flow] dest, A, B, C", "010110010",
                     "[32-33]   modifier clamp", ".clamp_0_1", "FMA.f32 r0, r2, r4, r6"]:
            self.assertIn(part, page)

    def test_page_and_json_name_effects_and_stages(self):
        page = good("isa", "LD_VAR_SPECIAL").decode()
        self.assertIn("; stages fragment\n", page)
        self.assertIn("\nEFFECTS\n  unchanging    reads data that stay the same", page)
        self.assertNotIn("EFFECTS", good("isa", "FMA.f32").decode())
        entries = {entry["name"]: entry for entry in json.loads(good("isa", "--json"))["instructions"]}
        self.assertEqual(entries["LD_VAR_SPECIAL"]["effects"], ["unchanging", "varying"])
        self.assertEqual(entries["LD_VAR_SPECIAL"]["stages"], ["fragment"])
        self.assertEqual(entries["FMA.f32"]["effects"], [])

    def test_page_and_json_say_what_is_rejected(self):
        page = good("isa", "ICMP.u32").decode()
        self.assertIn("\nREJECTED\n  cmp gtlt or total: gtlt and total are conditions for floats only\n"
                      "  and yes, seq yes: and and seq exclude each other\n", page)
        self.assertIn("  always: the instruction has no known meaning\n", good("isa", "TEX_DUAL").decode())
        self.assertIn("  index not 0 or 2 or 3: ", good("isa", "LD_VAR_SPECIAL").decode())
        self.assertNotIn("REJECTED", good("isa", "FMA.f32").decode())
        entries = {entry["name"]: entry for entry in json.loads(good("isa", "--json"))["instructions"]}
        self.assertEqual(entries["BRANCHZ"]["rejections"],
                         [{"condition": "selector of source 0 lowbits",
                           "reason": "the combine mode lowbits has no known meaning"}])
        self.assertEqual(entries["FMA.f32"]["rejections"], [])

    def test_every_page_has_an_example_that_assembles_to_its_bytes(self):
        entries = json.loads(good("isa", "--json"))["instructions"]
        text = "\n".join(entry["example"] for entry in entries)
        self.assertEqual(good("asm", "--hex", "-", stdin=text).decode().splitlines(),
                         [entry["example_bytes"] for entry in entries])

    def test_json_covers_every_bit_that_can_be_set_once(self):
        entries = json.loads(good("isa", "--json"))
        self.assertEqual(len(entries["instructions"]), 238)
        self.assertEqual(len(entries["constants"]), 32)
        for entry in entries["instructions"]:
            bits = [field["start"] + i for field in entry["fields"] for i in range(field["size"])]
            self.assertEqual(len(bits), len(set(bits)), entry["name"])
            self.assertLess(max(bits), 63)

    def test_lists(self):
        self.assertEqual(len(good("isa", "--list").decode().splitlines()), 238)
        units = [good("isa", "--unit", unit).decode().splitlines()
                 for unit in ("FMA", "CVT", "SFU", "V", "LS", "T", "VT", "NONE")]
        self.assertEqual(sum(len(lines) for lines in units), 238)

    def test_html(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "isa.html"
            good("isa", "--html", str(path))
            text = path.read_text()
            self.assertEqual(text.count('<h2 id="'), 238)
            self.assertTrue(text.endswith("</html>\n"))

    def test_unknown_names_get_suggestions(self):
        code, _, err = run("isa", "CLZ")
        self.assertEqual(code, 1)
        self.assertIn("CLZ.u32", err)
        self.assertEqual(run("isa", "--unit", "XYZ")[0], 1)


if __name__ == "__main__":
    VALKYR = sys.argv.pop(1)
    unittest.main()
