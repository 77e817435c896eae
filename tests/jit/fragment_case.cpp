// Fragment case: runs a fragment program on every engine and compares the tiles.
// SPDX-License-Identifier: MIT
#include "tests/jit/fragment_case.hpp"

#include "base/bits.hpp"
#include "raster/messages/environment.hpp"
#include "tests/jit/harness.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace valkyr::test {
namespace {

using exec::kLanes;

constexpr unsigned kAtestDatum = 5;
constexpr unsigned kBlendDescriptor = 8;

unsigned& routine_calls() {
    static unsigned calls = 0;
    return calls;
}

/// Wraps a routine of the environment and counts its calls.
template <auto member, typename... Arguments>
auto counted(void (*)(Arguments...) noexcept) {
    return +[](Arguments... arguments) noexcept {
        ++routine_calls();
        (raster::raster_environment().*member)(arguments...);
    };
}

const exec::Environment& counting_environment() {
    static const exec::Environment environment = [] {
        using E = exec::Environment;
        E e = raster::raster_environment();
        e.varying = counted<&E::varying>(e.varying);
        e.varying_special = counted<&E::varying_special>(e.varying_special);
        e.early_zs = counted<&E::early_zs>(e.early_zs);
        e.atest = counted<&E::atest>(e.atest);
        e.zs_emit = counted<&E::zs_emit>(e.zs_emit);
        e.blend = counted<&E::blend>(e.blend);
        e.tile_load = counted<&E::tile_load>(e.tile_load);
        e.tile_store = counted<&E::tile_store>(e.tile_store);
        return e;
    }();
    return environment;
}

/// The fixed-function words of a key (raster/record/fixed_function.cpp).
uint64_t atest_datum(const FragmentCase& test) {
    const exec::FragmentKey& key = test.key;
    const bool late = (key.zs.depth_test || key.zs.stencil_test() || key.zs.count_samples) &&
                      !key.zs.early && !test.emits_depth;
    return exec::pack({.alpha_to_coverage = key.alpha_to_coverage,
                       .late_test = late,
                       .alpha_to_one = key.alpha_to_one,
                       .samples = key.samples,
                       .alpha_func = key.alpha_func,
                       .alpha_reference = test.alpha_reference});
}

uint64_t blend_descriptor(const exec::BlendKey& key, unsigned index) {
    exec::BlendDescriptor descriptor{.target = static_cast<uint8_t>(index)};
    if (key.format == exec::Format::None)
        return exec::pack(descriptor);
    const bool plain = !key.enable && !key.logic_op_enable && key.write_mask == 0xF;
    descriptor.mode = plain ? exec::BlendMode::Opaque : exec::BlendMode::FixedFunction;
    descriptor.format = key.format;
    return exec::pack(descriptor);
}

uint32_t depth_code(const FragmentCase& test, Random& random) {
    if (!test.low_depth_codes)
        return random.next32();
    switch (test.key.zs.format) {
    case exec::Format::D16_UNORM: return random.below(0x10000);
    case exec::Format::D32_FLOAT:
    case exec::Format::D32_FLOAT_S8X24_UINT:
        return as_bits(static_cast<float>(random.below(1025)) / 1024);
    default: return random.below(0x1000000);
    }
}

/// The memory of a tile, and a call that points to it.
struct Tile {
    explicit Tile(const FragmentCase& test)
        : primitive(test.primitive) {
        Random random(test.tile_seed);
        const size_t texels = size_t{kCaseBlocks} * kLanes * test.key.samples;
        depth.resize(texels);
        stencil.resize(texels);
        for (uint32_t& code : depth)
            code = depth_code(test, random);
        for (uint8_t& value : stencil)
            value = static_cast<uint8_t>(random.next32());
        for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i)
            fill_target(test, i, texels, random);
        set_draw(test);
        set_call(test);
    }
    Tile(const Tile&) = delete;
    Tile& operator=(const Tile&) = delete;

