// Test resources: provide buffers, counters, images and artificial textures to both engines.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/test_resources.hpp"

#include "base/bits.hpp"
#include "tgsi/target_shape.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::test {
namespace {

using exec::Lanes;

constexpr uint32_t kTextureWidth = 64;
constexpr uint32_t kTextureHeight = 32;
constexpr uint32_t kTextureDepth = 12;
constexpr uint32_t kTextureLevels = 7;
constexpr uint32_t kTextureSamples = 4;

/// The operands of a texture instruction in a form that both engines share.
struct TextureCall {
    exec::TextureOp op{};
    uint32_t texture = 0;
    uint32_t sampler = 0;
    uint32_t component = 0;
    std::array<uint32_t, 3> position{};
    uint32_t layer = 0;
    uint32_t reference = 0;
    uint32_t offsets = 0;
    uint32_t lod = 0;
};

/// Drops the signs of zeros and the payloads of NaNs, which are undefined.
uint32_t plain(uint32_t word) {
    if ((word & 0x7FFFFFFF) > 0x7F800000)
        return 0x7FC00000;
    return word == 0x80000000 ? 0 : word;
}

Word4 made_up_texel(const TextureCall& call) {
    uint32_t hash = 0x811C9DC5;
    const auto mix = [&](uint32_t word) { hash = (hash ^ word ^ hash >> 15) * 0x2C1B3C6D; };
    mix(static_cast<uint32_t>(call.op));
    mix(call.texture << 16 | call.sampler << 8 | call.component);
    for (const uint32_t coordinate : call.position)
        mix(plain(coordinate));
    mix(plain(call.layer));
    mix(plain(call.reference));
    mix(call.offsets);
    mix(call.lod);
    Word4 texel{};
    for (uint32_t& word : texel) {
        mix(0x9E3779B9);
        word = as_bits(static_cast<float>(hash >> 12) * 0x1p-20F);
    }
    return texel;
}

/// A level of detail as messages encode it: 8.8 fixed point, clamped to 16, nearest even.
uint32_t lod_field(uint32_t bits) {
    const double lod = std::clamp(static_cast<double>(as_float(bits)), -16.0, 16.0);
    return static_cast<uint32_t>(std::isnan(lod) ? -4096 : std::lrint(lod * 256)) & 0xFFFF;
}

uint32_t lod_key(uint32_t mode, uint32_t field, bool ignore) {
    return ignore ? 0 : mode << 16 | field;
}

// A cube direction as messages encode it.
std::array<uint32_t, 3> cube_words(const std::array<uint32_t, 3>& direction) {
    const float x = as_float(direction[0]);
    const float y = as_float(direction[1]);
    const float z = as_float(direction[2]);
    if (std::isnan(x + y + z) && (std::isnan(x) || std::isnan(y) || std::isnan(z)))
        return {4U << 29, 0, 0};
    const float m = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    struct Face {
        uint32_t number;
        float s, t;
    };
    Face face{};
    if (std::fabs(z) == m)
        face = z < 0 ? Face{5, -x, -y} : Face{4, x, -y};
    else if (std::fabs(y) == m)
        face = y < 0 ? Face{3, x, -z} : Face{2, x, z};
    else
        face = x < 0 ? Face{1, z, -y} : Face{0, -z, -y};
    const bool infinite = std::isinf(m);
    const auto part = [&](float selected) {
        if (infinite)
            selected = std::copysign(std::isinf(selected) ? 1.0F : 0.0F, selected);
        const float inverse = 1.0F / (infinite ? 1.0F : m < 0x1p-126F ? 2.0F : m);
        return as_bits(std::clamp(std::fma(inverse * 0.5F, selected, 0.5F), 0.0F, 1.0F));
    };
    return {(part(face.s) & 0x1FFFFFFF) | face.number << 29, part(face.t), 0};
}

TextureCall tgsi_call(const tgsi::TextureRequest& request, unsigned lane, bool ignore_lod) {
    const tgsi::TextureLane& in = request.lanes[lane];
    TextureCall call;
    const bool fetch = request.action == tgsi::TextureAction::Fetch;
    if (fetch)
        call.op = exec::TextureOp::Fetch;
    else if (request.action == tgsi::TextureAction::Gather)
        call.op = exec::TextureOp::Gather;
    call.texture = request.texture;
    call.sampler = fetch ? 0 : request.sampler;
    call.component = request.component;
    call.position = in.coord;
    const bool cube = request.target == tgsi::Target::Cube ||
                      request.target == tgsi::Target::ShadowCube ||
                      request.target == tgsi::Target::CubeArray ||
                      request.target == tgsi::Target::ShadowCubeArray;
    if (cube && !fetch)
        call.position = cube_words(in.coord);
    call.layer = in.layer;
    call.reference = in.reference;
    if (fetch) {
        call.offsets = std::min(in.lod, 255U) << 24 | (in.sample & 0xFF) << 16;
    } else if (request.lod_mode == tgsi::LodMode::Explicit) {
        call.lod = lod_key(1, lod_field(in.lod), ignore_lod);
    } else if (request.lod_mode == tgsi::LodMode::Bias) {
        call.lod = lod_key(2, lod_field(in.lod), ignore_lod);
    } else if (request.lod_mode == tgsi::LodMode::Implicit) {
        call.lod = lod_key(3, 0, ignore_lod);
    }
    return call;
}

/// Offsets along coordinates that the target lacks are ignored.
void add_offset(TextureCall& call, tgsi::Target target, const std::array<int32_t, 3>& offset) {
    for (unsigned i = 0; i < tgsi::target_shape(target).coordinates; ++i)
        call.offsets |= (static_cast<uint32_t>(offset[i]) & 0xFF) << 8 * i;
}

TextureCall
valhall_call(const exec::TextureMessage& message, const Lanes* in, unsigned lane, bool ignore_lod) {
    TextureCall call;
    unsigned next = 0;
    const auto word = [&] { return in[next++].v[lane]; };
    call.op = message.op;
    call.texture = message.texture & 0xFFFFFF;
    call.sampler = message.op == exec::TextureOp::Fetch ? 0 : message.sampler & 0xFFFFFF;
    call.component = message.op == exec::TextureOp::Gather ? message.fetch_component : 0;
    const unsigned coordinates = message.dimension == 3 ? 2 : message.dimension + 1U;
    for (unsigned i = 0; i < coordinates; ++i)
        call.position[i] = word();
    if (message.array)
        call.layer = word();
    if (message.shadow)
        call.reference = word();
    if (message.offset)
        call.offsets = word();
    switch (message.lod_mode) {
    case exec::LodMode::Explicit: call.lod = lod_key(1, word() & 0xFFFF, ignore_lod); break;
    case exec::LodMode::ComputedBias: call.lod = lod_key(2, word() & 0xFFFF, ignore_lod); break;
    case exec::LodMode::Computed: call.lod = lod_key(3, 0, ignore_lod); break;
    default: break;
    }
    if (message.op != exec::TextureOp::Sample)
        call.lod = 0;
    return call;
}

ValhallResources& resources_of(const exec::Warp& warp) {
    return const_cast<TestContext&>(static_cast<const TestContext&>(*warp.draw)).resources;
}

void sample_texture(const exec::Warp& warp,
                    const exec::TextureMessage& message,
                    const Lanes* in,
                    Lanes* out) noexcept {
    const ValhallResources& resources = resources_of(warp);
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        if ((warp.running >> l & 1) == 0)
            continue;
        TextureCall call = valhall_call(message, in, l, resources.ignore_lod);
        const Word4 texel = made_up_texel(call);
        unsigned k = 0;
        for (unsigned c = 0; c < 4; ++c)
            if ((message.write_mask >> c & 1) != 0)
                out[k++].v[l] = texel[c];
    }
}

