// Bound images: give the TGSI interpreter the images and buffers of a draw.
// SPDX-License-Identifier: MIT
#include "tests/oracle/bound_images.hpp"

#include "tests/oracle/resources.hpp"

#include <algorithm>

namespace valkyr::reference {
namespace {

using exec::TextureKind;
using tgsi::ImagePlace;
using tgsi::Target;

/// Whether the target's third coordinate selects a layer or slice.
bool has_layers(Target target) {
    switch (target) {
    case Target::Tex3D:
    case Target::Cube:
    case Target::CubeArray:
    case Target::Tex2DArray:
    case Target::Tex2DArrayMsaa: return true;
    default: return false;
    }
}

/// One image: a texture, a buffer or nothing.
struct Image {
    ReferenceTexture* texture = nullptr;
    std::span<uint8_t> bytes;  ///< of a buffer
    uint32_t level = 0;
    uint32_t first_layer = 0;
    uint32_t layers = 0;
    exec::Format format = exec::Format::None;

    [[nodiscard]] uint8_t* texel(const ImagePlace& place) const {
        if (texture == nullptr) {
            const size_t size = row(format).block_bytes;
            return size != 0 && place.coord[0] < bytes.size() / size
                       ? bytes.data() + place.coord[0] * size
                       : nullptr;
        }
        const bool line = place.target == Target::Tex1D || place.target == Target::Tex1DArray;
        const uint32_t y = line ? 0 : place.coord[1];
        const uint32_t layer = place.target == Target::Tex1DArray ? place.coord[1]
                               : has_layers(place.target)         ? place.coord[2]
                                                                  : 0;
        const bool sampled =
            place.target == Target::Tex2DMsaa || place.target == Target::Tex2DArrayMsaa;
        const uint32_t sample = sampled ? place.sample : 0;
        if (place.coord[0] >= texture->width(level) || y >= texture->height(level) ||
            layer >= layers || sample >= texture->desc().samples)
            return nullptr;
        return texture->texel({level, place.coord[0], y, first_layer + layer, sample});
    }
};

class BoundImages final : public tgsi::ImageUnits {
public:
    explicit BoundImages(std::vector<Image> images)
        : images_(std::move(images)) {}

    tgsi::Word4 load(const ImagePlace& place) override {
        static constexpr uint8_t kNothing[32] = {};
        const Image& image = find(place.image);
        const uint8_t* texel = image.texel(place);
        if (image.format == exec::Format::None)
            return {};
        return decode_texel(image.format, texel != nullptr ? texel : kNothing);
    }
    void store(const ImagePlace& place, const tgsi::Word4& value) override {
        if (uint8_t* texel = find(place.image).texel(place))
            encode_texel(find(place.image).format, value, 0xF, texel);
    }
    uint32_t* texel(const ImagePlace& place) override {
        return reinterpret_cast<uint32_t*>(find(place.image).texel(place));
    }
    tgsi::TextureSize size(uint32_t image) override {
        const Image& own = find(image);
        tgsi::TextureSize size;
        if (own.texture == nullptr)
            return size;
        size.width = own.texture->width(own.level);
        size.height = own.texture->height(own.level);
        size.depth = own.layers;
        size.samples = own.texture->desc().samples;
        return size;
    }

private:
    [[nodiscard]] const Image& find(uint32_t number) const {
        static const Image kNone;
        return number < images_.size() ? images_[number] : kNone;
    }
    std::vector<Image> images_;
};

Result<Image> bind_image(const raster::ImageView& view) {
    Image image;
    image.format = view.format;
    image.bytes = bytes_of(view.buffer);
    if (!view.texture)
        return image;
    image.texture = dynamic_cast<ReferenceTexture*>(view.texture.get());
    if (image.texture == nullptr)
        return Error{Errc::InvalidState, {}, "an image of another device"};
    if (view.format == exec::Format::None)
        image.format = image.texture->desc().format;
    image.level = view.level;
    image.first_layer = view.first_layer;
    image.layers = std::min(view.layer_count, image.texture->slices(view.level) - view.first_layer);
    return image;
}

}  // namespace

Result<std::unique_ptr<tgsi::ImageUnits>> bind_images(const std::vector<raster::ImageView>& views) {
    std::vector<Image> images;
    for (const raster::ImageView& view : views) {
        VALKYR_TRY(image, bind_image(view));
        images.push_back(image);
    }
    return std::unique_ptr<tgsi::ImageUnits>(std::make_unique<BoundImages>(std::move(images)));
}

std::span<uint8_t> bytes_of(const raster::BufferRange& range) {
    auto* buffer = dynamic_cast<ReferenceBuffer*>(range.buffer.get());
    if (buffer == nullptr || range.offset >= buffer->bytes.size())
        return {};
    const uint64_t size = std::min<uint64_t>(range.size, buffer->bytes.size() - range.offset);
    return {reinterpret_cast<uint8_t*>(buffer->bytes.data()) + range.offset, size};
}

}  // namespace valkyr::reference
