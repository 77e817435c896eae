// Materials of glTF: converts materials, their textures and pictures.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_accessor.hpp"
#include "examples/gltf/gltf_parts.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::examples {

namespace {

float limited(double value, double low, double high) {
    return static_cast<float>(std::isfinite(value) ? std::clamp(value, low, high) : low);
}

/// A member of an extension's object, or the default.
double number_of(const tinygltf::Value& object, const char* name, double otherwise) {
    if (!object.IsObject() || !object.Has(name) || !object.Get(name).IsNumber())
        return otherwise;
    return object.Get(name).GetNumberAsDouble();
}

double number_of(const tinygltf::Value& object, const char* name, int index, double otherwise) {
    if (!object.IsObject() || !object.Has(name))
        return otherwise;
    const tinygltf::Value& array = object.Get(name);
    if (!array.IsArray() || static_cast<size_t>(index) >= array.ArrayLen() ||
        !array.Get(index).IsNumber())
        return otherwise;
    return array.Get(index).GetNumberAsDouble();
}

/// A texture of a material as its JSON object says: texture, coordinates, extensions.
struct TextureInfo {
    int texture = -1;
    int coordinates = 0;
    const tinygltf::ExtensionMap* extensions = nullptr;
};

template <typename Info>
TextureInfo info_of(const Info& info) {
    return {info.index, info.texCoord, &info.extensions};
}

raster::Wrap wrap_of(int mode) {
    switch (mode) {
    case TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE: return raster::Wrap::ClampToEdge;
    case TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT: return raster::Wrap::MirrorRepeat;
    default: return raster::Wrap::Repeat;
    }
}

raster::SamplerState sampler_of(const tinygltf::Sampler& from) {
    using raster::Filter;
    using raster::MipFilter;
    raster::SamplerState out;
    out.wrap_s = wrap_of(from.wrapS);
    out.wrap_t = wrap_of(from.wrapT);
    out.mip_filter = MipFilter::Linear;
    out.mag_filter =
        from.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST ? Filter::Nearest : Filter::Linear;
    switch (from.minFilter) {
    case TINYGLTF_TEXTURE_FILTER_NEAREST:
        out.min_filter = Filter::Nearest;
        out.mip_filter = MipFilter::None;
        break;
    case TINYGLTF_TEXTURE_FILTER_LINEAR: out.mip_filter = MipFilter::None; break;
    case TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_NEAREST:
        out.min_filter = Filter::Nearest;
        out.mip_filter = MipFilter::Nearest;
        break;
    case TINYGLTF_TEXTURE_FILTER_LINEAR_MIPMAP_NEAREST: out.mip_filter = MipFilter::Nearest; break;
    case TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_LINEAR: out.min_filter = Filter::Nearest; break;
    default: break;
    }
    if (out.min_filter == Filter::Linear && out.mip_filter == MipFilter::Linear)
        out.max_anisotropy = 8;
    return out;
}

/// KHR_texture_transform: the place is offset + rotation * scale * (u, v).
void set_transform(GltfTextureUse& use, TextureInfo& info) {
    static const tinygltf::Value none;
    const auto found = info.extensions->find("KHR_texture_transform");
    const tinygltf::Value& transform = found == info.extensions->end() ? none : found->second;
    info.coordinates = static_cast<int>(number_of(transform, "texCoord", info.coordinates));
    const double angle = std::clamp(number_of(transform, "rotation", 0), -1e6, 1e6);
    const double c = cosine(angle);
    const double s = sine(angle);
    const double su = number_of(transform, "scale", 0, 1);
    const double sv = number_of(transform, "scale", 1, 1);
    const size_t first = info.coordinates == 1 ? 2 : 0;
    use.rows = {};
    use.rows[0][first] = limited(c * su, -1e6, 1e6);
    use.rows[0][first + 1] = limited(s * sv, -1e6, 1e6);
    use.rows[1][first] = limited(-s * su, -1e6, 1e6);
    use.rows[1][first + 1] = limited(c * sv, -1e6, 1e6);
    for (int i = 0; i < 2; i++)
        use.offset[static_cast<size_t>(i)] =
            limited(number_of(transform, "offset", i, 0), -1e6, 1e6);
}

Result<GltfTextureUse>
texture_of(const tinygltf::Model& file, TextureInfo info, bool srgb, const std::string& what) {
    GltfTextureUse use;
    use.srgb = srgb;
    VALKYR_TRY(number, gltf_index(info.texture, file.textures.size(), what, "texture"));
    if (number == kNone)
        return use;
    const tinygltf::Texture& texture = file.textures[number];
    VALKYR_TRY(image, gltf_index(texture.source, file.images.size(), what, "image"));
    VALKYR_TRY(sampler, gltf_index(texture.sampler, file.samplers.size(), what, "sampler"));
    use.image = image;
    use.sampler = sampler_of(sampler == kNone ? tinygltf::Sampler() : file.samplers[sampler]);
    set_transform(use, info);
    if (info.coordinates < 0 || info.coordinates > 1)
        return Error{Errc::Unsupported, {}, what + ": only TEXCOORD_0 and TEXCOORD_1 are known"};
    return use;
}

AlphaMode alpha_mode_of(const std::string& name) {
    return name == "MASK"    ? AlphaMode::Mask
           : name == "BLEND" ? AlphaMode::Blend
                             : AlphaMode::Opaque;
}

/// Numbers and flags; arrays of a wrong length count as their defaults.
GltfMaterial factors_of(const tinygltf::Material& from) {
    GltfMaterial out;
    const auto& surface = from.pbrMetallicRoughness;
    if (surface.baseColorFactor.size() == 4)
        for (size_t i = 0; i < 4; i++)
            out.base_color[i] = limited(surface.baseColorFactor[i], 0, 1);
    double strength = 1;
    if (const auto found = from.extensions.find("KHR_materials_emissive_strength");
        found != from.extensions.end())
        strength = number_of(found->second, "emissiveStrength", 1);
    if (from.emissiveFactor.size() == 3)
        for (size_t i = 0; i < 3; i++)
            out.emissive[i] = limited(from.emissiveFactor[i] * strength, 0, 1e6);
    out.metallic = limited(surface.metallicFactor, 0, 1);
    out.roughness = limited(surface.roughnessFactor, 0, 1);
    out.normal_scale = limited(from.normalTexture.scale, -1e3, 1e3);
    out.occlusion_strength = limited(from.occlusionTexture.strength, 0, 1);
    out.alpha_mode = alpha_mode_of(from.alphaMode);
    out.alpha_cutoff = limited(from.alphaCutoff, 0, 1e6);
    out.double_sided = from.doubleSided;
    out.unlit = from.extensions.count("KHR_materials_unlit") != 0;
    return out;
}

Result<GltfMaterial>
material_of(const tinygltf::Model& file, const tinygltf::Material& from, const std::string& what) {
    GltfMaterial out = factors_of(from);
    const struct {
        TextureInfo info;
        bool srgb;
        const char* name;
    } uses[kTextureSlots] = {
        {info_of(from.pbrMetallicRoughness.baseColorTexture), true, ".baseColorTexture"},
        {info_of(from.pbrMetallicRoughness.metallicRoughnessTexture), false,
         ".metallicRoughnessTexture"},
        {info_of(from.normalTexture), false, ".normalTexture"},
        {info_of(from.occlusionTexture), false, ".occlusionTexture"},
        {info_of(from.emissiveTexture), true, ".emissiveTexture"}};
    for (size_t slot = 0; slot < kTextureSlots; slot++) {
        VALKYR_TRY(use, texture_of(file, uses[slot].info, uses[slot].srgb, what + uses[slot].name));
        out.textures[slot] = use;
    }
    return out;
}

}  // namespace

