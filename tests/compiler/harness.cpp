// The two engines side by side: a small environment of message routines, and comparisons.
// SPDX-License-Identifier: MIT
#include "compiler/harness.hpp"

#include "base/bits.hpp"
#include "tgsi/parser.hpp"
#include "tgsi/verifier.hpp"
#include "valhall/isa/interpreter.hpp"
#include "valhall/isa/listing.hpp"
#include "valhall/isa/validate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Lanes;

/// Instructions that a program may run.
constexpr uint64_t kStepLimit = 1 << 16;

/// The draw that the routines below find behind Warp::draw.
struct TestDraw : TestContext {
    const ShaderInputs* inputs_by_register = nullptr;
    std::vector<std::array<Word4, kLanes>> slots;  ///< fragments: by varying slot
    std::array<std::array<Word4, kLanes>, exec::kMaxRenderTargets> color{};
    std::array<uint32_t, kLanes> depth{};
    std::array<uint32_t, kLanes> stencil{};
    std::array<uint32_t, kLanes> coverage{};
};

TestDraw& test_draw(const exec::Warp& warp) {
    return const_cast<TestDraw&>(static_cast<const TestDraw&>(*warp.draw));
}

template <typename F>
void for_lanes(uint16_t mask, F&& f) {
    for (unsigned l = 0; l < kLanes; ++l)
        if ((mask >> l & 1) != 0)
            f(l);
}

void load_attribute(const exec::Warp& warp,
                    const exec::AttributeMessage& message,
                    const Lanes& vertex_id,
                    const Lanes&,
                    Lanes* out) noexcept {
    const ShaderInputs& in = *test_draw(warp).inputs_by_register;
    for_lanes(warp.running, [&](unsigned l) {
        const uint32_t lane = vertex_id.v[l] - in.vertex_base;
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = message.index < in.inputs.size() && lane < kLanes
                              ? in.inputs[message.index][lane][c]
                              : 0;
    });
}

void load_varying(const exec::Warp& warp,
                  const exec::VaryingMessage& message,
                  const Lanes&,
                  const Lanes&,
                  Lanes* out) noexcept {
    const TestDraw& draw = test_draw(warp);
    for_lanes(warp.running, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c) {
            const uint32_t word = message.offset / 4 + c;
            out[c].v[l] = word / 4 < draw.slots.size() ? draw.slots[word / 4][l][word % 4] : 0;
        }
    });
}

void load_special(
    const exec::Warp& warp, uint32_t index, exec::SampleMode, const Lanes&, Lanes* out) noexcept {
    for_lanes(warp.running, [&](unsigned l) {
        if (index == 0) {
            out[0].v[l] = as_bits(0.25F);
            out[1].v[l] = as_bits(0.75F);
        } else {
            out[0].v[l] = as_bits(index == 2 ? 2.0F : 0.5F);
        }
    });
}

void alpha_test(
    const exec::Warp& warp, const Lanes& coverage, const Lanes&, uint64_t, Lanes* out) noexcept {
    TestDraw& draw = test_draw(warp);
    for_lanes(warp.running, [&](unsigned l) {
        out->v[l] = (warp.live >> l & 1) != 0 ? coverage.v[l] : 0;
        draw.coverage[l] = out->v[l];
    });
}

void emit_depth(const exec::Warp& warp,
                const Lanes* depth,
                const Lanes* stencil,
                const Lanes& coverage,
                Lanes* out) noexcept {
    TestDraw& draw = test_draw(warp);
    for_lanes(warp.running, [&](unsigned l) {
        out->v[l] = coverage.v[l];
        draw.depth[l] = depth != nullptr ? depth->v[l] : 0;
        draw.stencil[l] = stencil != nullptr ? stencil->v[l] : 0;
    });
}

