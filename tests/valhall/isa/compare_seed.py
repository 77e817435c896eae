#!/usr/bin/env python3
"""Compares xml/valhall.xml with the instruction description that Mesa published, where it is at hand.

SPDX-License-Identifier: MIT

  compare_seed.py SEED.xml

That description leaves most bit positions to rules in the tools that read it. This script applies
the rules, and the field list of every instruction must equal that of xml/valhall.xml. No other code
contains those rules.
"""

import re
import sys
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/isagen"))

import isa_model  # noqa: E402
from isa_model import Bits, NO_BITS  # noqa: E402

SIZES = (8, 16, 24, 32, 48, 64, 96, 128)

# Element -> bits and enum (None: a flag). From the layout that all tools for this ISA share.
MODIFIERS = {
    "wide_indices": (8, 1, None), "array_enable": (10, 1, None), "texel_offset": (11, 1, None),
    "shadow": (12, 1, None), "integer_coordinates": (13, 1, None), "lod_bias_disable": (13, 1, None),
    "lod_clamp_disable": (14, 1, None), "lod_mode": (13, 3, "lod_mode"),
    "fetch_component": (14, 2, "fetch_component"), "write_mask": (22, 4, "write_mask"),
    "atom_opc": (22, 4, "atomic_operation"), "atom_opc_1": (22, 4, "atomic_operation_with_1"),
    "inactive_result": (22, 4, "inactive_result"), "memory_access": (24, 2, "memory_access"),
    "vartex_register_width": (24, 2, "varying_texture_register_width"), "regfmt": (24, 3, "register_format"),
    "source_format": (24, 4, "source_format"), "register_type": (26, 2, "register_type"),
    "vecsize": (28, 2, "vector_size"), "dimension": (28, 2, "dimension"), "slot": (30, 3, "slot"),
    "roundmode": (30, 2, "round_mode"), "result_type": (30, 2, "result_type"), "saturate": (30, 1, None),
    "not_result": (30, 1, None), "lane_op": (32, 2, "lane_operation"), "clamp": (32, 2, "clamp"),
    "cmp": (32, 3, "condition"), "sample_and_update": (33, 3, "sample_and_update_mode"),
    "conservative": (35, 1, None), "subgroup": (36, 4, "subgroup_size"), "update": (36, 2, "update_mode"),
    "sample": (38, 2, "sample_mode"), "skip": (39, 1, None), "register_width": (46, 1, "register_width"),
    "secondary_register_width": (47, 1, "register_width"),
}

# Instructions whose sources are single floats or packed halves although the type size in the
# description says otherwise. xml/valhall.xml is right, and no bit depends on it.
SIZE_ONLY = {"LEA_TEX", "V2F32_TO_V2F16", "MKVEC.v2i8", "IDP.v4s8", "IDP.v4u8", "LD_VAR_BUF_IMM.f16", "LD_VAR_BUF.f16"}