Result<std::vector<GltfMaterial>> gltf_materials(const tinygltf::Model& file) {
    std::vector<GltfMaterial> out;
    for (const tinygltf::Material& from : file.materials) {
        VALKYR_TRY(material, material_of(file, from, gltf_name("materials", out.size())));
        out.push_back(material);
    }
    out.emplace_back();
    return out;
}

Result<std::vector<Image>> gltf_images(const tinygltf::Model& file,
                                       const ModelLimits& limits,
                                       const Progress& progress,
                                       std::vector<std::string>& warnings) {
    std::vector<Image> out;
    uint64_t bytes = 0;
    for (const tinygltf::Image& from : file.images) {
        const std::string what = gltf_name("images", out.size());
        if (progress)
            progress("decoding",
                     static_cast<double>(out.size()) / static_cast<double>(file.images.size()));
        GltfBytes encoded{from.image.data(), from.image.size()};
        if (from.bufferView >= 0) {
            VALKYR_TRY(view, read_view(file, from.bufferView, what));
            encoded = view;
        }
        Result<Image> image = decode_image(
            {reinterpret_cast<const char*>(encoded.data), encoded.size}, limits.texture_size);
        if (image.has_value() && image->rgba.size() > limits.texture_bytes - bytes)
            image = Error{Errc::OutOfRange, {}, "the pictures are too large together"};
        if (image.has_value())
            bytes += image->rgba.size();
        else
            warnings.push_back(what + ": " + image.error().text + "; white is used");
        out.push_back(image.has_value() ? std::move(*image) : Image());
    }
    return out;
}

}  // namespace valkyr::examples