void blend(const exec::Warp& warp,
           const exec::BlendMessage& message,
           uint64_t,
           const Lanes&,
           const Lanes* in,
           const Lanes*) noexcept {
    TestDraw& draw = test_draw(warp);
    for_lanes(warp.running, [&](unsigned l) {
        for (unsigned c = 0; c < 4; ++c)
            draw.color[message.target][l][c] = in[c].v[l];
    });
}

void load_tile(const exec::Warp& warp,
               const exec::TileMessage& message,
               const Lanes& indices,
               const Lanes&,
               Lanes* out) noexcept {
    const ShaderInputs& in = *test_draw(warp).inputs_by_register;
    for_lanes(warp.running, [&](unsigned l) {
        const uint32_t target = indices.v[l] >> 8 & 0xFF;
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = target < in.framebuffer.size() ? in.framebuffer[target][l][c] : 0;
    });
}

exec::Environment make_environment() {
    exec::Environment environment{};
    set_resource_routines(environment);
    environment.tile_load = load_tile;
    environment.attribute = load_attribute;
    environment.varying = load_varying;
    environment.varying_special = load_special;
    environment.atest = alpha_test;
    environment.zs_emit = emit_depth;
    environment.blend = blend;
    return environment;
}

Word4 input_word(const ShaderInputs& in, uint32_t index, unsigned lane) {
    return index < in.inputs.size() ? in.inputs[index][lane] : Word4{};
}

/// Calls f(declaration, register, semantic index) for each register of a file.
template <typename F>
void for_registers(const tgsi::Shader& shader, tgsi::File file, F&& f) {
    for (const tgsi::Declaration& declaration : shader.declarations) {
        if (declaration.file != file)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last; ++i)
            f(declaration, i, declaration.semantic_index + i - declaration.first);
    }
}

uint32_t register_count(const tgsi::Shader& shader, tgsi::File file) {
    uint32_t count = 0;
    for_registers(shader, file,
                  [&](const auto&, uint32_t i, uint32_t) { count = std::max(count, i + 1); });
    return count;
}

/// The values that both engines agree on for system values and special inputs.
Word4 special_word(const tgsi::Shader& shader,
                   const ShaderInputs& in,
                   tgsi::Semantic semantic,
                   bool system,
                   unsigned lane) {
    const auto all = [](uint32_t word) { return Word4{word, word, word, word}; };
    const uint32_t one = as_bits(1.0F);
    switch (semantic) {
    case tgsi::Semantic::VertexId: return all(in.vertex_base + lane);
    case tgsi::Semantic::InstanceId: return all(in.instance_id);
    case tgsi::Semantic::PrimId: return all(in.primitive_id);
    case tgsi::Semantic::Face:
        if (system)
            return all(in.back_facing ? 0 : 0xFFFFFFFF);
        return {as_bits(in.back_facing ? -1.0F : 1.0F), 0, 0, one};
    case tgsi::Semantic::PCoord: return {as_bits(0.25F), as_bits(0.75F), 0, one};
    case tgsi::Semantic::Position: {
        const bool integer = shader.property("FS_COORD_PIXEL_CENTER", 0) != 0;
        const float centre = integer ? 0.0F : 0.5F;
        const auto row = static_cast<float>(exec::lane_y(lane));
        const bool lower_left = shader.property("FS_COORD_ORIGIN", 0) != 0;
        const float y = lower_left ? 4.0F - (row + 0.5F) - (0.5F - centre) : row + centre;
        return {as_bits(static_cast<float>(exec::lane_x(lane)) + centre), as_bits(y), as_bits(0.5F),
                as_bits(2.0F)};
    }
    case tgsi::Semantic::SampleMask: return all(in.covered >> lane & 1);
    case tgsi::Semantic::SamplePos: return {as_bits(0.5F), as_bits(0.5F), 0, 0};
    default: return {};
    }
}

bool is_special_input(const tgsi::Declaration& declaration) {
    switch (declaration.semantic) {
    case tgsi::Semantic::Position:
    case tgsi::Semantic::Face:
    case tgsi::Semantic::PCoord:
    case tgsi::Semantic::PrimId: return declaration.has_semantic;
    default: return false;
    }
}

