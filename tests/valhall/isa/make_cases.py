#!/usr/bin/env python3
"""Writes tests/valhall/encodings/generated.txt and negative-words.txt from xml/valhall.xml.

SPDX-License-Identifier: MIT

  make_cases.py            writes the files
  make_cases.py --check    fails if they are not what would be written

It has its own encoder and printer, so that the files check the C++ ones instead of repeating them.
They contain every value of every modifier, selector, flow and staging count of every instruction at
least once, and every constant and special.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/isagen"))

import isa_model  # noqa: E402

FOLDER = ROOT / "tests/valhall/encodings"
FULL = 3  # write mask: both halves


class Picker:
    """Small pseudo-random numbers that never change."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 1103515245 + 12345) % (1 << 31)
        return (self.state >> 8) % limit


class Word:
    """Builds a word and its text."""

    def __init__(self, ins):
        self.bits = ins.fixed_bits()[1]
        self.modifiers = [""] * len(ins.modifiers)
        self.flow = ""
        self.operands = []

    def put(self, bits, value):
        self.bits |= (value & ((1 << bits.size) - 1)) << bits.start

    def text(self, ins):
        head = ins.name + "".join("." + token for token in self.modifiers + [self.flow] if token)
        return (head + " " + ", ".join(self.operands)).rstrip()


def hex_bytes(word):
    return " ".join(f"{byte:02x}" for byte in word.to_bytes(8, "little"))


def legal_values(enum, bits):
    return [value for value in enum.values if not value.number >> bits.size]


def token_of(value, enum):
    """Returns the printed text of a value; empty for the default."""
    return "" if value.number == enum.default else value.token


