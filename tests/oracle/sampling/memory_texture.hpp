// Textures and images of the reference sampler that own their texels: rows of bytes by format name.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tests/oracle/sampling/reference_sampler.hpp"
#include "tests/oracle/sampling/texel_format.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace valkyr::tgsi {

/// Sizes of a texture's level 0.
struct TextureShape {
    uint32_t width = 1;
    uint32_t height = 1;
    uint32_t depth = 1;       ///< slices of 3D textures, layers of arrays, faces of cubes
    bool mips_depth = false;  ///< 3D: smaller levels have fewer slices
    uint32_t levels = 1;
    uint32_t samples = 1;
};

/// Largest texture, bytes.
inline constexpr uint64_t kMaxTextureBytes = uint64_t{256} << 20;

/// Texels in plain order: sample, then x, y, slice.
class MemoryTexture final : public TexelView {
public:
    /// All bytes 0. errors  Unsupported: format; OutOfRange: size
    static Result<MemoryTexture> create(std::string_view format, const TextureShape& shape);

    [[nodiscard]] const TexelFormat& format() const { return format_; }
    [[nodiscard]] std::span<uint8_t> bytes(uint32_t level) { return data_[level]; }
    /// The bytes of one texel that is there.
    [[nodiscard]] uint8_t*
    address(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample = 0);
    /// Encodes a colour (float bits or integers) into a texel that is there.
    void set(uint32_t level, const std::array<uint32_t, 3>& at, const Word4& value);
    void set_swizzle(const std::array<ViewSwizzle, 4>& swizzle) { swizzle_ = swizzle; }

    [[nodiscard]] TexelClass texel_class() const override { return class_; }
    [[nodiscard]] uint32_t steps(unsigned component) const override;
    [[nodiscard]] bool is_unorm() const override;
    [[nodiscard]] bool is_snorm() const override;
    [[nodiscard]] uint32_t levels() const override { return shape_.levels; }
    [[nodiscard]] uint32_t samples() const override { return shape_.samples; }
    [[nodiscard]] std::array<uint32_t, 3> extent(uint32_t level) const override;
    [[nodiscard]] Word4
    texel(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) const override;
    [[nodiscard]] Word4 zero() const override;
    [[nodiscard]] Word4 border(const Word4& color) const override;
    [[nodiscard]] std::array<ViewSwizzle, 4> swizzle() const override { return swizzle_; }

private:
    MemoryTexture(const TexelFormat& format, const TextureShape& shape);
    [[nodiscard]] size_t
    offset(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) const;
    [[nodiscard]] Word4 read(const uint8_t* texel) const;

    TexelFormat format_;
    TextureShape shape_;
    TexelClass class_;
    std::array<ViewSwizzle, 4> swizzle_{ViewSwizzle::X, ViewSwizzle::Y, ViewSwizzle::Z,
                                        ViewSwizzle::W};
    std::vector<std::vector<uint8_t>> data_;
};

/// Images over textures that the caller keeps: level 0 of each, in the format that the place names
/// if its texels have the texture's size, else in the texture's own.
class MemoryImages final : public ImageUnits {
public:
    std::vector<MemoryTexture*> images;

    Word4 load(const ImagePlace& place) override;
    void store(const ImagePlace& place, const Word4& value) override;
    uint32_t* texel(const ImagePlace& place) override;
    TextureSize size(uint32_t image) override;

private:
    /// The bytes of a texel and how to see them; null if it is not there.
    uint8_t* find(const ImagePlace& place, TexelFormat& format);
};

}  // namespace valkyr::tgsi
