// Runs a compiled shader on given inputs, with message routines that hand them over by lane.
// SPDX-License-Identifier: MIT
#include "eval_program.hpp"

#include "base/bits.hpp"
#include "jit/recompiler.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/compiler/varyings.hpp"
#include "valhall/isa/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace valkyr::tools {

namespace {

using exec::Lanes;
using tgsi::Word4;

constexpr float kDepth = 0.5F;
constexpr float kW = 1.0F;

/// The draw that the routines find behind Warp::draw.
struct EvalDraw : exec::DrawContext {
    tgsi::Group* group = nullptr;
    std::vector<uint32_t> input_of_slot;  ///< IN register of a varying slot
    std::array<std::array<Word4, exec::kLanes>, exec::kMaxRenderTargets> color{};
    std::array<uint32_t, exec::kLanes> depth{};
    std::array<uint32_t, exec::kLanes> stencil{};
    uint16_t passed = 0;  ///< lanes with coverage at ATEST
};

EvalDraw& eval_draw(const exec::Warp& warp) {
    return const_cast<EvalDraw&>(static_cast<const EvalDraw&>(*warp.draw));
}

template <typename F>
void for_running(const exec::Warp& warp, F&& f) {
    for (unsigned l = 0; l < exec::kLanes; ++l)
        if ((warp.running >> l & 1) != 0)
            f(l);
}

uint32_t input_word(const EvalDraw& draw, uint32_t lane, uint32_t index, uint32_t component) {
    const auto& lanes = draw.group->invocations;
    return lane < lanes.size() && index < lanes[lane].inputs.size()
               ? lanes[lane].inputs[index][component & 3]
               : 0;
}

void attribute(const exec::Warp& warp,
               const exec::AttributeMessage& message,
               const Lanes& vertex_id,
               const Lanes&,
               Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = input_word(eval_draw(warp), vertex_id.v[l], message.index, c);
    });
}

void varying(const exec::Warp& warp,
             const exec::VaryingMessage& message,
             const Lanes&,
             const Lanes&,
             Lanes* out) noexcept {
    const EvalDraw& draw = eval_draw(warp);
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c) {
            const uint32_t word = message.offset / 4 + c;
            const bool known = word / 4 < draw.input_of_slot.size();
            out[c].v[l] = known ? input_word(draw, l, draw.input_of_slot[word / 4], word) : 0;
        }
    });
}

void varying_special(
    const exec::Warp& warp, uint32_t index, exec::SampleMode, const Lanes&, Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        out[0].v[l] = as_bits(index == 0 ? 0.5F : index == 2 ? kW : kDepth);
        if (index == 0)
            out[1].v[l] = as_bits(0.5F);
    });
}

void no_texture(const exec::Warp& warp,
                const exec::TextureMessage& message,
                const Lanes*,
                Lanes* out) noexcept {
    unsigned count = 0;
    for (unsigned c = 0; c < 4; ++c)
        count += message.write_mask >> c & 1;
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < count; ++c)
            out[c].v[l] = 0;
    });
}

void no_image(const exec::Warp& warp,
              const exec::ImageMessage& message,
              const Lanes&,
              const Lanes&,
              Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < std::max<unsigned>(message.components, 3); ++c)
            out[c].v[l] = 0;
    });
}

void no_store(const exec::Warp&,
              exec::RegisterFormat,
              uint8_t,
              const Lanes&,
              const Lanes&,
              uint32_t,
              const Lanes&,
              const Lanes*) noexcept {}

void no_tile(const exec::Warp& warp,
             const exec::TileMessage& message,
             const Lanes&,
             const Lanes&,
             Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = 0;
    });
}

void alpha_test(
    const exec::Warp& warp, const Lanes& coverage, const Lanes&, uint64_t, Lanes* out) noexcept {
    EvalDraw& draw = eval_draw(warp);
    for_running(warp, [&](unsigned l) {
        out->v[l] = (warp.live >> l & 1) != 0 ? coverage.v[l] : 0;
        if (out->v[l] != 0)
            draw.passed |= static_cast<uint16_t>(1U << l);
    });
}

