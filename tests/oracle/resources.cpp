// Resources: store textures and resolve samples.
// SPDX-License-Identifier: MIT
#include "tests/oracle/resources.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::reference {
namespace {

using exec::TextureKind;

uint32_t minified(uint32_t size, uint32_t level) {
    return std::max(1U, size >> level);
}

/// 8-bit unorm: the sum divided by the power of two n, rounded.
uint32_t average_codes(const std::vector<uint32_t>& codes) {
    const auto n = static_cast<uint32_t>(codes.size());
    uint32_t sum = 0;
    for (const uint32_t code : codes)
        sum += code;
    return (sum + n / 2) / n;
}

/// Other normalised and float formats: the binary32 sum in sample order, times 1/n.
uint32_t average_floats(const std::vector<uint32_t>& values) {
    float sum = as_float(values[0]);
    for (size_t s = 1; s < values.size(); s++)
        sum = sum + as_float(values[s]);
    return as_bits(sum * (1.0F / static_cast<float>(values.size())));
}

}  // namespace

ReferenceTexture::ReferenceTexture(const raster::TextureDesc& desc)
    : desc_(desc) {
    for (uint32_t level = 0; level < desc.levels; level++) {
        const size_t texels = size_t{width(level)} * height(level) * slices(level) * desc.samples;
        levels_.emplace_back(texels * texel_bytes());
    }
}

uint32_t ReferenceTexture::width(uint32_t level) const {
    return minified(desc_.width, level);
}
uint32_t ReferenceTexture::height(uint32_t level) const {
    return minified(desc_.height, level);
}
uint32_t ReferenceTexture::slices(uint32_t level) const {
    return desc_.kind == TextureKind::Tex3D ? minified(desc_.depth, level) : desc_.layers;
}

bool ReferenceTexture::contains(const raster::Box& box, uint32_t level) const {
    return level < desc_.levels && uint64_t{box.x} + box.width <= width(level) &&
           uint64_t{box.y} + box.height <= height(level) &&
           uint64_t{box.z} + box.depth <= slices(level);
}

size_t ReferenceTexture::offset(const TexelPlace& place) const {
    const size_t row_index = size_t{place.z} * height(place.level) + place.y;
    const size_t index = row_index * width(place.level) + place.x;
    return (index * desc_.samples + place.sample) * texel_bytes();
}

uint8_t* ReferenceTexture::texel(const TexelPlace& place) {
    return &levels_[place.level][offset(place)];
}
const uint8_t* ReferenceTexture::texel(const TexelPlace& place) const {
    return &levels_[place.level][offset(place)];
}

void resolve_texel(const ReferenceTexture& texture, TexelPlace place, uint8_t* out) {
    const exec::Format format = texture.desc().format;
    place.sample = 0;
    std::memcpy(out, texture.texel(place), texture.texel_bytes());
    if (texture.desc().samples == 1 || is_integer(format) || has_depth(format))
        return;
    for (unsigned channel = 0; channel < row(format).channel_count; channel++) {
        std::vector<uint32_t> codes;
        std::vector<uint32_t> values;
        for (place.sample = 0; place.sample < texture.desc().samples; place.sample++) {
            codes.push_back(
                static_cast<uint32_t>(load_channel(format, texture.texel(place), channel)));
            values.push_back(decode_channel(format, channel, codes.back()));
        }
        const uint32_t code = is_unorm8(format)
                                  ? average_codes(codes)
                                  : encode_channel(format, channel, average_floats(values));
        store_channel(format, out, channel, code);
    }
}

}  // namespace valkyr::reference
