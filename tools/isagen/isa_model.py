"""Reads xml/valhall.xml into plain objects and refuses a description that contradicts itself.

SPDX-License-Identifier: MIT

The notation is explained at the top of the XML file. Nothing here knows about Valhall: positions,
opcodes and values all come from the XML. Users: tools/isagen/isagen.py and tests/valhall/isa.
"""

import re
from dataclasses import dataclass, field

from isa_rejections import check_rejections, read_rejections, resolve
from isa_xml import IsaError, Node, parse_xml, unique


# ------------------------------------------------------------------------------------- the objects


@dataclass(frozen=True)
class Bits:
    """A bit field of the word; size 0 means that there is none."""

    start: int = 0
    size: int = 0

    @property
    def mask(self):
        return ((1 << self.size) - 1) << self.start

    def __str__(self):
        return f"{self.start}" if self.size == 1 else f"{self.start}-{self.start + self.size - 1}"


NO_BITS = Bits()


@dataclass
class Value:
    number: int
    token: str
    note: str


@dataclass
class Enum:
    name: str
    note: str
    values: list
    default: int  # None if it must be written

    def by_number(self):
        return {value.number: value for value in self.values}


@dataclass
class Modifier:
    name: str
    bits: Bits
    enum: Enum  # None: a flag
    note: str


@dataclass
class Source:
    byte: int
    size: int
    is_float: bool
    neg: Bits
    abs: Bits
    bit_not: Bits
    selector_kind: str  # "None" if there is no selector
    selector_bits: Bits
    selector_enum: Enum
    low_lane: bool
    is_uniform: bool
    role: str


@dataclass
class Run:
    """A run of staging registers."""

    access: str
    base: Bits
    count: Bits
    bias: int
    maximum: int
    may_be_empty: bool
    role: str
    needs: str = ""  # a number or one of NEEDS


@dataclass
class Immediate:
    name: str
    bits: Bits
    is_signed: bool
    is_label: bool
    role: str


@dataclass
class Instruction:
    name: str
    title: str
    description: str
    unit: str
    size: int
    opcode: int
    opcode2: int
    opcode2_at: list  # of Bits
    effects: list = field(default_factory=list)  # of names
    stages: list = field(default_factory=list)
    cost: int = 1
    latency: int = 1
    rejections: list = field(default_factory=list)  # of Rejection, with the numbers of this instruction
    has_dest: bool = False
    dest_is_float: bool = False
    dest: list = field(default_factory=list)  # register and mask, as Bits
    sources: list = field(default_factory=list)
    runs: list = field(default_factory=list)
    immediates: list = field(default_factory=list)
    modifiers: list = field(default_factory=list)
    fixed: list = field(default_factory=list)  # of (Bits, value)
    node: Node = None

    def fixed_bits(self):
        mask = value = 0
        for bits, constant in self.fixed:
            mask |= bits.mask
            value |= constant << bits.start
        return mask, value

    def fields(self):
        """All (what, Bits) that hold something variable."""
        yield from (("destination", bits) for bits in self.dest)
        for number, source in enumerate(self.sources):
            name = f"source {number}"
            yield name, Bits(8 * source.byte, 8)
            yield from ((f"{what} of {name}", bits) for what, bits in (
                ("neg", source.neg), ("abs", source.abs), ("not", source.bit_not),
                ("selector", source.selector_bits)))
        for run in self.runs:
            yield f"{run.access} staging base", run.base
            yield f"{run.access} staging count", run.count
        yield from ((f"immediate {imm.name or '#'}", imm.bits) for imm in self.immediates)
        yield from ((f"modifier {mod.name}", mod.bits) for mod in self.modifiers)


@dataclass
class Isa:
    word: dict       # opcode, page, flow -> Bits
    prefixes: dict   # kind of source byte -> byte with the prefix and zeros
    fau: dict        # bytes, alu-slots, message-slots -> count
    constants: list
    constant_notes: list
    specials: dict   # (page, k) -> (name, note)
    enums: dict
    modifiers: dict
    effects: dict    # name -> note
    plain_latency: int
    instructions: list


# ---------------------------------------------------------------------------------------- reading

WORD_BITS = 64
UNITS = ("FMA", "CVT", "SFU", "V", "LS", "T", "VT", "NONE")
SIZES = (8, 16, 24, 32, 48, 64, 96, 128)
STAGES = ("vertex", "fragment", "compute", "blend", "geometry")
NEEDS = ("components", "size", "loaded", "exchanged", "texture-results", "texture-operands", "fused-results")
OPERAND_TAGS = "fixed dest sr src imm mod"


