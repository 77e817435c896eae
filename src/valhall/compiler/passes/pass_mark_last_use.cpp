// Pass mark_last_use: keeps only the last-use marks that hardware allows.
// SPDX-License-Identifier: MIT
//
// allocate_registers marks the last read of each value. A mark must not stand where a message that
// is still pending reads the register as staging.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <array>

namespace valkyr::valhall::ir {
namespace {

constexpr unsigned kSourceSlots = 3;

unsigned waited_slots(Flow flow) {
    const auto value = static_cast<unsigned>(flow);
    if (value <= static_cast<unsigned>(Flow::wait012))
        return value;
    return flow == Flow::wait || flow == Flow::wait0126 ? 7 : 0;
}

}  // namespace

void mark_last_use(Function& f, bool keep) {
    std::array<uint64_t, kSourceSlots> read_by{};
    for (Inst& inst : f.insts) {
        const uint64_t own =
            !reads_run(inst) ? 0 : ((uint64_t{1} << inst.staging_count) - 1) << inst.staging_base;
        const uint64_t pending = read_by[0] | read_by[1] | read_by[2] | own;
        if (keep && pending == 0)
            continue;
        for (Operand& source : inst.sources()) {
            if (source.kind == OperandKind::Register &&
                (!keep || (pending >> source.value & 1) != 0))
                source.flags = static_cast<uint8_t>(source.flags & ~kLastUse);
        }
        if (own != 0 && mod_field(inst.op, Mod::slot).size != 0) {
            const unsigned slot = get_mod(inst, Mod::slot);
            if (slot < kSourceSlots)
                read_by[slot] |= own;
        }
        const unsigned waited = waited_slots(inst.flow);
        for (unsigned s = 0; s < kSourceSlots; ++s) {
            if ((waited >> s & 1) != 0)
                read_by[s] = 0;
        }
    }
}

}  // namespace valkyr::valhall::ir
