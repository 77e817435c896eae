// Random instructions: make legal Valhall instructions for property tests and fuzzing.
// SPDX-License-Identifier: MIT
#include "tests/support/random_instr.hpp"

#include "base/check.hpp"
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::test {

using namespace valhall;

namespace {

/// A random bit of `set`.
uint8_t pick_bit(uint16_t set, Random& random) {
    for (unsigned skip = random.below(static_cast<uint32_t>(std::popcount(set))); skip > 0; --skip)
        set &= static_cast<uint16_t>(set - 1);
    return static_cast<uint8_t>(std::countr_zero(set));
}

uint8_t pick_register(bool even, Random& random, const RandomInstrOptions& options) {
    const uint32_t reg = random.below(options.registers - (even ? 1 : 0));
    return static_cast<uint8_t>(even ? reg & ~1u : reg);
}

Destination
pick_destination(const OpInfo& info, Random& random, const RandomInstrOptions& options) {
    Destination dest;
    dest.reg = pick_register(info.dest_is_pair, random, options);
    if (!info.dest_is_pair && random.one_in(4))
        dest.mask = random.one_in(2) ? 1 : 2;
    return dest;
}

Staging pick_staging(const StagingInfo& info, Random& random, const RandomInstrOptions& options) {
    if (info.may_be_empty && random.one_in(4))
        return {};
    const unsigned count = 1 + random.below(std::min<unsigned>(info.max_count, options.registers));
    const unsigned base = random.below(options.registers - count + 1);
    return {static_cast<uint8_t>(count > 1 ? base & ~1u : base), static_cast<uint8_t>(count)};
}

Source pick_special(bool pair, Random& random) {
    Source source;
    source.kind = SourceKind::Special;
    do
        source.index = static_cast<uint8_t>(random.below(kPageCount * kSpecialsPerPage));
    while (special_name(source_page(source), source.index % kSpecialsPerPage).empty());
    source.word = !pair && random.one_in(2) ? 1 : 0;
    return source;
}

Source pick_value(bool pair, Random& random, const RandomInstrOptions& options) {
    Source source;
    const uint32_t kind = random.below(8);
    if (kind == 0 && options.constants) {
        source.kind = SourceKind::Constant;
        do
            source.index = static_cast<uint8_t>(random.below(kConstantCount));
        while (!options.second_zero && source.index == 21);
        return source;
    }
    if (kind == 1 && options.uniforms > 1) {
        source.kind = SourceKind::Uniform;
        const uint32_t word = random.below(options.uniforms);
        source.index = static_cast<uint8_t>(pair ? word & ~1u : word);
        return source;
    }
    if (kind == 2 && options.specials)
        return pick_special(pair, random);
    source.index = pick_register(pair, random, options);
    source.last_use = options.last_use && random.one_in(4);
    return source;
}

Source pick_source(const SourceInfo& info, Random& random, const RandomInstrOptions& options) {
    Source decoration;
    decoration.selector = pick_bit(info.selector_values, random);
    Source source = pick_value(reads_pair(info, decoration), random, options);
    source.selector = decoration.selector;
    source.neg = info.neg.size != 0 && random.one_in(3);
    source.abs = info.abs.size != 0 && random.one_in(3);
    source.bit_not = info.bit_not.size != 0 && random.one_in(2);
    return source;
}

int64_t pick_immediate(const ImmediateInfo& info, Random& random) {
    const unsigned size = info.bits.size;
    const uint64_t ones = (uint64_t{1} << size) - 1;
    const uint64_t edges[] = {0, 1, ones, ones >> 1, (ones >> 1) + 1, random.next() & ones};
    const uint64_t raw = random.one_in(2) ? random.next() & ones : edges[random.below(6)];
    const bool negative = info.is_signed && raw >> (size - 1) != 0;
    return static_cast<int64_t>(raw) - (negative ? static_cast<int64_t>(ones) + 1 : 0);
}

}  // namespace

Instr random_instr(Op op, Random& random, const RandomInstrOptions& options) {
    const OpInfo& info = op_info(op);
    Instr instr = make_instr(op);
    if (options.flows && random.one_in(2)) {
        const auto flows = enum_tokens(EnumId::Flow);
        do
            instr.flow = static_cast<Flow>(random.below(static_cast<uint32_t>(flows.size())));
        while (flows[static_cast<size_t>(instr.flow)].empty());
    }
    for (const ModInfo& mod : info.mods)
        instr.set_mod(mod.mod, pick_bit(mod.valid_values, random));
    if (info.has_dest)
        instr.dest = pick_destination(info, random, options);
    for (size_t i = 0; i < info.staging.size(); ++i)
        instr.staging[i] = pick_staging(info.staging[i], random, options);
    for (size_t i = 0; i < info.immediates.size(); ++i)
        instr.imm[i] = pick_immediate(info.immediates[i], random);
    for (unsigned attempt = 0; attempt < 1000; ++attempt) {
        for (size_t i = 0; i < info.sources.size(); ++i)
            instr.src[i] = pick_source(info.sources[i], random, options);
        unsigned page = 0;
        const Fault fault = check_instr(instr, page);
        if (!fault)
            return instr;
        VALKYR_CHECK(fault.part == Part::Instruction);  // only FAU limits can be violated here
    }
    VALKYR_UNREACHABLE();  // operands that are all registers are legal and soon come up
}

Instr random_instr(Random& random, const RandomInstrOptions& options) {
    return random_instr(static_cast<Op>(random.below(kOpCount)), random, options);
}

}  // namespace valkyr::test