def read_bits(node, name, default=None):
    text = node.get(name, default)
    if text is None:
        return NO_BITS
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        node.fail(f"{name}=\"{text}\" is neither a bit nor a range a-b")
    first = int(match[1])
    last = int(match[2] or first)
    if last < first or last >= WORD_BITS:
        node.fail(f"{name}=\"{text}\" is not a range of bits 0 to {WORD_BITS - 1}")
    return Bits(first, last - first + 1)


def need_bits(node, name="bits"):
    node.need(name)
    return read_bits(node, name)


def read_enums(root):
    enums = {}
    for node in root.one("enums").children:
        node.only("name", "desc value")
        values, default = [], None
        for child in node.all("value"):
            child.only("n token default")
            values.append(Value(child.number("n"), child.need("token"), child.prose()))
            if child.flag("default"):
                if default is not None:
                    child.fail("a second default")
                default = child.number("n")
        numbers = [value.number for value in values]
        tokens = [value.token for value in values]
        if len(set(numbers)) != len(numbers) or len(set(tokens)) != len(tokens) or not values:
            node.fail("values must exist and have different numbers and tokens")
        if numbers != sorted(numbers) or numbers[-1] > 15:
            node.fail("values must be in ascending order and at most 15")
        enum = Enum(node.need("name"), node.one("desc").prose(), values, default)
        unique(enums, enum.name, enum, node)
    return enums


def find_enum(enums, node, bits):
    enum = enums.get(node.need("enum"))
    if enum is None:
        node.fail(f"there is no enum {node.get('enum')}")
    if enum.default is not None and enum.default >> bits.size:
        node.fail(f"the default of {enum.name} does not fit into bits {bits}")
    return enum


def read_modifiers(root, enums):
    modifiers = {}
    for node in root.one("modifiers").children:
        node.only("name bits enum")
        bits = need_bits(node)
        enum = find_enum(enums, node, bits) if node.get("enum") else None
        if enum is None and bits.size != 1:
            node.fail("without enum it is a flag and has one bit")
        unique(modifiers, node.need("name"), Modifier(node.get("name"), bits, enum, node.prose()), node)
    return modifiers


def read_selectors(root, enums):
    selectors = {}
    for node in root.one("selectors").children:
        node.only("name", "form")
        for form in node.all("form"):
            form.only("byte size kind bits enum")
            bits = need_bits(form)
            key = (node.need("name"), form.number("byte"), form.number("size"))
            unique(selectors, key, (form.need("kind"), bits, find_enum(enums, form, bits)), form)
    return selectors


def read_effects(root):
    effects = {}
    for node in root.one("effects").children:
        node.only("name")
        if not node.prose():
            node.fail("an effect needs a description")
        unique(effects, node.need("name"), node.prose(), node)
    if len(effects) > 32:
        root.one("effects").fail("at most 32 effects")
    return effects


def read_words(node, name, known):
    """The words of an attribute, each of them one of `known`, in the order of `known`."""
    words = node.get(name, "").split()
    for word in words:
        if word not in known:
            node.fail(f"{name}: there is no '{word}', only {', '.join(known)}")
    if len(set(words)) != len(words):
        node.fail(f"{name}: a word stands there twice")
    return [word for word in known if word in words]


def read_runs(root):
    runs = {}
    for node in root.one("staging").children:
        node.only("name access base count bias max empty flags value")
        run = Run(node.need("access"), need_bits(node, "base"), need_bits(node, "count"),
                  node.number("bias"), node.number("max"), node.flag("empty"), "")
        if run.access not in ("read", "write"):
            node.fail("access must be read or write")
        if run.maximum - run.bias >> run.count.size or (run.may_be_empty and run.bias):
            node.fail("the counts do not fit into the count field")
        flags = None
        if node.get("flags"):
            flags = (need_bits(node, "flags"), node.number("value"))
        unique(runs, node.need("name"), (run, flags), node)
    return runs


