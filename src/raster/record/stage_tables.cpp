// Stage tables: make descriptors of units, copies of constants, and uniforms.
// SPDX-License-Identifier: MIT
#include "raster/record/stage_tables.hpp"

#include "raster/record/descriptors.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace valkyr::raster {
namespace {

/// A table in an arena.
template <typename Descriptor>
struct Table {
    const Descriptor* entries = nullptr;
    uint32_t count = 0;
};

/// Makes a table of what describe(element) returns for each element.
template <typename Descriptor, typename Element, typename Describe>
Result<Table<Descriptor>>
make_table(const std::vector<Element>& elements, Arena& arena, Describe&& describe) {
    auto* entries = arena.allocate_array<Descriptor>(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
        VALKYR_TRY(descriptor, describe(elements[i]));
        entries[i] = descriptor;
    }
    return Table<Descriptor>{entries, static_cast<uint32_t>(elements.size())};
}

Result<std::span<const exec::BufferDescriptor>>
make_buffers(const std::vector<BufferRange>& ranges, const DeviceTag* owner, Arena& arena) {
    if (ranges.empty())
        return std::span<const exec::BufferDescriptor>();
    VALKYR_TRY(table,
               make_table<exec::BufferDescriptor>(ranges, arena, [&](const BufferRange& range) {
                   return storage_descriptor(range, owner);
               }));
    return std::span(table.entries, table.count);
}

/// Whether the border is the same to sRGB formats, which limit it to 0..1, as to float formats.
bool has_plain_border(const SamplerState& sampler) {
    constexpr uint32_t one = 0x3F800000;  // numbers from 0 to 1 order like their bits
    return std::ranges::all_of(sampler.border, [](uint32_t bits) { return bits <= one; });
}

/// Whether a linear filter with this sampler reads no texels but those of footprints.
bool filters_footprints(const SamplerState& sampler) {
    const bool linear =
        sampler.min_filter == exec::Filter::Linear || sampler.mag_filter == exec::Filter::Linear;
    return linear && !sampler.compare_enable && exec::reads_footprints(sampler.wrap_s) &&
           exec::reads_footprints(sampler.wrap_t);
}

/// The copies that programs may read instead of textures.
class ReadableCopies {
public:
    ReadableCopies(const StageResources& resources, const DeviceTag* owner)
        : resources_(resources)
        , copies_(owner != nullptr ? owner->copies.get() : nullptr)
        , decoded_(copies_ != nullptr && copies_->decoded &&
                   std::ranges::all_of(resources.samplers, has_plain_border)) {}

    /// Whether there can be any.
    [[nodiscard]] bool any() const { return copies_ != nullptr; }
    /// Returns those of a unit, which most programs sample by the sampler of the same number.
    [[nodiscard]] WantedCopies of_unit(size_t unit) const {
        const bool footprints =
            unit < resources_.samplers.size() && filters_footprints(resources_.samplers[unit]);
        return {decoded_, footprints};
    }

private:
    const StageResources& resources_;
    const KeptCopies* copies_;
    bool decoded_;
};

bool has_units(const StageResources& stage) {
    return !stage.textures.empty() || !stage.samplers.empty() || !stage.images.empty() ||
           !stage.storage.empty() || !stage.counters.empty();
}

}  // namespace

Result<void> make_unit_tables(const StageResources& resources,
                              const DeviceTag* owner,
                              Arena& arena,
                              BoundTables& bound) {
    exec::ResourceTables& tables = bound.tables;
    if (!has_units(resources)) {
        tables.texture_count = tables.sampler_count = tables.image_count = 0;
        bound.buffers = {};
        return {};
    }
    const ReadableCopies copies(resources, owner);
    VALKYR_TRY(textures,
               make_table<exec::TextureDescriptor>(
                   resources.textures, arena, [&](const TextureView& view) {
                       const auto unit = static_cast<size_t>(&view - resources.textures.data());
                       return copies.any() ? filter_descriptor(view, owner, copies.of_unit(unit))
                                           : texture_descriptor(view, owner);
                   }));
    VALKYR_TRY(samplers,
               make_table<exec::SamplerDescriptor>(resources.samplers, arena, sampler_descriptor));
    VALKYR_TRY(images, make_table<exec::ImageDescriptor>(
                           resources.images, arena,
                           [&](const ImageView& view) { return image_descriptor(view, owner); }));
    VALKYR_TRY(storage, make_buffers(resources.storage, owner, arena));
    VALKYR_TRY(counters, make_buffers(resources.counters, owner, arena));
    tables.textures = textures.entries;
    tables.texture_count = textures.count;
    tables.samplers = samplers.entries;
    tables.sampler_count = samplers.count;
    tables.images = images.entries;
    tables.image_count = images.count;
    bound.buffers = {storage, counters};
    return {};
}

void make_constant_table(const StageResources& resources, Arena& arena, BoundTables& bound) {
    const size_t count = resources.constants.size();
    auto* buffers = arena.allocate_array<exec::BufferDescriptor>(count);
    for (size_t b = 0; b < count; ++b) {
        const std::vector<uint32_t>& words = resources.constants[b];
        const size_t bytes = words.size() * sizeof(uint32_t);
        std::byte* copy = arena.allocate(bytes + kReadSlack);
        if (bytes != 0)
            std::memcpy(copy, words.data(), bytes);
        buffers[b] = {reinterpret_cast<uint8_t*>(copy), bytes};
    }
    bound.tables.constant_buffers = buffers;
    bound.tables.constant_buffer_count = static_cast<uint32_t>(count);
}

void fill_uniforms(const StageProgram& program,
                   const StageResources& resources,
                   const StageBuffers& buffers,
                   FauInputs& numbers,
                   Arena& arena,
                   exec::DrawContext& context) {
    numbers.context = &context;
    numbers.constants = resources.constants;
    numbers.storage = buffers.storage;
    numbers.counters = buffers.counters;
    auto* fau = arena.allocate_array<uint32_t>(program.fau_words());
    context.fau = fau;
    program.fill_fau(numbers, fau);
}

}  // namespace valkyr::raster