void emit_depth(const exec::Warp& warp,
                const Lanes* depth,
                const Lanes* stencil,
                const Lanes& coverage,
                Lanes* out) noexcept {
    EvalDraw& draw = eval_draw(warp);
    for_running(warp, [&](unsigned l) {
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
    EvalDraw& draw = eval_draw(warp);
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < 4; ++c)
            draw.color[message.target][l][c] = in[c].v[l];
    });
}

const exec::Environment& eval_environment() {
    static const exec::Environment environment = [] {
        exec::Environment made{};
        made.attribute = attribute;
        made.varying = varying;
        made.varying_special = varying_special;
        made.texture = no_texture;
        made.image_load = no_image;
        made.image_address = no_image;
        made.convert_store = no_store;
        made.tile_load = no_tile;
        made.atest = alpha_test;
        made.zs_emit = emit_depth;
        made.blend = blend;
        return made;
    }();
    return environment;
}

/// A kernel of either engine and what keeps it alive.
struct Engine {
    std::unique_ptr<jit::Recompiler> recompiler;
    std::unique_ptr<jit::CompiledKernel> compiled;
    std::optional<valhall::Interpreter> interpreter;

    template <typename Call>
    Result<void> run(Call& call) const {
        if (compiled) {
            compiled->entry()(call);
            return {};
        }
        std::vector<valhall::RunFault> faults;
        interpreter->run(call, &faults);
        if (!faults.empty())
            return Error{Errc::OutOfRange,
                         {},
                         "word " + std::to_string(faults.front().word_index) + ": " +
                             faults.front().text};
        return {};
    }
};

struct Keys {
    exec::VertexKey vertex;
    exec::FragmentKey fragment;
};

Result<Engine> make_engine(const valhall::Program& program,
                           const std::string& name,
                           uint64_t steps,
                           const Keys& keys) {
    Engine engine;
    if (name == "valhall") {
        VALKYR_TRY(interpreter, valhall::Interpreter::create(
                                    program, {.hazards = false, .step_limit = steps, .trace = {}}));
        engine.interpreter = std::move(interpreter);
        return engine;
    }
    VALKYR_TRY(recompiler, jit::Recompiler::create(jit::best_host_level()));
    jit::RecompileOptions options;
    options.inline_messages = false;
    VALKYR_TRY(kernel, recompiler->recompile(program, {&keys.vertex, &keys.fragment}, options));
    engine.recompiler = std::move(recompiler);
    engine.compiled = std::move(kernel);
    return engine;
}

std::vector<uint32_t> uniform_words(const valhall::Program& program,
                                    const tgsi::Group& group,
                                    const std::vector<Lanes>& prologue) {
    std::vector<uint32_t> words;
    for (const valhall::FauWord& word : program.fau) {
        uint32_t value = 0;
        if (word.kind == valhall::FauKind::Immediate)
            value = word.value;
        else if (word.kind == valhall::FauKind::Constant && word.buffer < group.constants.size() &&
                 word.value < group.constants[word.buffer].size())
            value = group.constants[word.buffer][word.value];
        else if (word.kind == valhall::FauKind::Prologue && word.value < prologue.size())
            value = prologue[word.value].v[0];
        else if (word.kind == valhall::FauKind::Driver &&
                 static_cast<exec::DriverValue>(word.value) == exec::DriverValue::SampleCount)
            value = 1;
        words.push_back(value);
    }
    return words;
}

/// All that a call needs; lives as long as the run.
struct Machine {
    Machine(const tgsi::Shader& tgsi_shader, tgsi::Group& tgsi_group)
        : shader(tgsi_shader)
        , group(tgsi_group) {}