/// FAU words by the program's recipe; `results`: registers that the prologue left.
std::vector<uint32_t> fau_words(const valhall::Program& program,
                                const ShaderInputs& in,
                                Memory& memory,
                                const std::vector<Lanes>& results = {}) {
    std::vector<uint32_t> words;
    for (const valhall::FauWord& word : program.fau) {
        uint32_t value = 0;
        switch (word.kind) {
        case valhall::FauKind::Immediate: value = word.value; break;
        case valhall::FauKind::Constant:
            if (word.buffer < in.constants.size() && word.value < in.constants[word.buffer].size())
                value = in.constants[word.buffer][word.value];
            break;
        case valhall::FauKind::Driver:
            value = driver_word(static_cast<exec::DriverValue>(word.value), word.buffer, memory);
            break;
        case valhall::FauKind::Prologue: value = results.at(word.value).v[0]; break;
        case valhall::FauKind::Unused: break;
        }
        words.push_back(value);
    }
    return words;
}

/// Runs the uniform prologue with one lane.
std::vector<Lanes>
run_prologue(const valhall::Program& program, const ShaderInputs& in, Memory& memory) {
    std::vector<Lanes> registers(exec::kRegisters);
    const std::vector<uint32_t> words = fau_words(program, in, memory);
    auto interpreter = valhall::Interpreter::create(
        program, {.hazards = true, .step_limit = 1 << 16, .trace = {}});
    REQUIRE(interpreter.has_value());
    for (const valhall::Diagnostic& diagnostic : valhall::validate(program))
        FAIL(valhall::format_diagnostic(diagnostic, program));
    exec::DrawContext draw;
    draw.fau = words.data();
    draw.info = &program.info;
    exec::ComputeCall call;
    call.draw = &draw;
    call.registers = registers.data();
    std::vector<valhall::RunFault> faults;
    interpreter->run(call, &faults);
    for (const valhall::RunFault& fault : faults)
        FAIL("prologue word ", fault.word_index, ": ", fault.text, "\n",
             valhall::list_program(program));
    return registers;
}

struct Slot {
    exec::VaryingName name;
    tgsi::Semantic semantic;
};
constexpr Slot kSlots[] = {
    {exec::VaryingName::Generic, tgsi::Semantic::Generic},
    {exec::VaryingName::Color, tgsi::Semantic::Color},
    {exec::VaryingName::BackColor, tgsi::Semantic::BColor},
    {exec::VaryingName::TexCoord, tgsi::Semantic::TexCoord},
    {exec::VaryingName::Fog, tgsi::Semantic::Fog},
    {exec::VaryingName::ClipDistance, tgsi::Semantic::ClipDist},
    {exec::VaryingName::ClipVertex, tgsi::Semantic::ClipVertex},
    {exec::VaryingName::Layer, tgsi::Semantic::Layer},
    {exec::VaryingName::ViewportIndex, tgsi::Semantic::ViewportIndex},
};

/// The slot of a register in the program's record; -1 if it has none.
int slot_of(const exec::ProgramInfo& info, const tgsi::Declaration& declaration, uint32_t number) {
    for (uint32_t s = 0; s < info.varying_slot_count; ++s) {
        for (const Slot& slot : kSlots)
            if (slot.name == info.varyings[s].name && slot.semantic == declaration.semantic &&
                info.varyings[s].index == number)
                return static_cast<int>(s);
    }
    return -1;
}

std::string faults_text(const std::vector<valhall::RunFault>& faults) {
    std::string text;
    for (const valhall::RunFault& fault : faults)
        text += "word " + std::to_string(fault.word_index) + ": " + fault.text + "\n";
    return text;
}