    void fill_target(const FragmentCase& test, unsigned i, size_t texels, Random& random) {
        const exec::FormatInfo& info = exec::format_info(test.key.blend[i].format);
        color[i].resize(texels * info.block_bytes);
        for (size_t at = 0; at + 4 <= color[i].size(); at += 4) {
            uint32_t word = random.next32();
            if (info.type == exec::ChannelType::Float)  // no NaN
                word &= 0xBBFFBBFF;
            std::memcpy(color[i].data() + at, &word, 4);
        }
        call.color[i] = color[i].empty() ? nullptr : color[i].data();
    }

    void set_draw(const FragmentCase& test) {
        std::copy(test.uniforms.begin(), test.uniforms.end(), fau.begin());
        draw.fau = fau.data();
        draw.key = &test.key;
        draw.info = &test.info;
        draw.special[kAtestDatum] = atest_datum(test);
        for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i)
            draw.special[kBlendDescriptor + i] = blend_descriptor(test.key.blend[i], i);
        for (unsigned i = 0; i < 4; ++i) {
            draw.blend_constant[i] = test.blend_constant[i];
            draw.blend_constant_unorm8[i] = static_cast<uint8_t>(
                std::rint(std::clamp(test.blend_constant[i], 0.0F, 1.0F) * 255));
        }
        draw.stencil_reference[0] = test.stencil_reference[0];
        draw.stencil_reference[1] = test.stencil_reference[1];
    }

    void set_call(const FragmentCase& test) {
        primitive.slots = test.slots.data();
        call.draw = &draw;
        call.primitive = &primitive;
        call.blocks = test.blocks.data();
        call.block_count = static_cast<uint32_t>(test.blocks.size());
        call.tile_x = 64;
        call.tile_y = 128;
        call.sample_masks = test.sample_masks.empty() ? nullptr : test.sample_masks.data();
        call.depth = depth.data();
        call.stencil = stencil.data();
    }

    alignas(64) std::array<uint32_t, kCaseUniforms> fau{};
    exec::PrimitiveSetup primitive;
    exec::DrawContext draw;
    exec::FragmentCall call;
    std::array<std::vector<uint8_t>, exec::kMaxRenderTargets> color;
    std::vector<uint32_t> depth;
    std::vector<uint8_t> stencil;
};

valhall::Program program_of(const FragmentCase& test) {
    valhall::Program program;
    program.info = test.info;
    program.words = words_of(test.text);
    program.fau.resize(kCaseUniforms, {valhall::FauKind::Driver, 0, 0});
    for (unsigned i = 0; i < test.known_uniforms; ++i)
        program.fau[i] = {valhall::FauKind::Immediate, 0, test.uniforms[i]};
    return program;
}

template <typename T>
std::string first_difference(const std::string& name, const T& want, const T& have) {
    for (size_t i = 0; i < want.size(); ++i) {
        if (want[i] == have[i])
            continue;
        char text[96];
        std::snprintf(text, sizeof text, " element %zu: want %X have %X", i,
                      static_cast<unsigned>(want[i]), static_cast<unsigned>(have[i]));
        return "\n  " + name + text;
    }
    return {};
}

std::string compare(const Tile& want, const Tile& have) {
    std::string report = first_difference("depth", want.depth, have.depth) +
                         first_difference("stencil", want.stencil, have.stencil);
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i)
        report += first_difference("color " + std::to_string(i), want.color[i], have.color[i]);
    if (want.call.samples_passed != have.call.samples_passed)
        report += "\n  samples passed: want " + std::to_string(want.call.samples_passed) +
                  " have " + std::to_string(have.call.samples_passed);
    return report;
}