    const tgsi::Shader& shader;
    tgsi::Group& group;
    valhall::VaryingLayout layout;
    valhall::Program program;
    Keys keys;
    EvalDraw draw;
    std::vector<uint32_t> fau;
    std::vector<exec::BufferDescriptor> constants;
    std::array<exec::TextureDescriptor, exec::kMaxTextureUnits> textures;
    std::array<exec::SamplerDescriptor, exec::kMaxTextureUnits> samplers;
    std::array<exec::AttributeDescriptor, exec::kMaxAttributes> attributes;
    std::array<exec::ImageDescriptor, exec::kMaxImages> images;
    std::array<uint32_t, exec::kMaxSamples> sample_positions{128 | 128 << 16};
    std::vector<uint8_t> tls;

    [[nodiscard]] uint64_t tls_base() const {
        return align_up(reinterpret_cast<uint64_t>(tls.data()), uint64_t{64});
    }
};

void bind_tables(Machine& m) {
    for (const std::span<const uint32_t> words : m.group.constants)
        m.constants.push_back(
            {reinterpret_cast<uint8_t*>(const_cast<uint32_t*>(words.data())), words.size() * 4});
    m.constants.resize(exec::kMaxConstantBuffers);
    exec::ResourceTables& tables = m.draw.tables;
    tables.constant_buffers = m.constants.data();
    tables.constant_buffer_count = exec::kMaxConstantBuffers;
    tables.attributes = m.attributes.data();
    tables.attribute_count = exec::kMaxAttributes;
    tables.textures = m.textures.data();
    tables.texture_count = exec::kMaxTextureUnits;
    tables.samplers = m.samplers.data();
    tables.sampler_count = exec::kMaxTextureUnits;
    tables.images = m.images.data();
    tables.image_count = exec::kMaxImages;
}

Result<void> prepare(Machine& m, const std::string& engine, uint64_t steps) {
    bind_tables(m);
    m.draw.group = &m.group;
    m.draw.environment = &eval_environment();
    m.draw.info = &m.program.info;
    // Blend descriptors: fixed function, four components, render target i.
    for (uint64_t i = 0; i < exec::kMaxRenderTargets; ++i)
        m.draw.special[0][8 + i] = 2 | 3 << 3 | i << 16;
    m.draw.special[0][6] = reinterpret_cast<uint64_t>(m.sample_positions.data());
    const uint32_t bytes = std::max(m.program.info.tls_bytes,
                                    m.program.prologue ? m.program.prologue->info.tls_bytes : 0U);
    m.tls.assign(size_t{exec::kLanes} * bytes + 128, 0);
    std::vector<Lanes> registers(exec::kRegisters);
    if (m.program.prologue) {
        VALKYR_TRY(prologue, make_engine(*m.program.prologue, engine, steps, m.keys));
        const std::vector<uint32_t> words = uniform_words(*m.program.prologue, m.group, {});
        exec::DrawContext context = m.draw;
        context.fau = words.data();
        context.info = &m.program.prologue->info;
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.tls = m.tls_base();
        VALKYR_TRY_VOID(prologue.run(call));
    }
    m.fau = uniform_words(m.program, m.group, registers);
    m.draw.fau = m.fau.data();
    return {};
}

/// Calls f(declaration, register, semantic index) for each register of a file.
template <typename F>
void for_registers(const tgsi::Shader& shader, tgsi::File file, F&& f) {
    for (const tgsi::Declaration& declaration : shader.declarations)
        for (uint32_t i = declaration.first; declaration.file == file && i <= declaration.last; ++i)
            f(declaration, i, declaration.semantic_index + i - declaration.first);
}

void clear_outputs(Machine& m) {
    size_t count = 0;
    for_registers(m.shader, tgsi::File::Output, [&](const auto&, uint32_t i, uint32_t) {
        count = std::max<size_t>(count, i + 1);
    });
    for (tgsi::Invocation& lane : m.group.invocations)
        lane.outputs.assign(count, {});
}