/// What both stages need to run.
struct Machine {
    valhall::Program program;
    std::vector<uint32_t> fau;
    std::vector<exec::BufferDescriptor> constant_buffers;
    std::vector<std::vector<uint32_t>> constants;
    std::array<exec::AttributeDescriptor, exec::kMaxAttributes> attributes;
    std::vector<uint8_t> tls;
    exec::Environment environment = make_environment();
    TestDraw draw;
    exec::FragmentKey fragment_key;
    exec::VertexKey vertex_key;
    std::array<uint32_t, exec::kMaxSamples> sample_positions{128 | 128 << 16};

    void prepare(const tgsi::Shader& shader, const ShaderInputs& in, Memory& memory) {
        draw.resources.memory = &memory;
        draw.resources.ignore_lod = uses_gradients(shader);
        find_image_targets(shader, draw.resources);
        fau = program.prologue
                  ? fau_words(program, in, memory, run_prologue(*program.prologue, in, memory))
                  : fau_words(program, in, memory);
        constants = in.constants;
        for (std::vector<uint32_t>& buffer : constants)
            constant_buffers.push_back(
                {reinterpret_cast<uint8_t*>(buffer.data()), buffer.size() * 4});
        // Thread-local storage starts with garbage: programs must not rely on it.
        tls.assign(size_t{kLanes} * program.info.tls_bytes + 64, 0xA5);
        draw.inputs_by_register = &in;
        draw.fau = fau.data();
        draw.environment = &environment;
        draw.info = &program.info;
        // Blend descriptors: fixed function, four components, render target i.
        for (uint64_t i = 0; i < exec::kMaxRenderTargets; ++i)
            draw.special[0][8 + i] = 2 | 3 << 3 | i << 16;
        // One sample, in the middle of the pixel.
        draw.special[0][6] = reinterpret_cast<uint64_t>(sample_positions.data());
        draw.tables.image_count = exec::kMaxImages;
        draw.tables.texture_count = exec::kMaxTextureUnits;
        draw.tables.sampler_count = exec::kMaxTextureUnits;
        draw.tables.attributes = attributes.data();
        draw.tables.attribute_count = exec::kMaxAttributes;
        draw.tables.constant_buffers = constant_buffers.data();
        draw.tables.constant_buffer_count = static_cast<uint32_t>(constant_buffers.size());
    }
    [[nodiscard]] uint64_t tls_base() const {
        const auto address = reinterpret_cast<uint64_t>(tls.data());
        return (address + 15) & ~uint64_t{15};
    }
};

void run_fragment(Machine& machine,
                  const tgsi::Shader& shader,
                  const ShaderInputs& in,
                  const valhall::Interpreter& interpreter,
                  ShaderOutputs& out) {
    TestDraw& draw = machine.draw;
    draw.key = &machine.fragment_key;
    draw.slots.resize(machine.program.info.varying_slot_count);
    for_registers(shader, tgsi::File::Input,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t number) {
                      const int slot = slot_of(machine.program.info, declaration, number);
                      for (unsigned l = 0; slot >= 0 && l < kLanes; ++l)
                          draw.slots[static_cast<unsigned>(slot)][l] = input_word(in, i, l);
                  });
    exec::PrimitiveSetup primitive;
    primitive.flags = in.back_facing ? 1 : 0;
    primitive.primitive_id = in.primitive_id;
    const exec::BlockRef block{0, in.covered};
    exec::FragmentCall call;
    call.draw = &draw;
    call.primitive = &primitive;
    call.blocks = &block;
    call.block_count = 1;
    call.tls = machine.tls_base();
    std::vector<valhall::RunFault> faults;
    interpreter.run(call, &faults);
    out.failure = faults_text(faults);
    for_registers(shader, tgsi::File::Output,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t number) {
                      for (unsigned l = 0; l < kLanes; ++l) {
                          if (declaration.semantic == tgsi::Semantic::Color)
                              out.outputs[i][l] = draw.color[number][l];
                          else if (declaration.semantic == tgsi::Semantic::Position)
                              out.outputs[i][l][2] = draw.depth[l];
                          else if (declaration.semantic == tgsi::Semantic::Stencil)
                              out.outputs[i][l][1] = draw.stencil[l];
                      }
                  });
    for_lanes(in.covered, [&](unsigned l) {
        if (draw.coverage[l] == 0)
            out.killed |= static_cast<uint16_t>(1U << l);
    });
}

