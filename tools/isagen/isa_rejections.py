"""Reads the rejections: words that decode but have no meaning, and the reasons.

SPDX-License-Identifier: MIT
"""

from dataclasses import dataclass, field

from isa_xml import Node, unique

SUBJECTS = ("mod", "src", "imm")
MAX_TESTS = 2


@dataclass
class Test:
    """A condition of a rejection: the modifier, selector or immediate has one of `values`, or none."""

    subject: str   # one of SUBJECTS
    name: str      # of the modifier or immediate, or the number of the source
    inside: bool   # "is"; False: "is-not"
    words: list    # as the XML has them
    values: list = field(default_factory=list)  # as numbers; empty for words that an instruction resolves
    node: Node = None


@dataclass
class Rejection:
    name: str
    reason: str
    tests: list    # of Test


def read_test(node):
    node.only("mod src imm is is-not")
    subjects = [subject for subject in SUBJECTS if subject in node.attributes]
    relations = [relation for relation in ("is", "is-not") if relation in node.attributes]
    if len(subjects) != 1 or len(relations) != 1:
        node.fail("needs one of mod, src and imm, and one of is and is-not")
    words = node.get(relations[0]).split()
    if not words or len(set(words)) != len(words):
        node.fail(f"{relations[0]}: needs values, each of them once")
    return Test(subjects[0], node.get(subjects[0]), relations[0] == "is", words, node=node)


def read_rejections(root):
    rejections = {}
    for node in root.one("rejections").children:
        node.only("name why", "if")
        tests = [read_test(child) for child in node.children]
        if len(tests) > MAX_TESTS:
            node.fail(f"at most {MAX_TESTS} conditions")
        if not node.need("why"):
            node.fail("why: a rejection needs a reason")
        unique(rejections, node.need("name"), Rejection(node.get("name"), node.get("why"), tests), node)
    return rejections


def resolve(ins, rejection):
    """A rejection with the numbers that its values have in this instruction."""
    tests = [resolve_test(ins, rejection.name, test) for test in rejection.tests]
    return Rejection(rejection.name, rejection.reason, tests)


def resolve_test(ins, name, test):
    if test.subject == "mod":
        numbers = modifier_numbers(ins, test)
    elif test.subject == "src":
        numbers = selector_numbers(ins, test)
    else:
        numbers = immediate_numbers(ins, test)
    if numbers is None:
        ins.node.fail(f"reject: '{name}' asks for {test.subject} {test.name}, which {ins.name} does not have")
    for word in test.words:
        if word not in numbers:
            test.node.fail(f"{test.subject} {test.name} of {ins.name} has no value '{word}', only "
                           f"{', '.join(numbers)}")
    if len(test.words) == len(numbers):
        test.node.fail(f"these are all values of {test.subject} {test.name} of {ins.name}")
    return Test(**{**vars(test), "values": sorted(numbers[word] for word in test.words)})


def enum_numbers(enum, bits):
    return {value.token: value.number for value in enum.values if not value.number >> bits.size}


def modifier_numbers(ins, test):
    for modifier in ins.modifiers:
        if modifier.name == test.name:
            return enum_numbers(modifier.enum, modifier.bits) if modifier.enum else {"no": 0, "yes": 1}
    return None


def selector_numbers(ins, test):
    if not test.name.isdigit() or int(test.name) >= len(ins.sources):
        return None
    source = ins.sources[int(test.name)]
    return enum_numbers(source.selector_enum, source.selector_bits) if source.selector_enum else None


def immediate_numbers(ins, test):
    """Immediates of four bits at most: their values are kept as a set of 16 bits."""
    for imm in ins.immediates:
        if imm.name == test.name:
            if imm.bits.size > 4 or imm.is_signed:
                test.node.fail(f"immediate {imm.name} of {ins.name} must be unsigned and have four bits at most")
            return {str(number): number for number in range(1 << imm.bits.size)}
    return None


def check_rejections(root, instructions):
    """Refuses rejections that no instruction has."""
    used = {rejection.name for ins in instructions for rejection in ins.rejections}
    for node in root.one("rejections").children:
        if node.get("name") not in used:
            node.fail(f"no instruction has '{node.get('name')}'")