/// Packs the covered quads of a block list, which names primitives, in its order. A quad that is in
/// the unfinished warp begins a new one.
std::vector<exec::QuadWarp> packed(const std::vector<exec::BlockRef>& blocks) {
    std::vector<exec::QuadWarp> warps;
    unsigned fill = 4;
    const auto add = [&](const exec::QuadPlace& place, uint32_t corner, uint32_t pixels) {
        const auto has_pixel = [&](const exec::QuadPlace& q) { return q.pixel == place.pixel; };
        if (fill == 4 || std::any_of(warps.back().quads, warps.back().quads + fill, has_pixel)) {
            warps.emplace_back();
            warps.back().mask = 0;
            fill = 0;
        }
        exec::QuadWarp& warp = warps.back();
        for (unsigned k = fill; k < (fill == 0 ? 4 : fill + 1); ++k) {
            warp.quads[k] = place;
            std::fill_n(warp.corner + size_t{4} * k, 4, corner);
        }
        warp.mask |= pixels << (4 * fill++);
    };
    for (const exec::BlockRef& block : blocks)
        for (unsigned quad = 0; quad < 4; ++quad) {
            const uint32_t pixels = block.mask >> (4 * quad) & 15;
            const uint32_t number = block.block & ((1U << exec::kPrimitiveShift) - 1);
            const uint32_t primitive = block.block >> exec::kPrimitiveShift;
            const uint32_t x = 4 * (number % exec::kBlocksPerRow) + exec::lane_x(4 * quad);
            const uint32_t y = 4 * (number / exec::kBlocksPerRow) + exec::lane_y(4 * quad);
            if (pixels != 0)
                add({16 * (4 * number + quad),
                     static_cast<uint32_t>(primitive * sizeof(exec::BatchPrimitive))},
                    x | y << exec::kQuadYShift, pixels);
        }
    return warps;
}

/// Runs the case's blocks in a call of three primitives: the first has no blocks, the other two
/// have the case's.
std::string batched(const exec::Kernel& kernel, const FragmentCase& test, const Tile& want) {
    Tile tile(test);
    tile.draw.environment = want.draw.environment;
    std::array<exec::BatchPrimitive, 3> primitives{};
    for (exec::BatchPrimitive& p : primitives) {
        p.setup = tile.primitive;
        p.setup.slots = p.planes;
        std::copy(test.slots.begin(), test.slots.end(), p.planes);
    }
    primitives[0].setup.anchor_x += 17.25F;
    primitives[0].setup.anchor_y -= 3.5F;
    primitives[0].setup.z.a = primitives[0].setup.q.a = 2;
    primitives[0].setup.slots = nullptr;
    std::vector<exec::BlockRef> blocks = test.blocks;
    for (size_t i = 0; i < blocks.size(); ++i)
        blocks[i].block =
            static_cast<uint16_t>(blocks[i].block | (1 + i % 2) << exec::kPrimitiveShift);
    const std::vector<exec::QuadWarp> warps = packed(blocks);
    if (warps.empty())
        return {};
    tile.call.primitive = &primitives[0].setup;
    tile.call.primitive_count = static_cast<uint32_t>(primitives.size());
    tile.call.blocks = blocks.data();
    tile.call.quad_warps = warps.data();
    tile.call.quad_warp_count = warps.size();
    kernel(tile.call);
    const std::string report = compare(want, tile);
    return report.empty() ? report : "\n  several primitives:" + report;
}

/// Runs of kernels that take packed quads.
unsigned& packed_runs() {
    static unsigned runs = 0;
    return runs;
}

/// A way to make kernels.
struct Way {
    const char* name;
    bool inline_messages;
    size_t most_block_steps;
};
constexpr Way kWays[] = {
    {"routines", false, SIZE_MAX}, {"inline", true, SIZE_MAX}, {"inline, packed quads", true, 0}};

std::string recompiled(jit::Recompiler& recompiler,
                       const valhall::Program& program,
                       const FragmentCase& test,
                       const Way& way,
                       const Tile& want) {
    jit::KernelKey key;
    key.fragment = &test.key;
    jit::RecompileOptions options;
    options.most_block_steps = way.most_block_steps;
    options.inline_messages = way.inline_messages;
    options.listing = std::getenv("VALKYR_JIT_LISTING") != nullptr;
    const auto kernel = recompiler.recompile(program, key, options);
    if (!kernel)
        return kernel.error().text;
    Tile tile(test);
    tile.draw.environment =
        way.inline_messages ? &counting_environment() : &raster::raster_environment();
    (*kernel)->entry()(tile.call);
    std::string report = compare(want, tile);
    const exec::Batching batching = (*kernel)->entry().batching;
    packed_runs() += batching == exec::Batching::Quads ? 1 : 0;
    if (batching != exec::Batching::None)
        report += batched((*kernel)->entry(), test, want);
    if (!report.empty())
        for (const jit::HostLine& line : (*kernel)->listing())
            report +=
                "\n  " + std::to_string(static_cast<int32_t>(line.word_index)) + " " + line.text;
    return report;
}

