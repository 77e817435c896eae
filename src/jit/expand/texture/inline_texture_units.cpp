// Texture units: reads the state of a message's units from the key, and finds descriptors.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <algorithm>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureDescriptor;
using exec::TextureMessage;
using exec::TextureOp;

namespace {

template <typename Key>
bool take_texture(TextureState& state, const Key* key) {
    const uint32_t texture = exec::index_of(state.message.texture);
    if (key == nullptr || exec::table_of(state.message.texture) != exec::ResourceTable::Textures ||
        texture >= key->texture_units)
        return false;
    state.texture = key->textures[texture];
    state.texture_offset = static_cast<int32_t>(texture * sizeof(TextureDescriptor));
    return true;
}

template <typename Key>
bool take_both(TextureState& state, const Key* key) {
    const uint32_t texture = exec::index_of(state.message.texture);
    const uint32_t sampler = exec::index_of(state.message.sampler);
    if (key == nullptr || exec::table_of(state.message.texture) != exec::ResourceTable::Textures ||
        exec::table_of(state.message.sampler) != exec::ResourceTable::Samplers ||
        texture >= key->texture_units || sampler >= key->sampler_units)
        return false;
    state.texture = key->textures[texture];
    state.sampler = key->samplers[sampler];
    state.texture_offset = static_cast<int32_t>(texture * sizeof(TextureDescriptor));
    state.sampler_offset = static_cast<int32_t>(sampler * sizeof(exec::SamplerDescriptor));
    return true;
}

/// Whether one expansion, that of the more general texture, serves both.
bool are_alike(const exec::TextureKey& a, const exec::TextureKey& b) {
    return a.kind == b.kind && a.format == b.format && std::ranges::equal(a.swizzle, b.swizzle) &&
           a.samples == b.samples && a.plain_slices == b.plain_slices;
}

template <typename Key>
bool joins(const Key& key, const UnitRun& run, bool fetches) {
    const uint32_t unit = run.first + run.count;
    return unit < key.texture_units && (fetches || unit < key.sampler_units) &&
           key.textures[unit].format != exec::Format::None &&
           are_alike(key.textures[unit], key.textures[run.first]) &&
           (fetches || key.samplers[unit] == key.samplers[run.first]);
}

template <typename Key>
UnitRun take_longest(TextureState& state, const Key* key) {
    const bool fetches = state.message.op == TextureOp::Fetch;
    UnitRun longest;
    for (UnitRun run; key != nullptr && run.first < key->texture_units; ++run.first) {
        for (run.count = 0; joins(*key, run, fetches);)
            ++run.count;
        if (run.count > longest.count)
            longest = run;
    }
    if (longest.count == 0)
        return longest;
    state.texture = key->textures[longest.first];
    for (uint32_t i = 1; i < longest.count; ++i) {
        const exec::TextureKey& other = key->textures[longest.first + i];
        state.texture.power_of_two &= other.power_of_two;
        state.texture.single_level &= other.single_level;
    }
    if (!fetches)
        state.sampler = key->samplers[longest.first];
    state.indexed = true;
    return longest;
}

/// Stores the address of a descriptor: number `index` of a table.
void store_pointer(
    EmitContext& c, Address pointer, size_t table_member, Gp index, size_t descriptor_bytes) {
    HostAssembler& h = c.h;
    const Scalar table = c.load64({Gp::Call, 0});
    const Scalar offset = c.scalar();
    h.load64(table,
             {table, static_cast<int32_t>(offsetof(exec::DrawContext, tables) + table_member)});
    h.move(offset, uint64_t{descriptor_bytes});
    h.mul64(offset, index);
    h.add64(table, offset);
    h.store64(pointer, table);
}

}  // namespace

bool take_units(TextureState& state, const KernelSource& source) {
    const auto take = [&](const auto* key) {
        return state.message.op == TextureOp::Fetch ? take_texture(state, key)
                                                    : take_both(state, key);
    };
    return source.key.fragment ? take(source.key.fragment) : take(source.key.vertex);
}

UnitRun take_run(TextureState& state, const KernelSource& source) {
    return source.key.fragment ? take_longest(state, source.key.fragment)
                               : take_longest(state, source.key.vertex);
}

void find_descriptors(
    EmitContext& c, const TexturePlaces& places, const UnitRun& run, Address message, Label other) {
    HostAssembler& h = c.h;
    const auto first_of = [&](exec::ResourceTable table) {
        return -static_cast<int32_t>(exec::make_handle(table, run.first));
    };
    const Scalar unit = c.scalar();
    h.load32(unit, message.plus(offsetof(TextureMessage, texture)));
    h.add32(unit, first_of(exec::ResourceTable::Textures));
    h.compare32(unit, run.count);
    h.jump(Jump::AboveEqual, other);
    h.add32(unit, static_cast<int32_t>(run.first));
    store_pointer(c, places.texture_pointer(), offsetof(exec::ResourceTables, textures), unit,
                  sizeof(TextureDescriptor));
    if (places.message.op == TextureOp::Fetch)
        return;
    h.load32(unit, message.plus(offsetof(TextureMessage, sampler)));
    h.add32(unit, first_of(exec::ResourceTable::Samplers));
    h.compare32(unit, run.count);
    h.jump(Jump::AboveEqual, other);
    h.add32(unit, static_cast<int32_t>(run.first));
    store_pointer(c, places.sampler_pointer(), offsetof(exec::ResourceTables, samplers), unit,
                  sizeof(exec::SamplerDescriptor));
}

}  // namespace valkyr::jit
