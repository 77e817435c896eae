// Lowering: the vertex records that vertex and geometry programs write.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/varyings.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

using float_bits::kOne;
constexpr int32_t kPositionOffset = offsetof(exec::VertexRecord, position);
constexpr int32_t kPointSizeOffset = offsetof(exec::VertexRecord, point_size);
constexpr int32_t kLayerOffset = offsetof(exec::VertexRecord, layer);
constexpr int32_t kViewportOffset = offsetof(exec::VertexRecord, viewport);
constexpr int32_t kPrimitiveIdOffset = offsetof(exec::VertexRecord, primitive_id);

/// Mask of `count` low bits, at most kMaxClipDistances.
unsigned low_mask(uint32_t count) {
    return (1U << std::min<uint32_t>(count, exec::kMaxClipDistances)) - 1;
}

}  // namespace

/// Notes the clip and cull distances in use: as the properties say, or all that are declared.
void Lowering::note_clip_distances() {
    unsigned declared = 0;
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file != tgsi::File::Output || !declaration.has_semantic ||
            declaration.semantic != tgsi::Semantic::ClipDist)
            continue;
        for (uint32_t i = 0; i <= declaration.last - declaration.first; ++i) {
            const uint32_t number = declaration.semantic_index + i;
            if (number < exec::kMaxClipDistances / 4)
                declared |= unsigned{declaration.usage_mask} << (4 * number);
        }
    }
    const uint32_t clip = shader_.property("NUM_CLIPDIST_ENABLED", kNoRegister);
    const uint32_t cull = shader_.property("NUM_CULLDIST_ENABLED", kNoRegister);
    if (clip == kNoRegister && cull == kNoRegister) {
        info().clip_distances = static_cast<uint8_t>(declared);
        return;
    }
    const unsigned clip_mask = low_mask(clip == kNoRegister ? 0 : clip);
    const unsigned all_mask =
        low_mask((clip == kNoRegister ? 0 : clip) + (cull == kNoRegister ? 0 : cull));
    info().clip_distances = static_cast<uint8_t>(clip_mask & declared);
    info().cull_distances = static_cast<uint8_t>(all_mask & ~clip_mask & declared);
}

Operand Lowering::record_address(exec::ResourceTable table, Operand number) {
    const ir::Inst& lea =
        b.emit_message(Spec(Op::LEA_BUF_IMM), {number},
                       {.def_count = 2, .staging = {}, .imm = {static_cast<int32_t>(table), 0}});
    const Operand low = ir::value_operand(lea.def);
    return b.pair(low, ir::value_operand(low.value + 1));
}

void Lowering::store_word(Operand address, Operand word, int32_t offset) {
    b.emit_message(Spec(Op::STORE_I32).with(Mod::memory_access, MemoryAccess::istream), {address},
                   {.staging = {&word, 1}, .imm = {offset, 0}});
}

void Lowering::finish_vertex() {
    note_clip_distances();
    store_record(
        record_address(exec::ResourceTable::VertexRecords, preload(exec::kRecordNumberRegister)));
    b.end_program();
}

void Lowering::store_record(Operand address) {
    const auto store = [&](Op op, MemoryAccess hint, std::span<const Operand> run, int32_t offset) {
        b.emit_message(Spec(op).with(Mod::memory_access, hint), {address},
                       {.staging = run, .imm = {offset, 0}});
    };
    Vec4 position{literal(0), literal(0), literal(0), literal(kOne)};
    std::vector<Vec4> slots(layout().slots.size());
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file != tgsi::File::Output || !declaration.has_semantic)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last; ++i) {
            const Vec4 value{output(i, 0), output(i, 1), output(i, 2), output(i, 3)};
            switch (declaration.semantic) {
            case tgsi::Semantic::Position: position = value; break;
            case tgsi::Semantic::PSize:
                info().writes_point_size = true;
                store(Op::STORE_I32, MemoryAccess::istream, {&value[0], 1}, kPointSizeOffset);
                break;
            case tgsi::Semantic::Layer:
                info().writes_layer = true;
                store(Op::STORE_I16, MemoryAccess::istream, {&value[0], 1}, kLayerOffset);
                break;
            case tgsi::Semantic::ViewportIndex:
                info().writes_viewport_index = true;
                store(Op::STORE_I16, MemoryAccess::istream, {&value[0], 1}, kViewportOffset);
                break;
            case tgsi::Semantic::PrimId:
                info().geometry.writes_primitive_id = true;
                store(Op::STORE_I32, MemoryAccess::istream, {&value[0], 1}, kPrimitiveIdOffset);
                break;
            default: break;
            }
            if (const auto slot = find_slot(layout(), declaration, i))
                slots[*slot] = value;
        }
    }
    store(Op::STORE_I128, MemoryAccess::istream, position, kPositionOffset);
    for (size_t s = 0; s < slots.size(); ++s) {
        Vec4 value = slots[s];
        for (Operand& component : value) {
            if (component.kind == OperandKind::None)
                component = literal(0);  // never written: reads as 0
        }
        store(Op::STORE_I128, MemoryAccess::estream, value,
              static_cast<int32_t>(exec::varying_offset(s)));
    }
}

}  // namespace valkyr::valhall::lower