class _InstructionReader:
    def __init__(self, root, enums, modifiers, effects, rejections):
        self.enums = enums
        self.effects = effects
        self.rejections = rejections
        self.modifiers = modifiers
        self.selectors = read_selectors(root, enums)
        self.runs = read_runs(root)
        self.word = root.one("word")
        self.plain_latency = root.one("plain").number("latency")

    def read(self, root):
        result = []
        for node in root.one("instructions").children:
            if node.tag == "group":
                node.only("title unit size opcode opcode2 opcode2-at effects stages cost latency reject",
                          "desc ins " + OPERAND_TAGS)
                for ins in node.all("ins"):
                    ins.only("name title size opcode opcode2 cost latency reject", "desc")
                    result.append(self.instruction(ins, node))
            elif node.tag == "ins":
                node.only("name title unit size opcode opcode2 opcode2-at effects stages cost latency reject",
                          "desc " + OPERAND_TAGS)
                result.append(self.instruction(node, node))
            else:
                node.fail("only <group> and <ins> stand here")
        return result

    def instruction(self, ins, group):
        """One instruction; group is the element that holds its operands (itself, if alone)."""
        merged = Node(ins.tag, {**group.attributes, **ins.attributes}, ins.line, ins.path)
        descriptions = group.all("desc") + (ins.all("desc") if ins is not group else [])
        size = merged.number("size")
        text = " ".join(node.prose() for node in descriptions).replace("{size}", str(size))
        result = Instruction(merged.need("name"), merged.need("title"), text, merged.need("unit"), size,
                             merged.number("opcode"), merged.number("opcode2", 0), [],
                             read_words(group, "effects", self.effects),
                             read_words(group, "stages", STAGES) or list(STAGES),
                             merged.number("cost", 1), merged.number("latency", self.plain_latency),
                             node=ins)
        if not text:
            ins.fail("a description <desc> is missing")
        if result.unit not in UNITS or size not in SIZES:
            ins.fail(f"unit must be one of {UNITS}, size one of {SIZES}")
        if not 1 <= result.cost <= 255 or not 1 <= result.latency <= 255:
            merged.fail("cost and latency must be 1 to 255")
        self.opcodes(result, merged)
        for node in group.children:
            if node.tag in OPERAND_TAGS.split():
                getattr(self, node.tag)(result, node)
        self.reject(result, ins, group)
        return result

    def opcodes(self, ins, merged):
        bits = need_bits(self.word, "opcode")
        if ins.opcode >> bits.size:
            merged.fail("the opcode does not fit")
        ins.fixed.append((bits, ins.opcode))
        shift = 0
        if merged.get("opcode2-at"):
            merged.need("opcode2")
            for part in merged.get("opcode2-at").split(","):
                bits = read_bits(merged, "", part)
                ins.opcode2_at.append(bits)
                ins.fixed.append((bits, ins.opcode2 >> shift & ((1 << bits.size) - 1)))
                shift += bits.size
        if ins.opcode2 >> shift:
            merged.fail("opcode2 does not fit into opcode2-at")

    def fixed(self, ins, node):
        node.only("bits value")
        bits = need_bits(node)
        if node.number("value") >> bits.size:
            node.fail("the value does not fit")
        ins.fixed.append((bits, node.number("value")))

    def dest(self, ins, node):
        node.only("reg mask type")
        if node.get("type", "float") != "float":
            node.fail("type: only float is one")
        ins.has_dest = True
        ins.dest_is_float = node.get("type") == "float"
        ins.dest = [need_bits(node, "reg"), need_bits(node, "mask")]

    def sr(self, ins, node):
        node.only("run needs")
        if node.need("run") not in self.runs:
            node.fail(f"there is no staging run {node.get('run')}")
        run, flags = self.runs[node.get("run")]
        needs = node.need("needs")
        if needs not in NEEDS and not needs.isdigit():
            node.fail(f"needs: '{needs}' is neither a number nor one of {', '.join(NEEDS)}")
        if needs.isdigit() and not 1 <= int(needs) <= run.maximum:
            node.fail(f"needs: the run has 1 to {run.maximum} registers")
        ins.runs.append(Run(**{**vars(run), "role": node.prose(), "needs": needs}))
        if flags:
            ins.fixed.append(flags)

    def src(self, ins, node):
        node.only("byte size type neg abs not select lane uniform")
        byte, size = node.number("byte"), node.number("size", min(ins.size, 64))
        kind, bits, enum = "None", NO_BITS, None
        if node.get("select"):
            key = (node.get("select"), byte, size)
            if key not in self.selectors:
                node.fail(f"selector {key[0]} has no form for byte {byte} and {size} bits ({ins.name})")
            kind, bits, enum = self.selectors[key]
        if size not in (8, 16, 32, 64) or node.get("type", "float") != "float":
            node.fail("size must be 8, 16, 32 or 64, type float or nothing")
        low_lane = node.get("lane") is not None
        if low_lane and (node.get("lane") != "low" or kind != "Swizzle16"):
            node.fail("lane must be low, and needs a selector of two half-words")
        ins.sources.append(Source(byte, size, node.get("type") == "float", read_bits(node, "neg"),
                                  read_bits(node, "abs"), read_bits(node, "not"), kind, bits, enum,
                                  low_lane, node.flag("uniform"), node.prose()))

    def imm(self, ins, node):
        node.only("name bits signed label")
        ins.immediates.append(Immediate(node.get("name", ""), need_bits(node), node.flag("signed"),
                                        node.flag("label"), node.prose()))

    def mod(self, ins, node):
        node.only("name bits")
        name = node.need("name").replace("{size}", str(ins.size))
        if name not in self.modifiers:
            node.fail(f"there is no modifier {name}")
        modifier = Modifier(**vars(self.modifiers[name]))
        if node.get("bits"):
            modifier.bits = need_bits(node)
        ins.modifiers.append(modifier)

    def reject(self, result, ins, group):
        """The rejections of the instruction and of its group, in the order of <rejections>."""
        names = read_words(group, "reject", self.rejections)
        if ins is not group:
            for name in read_words(ins, "reject", self.rejections):
                if name in names:
                    ins.fail(f"reject: the group has '{name}' already")
                names.append(name)
        result.rejections = [resolve(result, rejection) for name, rejection in self.rejections.items()
                             if name in names]
        if any(not rejection.tests for rejection in result.rejections) and len(names) > 1:
            ins.fail("reject: beside a rejection that always applies the others have no use")