bool in_slices(tgsi::Target target) {
    switch (target) {
    case tgsi::Target::Tex3D:
    case tgsi::Target::Tex2DArray:
    case tgsi::Target::Cube:
    case tgsi::Target::CubeArray:
    case tgsi::Target::Tex2DArrayMsaa: return true;
    default: return false;
    }
}

bool has_rows(tgsi::Target target) {
    return target != tgsi::Target::Buffer && target != tgsi::Target::Tex1D &&
           target != tgsi::Target::Tex1DArray;
}

bool has_samples(tgsi::Target target) {
    return target == tgsi::Target::Tex2DMsaa || target == tgsi::Target::Tex2DArrayMsaa;
}

Word4* image_texel(
    Memory& memory, uint32_t image, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample) {
    if (image >= memory.images.size() || x >= kImageWidth || y >= kImageHeight ||
        slice >= kImageSlices || sample >= kImageSamples)
        return nullptr;
    return &memory.images[image]
                         [((slice * kImageHeight + y) * kImageWidth + x) * kImageSamples + sample];
}

/// The texel that an image message addresses.
Word4* message_texel(ValhallResources& resources, uint32_t handle, uint32_t xy, uint32_t zw) {
    const uint32_t image = handle & 0xFFFFFF;
    if (handle >> 24 != 5 || image >= exec::kMaxImages)
        return nullptr;
    const tgsi::Target target = resources.image_targets[image];
    const bool layered = in_slices(target) || target == tgsi::Target::Tex1DArray;
    const uint32_t x = target == tgsi::Target::Buffer ? xy : xy & 0xFFFF;
    uint32_t slice = 0;
    if (layered)
        slice = target == tgsi::Target::Tex3D ? zw & 0xFFFF : zw >> 16;
    return image_texel(*resources.memory, image, x, has_rows(target) ? xy >> 16 : 0, slice,
                       has_samples(target) ? zw & 0xFFFF : 0);
}

