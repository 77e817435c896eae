// Message world: answers messages of random programs with hashes, and records lanes.
// SPDX-License-Identifier: MIT
#include "tests/jit/kernel/message_world.hpp"

#include "tests/jit/harness.hpp"
#include "tests/support/random.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <type_traits>

namespace valkyr::test {

using exec::kLanes;
using exec::Lanes;
using exec::Warp;

namespace {

constexpr unsigned kResults = 10;  // registers that any message may ask for

/// A record of the messages of one lane of a pixel block.
struct LaneRecord {
    uint64_t state = 0;  ///< hash of all that the lane sent; results depend on it
    uint64_t seen = 0;   ///< hash of all that it sent while not a helper
};

/// The records of the current run. They are global because routines get no other pointer.
constexpr unsigned kBlockNumbers = 16;
using Records = std::array<std::array<LaneRecord, kLanes>, kBlockNumbers>;
thread_local Records* records = nullptr;

uint64_t mixed(uint64_t state, uint64_t value) {
    return Random(state ^ (value + 0x9E3779B97F4A7C15)).next();
}

/// Words that the lanes send, besides the kind of message.
struct Sent {
    const Lanes* lanes;
    unsigned count;
};

void note(const Warp& warp, uint64_t kind, std::initializer_list<Sent> sent, Lanes* out) {
    for (unsigned l = 0; l < kLanes; ++l) {
        if (!(warp.running >> l & 1))
            continue;
        LaneRecord& record = (*records)[warp.block][l];
        uint64_t state = mixed(record.state, kind);
        for (const Sent& s : sent)
            for (unsigned k = 0; k < s.count; ++k)
                state = mixed(state, s.lanes[k].v[l]);
        record.state = state;
        if (warp.live >> l & 1)
            record.seen = state;
        Random random(state);
        for (unsigned k = 0; out && k < kResults; ++k)
            out[k].v[l] = interesting_word(random);
    }
}

/// A number for a message's kind and modifiers, without its operands.
uint64_t kind_of(const exec::VaryingMessage& m) {
    const unsigned flags = (m.flat ? 1U : 0U) | (m.half ? 2U : 0U) | (m.source_half ? 4U : 0U);
    return mixed(uint64_t{m.offset} << 32 | flags,
                 static_cast<uint64_t>(m.sample) << 8 | m.components);
}
uint64_t kind_of(const exec::TextureMessage& m) {
    static_assert(std::has_unique_object_representations_v<exec::TextureMessage>);
    uint64_t kind = 3;
    for (unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof m>>(m))
        kind = kind * 0x100000001B3 ^ byte;
    return kind;
}

/// Registers of a colour or pixel in this format.
unsigned pixel_registers(exec::RegisterFormat format, unsigned components) {
    const bool half = format == exec::RegisterFormat::F16 || format == exec::RegisterFormat::S16 ||
                      format == exec::RegisterFormat::U16;
    return half ? (components + 1) / 2 : components;
}

exec::Environment hashing_environment() {
    exec::Environment e{};
    e.varying = [](const Warp& w, const exec::VaryingMessage& m, const Lanes& coverage,
                   const Lanes& position, Lanes* out) noexcept {
        const unsigned read = m.sample == exec::SampleMode::Center ? 0 : 1;
        note(w, kind_of(m), {{&coverage, read}, {&position, read}}, out);
    };
    e.varying_special = [](const Warp& w, uint32_t index, exec::SampleMode sample,
                           const Lanes& position, Lanes* out) noexcept {
        // At the pixel centre, the position is not read.
        const unsigned read = sample == exec::SampleMode::Center ? 0 : 1;
        note(w, 200 + index * 8 + static_cast<uint64_t>(sample), {{&position, read}}, out);
    };
    e.texture = [](const Warp& w, const exec::TextureMessage& m, const Lanes* in,
                   Lanes* out) noexcept {
        note(w, kind_of(m), {{in, m.staging_count}}, out);
    };
    e.image_load = [](const Warp& w, const exec::ImageMessage& m, const Lanes& xy, const Lanes& zw,
                      Lanes* out) noexcept {
        note(w, mixed(4, m.handle), {{&xy, 1}, {&zw, 1}}, out);
    };
    e.image_address = [](const Warp& w, const exec::ImageMessage& m, const Lanes& xy,
                         const Lanes& zw, Lanes* out) noexcept {
        note(w, mixed(5, m.handle), {{&xy, 1}, {&zw, 1}}, out);
    };
    e.convert_store = [](const Warp& w, exec::RegisterFormat format, uint8_t components,
                         const Lanes& low, const Lanes& high, uint32_t offset,
                         const Lanes& conversion, const Lanes* in) noexcept {
        note(w, 600 + offset * 8 + static_cast<uint64_t>(format),
             {{&low, 1}, {&high, 1}, {&conversion, 1}, {in, pixel_registers(format, components)}},
             nullptr);
    };
    e.atest = [](const Warp& w, const Lanes& coverage, const Lanes& alpha, uint64_t datum,
                 Lanes* out) noexcept {
        Lanes number = alpha;
        for (uint32_t& bits : number.v)  // the payload of a computed NaN is undefined
            bits = (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000 : bits;
        note(w, mixed(7, static_cast<uint32_t>(datum)), {{&coverage, 1}, {&number, 1}}, out);
    };
    e.zs_emit = [](const Warp& w, const Lanes* depth, const Lanes* stencil, const Lanes& coverage,
                   Lanes* out) noexcept {
        note(w, 8, {{depth, depth ? 1U : 0U}, {stencil, stencil ? 1U : 0U}, {&coverage, 1}}, out);
    };
    e.blend = [](const Warp& w, const exec::BlendMessage& m, uint64_t descriptor,
                 const Lanes& coverage, const Lanes* in, const Lanes*) noexcept {
        note(w, mixed(m.target, descriptor),
             {{&coverage, 1}, {in, pixel_registers(m.format, m.components)}}, nullptr);
    };
    e.tile_load = [](const Warp& w, const exec::TileMessage& m, const Lanes& indices,
                     const Lanes& coverage, Lanes* out) noexcept {
        note(w, mixed(10, m.conversion), {{&indices, 1}, {&coverage, 1}}, out);
    };
    e.tile_store = [](const Warp& w, const exec::TileMessage& m, const Lanes& indices,
                      const Lanes& coverage, const Lanes* in) noexcept {
        note(w, mixed(11, m.conversion),
             {{&indices, 1}, {&coverage, 1}, {in, pixel_registers(m.format, m.components)}},
             nullptr);
    };
    return e;
}

uint16_t block_number(unsigned index) {
    return static_cast<uint16_t>(5 * index + 1);
}

/// One run: all state that a program can read or change.
struct World {
    explicit World(const WorldCase& test) {
        Random random(test.seed);
        for (uint32_t& word : lane_memory)
            word = interesting_word(random);
        for (uint32_t& word : shared_memory)
            word = interesting_word(random);
        for (uint64_t& value : context.special)
            value = (random.next() & ~uint64_t{3}) |
                    1;  // blend mode 1: the environment's routine blends
        for (unsigned i = 0; i < 4; ++i)
            fau[i] = immediates[i];
        set_address(4, lane_memory.data());
        set_address(6, shared_memory.data());
        for (auto& block : lanes)
            for (LaneRecord& record : block)
                record.state = random.next();
        buffer.address = reinterpret_cast<uint8_t*>(buffer_words.data());
        buffer.size = sizeof buffer_words;
        for (uint32_t& word : buffer_words)
            word = interesting_word(random);
        static const exec::Environment environment = hashing_environment();
        context.environment = &environment;
        context.fau = fau.data();
        context.key = &key;
        context.info = &info;
        context.tables.constant_buffers = &buffer;
        context.tables.constant_buffer_count = 1;
        for (unsigned b = 0; b < kWorldBlocks; ++b)
            blocks[b] = {block_number(b), test.masks[b]};
        call.draw = &context;
        call.primitive = &primitive;
        call.blocks = blocks.data();
        call.block_count = kWorldBlocks;
        call.tile_x = 128;
        call.tile_y = 64;
        call.tls = 0x1234567FFF0;
        records = &lanes;
    }

    void set_address(unsigned index, const void* address) {
        const auto bits = std::bit_cast<uint64_t>(address);
        fau[index] = static_cast<uint32_t>(bits);
        fau[index + 1] = static_cast<uint32_t>(bits >> 32);
    }

    static constexpr std::array<uint32_t, 4> immediates = {0, 1, 0x03000002, 0x04000001};
    alignas(64) std::array<uint32_t, kWorldUniforms> fau{};
    alignas(64) std::array<uint32_t, kLanes * kLaneWords> lane_memory{};
    alignas(64) std::array<uint32_t, kSharedWords> shared_memory{};
    alignas(64) std::array<uint32_t, 50> buffer_words{};
    exec::BufferDescriptor buffer;
    Records lanes{};
    exec::FragmentKey key;
    exec::ProgramInfo info;
    exec::DrawContext context;
    exec::PrimitiveSetup primitive;
    std::array<exec::BlockRef, kWorldBlocks> blocks{};
    exec::FragmentCall call;
};

valhall::Program program_of(const WorldCase& test) {
    valhall::Program program;
    program.info.stage = exec::Stage::Fragment;
    program.info.tls_bytes = 48;
    program.words = test.words;
    for (uint32_t value : World::immediates)
        program.fau.push_back({valhall::FauKind::Immediate, 0, value});
    program.fau.resize(kWorldUniforms, {valhall::FauKind::Driver, 0, 0});
    return program;
}

/// The state that a run leaves behind.
struct Outcome {
    explicit Outcome(const World& world)
        : lanes(world.lanes)
        , lane_memory(world.lane_memory)
        , shared_memory(world.shared_memory) {}
    Records lanes;
    std::array<uint32_t, kLanes * kLaneWords> lane_memory;
    std::array<uint32_t, kSharedWords> shared_memory;
};

/// The first difference between two runs.
std::string difference(const WorldCase& test, const Outcome& want, const Outcome& have) {
    for (unsigned b = 0; b < kWorldBlocks; ++b)
        for (unsigned l = 0; l < kLanes; ++l) {
            const unsigned block = block_number(b);
            if ((test.masks[b] >> l & 1) && want.lanes[block][l].seen != have.lanes[block][l].seen)
                return "messages of lane " + std::to_string(l) + " of block " + std::to_string(b);
        }
    for (size_t i = 0; i < want.lane_memory.size(); ++i)
        if (want.lane_memory[i] != have.lane_memory[i])
            return "word " + std::to_string(i % kLaneWords) + " of lane " +
                   std::to_string(i / kLaneWords);
    for (size_t i = 0; i < want.shared_memory.size(); ++i)
        if (want.shared_memory[i] != have.shared_memory[i])
            return "shared word " + std::to_string(i);
    return {};
}

std::string listing(const WorldCase& test) {
    std::string text = "\nmasks:";
    for (uint16_t mask : test.masks)
        text += " " + std::to_string(mask);
    text += "\nprogram:";
    for (uint64_t word : test.words)
        text += "\n  " + text_of(word);
    return text;
}

}  // namespace

std::string world_disagreement(const WorldCase& test) {
    const valhall::Program program = program_of(test);
    // All runs use equal addresses, since programs compute with them.
    std::optional<World> world;
    world.emplace(test);
    valhall::InterpreterOptions options;
    options.step_limit = 20000;
    auto interpreter = valhall::Interpreter::create(program, options);
    if (!interpreter)
        return "interpreter: " + interpreter.error().text + listing(test);
    std::vector<valhall::RunFault> faults;
    interpreter->run(world->call, &faults);
    if (!faults.empty())
        return "interpreter: " + faults.front().text + listing(test);
    const Outcome want(*world);
    for (const auto& recompiler : recompilers()) {
        world.emplace(test);
        jit::KernelKey key;
        key.fragment = &world->key;
        jit::RecompileOptions how;
        how.inline_messages = false;
        auto kernel = recompiler->recompile(program, key, how);
        const std::string level(jit::host_level_name(recompiler->level()));
        if (!kernel)
            return level + ": " + kernel.error().text + listing(test);
        (*kernel)->entry()(world->call);
        count_warps(recompiler->level(), static_cast<unsigned>(std::ranges::count_if(
                                             test.masks, [](uint16_t mask) { return mask != 0; })));
        const std::string where = difference(test, want, Outcome(*world));
        if (!where.empty())
            return level + " differs: " + where + listing(test);
    }
    return {};
}

WorldCase reduced(WorldCase test) {
    const uint64_t nop = words_of("NOP.reconverge").front();
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = test.fixed; i < test.words.size(); ++i) {
            uint64_t& word = test.words[i];
            const uint64_t old = word;
            if (old == nop)
                continue;
            word = nop;
            if (world_disagreement(test).find(" differs:") == std::string::npos)
                word = old;
            else
                changed = true;
        }
    }
    return test;
}

}  // namespace valkyr::test