def read_prefixes(root):
    prefixes = {}
    for node in root.one("source-byte").children:
        node.only("name prefix")
        digits = node.need("prefix")[2:]
        unique(prefixes, node.need("name"), int(digits, 2) << (8 - len(digits)), node)
    return prefixes


def read_constants(root):
    nodes = root.one("constants").children
    for index, node in enumerate(nodes):
        node.only("n value")
        if node.number("n") != index or node.number("value") >> 32:
            node.fail("constants must be numbered from 0 and have 32 bits")
    return [node.number("value") for node in nodes], [node.prose() for node in nodes]


def read_specials(root):
    specials = {}
    for group in root.all("specials"):
        group.only("page", "special")
        for node in group.children:
            node.only("k name")
            if node.number("k") > 15 or group.number("page") > 3:
                node.fail("k is at most 15, page at most 3")
            unique(specials, (group.number("page"), node.number("k")), (node.need("name"), node.prose()), node)
    return specials


def load(path):
    """The whole description, checked. Raises IsaError."""
    root = parse_xml(path)
    word = root.one("word")
    word.only("size opcode page flow")
    root.one("plain").only("latency")
    fau = root.one("fau")
    enums = read_enums(root)
    modifiers = read_modifiers(root, enums)
    effects = read_effects(root)
    rejections = read_rejections(root)
    constants, constant_notes = read_constants(root)
    isa = Isa(word={name: need_bits(word, name) for name in ("opcode", "page", "flow")},
              prefixes=read_prefixes(root),
              fau={name: fau.number(name) for name in ("bytes", "alu-slots", "message-slots")},
              constants=constants, constant_notes=constant_notes, specials=read_specials(root),
              enums=enums, modifiers=modifiers, effects=effects,
              plain_latency=root.one("plain").number("latency"),
              instructions=_InstructionReader(root, enums, modifiers, effects, rejections).read(root))
    check(isa)
    check_rejections(root, isa.instructions)
    return isa


# --------------------------------------------------------------------------------------- checking


def check(isa):
    """Refuses overlaps, ambiguous opcodes and names, and what the C++ structures cannot hold."""
    names = {}
    for ins in isa.instructions:
        unique(names, ins.name, ins, ins.node)
        check_overlap(isa, ins)
        check_operands(ins)
    check_opcodes(isa)
    names = [name for name, _ in isa.specials.values()]
    if len(set(names)) != len(names) or len(isa.constants) != 32:
        raise IsaError("specials need different names, and there must be 32 constants")


def check_overlap(isa, ins):
    taken = {}
    claims = [("page", isa.word["page"]), ("flow", isa.word["flow"])]
    claims += [("constant bits", bits) for bits, _ in ins.fixed]
    for what, bits in claims + list(ins.fields()):
        for bit in range(bits.start, bits.start + bits.size):
            if bit in taken:
                ins.node.fail(f"{ins.name}: bit {bit} belongs to {taken[bit]} and to {what}")
            taken[bit] = what


def check_operands(ins):
    for what, items, limit in (("sources", ins.sources, 4), ("staging runs", ins.runs, 2),
                               ("immediates", ins.immediates, 2)):
        if len(items) > limit:
            ins.node.fail(f"{ins.name}: at most {limit} {what}")
    if ins.has_dest and ins.runs:
        ins.node.fail(f"{ins.name}: has both a destination and staging registers")
    names = [modifier.name for modifier in ins.modifiers]
    if len(set(names)) != len(names):
        ins.node.fail(f"{ins.name}: a modifier is used twice")


def check_opcodes(isa):
    by_opcode = {}
    for ins in isa.instructions:
        members = by_opcode.setdefault(ins.opcode, {})
        for other in members.values():
            if other.opcode2_at != ins.opcode2_at:
                ins.node.fail(f"{ins.name} and {other.name} share opcode 0x{ins.opcode:03X} but have their "
                              "secondary opcodes at different places")
        if ins.opcode2 in members:
            ins.node.fail(f"{ins.name} and {members[ins.opcode2].name} have the same opcodes")
        members[ins.opcode2] = ins
