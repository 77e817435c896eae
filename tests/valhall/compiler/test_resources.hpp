// Test resources: provide buffers, counters, images and artificial textures to both engines.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::test {

using tgsi::Word4;

/// Memory that a shader reads and writes. Every image has kImageWidth x kImageHeight x kImageSlices
/// texels of kImageSamples samples; a texel is four words that no format changes.
struct Memory {
    std::vector<std::vector<uint32_t>> buffers;
    std::vector<std::vector<uint32_t>> counters;
    std::vector<std::vector<Word4>> images;
    friend bool operator==(const Memory&, const Memory&) = default;
};
inline constexpr uint32_t kImageWidth = 8;
inline constexpr uint32_t kImageHeight = 8;
inline constexpr uint32_t kImageSlices = 6;
inline constexpr uint32_t kImageSamples = 2;

/// Images of zeros.
std::vector<std::vector<Word4>> blank_images(size_t count);

/// Resources for tgsi::Group. Textures return floats in [0, 1) that depend on every operand of the
/// instruction, so that a wrong operand gives a wrong result.
class TgsiResources final : public tgsi::TextureUnits, public tgsi::ImageUnits {
public:
    TgsiResources(Memory& memory, bool ignore_lod)
        : memory_(memory)
        , ignore_lod_(ignore_lod) {}

    void attach(tgsi::Group& group);

    std::array<Word4, 4> sample(const tgsi::TextureRequest& request) override;
    tgsi::TextureSize size(uint32_t texture, uint32_t level) override;

    Word4 load(const tgsi::ImagePlace& place) override;
    void store(const tgsi::ImagePlace& place, const Word4& value) override;
    uint32_t* texel(const tgsi::ImagePlace& place) override;
    tgsi::TextureSize size(uint32_t image) override;

private:
    Word4* find(const tgsi::ImagePlace& place);
    Memory& memory_;
    bool ignore_lod_;
};

/// Resources for compiled programs.
struct ValhallResources {
    Memory* memory = nullptr;
    bool ignore_lod = false;
    std::array<tgsi::Target, exec::kMaxImages> image_targets{};
};

/// Finds the targets of images in declarations and instructions.
void find_image_targets(const tgsi::Shader& shader, ValhallResources& resources);
/// Whether levels of detail come from gradients, which no engine computes to the bit.
bool uses_gradients(const tgsi::Shader& shader);

/// The draw behind Warp::draw, for the routines below.
struct TestContext : valhall::CapturingDraw {
    ValhallResources resources;
};
/// Routines for textures and images.
void set_resource_routines(exec::Environment& environment);

/// A driver's value for the uniform area.
uint32_t driver_word(exec::DriverValue value, uint8_t unit, Memory& memory);

}  // namespace valkyr::test