def enum_key(name):
    """A name in a spelling that both files share."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def number(text):
    return int(text, 16) if text.startswith("0x") else int(text)


def yes(node, attribute):
    return node.get(attribute) == "true"


class Seed:
    """The description with errata applied, as expanded instructions."""

    def __init__(self, path):
        text = Path(path).read_text(encoding="utf-8")
        self.root = ET.fromstring(text[:text.index("</valhall>") + len("</valhall>")])
        self.enums = {}
        for enum in self.root.findall("enum"):
            children = [child for child in enum if child.tag in ("value", "reserved")]
            values = {i: child.text for i, child in enumerate(children) if child.tag == "value"}
            default = [i for i, child in enumerate(children) if yes(child, "default")]
            self.enums[enum_key(enum.get("name"))] = (values, default[0] if default else None)
        self.constants = [number(child.text) for child in self.root.find("lut").findall("constant")]
        self.instructions = {}
        for node in self.root:
            if node.tag == "ins":
                self.add(node, node)
            elif node.tag == "group":
                for ins in node.findall("ins"):
                    self.add(ins, node)

    def add(self, ins, group):
        name = ins.get("name")
        opcode = number(ins.get("opcode", group.get("opcode")))
        if opcode == 0x1A2:
            opcode = 0xAA  # erratum E1
        opcode2 = ins.get("opcode2", group.get("opcode2"))
        unit = ins.get("unit", group.get("unit"))
        self.instructions[name] = Expected(name, opcode, opcode2, unit, group)


class Expected:
    """One instruction as xml/valhall.xml should state it, by the rules."""

    def __init__(self, name, opcode, opcode2, unit, group):
        self.name, self.opcode, self.unit = name, opcode, unit
        digits = re.search(r"(\d+)$", name)
        self.size = int(digits[1]) if digits and int(digits[1]) in SIZES else 32
        self.has_dest = group.get("dests", "0") == "1"
        self.mods = [node.get("name") for node in group.findall("mod")]
        self.sources = self.read_sources(group)
        self.modifiers = self.read_modifiers(group)
        self.runs, self.flags = self.read_staging(group)
        self.immediates = [(imm.get("name"), Bits(int(imm.get("start")), int(imm.get("size"))), yes(imm, "signed"))
                           for imm in group.findall("imm")]
        self.secondary = self.read_secondary(opcode2)

    def read_secondary(self, opcode2):
        """List of (bits, value)."""
        value = number(opcode2) if opcode2 is not None else 0
        if "descriptor_type" in self.mods:
            return [(Bits(37, 2), value)]
        if "memory_width" in self.mods or self.name.startswith(("LOAD.", "STORE.", "LD_BUFFER.")):
            return [(Bits(27, 3), value)]
        if "left" in self.mods:
            return [(Bits(24, 2), value & 3), (Bits(32, 1), value >> 8)]
        if self.opcode == 0x90:
            return [(Bits(16, 5), value)]
        if opcode2 is not None:
            return [(Bits(24 if len(self.sources) == 3 else 16, 4), value)]
        return []

    def read_modifiers(self, group):
        result = []
        for node in group:
            if node.tag in MODIFIERS:
                start, size, enum = MODIFIERS[node.tag]
                result.append((node.tag, Bits(start, size), enum))
            elif node.tag == "mod" and node.get("start") != "128":
                bits = Bits(int(node.get("start")), int(node.get("size")))
                result.append((node.get("name"), bits, node.get("name") if bits.size > 1 else None))
        return result

    def read_staging(self, group):
        tags = {node.tag for node in group}
        runs, flags = [], None
        for node in group.findall("sr"):
            mode = node.get("flags")
            write = yes(node, "write")
            if write and mode == "false":
                runs.append(("write", Bits(16, 6), Bits(36, 3), 1))
                continue
            counted = "sr_count" in tags or not write
            runs.append(("write" if write else "read", Bits(40, 6), Bits(33, 3) if counted else Bits(36, 3),
                         0 if counted else 1))
            flags = {None: 2 if write else 1, "rw": 3, "false": None}[mode]
        if not runs and not self.has_dest:
            flags = 3
        return runs, flags

    def read_sources(self, group):
        result, slot = [], 0
        for node in group.findall("src"):
            size = int(node.get("size", self.size))
            result.append((slot, size) + self.read_selectors(node, slot, size))
            slot += 2 if size == 64 and self.size != 64 else 1
        return result

    def read_selectors(self, node, slot, size):
        neg = abs_ = bit_not = NO_BITS
        selector = (NO_BITS, None)
        if yes(node, "absneg"):
            neg, abs_ = Bits(38 - 2 * slot, 1), Bits(39 - 2 * slot, 1)
        if yes(node, "not"):
            bit_not = Bits(35, 1)
        # Erratum E2: the source of CLZ.v2u16 has a swizzle.
        if yes(node, "swizzle") or self.name == "CLZ.v2u16":
            selector = (Bits(28 - 2 * slot, 2), "widen" if size == 32 else "swizzles_16_bit")
        elif yes(node, "widen"):
            selector = (Bits(26 if slot == 1 else 36, 4), f"swizzles_{size}_bit")
        elif yes(node, "lanes"):
            selector = (Bits(26, 4), "lanes_8_bit")
        elif yes(node, "halfswizzle"):
            selector = (Bits(36, 4), "half_swizzles_8_bit")
        elif node.get("lane") == "28":
            selector = (Bits(28, 2 if size == 8 else 1), f"lane_{size}_bit")
        elif yes(node, "lane"):
            selector = (Bits(38 if slot == 0 else 36, 2), "lane_8_bit")
        elif yes(node, "combine"):
            selector = (Bits(37, 3), "combine")
        return neg, abs_, bit_not, selector[0], selector[1]


def enum_of(name):
    return enum_key(name) if name else None


class Compare(unittest.TestCase):
    seed = None
    isa = None

    def each(self):
        for ins in self.isa.instructions:
            yield ins, self.seed.instructions[ins.name]

    def test_the_same_instructions(self):
        self.assertEqual({ins.name for ins in self.isa.instructions}, set(self.seed.instructions))
        self.assertEqual(len(self.isa.instructions), 238)

    def test_units_opcodes_and_type_sizes(self):
        for ours, theirs in self.each():
            self.assertEqual((ours.unit, ours.opcode, ours.size, ours.has_dest),
                             (theirs.unit, theirs.opcode, theirs.size, theirs.has_dest), ours.name)

    def test_constant_bits(self):
        for ours, theirs in self.each():
            expected = [(Bits(48, 9), theirs.opcode)] + theirs.secondary
            if theirs.flags is not None:
                expected.append((Bits(46, 2), theirs.flags))
            self.assertEqual(sorted(ours.fixed, key=str), sorted(expected, key=str), ours.name)

    def test_destinations(self):
        for ours, _ in self.each():
            self.assertEqual(ours.dest, [Bits(40, 6), Bits(46, 2)] if ours.has_dest else [], ours.name)

    def test_sources_and_selectors(self):
        for ours, theirs in self.each():
            mine = [(s.byte, s.size, s.neg, s.abs, s.bit_not, s.selector_bits,
                     enum_of(s.selector_enum and s.selector_enum.name)) for s in ours.sources]
            wanted = [(*source[:6], enum_of(source[6])) for source in theirs.sources]
            if ours.name in SIZE_ONLY:
                mine = [(s[0], *s[2:]) for s in mine]
                wanted = [(s[0], *s[2:]) for s in wanted]
            self.assertEqual(mine, wanted, ours.name)

    def test_modifiers_in_order(self):
        for ours, theirs in self.each():
            mine = [(m.name, m.bits, enum_of(m.enum and m.enum.name)) for m in ours.modifiers]
            self.assertEqual(mine, [(name, bits, enum_of(enum)) for name, bits, enum in theirs.modifiers],
                             ours.name)

    def test_staging_and_immediates(self):
        for ours, theirs in self.each():
            self.assertEqual([(run.access, run.base, run.count, run.bias) for run in ours.runs], theirs.runs,
                             ours.name)
            self.assertEqual([(imm.name or "constant", imm.bits, imm.is_signed) for imm in ours.immediates],
                             theirs.immediates, ours.name)
            for run in ours.runs:
                self.assertEqual(run.maximum, 7 + run.bias)
                self.assertEqual(run.may_be_empty, ours.name.startswith("ATOM1_RETURN"))

    def test_enumerations(self):
        for enum in self.isa.enums.values():
            values, default = self.seed.enums[enum_key(enum.name)]
            self.assertEqual({v.number: v.token for v in enum.values}, values, enum.name)
            self.assertEqual(enum.default, default, enum.name)
        unused = set(self.seed.enums) - {enum_key(enum) for enum in self.isa.enums}
        self.assertEqual(unused, {"stagingregistercount", "stagingregisterwritecount", "fauspecialpage0",
                                  "fauspecialpage1", "fauspecialpage3"})

    def test_constants_and_specials(self):
        self.assertEqual(self.isa.constants, self.seed.constants)
        for page in (0, 1, 3):
            values, _ = self.seed.enums[f"fauspecialpage{page}"]
            self.assertEqual({k: name for (p, k), (name, _) in self.isa.specials.items() if p == page}, values)
        self.assertEqual([page for page, _ in self.isa.specials if page == 2], [])


if __name__ == "__main__":
    Compare.seed = Seed(sys.argv.pop(1))
    Compare.isa = isa_model.load(ROOT / "xml" / "valhall.xml")
    unittest.main()