void load_image(const exec::Warp& warp,
                const exec::ImageMessage& message,
                const Lanes& xy,
                const Lanes& zw,
                Lanes* out) noexcept {
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        if ((warp.running >> l & 1) == 0)
            continue;
        const Word4* texel = message_texel(resources_of(warp), message.handle, xy.v[l], zw.v[l]);
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = texel != nullptr ? (*texel)[c] : 0;
    }
}

void address_image(const exec::Warp& warp,
                   const exec::ImageMessage& message,
                   const Lanes& xy,
                   const Lanes& zw,
                   Lanes* out) noexcept {
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        if ((warp.running >> l & 1) == 0)
            continue;
        const auto address = reinterpret_cast<uint64_t>(
            message_texel(resources_of(warp), message.handle, xy.v[l], zw.v[l]));
        out[0].v[l] = static_cast<uint32_t>(address);
        out[1].v[l] = static_cast<uint32_t>(address >> 32);
        out[2].v[l] = 0;
    }
}

void store_image(const exec::Warp& warp,
                 exec::RegisterFormat,
                 uint8_t components,
                 const Lanes& low,
                 const Lanes& high,
                 uint32_t offset,
                 const Lanes&,
                 const Lanes* in) noexcept {
    const auto lanes = static_cast<uint16_t>(warp.running & warp.live);
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        const uint64_t address = uint64_t{high.v[l]} << 32 | low.v[l];
        if ((lanes >> l & 1) == 0 || address == 0)
            continue;
        // NOLINTNEXTLINE: the program's addresses are host addresses
        auto* texel = reinterpret_cast<uint32_t*>(address + offset);
        for (unsigned c = 0; c < components; ++c)
            texel[c] = in[c].v[l];
    }
}

uint32_t address_half(const std::vector<std::vector<uint32_t>>& list, uint8_t unit, unsigned half) {
    if (unit >= list.size())
        return 0;
    return static_cast<uint32_t>(reinterpret_cast<uint64_t>(list[unit].data()) >> 32 * half);
}

uint32_t byte_size(const std::vector<std::vector<uint32_t>>& list, uint8_t unit) {
    return unit < list.size() ? static_cast<uint32_t>(list[unit].size() * 4) : 0;
}

}  // namespace

std::vector<std::vector<Word4>> blank_images(size_t count) {
    return std::vector<std::vector<Word4>>(
        count,
        std::vector<Word4>(size_t{kImageWidth} * kImageHeight * kImageSlices * kImageSamples));
}

void TgsiResources::attach(tgsi::Group& group) {
    for (std::vector<uint32_t>& buffer : memory_.buffers)
        group.buffers.emplace_back(reinterpret_cast<uint8_t*>(buffer.data()), buffer.size() * 4);
    for (std::vector<uint32_t>& counters : memory_.counters)
        group.counters.emplace_back(counters);
    group.textures = this;
    group.images = this;
}

std::array<Word4, 4> TgsiResources::sample(const tgsi::TextureRequest& request) {
    std::array<Word4, 4> result{};
    for (unsigned l = 0; l < 4; ++l) {
        if (!request.lanes[l].active)
            continue;
        TextureCall call = tgsi_call(request, l, ignore_lod_);
        if (request.offset_count == 4) {
            for (unsigned i = 0; i < 4; ++i) {
                TextureCall one = call;
                add_offset(one, request.target, request.lanes[l].offsets[i]);
                result[l][i] = made_up_texel(one)[3];
            }
            continue;
        }
        if (request.offset_count == 1)
            add_offset(call, request.target, request.lanes[l].offsets[0]);
        result[l] = made_up_texel(call);
    }
    return result;
}

