// Decoder: unpacks words by the rows of the generated tables.
// SPDX-License-Identifier: MIT
#include "valhall/isa/decode.hpp"

#include "base/bits.hpp"
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/source_byte.hpp"

#include <bit>

namespace valkyr::valhall {
namespace {

/// A field of the word, 0 if it is absent. Fields are shorter than the word.
uint64_t read(uint64_t word, BitField bits) {
    return word >> bits.start & ((uint64_t{1} << bits.size) - 1);
}

uint8_t read_byte(uint64_t word, BitField bits) {
    return static_cast<uint8_t>(read(word, bits));
}

Source unpack_source(uint64_t word, const SourceInfo& info, unsigned page) {
    Source source = source_of_byte(static_cast<uint8_t>(word >> (8u * info.byte)), page);
    source.selector = read_byte(word, info.selector_bits);
    source.neg = read(word, info.neg) != 0;
    source.abs = read(word, info.abs) != 0;
    source.bit_not = read(word, info.bit_not) != 0;
    return source;
}

Staging unpack_staging(uint64_t word, const StagingInfo& info) {
    const unsigned stored = read_byte(word, info.count);
    return {read_byte(word, info.base),
            static_cast<uint8_t>(stored + (info.count_minus_one ? 1 : 0))};
}

int64_t unpack_immediate(uint64_t word, const ImmediateInfo& info) {
    const uint64_t raw = read(word, info.bits);
    return info.is_signed ? sign_extend(raw, info.bits.size) : static_cast<int64_t>(raw);
}

Instr unpack(uint64_t word, const OpInfo& info, unsigned page) {
    Instr instr;
    instr.op = info.op;
    instr.flow = static_cast<Flow>(extract_bits(word, kFlowStart, kFlowSize));
    if (info.has_dest)
        instr.dest = {read_byte(word, info.dest_reg), read_byte(word, info.dest_mask)};
    for (const ModInfo& mod : info.mods)
        instr.set_mod(mod.mod, read_byte(word, mod.bits));
    for (size_t i = 0; i < info.staging.size(); ++i)
        instr.staging[i] = unpack_staging(word, info.staging[i]);
    for (size_t i = 0; i < info.sources.size(); ++i)
        instr.src[i] = unpack_source(word, info.sources[i], page);
    for (size_t i = 0; i < info.immediates.size(); ++i)
        instr.imm[i] = unpack_immediate(word, info.immediates[i]);
    return instr;
}

std::string hex(uint64_t value) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text;
    for (; value != 0 || text.empty(); value >>= 4)
        text.insert(text.begin(), kDigits[value & 15]);
    return "0x" + text;
}

Error bad(std::string text) {
    return {Errc::BadEncoding, {}, std::move(text)};
}

Error unassigned(uint64_t word) {
    if (word == 0)
        return bad("the all-zero word is the end of a program, not an instruction");
    return bad("unassigned opcode " + hex(extract_bits(word, kOpcodeStart, kOpcodeSize)) +
               " (or secondary opcode) in word " + hex(word));
}

/// Names the first bit that is set outside of all fields, or differs from its constant value.
Error wrong_bit(uint64_t word, const OpInfo& info) {
    const uint64_t stray = word & ~(info.fixed_mask | info.field_mask);
    const uint64_t wrong = (word ^ info.fixed_value) & info.fixed_mask;
    const int bit = std::countr_zero(stray | wrong);
    const char* const must = (info.fixed_value >> bit & 1) != 0 ? "1" : "0";
    return bad(std::string(info.name) + ": bit " + std::to_string(bit) + " must be " + must);
}

}  // namespace

Result<Instr> decode(uint64_t word) {
    const std::optional<Op> op = op_of_word(word);
    if (!op || word == 0)
        return unassigned(word);
    const OpInfo& info = op_info(*op);
    const uint64_t expected = word & info.field_mask;
    if (word != (expected | info.fixed_value))
        return wrong_bit(word, info);
    const auto page = static_cast<unsigned>(extract_bits(word, kPageStart, kPageSize));
    const Instr instr = unpack(word, info, page);
    unsigned needed_page = 0;
    if (const Fault fault = check_instr(instr, needed_page))
        return fault_error(instr, fault);
    if (page != needed_page)
        return bad(std::string(info.name) + ": page " + std::to_string(page) +
                   " without a uniform or special on it");
    return instr;
}

}  // namespace valkyr::valhall
