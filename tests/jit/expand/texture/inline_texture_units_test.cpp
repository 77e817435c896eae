// Inline texture units test: run-time handles agree on all engines; like units call no routine.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "raster/record/state_keys.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <array>
#include <doctest/doctest.h>
#include <memory>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

constexpr uint32_t kUnits = 5;
constexpr uint32_t kOddUnit =
    1;  ///< of another format; units 2 to 4 are the longest run of equal ones

/// Five units; a register selects one.
struct UnitsCase {
    std::vector<std::unique_ptr<SampleCase>> units;
    std::array<exec::TextureDescriptor, kUnits> textures;
    std::array<exec::SamplerDescriptor, kUnits> samplers;

    UnitsCase(Random& random, Format format, const exec::SamplerDescriptor& state) {
        for (uint32_t i = 0; i < kUnits; ++i) {
            units.push_back(std::make_unique<SampleCase>(
                random, TextureKind::Tex2D, i == kOddUnit ? Format::R32G32_FLOAT : format,
                mip_sizes(random, TextureKind::Tex2D, 1), state));
            textures[i] = units[i]->texture.descriptor;
            std::ranges::copy(units[0]->texture.descriptor.swizzle, textures[i].swizzle);
            samplers[i] = units[i]->sampler;
            samplers[i].lod_bias = static_cast<int16_t>(64 * i);
            samplers[i].border[0] = i;
        }
        MessageCase& test = units[0]->test;
        test.tables.textures = textures.data();
        test.tables.samplers = samplers.data();
        test.tables.texture_count = test.tables.sampler_count = kUnits;
        const auto set = [&](auto& key) {
            key.texture_units = key.sampler_units = kUnits;
            for (uint32_t i = 0; i < kUnits; ++i) {
                key.textures[i] = raster::texture_key(textures[i]);
                key.samplers[i] = samplers[i].modes;
            }
        };
        set(test.vertex);
        set(test.fragment);
    }
    /// Puts the handles of a texture and a sampler into the third register.
    SampleCase& with(uint32_t texture, uint32_t sampler) {
        for (uint32_t& word : units[0]->test.inputs[2].v)
            word = (exec::make_narrow_handle(exec::ResourceTable::Samplers, 0) | sampler) |
                   (exec::make_narrow_handle(exec::ResourceTable::Textures, 0) | texture)
                       << exec::kNarrowTextureShift;
        return *units[0];
    }
};

constexpr const char* kMessages[] = {"TEX_SINGLE.slot0.f.32.2d.computed",
                                     "TEX_SINGLE.slot0.f.32.2d.zero", "TEX_FETCH.slot0.f.32.2d",
                                     "TEX_GATHER.slot0.f.32.2d.gather4_g"};
constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
                               Format::R8G8B8A8_SNORM, Format::R32G32B32A32_UINT};

void check_units(uint64_t seed, unsigned message) {
    Random random(seed);
    UnitsCase all(random, pick(random, kFormats), random_sampler(random, kAllWraps));
    MessageCase& test = all.units[0]->test;
    test.body = std::string(kMessages[message]) + ".wait0 @r8:r9:r10:r11, @r0:r1, r2\n";
    const bool fetches = message == 2;
    fill_coordinates(test, random, 2, 1);
    for (unsigned i = 0; fetches && i < 2; ++i)
        for (uint32_t& word : test.inputs[i].v)
            word = random.below(20) - 1;
    for (uint32_t unit = 0; unit <= kUnits; ++unit)
        check(all.with(unit, unit));
    check(all.with(3, 2));
    check(all.with(3, 9));
    SampleCase& sample = all.with(4, 4);
    sample.test.lanes = 0xFFFF;
    CHECK_MESSAGE(!calls_routine(sample.test), test.body);
}

}  // namespace

TEST_CASE("textures and samplers that a register chooses") {
    for (unsigned i = 0; i < rounds(48); ++i)
        check_units(0x0417000 + i, i % std::size(kMessages));
}

}  // namespace valkyr::test
