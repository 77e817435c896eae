// Opcode traits: copies base words, modifier fields and other facts from the instruction tables.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/spec.hpp"

namespace valkyr::valhall::ir {
namespace {

/// Both halves of the destination register.
constexpr uint64_t kFullMask = 3;

using TraitsTable = std::array<OpTraits, kOpCount + kPseudoCount>;

TraitsTable make_traits() {
    TraitsTable table{};
    for (const OpInfo& info : all_ops()) {
        OpTraits& row = table[static_cast<unsigned>(info.op)];
        row.base = info.fixed_value;
        row.unit = info.unit;
        row.alu = is_alu(info.unit);
        row.cost = info.cost;
        row.latency = info.latency;
        row.effects = info.effects;
        for (const ModInfo& mod : info.mods) {
            row.mods[static_cast<unsigned>(mod.mod)] = mod.bits;
            row.base |= place_bits(mod.default_value, mod.bits.start, mod.bits.size);
        }
        row.only_sources = info.staging.empty() && info.immediates.empty();
        if (info.has_dest) {
            row.destination = place_bits(kFullMask, info.dest_mask.start, info.dest_mask.size);
            row.destination_shift = info.dest_reg.start;
        }
        for (unsigned i = 0; i < info.sources.size(); ++i) {
            const SourceInfo& source = info.sources[i];
            row.source_shift[i] = static_cast<uint8_t>(8 * source.byte);
            row.default_selector[i] = place_bits(
                source.selector_default, source.selector_bits.start, source.selector_bits.size);
            if (info.sources[i].neg.size != 0)
                row.modified_sources |= static_cast<uint8_t>(1U << i);
            if (info.sources[i].size == 64)
                row.wide_sources |= static_cast<uint8_t>(1U << i);
        }
    }
    return table;
}

}  // namespace

// The rows of all_ops() are constant-initialised, so they exist before this is made.
const TraitsTable kOpTraits = make_traits();

}  // namespace valkyr::valhall::ir
