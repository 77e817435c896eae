// Encoder: packs instructions by the rows of the generated tables.
// SPDX-License-Identifier: MIT
#include "valhall/isa/encode.hpp"

#include "base/bits.hpp"
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/source_byte.hpp"

namespace valkyr::valhall {
namespace {

uint64_t place(uint64_t value, BitField bits) {
    return place_bits(value, bits.start, bits.size);
}

uint64_t pack_source(const SourceInfo& info, const Source& source) {
    return uint64_t{source_byte(source)} << (8u * info.byte) |
           place(source.selector, info.selector_bits) | place(source.neg, info.neg) |
           place(source.abs, info.abs) | place(source.bit_not, info.bit_not);
}

uint64_t pack_staging(const StagingInfo& info, const Staging& run) {
    const unsigned stored = run.count - (info.count_minus_one ? 1u : 0u);
    return place(run.base, info.base) | place(stored, info.count);
}

}  // namespace

Result<uint64_t> encode(const Instr& instr) {
    unsigned page = 0;
    if (const Fault fault = check_instr(instr, page))
        return fault_error(instr, fault);
    const OpInfo& info = op_info(instr.op);
    uint64_t word = info.fixed_value | place_bits(page, kPageStart, kPageSize) |
                    place_bits(static_cast<uint64_t>(instr.flow), kFlowStart, kFlowSize) |
                    place(instr.dest.reg, info.dest_reg) | place(instr.dest.mask, info.dest_mask);
    for (const ModInfo& mod : info.mods)
        word |= place(instr.mod(mod.mod), mod.bits);
    for (size_t i = 0; i < info.staging.size(); ++i)
        word |= pack_staging(info.staging[i], instr.staging[i]);
    for (size_t i = 0; i < info.sources.size(); ++i)
        word |= pack_source(info.sources[i], instr.src[i]);
    for (size_t i = 0; i < info.immediates.size(); ++i)
        word |= place(static_cast<uint64_t>(instr.imm[i]), info.immediates[i].bits);
    return word;
}

}  // namespace valkyr::valhall