Result<void> run_fragment(Machine& m, const Engine& engine) {
    m.draw.key = &m.keys.fragment;
    m.draw.input_of_slot.resize(m.layout.slots.size());
    for_registers(m.shader, tgsi::File::Input,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t) {
                      if (const auto slot = valhall::lower::find_slot(m.layout, declaration, i))
                          m.draw.input_of_slot[*slot] = i;
                  });
    const auto lanes = static_cast<unsigned>(m.group.invocations.size());
    const exec::PrimitiveSetup primitive{};
    const exec::BlockRef block{0, static_cast<uint16_t>((1U << lanes) - 1)};
    exec::FragmentCall call;
    call.draw = &m.draw;
    call.primitive = &primitive;
    call.blocks = &block;
    call.block_count = 1;
    call.tls = m.tls_base();
    VALKYR_TRY_VOID(engine.run(call));
    for_registers(m.shader, tgsi::File::Output,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t number) {
                      for (unsigned l = 0; l < lanes; ++l) {
                          Word4& out = m.group.invocations[l].outputs[i];
                          if (declaration.semantic == tgsi::Semantic::Color &&
                              number < exec::kMaxRenderTargets)
                              out = m.draw.color[number][l];
                          else if (declaration.semantic == tgsi::Semantic::Position)
                              out[2] = m.draw.depth[l];
                          else if (declaration.semantic == tgsi::Semantic::Stencil)
                              out[1] = m.draw.stencil[l];
                      }
                  });
    for (unsigned l = 0; l < lanes; ++l)
        m.group.invocations[l].killed = (m.draw.passed >> l & 1) == 0;
    return {};
}

Result<void> run_vertex(Machine& m, const Engine& engine) {
    m.draw.key = &m.keys.vertex;
    const uint32_t stride = exec::record_stride(m.program.info.varying_slot_count);
    std::vector<uint8_t> records(size_t{stride} * exec::kLanes);
    std::array<uint32_t, exec::kLanes> ids{};
    for (uint32_t l = 0; l < exec::kLanes; ++l)
        ids[l] = l;
    exec::VertexCall call;
    call.draw = &m.draw;
    call.vertex_ids = ids.data();
    call.records = records.data();
    call.record_stride = stride;
    call.count = static_cast<uint32_t>(m.group.invocations.size());
    call.tls = m.tls_base();
    VALKYR_TRY_VOID(engine.run(call));
    for_registers(m.shader, tgsi::File::Output,
                  [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t) {
                      const auto slot = valhall::lower::find_slot(m.layout, declaration, i);
                      for (size_t l = 0; l < m.group.invocations.size(); ++l) {
                          const uint8_t* record = records.data() + size_t{stride} * l;
                          Word4& out = m.group.invocations[l].outputs[i];
                          if (declaration.semantic == tgsi::Semantic::Position)
                              std::memcpy(out.data(), record, 16);
                          else if (declaration.semantic == tgsi::Semantic::PSize)
                              std::memcpy(out.data(), record + 16, 4);
                          else if (slot)
                              std::memcpy(out.data(),
                                          record + exec::kRecordVaryings + 16 * size_t{*slot}, 16);
                      }
                  });
    return {};
}

}  // namespace

Result<void> run_compiled(const tgsi::Shader& shader,
                          const std::string& engine,
                          uint64_t steps,
                          tgsi::Group& group) {
    if (group.invocations.size() > exec::kLanes)
        return Error{Errc::Unsupported, {}, "engine " + engine + ": more than 16 lanes"};
    const auto machine = std::make_unique<Machine>(shader, group);
    Machine& m = *machine;
    VALKYR_TRY(layout, valhall::standalone_varyings(shader));
    m.layout = std::move(layout);
    valhall::CompileOptions options;
    options.varyings = &m.layout;
    VALKYR_TRY(program, valhall::compile(shader, options));
    m.program = std::move(program);
    VALKYR_TRY_VOID(prepare(m, engine, steps));
    VALKYR_TRY(kernel, make_engine(m.program, engine, steps, m.keys));
    clear_outputs(m);
    return shader.stage == tgsi::Stage::Fragment ? run_fragment(m, kernel) : run_vertex(m, kernel);
}

}  // namespace valkyr::tools
