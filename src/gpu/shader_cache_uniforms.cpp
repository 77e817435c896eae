// Uniform areas: fill in constants, immediates, driver values and results of the prologue.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache_uniforms.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace valkyr::gpu {
namespace {

/// The driver's values for the uniform area (exec::DriverValue).
class DriverValues {
public:
    explicit DriverValues(const FauInputs& inputs)
        : inputs_(inputs)
        , tables_(inputs.context->tables) {}

    [[nodiscard]] uint32_t value(exec::DriverValue value, uint8_t unit) const {
        using exec::DriverValue;
        switch (value) {
        case DriverValue::BaseVertex: return inputs_.base_vertex;
        case DriverValue::BaseInstance: return inputs_.base_instance;
        case DriverValue::DrawId: return inputs_.draw_id;
        case DriverValue::PatchVertices: return inputs_.patch_vertices;
        case DriverValue::TextureWidth:
        case DriverValue::TextureHeight:
        case DriverValue::TextureDepth:
        case DriverValue::TextureLevels:
        case DriverValue::TextureSamples: return texture(value, unit);
        case DriverValue::BufferAddressLow: return address(inputs_.storage, unit, 0);
        case DriverValue::BufferAddressHigh: return address(inputs_.storage, unit, 32);
        case DriverValue::BufferSize: return size(inputs_.storage, unit);
        case DriverValue::CounterAddressLow: return address(inputs_.counters, unit, 0);
        case DriverValue::CounterAddressHigh: return address(inputs_.counters, unit, 32);
        case DriverValue::CounterSize: return size(inputs_.counters, unit);
        case DriverValue::ImageWidth: return image(unit).width;
        case DriverValue::ImageHeight: return image(unit).height;
        case DriverValue::ImageDepth: return image(unit).depth;
        case DriverValue::ImageSamples: return image(unit).samples;
        case DriverValue::TargetHeight: return bits(static_cast<float>(inputs_.target_height));
        case DriverValue::SampleCount: return inputs_.sample_count;
        case DriverValue::RasterSamples: return inputs_.raster_samples;
        case DriverValue::GridSizeX: return inputs_.grid[0];
        case DriverValue::GridSizeY: return inputs_.grid[1];
        case DriverValue::GridSizeZ: return inputs_.grid[2];
        case DriverValue::SamplerLodBias: return fixed(sampler(unit).lod_bias);
        case DriverValue::SamplerMinLod: return fixed(sampler(unit).min_lod);
        case DriverValue::SamplerMaxLod: return fixed(sampler(unit).max_lod);
        case DriverValue::SamplerMipFilter:
            return static_cast<uint32_t>(sampler(unit).modes.mip_filter);
        }
        return 0;
    }

private:
    using Buffers = std::span<const exec::BufferDescriptor>;

    static uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }
    /// A level of detail in 1/256.
    static uint32_t fixed(int lod) { return bits(static_cast<float>(lod) / 256.0F); }

    static uint32_t address(Buffers buffers, uint8_t unit, unsigned shift) {
        if (unit >= buffers.size())
            return 0;
        const auto value = std::bit_cast<uintptr_t>(buffers[unit].address);
        return static_cast<uint32_t>(uint64_t{value} >> shift);
    }
    static uint32_t size(Buffers buffers, uint8_t unit) {
        return unit < buffers.size() ? static_cast<uint32_t>(buffers[unit].size) : 0;
    }

    [[nodiscard]] uint32_t texture(exec::DriverValue value, uint8_t unit) const {
        if (unit >= tables_.texture_count || tables_.textures[unit].level_count == 0)
            return 0;
        const exec::TextureDescriptor& t = tables_.textures[unit];
        const exec::TextureLevel& level = t.levels[t.first_level];
        switch (value) {
        case exec::DriverValue::TextureWidth: return level.width;
        case exec::DriverValue::TextureHeight: return level.height;
        case exec::DriverValue::TextureDepth:
            return t.kind == TextureKind::Tex3D ? level.depth : t.layer_count;
        case exec::DriverValue::TextureLevels: return t.level_count;
        default: return t.samples;
        }
    }

    [[nodiscard]] exec::SamplerDescriptor sampler(uint8_t unit) const {
        return unit < tables_.sampler_count ? tables_.samplers[unit] : exec::SamplerDescriptor{};
    }

    [[nodiscard]] exec::ImageDescriptor image(uint8_t unit) const {
        return unit < tables_.image_count ? tables_.images[unit] : exec::ImageDescriptor{};
    }

    const FauInputs& inputs_;
    const exec::ResourceTables& tables_;
};

bool is_draw_value(const valhall::FauWord& word) {
    const auto value = static_cast<exec::DriverValue>(word.value);
    return value == exec::DriverValue::BaseVertex || value == exec::DriverValue::BaseInstance ||
           value == exec::DriverValue::DrawId || value == exec::DriverValue::PatchVertices;
}

}  // namespace

UniformPlan::UniformPlan(const valhall::Program& program)
    : fixed_(program.fau.size()) {
    for (uint32_t i = 0; i < program.fau.size(); ++i) {
        const valhall::FauWord& word = program.fau[i];
        switch (word.kind) {
        case valhall::FauKind::Unused: break;
        case valhall::FauKind::Immediate: fixed_[i] = word.value; break;
        case valhall::FauKind::Constant: add_constant(i, word); break;
        case valhall::FauKind::Driver:
            reads_draw_values_ = reads_draw_values_ || is_draw_value(word);
            singles_.push_back({i, word});
            break;
        case valhall::FauKind::Prologue: singles_.push_back({i, word}); break;
        }
    }
}

void UniformPlan::add_constant(uint32_t to, const valhall::FauWord& word) {
    if (!runs_.empty()) {
        Run& last = runs_.back();
        if (last.to + last.count == to && last.buffer == word.buffer &&
            last.from + last.count == word.value) {
            ++last.count;
            return;
        }
    }
    runs_.push_back({to, word.buffer, word.value, 1});
}

void UniformPlan::fill(const FauInputs& inputs,
                       const exec::Lanes* prologue,
                       uint32_t* fau) const noexcept {
    std::copy(fixed_.begin(), fixed_.end(), fau);
    for (const Run& run : runs_) {
        if (run.buffer >= inputs.constants.size())
            continue;
        const std::vector<uint32_t>& words = inputs.constants[run.buffer];
        // Words beyond the buffer are 0.
        if (run.from < words.size())
            std::copy_n(words.data() + run.from,
                        std::min<size_t>(run.count, words.size() - run.from), fau + run.to);
    }
    if (singles_.empty())
        return;
    const DriverValues driver(inputs);
    for (const Single& single : singles_) {
        const valhall::FauWord& word = single.word;
        if (word.kind == valhall::FauKind::Driver)
            fau[single.to] = driver.value(static_cast<exec::DriverValue>(word.value), word.buffer);
        else if (prologue != nullptr && word.value < exec::kRegisters)
            fau[single.to] = prologue[word.value].v[0];
    }
}

}  // namespace valkyr::gpu