void run_vertex(Machine& machine,
                const tgsi::Shader& shader,
                const ShaderInputs& in,
                const valhall::Interpreter& interpreter,
                ShaderOutputs& out) {
    machine.draw.key = &machine.vertex_key;
    const exec::ProgramInfo& info = machine.program.info;
    const uint32_t stride = exec::record_stride(info.varying_slot_count);
    std::vector<uint8_t> records(size_t{stride} * kLanes, 0xCD);
    std::array<uint32_t, kLanes> ids{};
    for (unsigned l = 0; l < kLanes; ++l)
        ids[l] = in.vertex_base + l;
    exec::VertexCall call;
    call.draw = &machine.draw;
    call.vertex_ids = ids.data();
    call.records = records.data();
    call.record_stride = stride;
    call.count = kLanes;
    call.instance_id = in.instance_id;
    call.tls = machine.tls_base();
    std::vector<valhall::RunFault> faults;
    interpreter.run(call, &faults);
    out.failure = faults_text(faults);
    for_registers(shader, tgsi::File::Output,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t number) {
                      const int slot = slot_of(info, declaration, number);
                      for (unsigned l = 0; l < kLanes; ++l) {
                          const uint8_t* record = records.data() + size_t{stride} * l;
                          Word4& word = out.outputs[i][l];
                          if (declaration.semantic == tgsi::Semantic::Position)
                              std::memcpy(word.data(), record, 16);
                          else if (declaration.semantic == tgsi::Semantic::PSize)
                              std::memcpy(word.data(), record + 16, 4);
                          else if (slot >= 0)
                              std::memcpy(word.data(),
                                          record + exec::kRecordVaryings +
                                              16 * static_cast<unsigned>(slot),
                                          16);
                      }
                  });
}

}  // namespace

tgsi::Shader parse_shader(std::string_view text) {
    tgsi::ParseResult result = tgsi::parse(text);
    CHECK_MESSAGE(result.ok(), tgsi::format_errors(result.errors, text, "shader"));
    return std::move(result.shader);
}

ShaderOutputs run_tgsi(const tgsi::Shader& shader, const ShaderInputs& in) {
    ShaderOutputs out;
    out.covered = shader.stage == tgsi::Stage::Fragment ? in.covered : 0xFFFF;
    out.outputs.resize(register_count(shader, tgsi::File::Output));
    auto interpreter = tgsi::Interpreter::create(shader, {.steps = kLanes * kStepLimit});
    if (!interpreter) {
        out.failure = interpreter.error().format("tgsi");
        return out;
    }
    tgsi::Group group;
    group.invocations.resize(kLanes);
    for (unsigned l = 0; l < kLanes; ++l) {
        tgsi::Invocation& invocation = group.invocations[l];
        invocation.inputs.resize(interpreter->input_count());
        invocation.system_values.resize(interpreter->system_value_count());
        for (uint32_t i = 0; i < invocation.inputs.size(); ++i)
            invocation.inputs[i] = input_word(in, i, l);
        for_registers(
            shader, tgsi::File::Input, [&](const auto& declaration, uint32_t i, uint32_t) {
                if (shader.stage == tgsi::Stage::Fragment && is_special_input(declaration))
                    invocation.inputs[i] = special_word(shader, in, declaration.semantic, false, l);
            });
        for_registers(shader, tgsi::File::SystemValue,
                      [&](const auto& declaration, uint32_t i, uint32_t) {
                          invocation.system_values[i] =
                              special_word(shader, in, declaration.semantic, true, l);
                      });
        for_registers(shader, tgsi::File::Output,
                      [&](const auto& declaration, uint32_t i, uint32_t number) {
                          if (declaration.semantic != tgsi::Semantic::Color ||
                              number >= in.framebuffer.size())
                              return;
                          invocation.framebuffer.resize(
                              std::max<size_t>(invocation.framebuffer.size(), i + 1));
                          invocation.framebuffer[i] = in.framebuffer[number][l];
                      });
        invocation.helper = shader.stage == tgsi::Stage::Fragment && (in.covered >> l & 1) == 0;
    }
    for (const std::vector<uint32_t>& buffer : in.constants)
        group.constants.emplace_back(buffer);
    out.memory = in.memory;
    TgsiResources resources(out.memory, uses_gradients(shader));
    resources.attach(group);
    if (auto result = interpreter->run(group); !result) {
        out.failure = result.error().format("tgsi");
        return out;
    }
    for (unsigned l = 0; l < kLanes; ++l) {
        for (size_t i = 0; i < out.outputs.size() && i < group.invocations[l].outputs.size(); ++i)
            out.outputs[i][l] = group.invocations[l].outputs[i];
        if (group.invocations[l].killed && (in.covered >> l & 1) != 0)
            out.killed |= static_cast<uint16_t>(1U << l);
    }
    return out;
}

