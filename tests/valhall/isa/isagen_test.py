#!/usr/bin/env python3
"""The reader of xml/valhall.xml refuses descriptions that contradict themselves, and says where.

SPDX-License-Identifier: MIT
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/isagen"))

import isa_model  # noqa: E402

XML = ROOT / "xml" / "valhall.xml"
TEXT = XML.read_text(encoding="utf-8")


class Description(tempfile.TemporaryDirectory):
    """A file broken.xml for as long as a `with` lasts."""

    def __init__(self, text):
        super().__init__()
        self.path = Path(self.name) / "broken.xml"
        self.path.write_text(text, encoding="utf-8")

    def __enter__(self):
        return self.path


def message(text):
    """The message of the reader about a description; empty if it is accepted."""
    with Description(text) as path:
        try:
            isa_model.load(path)
        except isa_model.IsaError as error:
            return str(error)
    return ""


def check(text):
    """Exit code and message of the command isagen for a description."""
    with Description(text) as path:
        result = subprocess.run([sys.executable, str(ROOT / "tools/isagen/isagen.py"), str(path), "--check"],
                                capture_output=True, text=True, timeout=60)
        return result.returncode, result.stderr


class Refusals(unittest.TestCase):
    def test_the_description_as_it_is_is_accepted(self):
        self.assertEqual(check(TEXT), (0, ""))

    def refuse(self, old, new, *words):
        self.assertEqual(TEXT.count(old), 1, f"{old} must be unique for this test")
        said = message(TEXT.replace(old, new))
        self.assertRegex(said, r"broken\.xml:\d+: ")
        for word in words:
            self.assertIn(word, said)

    def test_overlapping_fields(self):
        self.refuse('<modifier name="cmp" bits="32-34" enum="Condition"/>',
                    '<modifier name="cmp" bits="30-32" enum="Condition"/>', "bit 30", "cmp", "source 3")

    def test_a_field_on_the_flow(self):
        self.refuse('<modifier name="conservative" bits="35">', '<modifier name="conservative" bits="59">', "flow")

    def test_two_instructions_with_the_same_opcodes(self):
        self.refuse('<ins name="S16_TO_S32" opcode2="0x04"/>', '<ins name="S16_TO_S32" opcode2="0x05"/>',
                    "S16_TO_F32", "same opcodes")

    def test_secondary_opcodes_at_different_places(self):
        self.refuse('<group title="Dot product of bytes" unit="FMA" opcode="0x0C2"',
                    '<group title="Dot product of bytes" unit="FMA" opcode="0x0A5"', "different places")

    def test_a_name_used_twice(self):
        self.refuse('<ins name="MUX.v4i8"', '<ins name="MUX.i32"', "MUX.i32", "twice")

    def test_an_unknown_modifier(self):
        self.refuse('<mod name="preserve_null"/>', '<mod name="preserve_nil"/>', "preserve_nil")

    def test_an_unknown_enum(self):
        self.refuse('bits="32-33" enum="Clamp"/>', 'bits="32-33" enum="Clomp"/>', "Clomp")

    def test_a_flag_of_two_bits(self):
        self.refuse('<modifier name="shadow" bits="12">', '<modifier name="shadow" bits="12-13">', "one bit")

    def test_a_selector_without_a_form_for_this_source(self):
        self.refuse('<form byte="1" size="8" kind="Lanes" bits="26-29" enum="Lanes8Bit"/>', "", "lanes", "byte 1")

    def test_an_opcode_that_does_not_fit(self):
        self.refuse('size="32" opcode="0x045"', 'size="32" opcode="0x245"', "does not fit")

    def test_a_secondary_opcode_that_does_not_fit(self):
        self.refuse('<ins name="IDP.v4u8" opcode2="0x1"', '<ins name="IDP.v4u8" opcode2="0x11"', "opcode2")

    def test_a_missing_description(self):
        old = TEXT[TEXT.index("  <desc>result = A.</desc>"):][:len("  <desc>result = A.</desc>")]
        self.refuse(old, "", "description")

    def test_an_unknown_attribute(self):
        self.refuse('<mod name="preserve_null"/>', '<mod name="preserve_null" bit="39"/>', "bit")

    def test_malformed_bits(self):
        self.refuse('<imm name="shift" bits="20-22">', '<imm name="shift" bits="22-20">', "22-20")

    def test_a_default_outside_the_field(self):
        self.refuse('<form byte="0" size="16" kind="Swizzle16" bits="28-29" enum="Swizzles16Bit"/>',
                    '<form byte="0" size="16" kind="Swizzle16" bits="28" enum="Swizzles16Bit"/>', "default")

    def test_an_unknown_effect(self):
        self.refuse('effects="image-store"', 'effects="image-stare"', "image-stare", "image-store")

    def test_an_effect_twice(self):
        self.refuse('effects="image-store"', 'effects="image-store image-store"', "twice")

    def test_an_effect_without_a_description(self):
        self.refuse('<effect name="discard">makes lanes helper lanes</effect>', '<effect name="discard"/>', "description")

    def test_an_effect_defined_twice(self):
        self.refuse('<effect name="discard">', '<effect name="barrier">', "defined twice")

    def test_an_effect_of_one_member_of_a_group(self):
        self.refuse('<ins name="ATOM.i64" size', '<ins name="ATOM.i64" effects="store" size', "unknown attribute")

    def test_an_unknown_stage(self):
        self.refuse('stages="compute"', 'stages="mesh"', "mesh", "compute")

    def test_a_cost_of_nothing(self):
        self.refuse('<ins name="FRCP.f32" cost="4"', '<ins name="FRCP.f32" cost="0"', "cost")

    def test_a_latency_that_no_table_can_hold(self):
        self.refuse('cost="4" latency="36"', 'cost="4" latency="256"', "latency", "1 to 255")

    def test_an_unknown_rejection(self):
        self.refuse('reject="gradient"', 'reject="gradients"', "gradients", "fused-lod")

    def test_a_rejection_of_an_instruction_without_the_modifier(self):
        self.refuse('opcode="0x0BA" reject="float-bytes"', 'opcode="0x0BA" reject="gradient"', "MUX.v4i8", "lod_mode")

    def test_a_rejection_of_an_unknown_value(self):
        self.refuse('<if mod="lod_mode" is="grdesc"/>', '<if mod="lod_mode" is="gradesc"/>', "TEX_SINGLE", "gradesc",
                    "explicit")

    def test_a_rejection_of_a_flag_that_is_neither_yes_nor_no(self):
        self.refuse('<if mod="absolute" is="no"/>', '<if mod="absolute" is="0"/>', "absolute", "no, yes")

    def test_a_rejection_of_all_values(self):
        self.refuse('<if mod="absolute" is="no"/>', '<if mod="absolute" is="no yes"/>', "all values")

    def test_a_rejection_by_a_source_that_has_no_selector(self):
        self.refuse('<if src="0" is="lowbits"/>', '<if src="1" is="lowbits"/>', "BRANCHZ", "src 1")

    def test_a_rejection_by_an_immediate_that_is_too_large_for_a_set(self):
        self.refuse('<imm name="index" bits="12-15">which value</imm>', '<imm name="index" bits="12-16">which value</imm>',
                    "LD_VAR_SPECIAL", "four bits")

    def test_a_condition_with_two_subjects(self):
        self.refuse('<if src="0" is="lowbits"/>', '<if src="0" mod="eq" is="lowbits"/>', "one of mod, src and imm")

    def test_a_condition_without_values(self):
        self.refuse('<if src="0" is="lowbits"/>', '<if src="0" is=""/>', "values")

    def test_three_conditions(self):
        self.refuse('<if mod="compare" is="yes"/>', '<if mod="compare" is="yes"/><if mod="slot" is="slot7"/>', "at most 2")

    def test_a_rejection_that_no_instruction_has(self):
        self.refuse('size="32" opcode="0x128" effects="texture" reject="gradient"',
                    'size="32" opcode="0x128" effects="texture"', "no instruction", "gradient")

    def test_a_rejection_of_a_group_and_again_of_its_member(self):
        self.refuse('<ins name="ATOM.i64" size="64" opcode2="5"/>',
                    '<ins name="ATOM.i64" size="64" opcode2="5" reject="lost-exchange"/>', "group", "lost-exchange")

    def test_a_rejection_beside_one_that_always_applies(self):
        self.refuse('reject="gradient"', 'reject="gradient unknown"', "always")

    def test_a_rejection_without_a_reason(self):
        self.refuse('<rejection name="relative" why="an indirect branch must be absolute">',
                    '<rejection name="relative">', "why")

    def test_a_staging_run_that_does_not_say_what_it_needs(self):
        self.refuse('<sr run="read" needs="size"/>', '<sr run="read"/>', "needs")

    def test_an_unknown_need_of_a_staging_run(self):
        self.refuse('<sr run="read" needs="size"/>', '<sr run="read" needs="bits"/>', "bits", "size")

    def test_more_staging_registers_than_the_run_can_have(self):
        self.refuse('<sr run="write" needs="2"/>', '<sr run="write" needs="9"/>', "1 to 7")

    def test_a_low_lane_without_a_selector_of_halves(self):
        self.refuse('<src byte="2">conversion descriptor</src>\n</ins>\n\n<group title="Atomic operation without',
                    '<src byte="2" lane="low">conversion descriptor</src>\n</ins>\n\n<group title="Atomic operation without',
                    "lane must be low")

    def test_a_uniform_source_that_is_neither_yes_nor_no(self):
        self.refuse('<src byte="1" size="32" uniform="yes">handle of the buffer</src>',
                    '<src byte="1" size="32" uniform="true">handle of the buffer</src>', "yes or no")

    def test_text_that_is_not_xml(self):
        code, said = check(TEXT[:5000])
        self.assertEqual(code, 1)
        self.assertRegex(said, r"broken\.xml:\d+: [a-z ]+\n$")


class Order(unittest.TestCase):
    def test_no_code_depends_on_the_order_of_the_instructions(self):
        # Code may compare opcodes for equality and index tables by them, but their order has no
        # meaning.
        by_order = re.compile(r"(?:\s[<>]|[<>]=)\s*(?:valhall::)?Op::[A-Z]|\bOp::[A-Z]\w*\s+[<>]=?\s")
        found = [f"{path}:{number}: {line.strip()}"
                 for path in sorted((ROOT / "src").rglob("*.[chi][pn]*"))
                 for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                 if by_order.search(line)]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