class CaseMaker:
    def __init__(self, isa):
        self.isa = isa
        self.picker = Picker(2024)
        self.specials = sorted(isa.specials.items())
        self.turn = 0  # walks through constants, specials and uniforms across all instructions

    # ------------------------------------------------------------------------------- operands

    def modifier(self, word, position, modifier, step):
        if modifier.enum is None:
            value = step % 2
            word.put(modifier.bits, value)
            word.modifiers[position] = modifier.name if value else ""
            return
        values = legal_values(modifier.enum, modifier.bits)
        value = values[step % len(values)]
        word.put(modifier.bits, value.number)
        word.modifiers[position] = token_of(value, modifier.enum)

    def staging(self, word, run, step):
        counts = list(range(0 if run.may_be_empty else 1, run.maximum + 1))
        count = counts[step % len(counts)]
        base = 0
        if count:
            base = self.picker.below(64 - count + 1)
            base -= base % 2 if count > 1 else 0
        word.put(run.base, base)
        word.put(run.count, count - run.bias)
        word.operands.append("@" + ":".join(f"r{base + i}" for i in range(count)))

    def destination(self, word, ins, step):
        register = self.picker.below(64)
        mask = (FULL, 1, FULL, 2)[step % 4]
        if ins.size == 64:
            register, mask = register & ~1, FULL
        word.put(ins.dest[0], register)
        word.put(ins.dest[1], mask)
        word.operands.append(f"r{register}" + {FULL: "", 1: ".h0", 2: ".h1"}[mask])

    def value(self, pair, may_be_fau):
        """Returns byte, page and text of a source operand."""
        prefixes = self.isa.prefixes
        self.turn += 1
        kind = self.turn % 8 if may_be_fau else 0
        if kind == 1:
            index = self.turn // 8 % len(self.isa.constants)
            index = 0 if index == 21 else index
            return prefixes["constant"] + index, None, f"0x{self.isa.constants[index]:X}"
        if kind == 3:
            (page, k), (name, _) = self.specials[self.turn // 8 % len(self.specials)]
            half = 0 if pair else self.turn // 8 // len(self.specials) % 2
            return prefixes["special"] + 2 * k + half, page, f"{name}.w{half}"
        if kind == 5:
            number = self.picker.below(256) & (~1 if pair else ~0)
            return prefixes["uniform"] + number % 64, number // 64, f"u{number}"
        register = self.picker.below(64) & (~1 if pair else ~0)
        if self.picker.below(3) == 0:
            return prefixes["register-last-use"] + register, None, f"^r{register}"
        return prefixes["register"] + register, None, f"r{register}"

    def source(self, word, source, step, may_be_fau):
        selector, pair = "", source.size == 64
        if source.selector_enum is not None:
            values = legal_values(source.selector_enum, source.selector_bits)
            value = values[step % len(values)]
            word.put(source.selector_bits, value.number)
            selector = token_of(value, source.selector_enum)
            pair = pair and selector == ""
        byte, page, text = self.value(pair, may_be_fau)
        word.put(isa_model.Bits(8 * source.byte, 8), byte)
        if page is not None:
            word.put(self.isa.word["page"], page)
        flags = [("neg", source.neg, step & 1), ("abs", source.abs, step >> 1 & 1)]
        for name, bits, value in flags:
            if bits.size and value:
                word.put(bits, 1)
                text += "." + name
        text += "." + selector if selector else ""
        if source.bit_not.size and step & 1:
            word.put(source.bit_not, 1)
            text += ".not"
        word.operands.append(text)
        return byte >= self.isa.prefixes["uniform"]

    def immediate(self, word, imm, step):
        top = (1 << imm.bits.size) - 1
        raw = (1, top, 0, top >> 1, (top >> 1) + 1, top // 3)[step % 6]
        word.put(imm.bits, raw)
        prefix = imm.name + ":" if imm.name else "#"
        if imm.is_signed:
            word.operands.append(f"{prefix}{raw - (top + 1 if raw > top >> 1 else 0)}")
        else:
            word.operands.append(f"{prefix}0x{raw:X}")

    # --------------------------------------------------------------------------- instructions

    def case(self, ins, step):
        word = Word(ins)
        flows = self.isa.enums["Flow"]
        flow = flows.values[(step + ins.opcode) % len(flows.values)] if step % 2 else flows.values[0]
        word.put(self.isa.word["flow"], flow.number)
        word.flow = token_of(flow, flows)
        for position, modifier in enumerate(ins.modifiers):
            self.modifier(word, position, modifier, step + position)
        for run in ins.runs:
            self.staging(word, run, step)
        if ins.has_dest:
            self.destination(word, ins, step)
        used_fau = False  # one FAU operand per line obeys all limits
        for position, source in enumerate(ins.sources):
            used_fau |= self.source(word, source, step + position, not used_fau)
        for imm in ins.immediates:
            self.immediate(word, imm, step)
        return word

    def steps(self, ins):
        counts = [2]
        for modifier in ins.modifiers:
            counts.append(len(legal_values(modifier.enum, modifier.bits)) if modifier.enum else 2)
        for source in ins.sources:
            if source.selector_enum:
                counts.append(len(legal_values(source.selector_enum, source.selector_bits)))
            counts.append(4 if source.neg.size else 1)
        counts += [run.maximum + 1 for run in ins.runs]
        counts.append(6 if ins.immediates else 1)
        return max(counts)

    def plain(self, name):
        """Returns the instruction of this name and its first case, as the base of special cases."""
        ins = next(ins for ins in self.isa.instructions if ins.name == name)
        return ins, ins.fixed_bits()[1]

    def operand_cases(self):
        """Writes every constant, special and flow, and the ends of the register and uniform ranges."""
        ins, base = self.plain("MOV.i32")
        base |= FULL << ins.dest[1].start
        prefixes, page_start = self.isa.prefixes, self.isa.word["page"].start
        for index, value in enumerate(self.isa.constants):
            if index != 21:
                yield base | prefixes["constant"] + index, f"MOV.i32 r0, 0x{value:X}"
        for (page, k), (name, _) in self.specials:
            for half in (0, 1):
                yield (base | prefixes["special"] + 2 * k + half | page << page_start,
                       f"MOV.i32 r0, {name}.w{half}")
        for number in (0, 63):
            yield base | prefixes["register"] + number, f"MOV.i32 r0, r{number}"
            yield base | prefixes["register-last-use"] + number, f"MOV.i32 r0, ^r{number}"
        for number in (0, 63, 64, 127, 128, 191, 192, 255):
            yield base | prefixes["uniform"] + number % 64 | number // 64 << page_start, f"MOV.i32 r0, u{number}"
        ins, base = self.plain("NOP")
        for value in self.isa.enums["Flow"].values[1:]:
            yield base | value.number << self.isa.word["flow"].start, f"NOP.{value.token}"

    def generated(self):
        for word, text in self.operand_cases():
            yield f"{hex_bytes(word)}    {text}"
        for ins in self.isa.instructions:
            seen = set()
            for step in range(self.steps(ins)):
                word = self.case(ins, step)
                line = f"{hex_bytes(word.bits)}    {word.text(ins)}"
                if line not in seen:
                    yield line
                seen.add(line)

    # --------------------------------------------------------------------------- broken words

    def negative(self):
        yield from self.unassigned()
        yield from self.broken_operands()
        for number, ins in enumerate(self.isa.instructions):
            breaks = list(self.breaks(ins, self.case(ins, 0).bits))
            # Up to three errors per instruction; over the whole set, all kinds occur.
            for pick in range(min(3, len(breaks))):
                word, reason = breaks[(number * 7 + pick * 5) % len(breaks)]
                yield f"{hex_bytes(word)}    {ins.name}: {reason}"

    def unassigned(self):
        """Writes an opcode of every gap, and every unassigned secondary opcode."""
        full = 3 << 46
        groups = {}
        for ins in self.isa.instructions:
            groups.setdefault(ins.opcode, []).append(ins)
        for opcode in range(512):
            if opcode not in groups and (opcode - 1 in groups or opcode + 1 in groups or opcode % 32 == 15):
                yield f"{hex_bytes(full | opcode << 48)}    unassigned opcode {opcode:03X}"
        for opcode, group in sorted(groups.items()):
            places = group[0].opcode2_at
            taken = {ins.opcode2 for ins in group}
            for value in range(1 << sum(bits.size for bits in places)):
                if value in taken:
                    continue
                word, shift = self.case(group[0], 0).bits, 0
                for bits in places:
                    word = word & ~bits.mask | (value >> shift & ((1 << bits.size) - 1)) << bits.start
                    shift += bits.size
                yield f"{hex_bytes(word)}    unassigned secondary opcode {opcode:03X}/{value:X}"

    def breaks(self, ins, word):
        """Returns (word, reason) for every way to make this word illegal."""
        def replaced(bits, value):
            return word & ~bits.mask | value << bits.start
        yield word | 1 << 63, "bit 63 set"
        for value in range(16):
            if value not in self.isa.enums["Flow"].by_number():
                yield replaced(self.isa.word["flow"], value), f"reserved flow {value}"
        for bits, what, enum in [(m.bits, f"modifier {m.name}", m.enum) for m in ins.modifiers if m.enum] + \
                                [(s.selector_bits, "selector", s.selector_enum) for s in ins.sources
                                 if s.selector_enum]:
            for value in range(1 << bits.size):
                if value not in enum.by_number():
                    yield replaced(bits, value), f"reserved {what} {value}"
        covered = ins.fixed_bits()[0] | self.isa.word["page"].mask | self.isa.word["flow"].mask
        for _, bits in ins.fields():
            covered |= bits.mask
        for bit in range(63):
            if not covered >> bit & 1:
                yield word | 1 << bit, f"bit {bit} set without a field"
        for bits, value in ins.fixed:
            if bits.start == 46:
                yield from ((replaced(bits, v), f"bits 46-47 are {v}") for v in range(4) if v != value)
        if ins.has_dest:
            yield replaced(ins.dest[1], 0), "empty write mask"
            if ins.size == 64:
                yield replaced(ins.dest[0], 7), "odd 64-bit destination"
                yield replaced(ins.dest[1], 1), "half-written 64-bit destination"
        for run in ins.runs:
            if not run.may_be_empty and not run.bias:
                yield replaced(run.count, 0), "empty staging run"
            if run.may_be_empty:
                yield replaced(run.count, 0) & ~run.base.mask | 2 << run.base.start, "empty run with a base"
            two = replaced(run.count, 2 - run.bias) & ~run.base.mask
            yield two | 5 << run.base.start, "odd base of a staging run"
            yield two & ~run.count.mask | 3 - run.bias << run.count.start | 62 << run.base.start, \
                "staging run past r63"

    def broken_operands(self):
        """Writes hand-made errors (specials, pages, FAU limits, alignment) of one ALU and one message
        instruction."""
        prefixes, page = self.isa.prefixes, self.isa.word["page"].start
        ins, base = self.plain("MOV.i32")
        base |= FULL << ins.dest[1].start
        for number in range(4):
            for k in range(16):
                if (number, k) not in self.isa.specials:
                    yield (f"{hex_bytes(base | prefixes['special'] + 2 * k | number << page)}    "
                           f"reserved special {k} of page {number}")
        yield f"{hex_bytes(base | 1 | 1 << page)}    page 1 with a register alone"
        yield f"{hex_bytes(base | prefixes['constant'] | 2 << page)}    page 2 with a constant alone"
        ins, base = self.plain("FMA.f32")
        base |= FULL << ins.dest[1].start
        u, c, s = prefixes["uniform"], prefixes["constant"], prefixes["special"] + 8
        for a, b, d, reason in ((u, u + 2, 0, "uniforms in two slots"), (u, u + 1, c, "two uniforms and a constant"),
                                (c, c + 1, c + 2, "three constants"), (u, s, 0, "a uniform and a special"),
                                (s, s + 2, 0, "two specials"), (u + 1, c, c + 1, "a uniform and two constants"),
                                (u + 1, u + 2, 0, "neighbours in different slots")):
            yield f"{hex_bytes(base | a | b << 8 | d << 16)}    FMA.f32: {reason}"
        ins, base = self.plain("LD_TILE")
        base |= 1 << ins.runs[0].count.start
        for a, b, d, reason in ((u, u + 2, u + 4, "uniforms in three slots"), (u, u + 2, c, "three FAU words")):
            yield f"{hex_bytes(base | a | b << 8 | d << 16)}    LD_TILE: {reason}"
        ins, base = self.plain("LOAD.i32")
        base |= 1 << ins.runs[0].count.start
        for byte, number, reason in ((3, 0, "register"), (prefixes["register-last-use"] + 3, 0, "last-use register"),
                                     (u + 3, 0, "uniform"), (prefixes["special"] + 3, 1, "second word of a special")):
            yield f"{hex_bytes(base | byte | number << page)}    LOAD.i32: 64-bit read of an odd {reason}"


HEADER = """# {what}
# Written by tests/valhall/isa/make_cases.py from xml/valhall.xml; do not edit.
# SPDX-License-Identifier: MIT
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    isa = isa_model.load(ROOT / "xml" / "valhall.xml")
    files = {
        "generated.txt": (CaseMaker(isa).generated(), "Eight bytes in memory order, four blanks, canonical text."),
        "negative-words.txt": (CaseMaker(isa).negative(), "Words that must not decode, four blanks, the reason."),
    }
    for name, (lines, what) in files.items():
        text = HEADER.format(what=what) + "\n".join(lines) + "\n"
        path = FOLDER / name
        if not check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what make_cases.py writes: run it and look at the difference")


if __name__ == "__main__":
    main()