ShaderOutputs run_valhall(const tgsi::Shader& shader,
                          const ShaderInputs& in,
                          const valhall::CompileOptions& options) {
    ShaderOutputs out;
    out.outputs.resize(register_count(shader, tgsi::File::Output));
    auto program = valhall::compile(shader, options);
    if (!program) {
        out.failure = program.error().format("compile");
        return out;
    }
    for (const valhall::Diagnostic& diagnostic : valhall::validate(*program))
        out.failure += valhall::format_diagnostic(diagnostic, *program) + "\n";
    auto interpreter = valhall::Interpreter::create(
        *program, {.hazards = true, .step_limit = kStepLimit, .trace = {}});
    if (!interpreter) {
        out.failure += interpreter.error().format("valhall");
        return out;
    }
    if (!out.failure.empty()) {
        out.failure += valhall::list_program(*program);
        return out;
    }
    Machine machine;
    machine.program = std::move(*program);
    out.memory = in.memory;
    machine.prepare(shader, in, out.memory);
    if (shader.stage == tgsi::Stage::Fragment)
        run_fragment(machine, shader, in, *interpreter, out);
    else
        run_vertex(machine, shader, in, *interpreter, out);
    if (!out.failure.empty())
        out.failure += valhall::list_program(machine.program);
    return out;
}

bool same_word(uint32_t a, uint32_t b, const Tolerance& tolerance) {
    if (a == b)
        return true;
    const float x = as_float(a);
    const float y = as_float(b);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y);
    if (tolerance.absolute != 0 && std::fabs(x - y) <= tolerance.absolute)
        return true;
    // Order the floats like integers, so that neighbours differ by one.
    const auto ordered = [](uint32_t word) {
        return (word >> 31) != 0 ? -static_cast<int64_t>(word & 0x7FFFFFFF)
                                 : static_cast<int64_t>(word);
    };
    return tolerance.ulp != 0 && std::abs(ordered(a) - ordered(b)) <= int64_t{tolerance.ulp};
}

namespace {

std::string compare_words(const char* name,
                          const std::vector<std::vector<uint32_t>>& expected,
                          const std::vector<std::vector<uint32_t>>& actual) {
    for (size_t b = 0; b < expected.size(); ++b)
        for (size_t i = 0; i < expected[b].size(); ++i)
            if (expected[b][i] != actual[b][i]) {
                char text[120];
                std::snprintf(text, sizeof text, "%s[%zu] word %zu: %08x expected, %08x compiled\n",
                              name, b, i, expected[b][i], actual[b][i]);
                return text;
            }
    return {};
}

std::string compare_memory(const Memory& expected, const Memory& actual) {
    std::string text = compare_words("BUFFER", expected.buffers, actual.buffers);
    if (text.empty())
        text = compare_words("HWATOMIC", expected.counters, actual.counters);
    return text.empty() ? "images differ\n" : text;
}

}  // namespace

