// Noted row: hands the address of a row of texels from LEA_TEX to the message that accesses it.
// SPDX-License-Identifier: MIT
#include "jit/expand/memory/noted_row.hpp"

#include "jit/expand/memory/running_lanes.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Op;

void note_no_row(EmitContext& c) {
    const Scalar none = c.scalar();
    c.h.move(none, uint64_t{0});
    c.h.store64(row_note(c), none);
}

bool takes_row(const MessageSource& m) {
    const valhall::Source& address = m.instr().src[0];
    if (address.kind != valhall::SourceKind::Register)
        return false;
    const Step* const maker = m.maker_before(m.at, address.index);
    const auto high = static_cast<Reg>((address.index + 1) % exec::kRegisters);
    if (maker == nullptr || !maker->message.notes_row ||
        maker->instr.staging[0].base != address.index || maker != m.maker_before(m.at, high))
        return false;
    const Step* const end = &m.program.steps[m.at];
    return std::none_of(maker + 1, end, [](const Step& step) { return step.message.notes_row; });
}

bool has_noted_row(const EmitContext& c) {
    return c.message().takes_row && c.h.traits().permutes_pairs;
}

Scalar noted_row(EmitContext& c, Label otherwise) {
    HostAssembler& h = c.h;
    {
        const Scalar lanes = storing_lanes(c);
        h.compare32(lanes, (1U << h.traits().lanes) - 1);
        h.jump(Jump::NotEqual, otherwise);
    }
    Scalar row = c.load64(row_note(c));
    const Scalar none = c.scalar();
    h.move(none, uint64_t{0});
    h.compare64(row, none);
    h.jump(Jump::Equal, otherwise);
    return row;
}

void load_noted_order(EmitContext& c, Vec d) {
    const Scalar order = c.load64(order_note(c));
    c.h.load(d, {order, 0});
}

}  // namespace valkyr::jit