tgsi::TextureSize TgsiResources::size(uint32_t texture, uint32_t level) {
    if (level >= kTextureLevels)
        return {0, 0, 0, kTextureLevels, kTextureSamples};
    return {std::max(1U, (kTextureWidth + texture) >> level), std::max(1U, kTextureHeight >> level),
            kTextureDepth, kTextureLevels, kTextureSamples};
}

Word4* TgsiResources::find(const tgsi::ImagePlace& place) {
    const bool array1d = place.target == tgsi::Target::Tex1DArray;
    const uint32_t slice = array1d ? place.coord[1] : place.coord[2];
    return image_texel(memory_, place.image, place.coord[0],
                       has_rows(place.target) ? place.coord[1] : 0,
                       array1d || in_slices(place.target) ? slice : 0,
                       has_samples(place.target) ? place.sample : 0);
}

Word4 TgsiResources::load(const tgsi::ImagePlace& place) {
    const Word4* at = find(place);
    return at != nullptr ? *at : Word4{};
}

void TgsiResources::store(const tgsi::ImagePlace& place, const Word4& value) {
    if (Word4* at = find(place))
        *at = value;
}

uint32_t* TgsiResources::texel(const tgsi::ImagePlace& place) {
    Word4* at = find(place);
    return at != nullptr ? at->data() : nullptr;
}

tgsi::TextureSize TgsiResources::size(uint32_t) {
    return {kImageWidth, kImageHeight, kImageSlices, 1, kImageSamples};
}

void find_image_targets(const tgsi::Shader& shader, ValhallResources& resources) {
    resources.image_targets.fill(tgsi::Target::Buffer);
    for (const tgsi::Declaration& declaration : shader.declarations) {
        if (declaration.file != tgsi::File::Image)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last && i < exec::kMaxImages; ++i)
            resources.image_targets[i] = declaration.target;
    }
    for (const tgsi::Instruction& inst : shader.instructions) {
        const auto note = [&](const tgsi::RegisterRef& reg) {
            if (!inst.has_target || reg.file != tgsi::File::Image)
                return;
            if (reg.index.indirect)
                resources.image_targets.fill(inst.target);
            else if (reg.index.value >= 0 &&
                     reg.index.value < static_cast<int32_t>(exec::kMaxImages))
                resources.image_targets[static_cast<size_t>(reg.index.value)] = inst.target;
        };
        for (unsigned i = 0; i < inst.dst_count; ++i)
            note(inst.dst[i].reg);
        for (unsigned i = 0; i < inst.src_count; ++i)
            note(inst.src[i].reg);
    }
}

bool uses_gradients(const tgsi::Shader& shader) {
    return std::ranges::any_of(shader.instructions, [](const tgsi::Instruction& inst) {
        return inst.opcode == tgsi::Opcode::TXD || inst.opcode == tgsi::Opcode::SAMPLE_D;
    });
}

void set_resource_routines(exec::Environment& environment) {
    environment.texture = sample_texture;
    environment.image_load = load_image;
    environment.image_address = address_image;
    environment.convert_store = store_image;
}

uint32_t driver_word(exec::DriverValue value, uint8_t unit, Memory& memory) {
    using exec::DriverValue;
    switch (value) {
    case DriverValue::TextureWidth: return kTextureWidth + unit;
    case DriverValue::TextureHeight: return kTextureHeight;
    case DriverValue::TextureDepth: return kTextureDepth;
    case DriverValue::TextureLevels: return kTextureLevels;
    case DriverValue::TextureSamples: return kTextureSamples;
    case DriverValue::BufferAddressLow: return address_half(memory.buffers, unit, 0);
    case DriverValue::BufferAddressHigh: return address_half(memory.buffers, unit, 1);
    case DriverValue::BufferSize: return byte_size(memory.buffers, unit);
    case DriverValue::CounterAddressLow: return address_half(memory.counters, unit, 0);
    case DriverValue::CounterAddressHigh: return address_half(memory.counters, unit, 1);
    case DriverValue::CounterSize: return byte_size(memory.counters, unit);
    case DriverValue::ImageWidth: return kImageWidth;
    case DriverValue::ImageHeight: return kImageHeight;
    case DriverValue::ImageDepth: return kImageSlices;
    case DriverValue::ImageSamples: return kImageSamples;
    case DriverValue::SampleCount:
    case DriverValue::RasterSamples: return 1;
    case DriverValue::TargetHeight: return as_bits(4.0F);
    default: return 0;
    }
}

}  // namespace valkyr::test