std::string compare_outputs(const ShaderOutputs& expected,
                            const ShaderOutputs& actual,
                            const std::vector<uint8_t>& masks,
                            const Tolerance& tolerance) {
    if (!expected.failure.empty())
        return "TGSI interpreter: " + expected.failure;
    if (!actual.failure.empty())
        return "compiled: " + actual.failure;
    char text[160];
    if (expected.killed != actual.killed) {
        std::snprintf(text, sizeof text, "killed lanes: %04x expected, %04x compiled\n",
                      expected.killed, actual.killed);
        return text;
    }
    if (!(expected.memory == actual.memory))
        return compare_memory(expected.memory, actual.memory);
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
        const uint8_t mask = i < masks.size() ? masks[i] : 0xF;
        for (unsigned l = 0; l < kLanes; ++l) {
            for (unsigned c = 0; c < 4; ++c) {
                const uint32_t a = expected.outputs[i][l][c];
                const uint32_t b = actual.outputs[i][l][c];
                const bool drawn = (expected.covered & ~expected.killed) >> l & 1;
                if (!drawn || (mask >> c & 1) == 0 || same_word(a, b, tolerance))
                    continue;
                std::snprintf(text, sizeof text,
                              "OUT[%zu].%c lane %u: %08x (%g) expected, %08x (%g) compiled\n", i,
                              "xyzw"[c], l, a, static_cast<double>(as_float(a)), b,
                              static_cast<double>(as_float(b)));
                return text;
            }
        }
    }
    return {};
}

/// Depth and stencil outputs have one component, point size too.
std::vector<uint8_t> output_masks(const tgsi::Shader& shader) {
    std::vector<uint8_t> masks(register_count(shader, tgsi::File::Output), 0xF);
    for_registers(shader, tgsi::File::Output, [&](const auto& declaration, uint32_t i, uint32_t) {
        const bool fragment = shader.stage == tgsi::Stage::Fragment;
        if (fragment && declaration.semantic == tgsi::Semantic::Position)
            masks[i] = 4;
        else if (declaration.semantic == tgsi::Semantic::Stencil)
            masks[i] = 2;
        else if (declaration.semantic == tgsi::Semantic::PSize)
            masks[i] = 1;
        else if (declaration.semantic == tgsi::Semantic::SampleMask ||
                 declaration.semantic == tgsi::Semantic::EdgeFlag)
            masks[i] = 0;
    });
    return masks;
}

std::string differ(std::string_view text,
                   const ShaderInputs& inputs,
                   const Tolerance& tolerance,
                   const valhall::CompileOptions& options) {
    const tgsi::Shader shader = parse_shader(text);
    return compare_outputs(run_tgsi(shader, inputs), run_valhall(shader, inputs, options),
                           output_masks(shader), tolerance);
}

const std::vector<uint32_t>& interesting_words() {
    static const std::vector<uint32_t> words{
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F800000,
        0xBF800000, 0x3F000000, 0xBF000000, 0x40000000, 0x3FFFFFFF, 0x3F800001, 0x3F7FFFFF,
        0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF, 0x4B000000,
        0x4B7FFFFF, 0x4EFFFFFF, 0x4F000000, 0x4F800000, 0xCF000000, 0x40490FDB, 0x3DCCCCCD,
        0x00000002, 0x0000001F, 0x00000020, 0x7FFFFFFF, 0x80000002, 0x12345678, 0xC2C80000,
        0x42C80000, 0x41200000, 0xC1200000, 0x3EAAAAAB, 0x461C4000,
    };
    return words;
}

}  // namespace valkyr::test