float between(Random& random, float low, float high) {
    return low + (high - low) * (static_cast<float>(random.below(1U << 20)) / (1U << 20));
}

exec::Plane random_plane(Random& random, float low, float high, float slope) {
    return {between(random, low, high), between(random, -slope, slope),
            between(random, -slope, slope), 0};
}

}  // namespace

void make_primitive(FragmentCase& test, Random& random) {
    exec::PrimitiveSetup& p = test.primitive;
    p.anchor_x = std::rint(between(random, -50, 200) * 256) / 256;
    p.anchor_y = std::rint(between(random, -50, 200) * 256) / 256;
    p.primitive_id = random.next32();
    p.flags = random.below(2);
    p.z = random_plane(random, -0.2F, 1.2F, 0.004F);
    p.q = random_plane(random, 0.5F, 2, 0.002F);
    p.point_s = random_plane(random, 0, 1, 0.01F);
    p.point_t = random_plane(random, 0, 1, 0.01F);
    if (random.one_in(3)) {
        p.depth_min = between(random, -0.1F, 0.5F);
        p.depth_max = between(random, 0.2F, 1.5F);
    }
    for (exec::SlotPlanes& slot : test.slots)
        for (unsigned k = 0; k < 4; ++k) {
            slot.a[k] = between(random, -1, 2);
            slot.cx[k] = between(random, -0.05F, 0.05F);
            slot.cy[k] = between(random, -0.05F, 0.05F);
        }
    const unsigned count = random.below(6);
    const unsigned samples = test.key.samples;
    for (unsigned i = 0; i < count; ++i) {
        const uint16_t block = static_cast<uint16_t>(random.below(kCaseBlocks));
        const unsigned density = random.below(3);
        uint16_t all = 0;
        for (unsigned s = 0; s < samples; ++s) {
            uint32_t mask = random.next32() & 0xFFFF;
            mask = density == 0 ? 0xFFFF : density == 1 ? mask : mask & random.next32();
            all |= static_cast<uint16_t>(mask);
            if (samples > 1)
                test.sample_masks.push_back(static_cast<uint16_t>(mask));
        }
        test.blocks.push_back({block, all});
    }
    test.tile_seed = random.next();
}

std::string disagreement(const FragmentCase& test) {
    const valhall::Program program = program_of(test);
    const auto interpreter = valhall::Interpreter::create(program, {});
    if (!interpreter)
        return "interpreter: " + interpreter.error().text;
    jit::KernelKey key;
    key.fragment = &test.key;
    const std::string refused = emission_failure(program, key);
    if (!refused.empty())
        return refused + "\n" + test.text;
    Tile want(test);
    want.draw.environment = &raster::raster_environment();
    std::vector<valhall::RunFault> faults;
    interpreter->run(want.call, &faults);
    if (!faults.empty())
        return "interpreter: " + faults.front().text + "\n" + test.text;
    for (jit::Recompiler* recompiler : recompilers_by_method())
        for (const Way& way : kWays) {
            const std::string report = recompiled(*recompiler, program, test, way, want);
            if (!report.empty())
                return std::string(jit::host_level_name(recompiler->level())) + " " + way.name +
                       report + "\n" + test.text;
        }
    return {};
}

unsigned take_packed_runs() {
    return std::exchange(packed_runs(), 0);
}

unsigned take_routine_calls() {
    return std::exchange(routine_calls(), 0);
}

}  // namespace valkyr::test
