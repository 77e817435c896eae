// Texture case: makes random textures, samplers and coordinates.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/jit/message_run.hpp"
#include "tests/raster/messages/texture_fixture.hpp"
#include "tests/support/random.hpp"

#include <string>
#include <vector>

namespace valkyr::test {

template <typename T, size_t N>
T pick(Random& random, const T (&from)[N]) {
    return from[random.below(N)];
}

float uniform(Random& random, float low, float high);

/// The kind of coordinates of a case.
enum class Coordinates { Smooth, Wild, Seams };
float coordinate(Random& random, Coordinates kind);
/// Coordinates of 16 lanes: an affine picture with a random scale, or independent numbers.
void fill_coordinates(MessageCase& test, Random& random, unsigned count, float range);
/// 2D: an affine picture that is stretched along a random direction of the warp.
void stretch_coordinates(MessageCase& test, Random& random, float range);

/// Levels of a random size.
std::vector<Size> mip_sizes(Random& random, exec::TextureKind kind, uint32_t depth);
exec::SamplerDescriptor random_sampler(Random& random, const std::vector<exec::Wrap>& wraps);

/// A texture of random bytes, a sampler, and a case with their keys.
struct SampleCase {
    TestTexture texture;
    exec::SamplerDescriptor sampler;
    MessageCase test;

    SampleCase(Random& random,
               exec::TextureKind kind,
               exec::Format format,
               const std::vector<Size>& sizes,
               const exec::SamplerDescriptor& state,
               unsigned samples = 1);
    SampleCase(const SampleCase&) = delete;
    SampleCase& operator=(const SampleCase&) = delete;
    /// Updates the keys after a change of the descriptors.
    void set_keys();

private:
    void pad_slices();
    void copy_footprints();
    std::vector<uint8_t> padded_;
    std::vector<uint8_t> footprints_;
};

/// "@r8:r9".
std::string run_of(unsigned first, unsigned count);
/// TEX_SINGLE with random modifiers; operands in r0.., results from r8. `lod` is set if a LOD word
/// follows the operands.
std::string sample_text(Random& random, const char* dimension, unsigned operands, bool& lod);
/// LOD words.
void fill_lod(MessageCase& test, Random& random, unsigned index);
/// Numbers of layers, some of them halves or odd.
void fill_layers(Random& random, exec::Lanes& layers);
/// Fills faces and s in the first register, t in the second; most lanes of a quad have one face.
void fill_cube(Random& random, MessageCase& test);
/// Fills depths with few different values, so that comparisons for equality can pass, and some
/// random bits; fills references in the given input.
void fill_depths(const exec::TextureDescriptor& texture,
                 Random& random,
                 MessageCase& test,
                 unsigned reference);

/// Fails the test unless all engines agree.
void check(SampleCase& sample);

inline const std::vector<exec::Wrap> kSimpleWraps = {exec::Wrap::Repeat, exec::Wrap::ClampToEdge,
                                                     exec::Wrap::MirrorRepeat,
                                                     exec::Wrap::MirrorClampToEdge};
inline const std::vector<exec::Wrap> kAllWraps = {
    exec::Wrap::Repeat,       exec::Wrap::ClampToEdge,       exec::Wrap::ClampToBorder,
    exec::Wrap::MirrorRepeat, exec::Wrap::MirrorClampToEdge, exec::Wrap::MirrorClampToBorder,
    exec::Wrap::Clamp,        exec::Wrap::MirrorClamp};

inline constexpr exec::Format kSmallFormats[] = {
    exec::Format::R8G8B8A8_UNORM, exec::Format::B8G8R8A8_UNORM, exec::Format::R8_UNORM,
    exec::Format::R8G8_UNORM,     exec::Format::R8G8B8_UNORM,   exec::Format::R8G8B8X8_UNORM,
    exec::Format::A8_UNORM,       exec::Format::L8_UNORM,       exec::Format::L8A8_UNORM,
    exec::Format::A8B8G8R8_UNORM, exec::Format::I8_UNORM};

inline constexpr exec::Format kNumberFormats[] = {exec::Format::R32G32B32A32_FLOAT,
                                                  exec::Format::R16G16B16A16_FLOAT,
                                                  exec::Format::R32_FLOAT,
                                                  exec::Format::R16_FLOAT,
                                                  exec::Format::R11G11B10_FLOAT,
                                                  exec::Format::R10G10B10A2_UNORM,
                                                  exec::Format::R16G16B16A16_UNORM,
                                                  exec::Format::R16_SNORM,
                                                  exec::Format::R32G32B32_FLOAT,
                                                  exec::Format::R16G16B16_UNORM,
                                                  exec::Format::D16_UNORM,
                                                  exec::Format::D24_UNORM_S8_UINT,
                                                  exec::Format::D32_FLOAT,
                                                  exec::Format::R8G8B8A8_SRGB,
                                                  exec::Format::B8G8R8X8_SRGB,
                                                  exec::Format::R8G8B8_SRGB,
                                                  exec::Format::L8_SRGB,
                                                  exec::Format::R9G9B9E5_FLOAT};
/// Formats that are filtered as steps but are not unsigned bytes.
inline constexpr exec::Format kStepFormats[] = {
    exec::Format::R8G8B8A8_SNORM, exec::Format::R8G8_SNORM,     exec::Format::B5G6R5_UNORM,
    exec::Format::B5G5R5A1_UNORM, exec::Format::B4G4R4A4_UNORM, exec::Format::R3G3B2_UNORM,
    exec::Format::A1R5G5B5_UNORM, exec::Format::L8A8_SNORM,     exec::Format::B4G4R4X4_UNORM};
inline constexpr exec::Format kDepthFormats[] = {
    exec::Format::D16_UNORM, exec::Format::D24_UNORM_S8_UINT,
    exec::Format::D32_FLOAT, exec::Format::D32_FLOAT_S8X24_UINT,
    exec::Format::R32_FLOAT, exec::Format::R16_SNORM};

}  // namespace valkyr::test
