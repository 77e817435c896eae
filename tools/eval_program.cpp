// Runs a compiled shader on given inputs, with message routines that hand them over by lane.
// SPDX-License-Identifier: MIT
#include "eval_program.hpp"

#include "base/bits.hpp"
#include "jit/recompiler.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/isa/interpreter.hpp"

#include <algorithm>
#include <array>

namespace valkyr::tools {

namespace {

using exec::Lanes;

template <typename F>
void for_running(const exec::Warp& warp, F&& f) {
    for (unsigned l = 0; l < exec::kLanes; ++l)
        if ((warp.running >> l & 1) != 0)
            f(l);
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

const exec::Environment& eval_environment() {
    static const exec::Environment environment = [] {
        exec::Environment made{};
        valhall::set_capture_routines(made);
        made.texture = no_texture;
        made.image_load = no_image;
        made.image_address = no_image;
        made.convert_store = no_store;
        made.tile_load = no_tile;
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

/// Uniform words: constants of the group, one sample, everything else 0.
std::vector<uint32_t> uniform_words(const valhall::Program& program,
                                    const tgsi::Group& group,
                                    std::span<const Lanes> prologue) {
    const auto constant = [&](uint32_t buffer, uint32_t word) {
        const bool inside =
            buffer < group.constants.size() && word < group.constants[buffer].size();
        return inside ? group.constants[buffer][word] : 0;
    };
    const auto driver = [](exec::DriverValue value, uint8_t) {
        return value == exec::DriverValue::SampleCount ? 1U : 0U;
    };
    return valhall::uniform_words(program, {constant, driver, prologue});
}

/// All that a call needs; lives as long as the run.
struct Machine {
    Machine(const tgsi::Shader& tgsi_shader, tgsi::Group& tgsi_group)
        : shader(tgsi_shader)
        , group(tgsi_group) {}

    const tgsi::Shader& shader;
    tgsi::Group& group;
    valhall::Program program;
    Keys keys;
    valhall::CapturingDraw draw;
    std::vector<valhall::RegisterLanes> outputs;
    std::vector<uint32_t> fau;
    std::vector<exec::BufferDescriptor> constants;
    std::array<exec::TextureDescriptor, exec::kMaxTextureUnits> textures;
    std::array<exec::SamplerDescriptor, exec::kMaxTextureUnits> samplers;
    std::array<exec::AttributeDescriptor, exec::kMaxAttributes> attributes;
    std::array<exec::ImageDescriptor, exec::kMaxImages> images;
    std::vector<uint8_t> tls;

    [[nodiscard]] uint64_t tls_base() const {
        return align_up(reinterpret_cast<uint64_t>(tls.data()), uint64_t{64});
    }
    [[nodiscard]] uint32_t lanes() const { return static_cast<uint32_t>(group.invocations.size()); }
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

/// Inputs by register; fragments see the first pixels of a window, depth 0.5, w 1.
void bind_inputs(Machine& m) {
    for (uint32_t l = 0; l < m.lanes(); ++l) {
        const auto& values = m.group.invocations[l].inputs;
        m.draw.inputs.resize(std::max(m.draw.inputs.size(), values.size()));
        for (size_t i = 0; i < values.size(); ++i)
            m.draw.inputs[i][l] = values[i];
    }
    m.draw.point_coordinate = {0.5F, 0.5F};
    m.draw.fragment_z = 0.5F;
    m.draw.fragment_w = 1.0F;
    m.outputs.resize(valhall::register_count(m.shader, tgsi::File::Output));
}

Result<void> prepare(Machine& m, const std::string& engine, uint64_t steps) {
    bind_tables(m);
    bind_inputs(m);
    valhall::bind_program(m.draw, m.shader, m.program);
    m.draw.environment = &eval_environment();
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

Result<void> run_fragment(Machine& m, const Engine& engine) {
    m.draw.key = &m.keys.fragment;
    const exec::PrimitiveSetup primitive{};
    const exec::BlockRef block{0, static_cast<uint16_t>((1U << m.lanes()) - 1)};
    exec::FragmentCall call;
    call.draw = &m.draw;
    call.primitive = &primitive;
    call.blocks = &block;
    call.block_count = 1;
    call.tls = m.tls_base();
    VALKYR_TRY_VOID(engine.run(call));
    valhall::read_fragment_outputs(m.shader, m.draw, m.outputs);
    for (uint32_t l = 0; l < m.lanes(); ++l)
        m.group.invocations[l].killed = m.draw.coverage[l] == 0;
    return {};
}

Result<void> run_vertex(Machine& m, const Engine& engine) {
    m.draw.key = &m.keys.vertex;
    const uint32_t stride = exec::record_stride(m.program.info.varying_slot_count);
    std::vector<uint8_t> records(size_t{stride} * m.lanes());
    std::array<uint32_t, exec::kLanes> ids{};
    for (uint32_t l = 0; l < exec::kLanes; ++l)
        ids[l] = l;
    exec::VertexCall call;
    call.draw = &m.draw;
    call.vertex_ids = ids.data();
    call.records = records.data();
    call.record_stride = stride;
    call.count = m.lanes();
    call.tls = m.tls_base();
    VALKYR_TRY_VOID(engine.run(call));
    valhall::read_vertex_outputs(m.shader, m.program.info, records, m.outputs);
    return {};
}

Result<void> run_compute(Machine& m, const Engine& engine) {
    exec::ComputeCall call;
    call.draw = &m.draw;
    call.count = m.lanes();
    call.tls = m.tls_base();
    return engine.run(call);
}

Result<void> run_stage(Machine& m, const Engine& engine) {
    switch (m.program.info.stage) {
    case exec::Stage::Fragment: return run_fragment(m, engine);
    case exec::Stage::Compute: return run_compute(m, engine);
    default: return run_vertex(m, engine);
    }
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
    VALKYR_TRY(program, valhall::compile(shader));
    m.program = std::move(program);
    VALKYR_TRY_VOID(prepare(m, engine, steps));
    VALKYR_TRY(kernel, make_engine(m.program, engine, steps, m.keys));
    VALKYR_TRY_VOID(run_stage(m, kernel));
    for (uint32_t l = 0; l < m.lanes(); ++l) {
        auto& out = group.invocations[l].outputs;
        out.clear();
        for (const valhall::RegisterLanes& value : m.outputs)
            out.push_back(value[l]);
    }
    return {};
}

}  // namespace valkyr::tools
