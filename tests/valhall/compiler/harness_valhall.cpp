// Harness Valhall: runs a compiled shader on the Valhall interpreter and as recompiled code.
// SPDX-License-Identifier: MIT
//
// Programs with work-groups or operations on doubles are recompiled.
#include "base/bits.hpp"
#include "tests/jit/harness.hpp"
#include "tests/valhall/compiler/double_checker.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tests/valhall/compiler/harness_p.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/text/listing.hpp"
#include "valhall/validator/validate.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Lanes;

/// The draw behind Warp::draw, for the routines.
struct TestDraw : TestContext {
    const ShaderInputs* shader_inputs = nullptr;
};

void load_tile(const exec::Warp& warp,
               const exec::TileMessage& message,
               const Lanes& indices,
               const Lanes&,
               Lanes* out) noexcept {
    const ShaderInputs& in = *static_cast<const TestDraw&>(*warp.draw).shader_inputs;
    for (unsigned l = 0; l < kLanes; ++l) {
        if ((warp.running >> l & 1) == 0)
            continue;
        const uint32_t target = indices.v[l] >> 8 & 0xFF;
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = target < in.framebuffer.size() ? in.framebuffer[target][l][c] : 0;
    }
}

exec::Environment make_environment() {
    exec::Environment environment{};
    set_resource_routines(environment);
    valhall::set_capture_routines(environment);
    environment.tile_load = load_tile;
    return environment;
}

std::string faults_text(const std::vector<valhall::RunFault>& faults) {
    std::string text;
    for (const valhall::RunFault& fault : faults)
        text += "word " + std::to_string(fault.word_index) + ": " + fault.text + "\n";
    return text;
}

/// FAU words by the program's recipe; `results`: registers at the prologue's end.
std::vector<uint32_t> fau_words(const valhall::Program& program,
                                const ShaderInputs& in,
                                Memory& memory,
                                std::span<const Lanes> results = {}) {
    const auto constant = [&](uint32_t buffer, uint32_t word) {
        const bool inside = buffer < in.constants.size() && word < in.constants[buffer].size();
        return inside ? in.constants[buffer][word] : 0;
    };
    const auto driver = [&](exec::DriverValue value, uint8_t unit) {
        if (value >= exec::DriverValue::GridSizeX && value <= exec::DriverValue::GridSizeZ)
            return in.groups.grid[static_cast<size_t>(value) -
                                  static_cast<size_t>(exec::DriverValue::GridSizeX)];
        return driver_word(value, unit, memory);
    };
    return valhall::uniform_words(program, {constant, driver, results});
}

/// Runs the uniform prologue with one lane.
std::vector<Lanes>
run_prologue(const valhall::Program& program, const ShaderInputs& in, Memory& memory) {
    std::vector<Lanes> registers(exec::kRegisters);
    const std::vector<uint32_t> words = fau_words(program, in, memory);
    auto interpreter = valhall::Interpreter::create(
        program, {.hazards = true, .step_limit = kStepLimit, .on_step = {}});
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
    REQUIRE_MESSAGE(faults.empty(), "prologue ", faults_text(faults),
                    valhall::list_program(program));
    return registers;
}

/// State that all stages need.
struct Machine {
    explicit Machine(const valhall::Program& own)
        : program(own) {}

    const valhall::Program& program;
    std::vector<uint32_t> fau;
    std::vector<exec::BufferDescriptor> constant_buffers;
    std::vector<std::vector<uint32_t>> constants;
    std::array<exec::AttributeDescriptor, exec::kMaxAttributes> attributes;
    std::vector<uint8_t> tls;
    exec::Environment environment = make_environment();
    TestDraw draw;
    exec::FragmentKey fragment_key;
    exec::VertexKey vertex_key;

    void prepare(const tgsi::Shader& shader, const ShaderInputs& in, Memory& memory) {
        valhall::bind_program(draw, shader, program);
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
        // Thread-local storage starts with garbage, since programs must not rely on its content.
        tls.assign(size_t{kLanes} * program.info.tls_bytes * warps_of(in.groups) + 64, 0xA5);
        draw.shader_inputs = &in;
        draw.inputs = in.inputs;
        for (uint32_t lane = 0; lane < kLanes; ++lane)
            draw.vertex_ids[lane] = in.vertex_base + lane;
        const auto all_lanes = [](float value) {
            exec::Lanes lanes;
            std::ranges::fill(lanes.v, as_bits(value));
            return lanes;
        };
        draw.point_coordinate = {all_lanes(0.25F), all_lanes(0.75F)};
        draw.fragment_z = all_lanes(0.5F);
        draw.fragment_w = all_lanes(2.0F);
        draw.fau = fau.data();
        draw.environment = &environment;
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

/// Runs one warp; `run` takes the call.
template <typename Call, typename Run>
void run_call(Machine& machine, Call& call, const Run& run) {
    call.draw = &machine.draw;
    call.tls = machine.tls_base();
    run(call);
}

template <typename Run>
void run_fragment(Machine& machine,
                  const tgsi::Shader& shader,
                  const ShaderInputs& in,
                  const Run& run,
                  ShaderOutputs& out) {
    machine.draw.key = &machine.fragment_key;
    exec::PrimitiveSetup primitive;
    primitive.flags = in.back_facing ? 1 : 0;
    primitive.primitive_id = in.primitive_id;
    const exec::BlockRef block{0, in.covered};
    exec::FragmentCall call;
    call.primitive = &primitive;
    call.blocks = &block;
    call.block_count = 1;
    run_call(machine, call, run);
    valhall::read_fragment_outputs(shader, machine.draw, out.outputs);
    for (unsigned l = 0; l < kLanes; ++l)
        if ((in.covered >> l & 1) != 0 && machine.draw.coverage[l] == 0)
            out.killed |= static_cast<uint16_t>(1U << l);
}

template <typename Run>
void run_vertex(Machine& machine,
                const tgsi::Shader& shader,
                const ShaderInputs& in,
                const Run& run,
                ShaderOutputs& out) {
    machine.draw.key = &machine.vertex_key;
    const exec::ProgramInfo& info = machine.program.info;
    const uint32_t stride = exec::record_stride(info.varying_slot_count);
    std::vector<uint8_t> records(size_t{stride} * kLanes, 0xCD);
    std::array<uint32_t, kLanes> ids{};
    for (unsigned l = 0; l < kLanes; ++l)
        ids[l] = in.vertex_base + l;
    exec::VertexCall call;
    call.vertex_ids = ids.data();
    call.records = records.data();
    call.record_stride = stride;
    call.count = kLanes;
    call.instance_id = in.instance_id;
    run_call(machine, call, run);
    valhall::read_vertex_outputs(shader, info, records, out.outputs);
}

/// Runs a vertex or fragment program.
template <typename Run>
void run_warp(Machine& machine,
              const tgsi::Shader& shader,
              const ShaderInputs& in,
              const Run& run,
              ShaderOutputs& out) {
    if (machine.program.info.stage == exec::Stage::Fragment)
        run_fragment(machine, shader, in, run, out);
    else
        run_vertex(machine, shader, in, run, out);
}

void run_groups(Machine& machine,
                const ShaderInputs& in,
                const GroupEngine& engine,
                ShaderOutputs& out) {
    exec::ComputeCall call;
    call.draw = &machine.draw;
    call.tls = machine.tls_base();
    GroupMemory groups(in.groups);
    groups.run(call, engine);
    out.shared = groups.shared();
}

void run_compute(Machine& machine,
                 const ShaderInputs& in,
                 const valhall::Interpreter& interpreter,
                 ShaderOutputs& out) {
    std::vector<valhall::RunFault> faults;
    run_groups(
        machine, in, [&](exec::ComputeCall& call) { interpreter.run(call, &faults); }, out);
    out.failure = faults_text(faults);
}

/// The ways to recompile a program: its operations on doubles as those of the host, and as words.
std::vector<jit::RecompileOptions> ways_of(const valhall::Program& program) {
    std::vector<jit::RecompileOptions> ways(1);
    if (!program.double_ranges.empty()) {
        ways.emplace_back();
        ways.back().host_doubles = false;
    }
    return ways;
}

std::string engine_name(const jit::Recompiler& recompiler, const jit::RecompileOptions& way) {
    return std::string(jit::host_level_name(recompiler.level())) +
           (way.host_doubles ? "" : " without host doubles");
}

/// Runs the groups as recompiled code of every host level, unless that is refused. The memory must
/// then be that of the interpreter.
void compare_recompiled(const tgsi::Shader& shader,
                        const ShaderInputs& in,
                        const valhall::Program& program,
                        ShaderOutputs& out) {
    for (const auto& recompiler : recompilers())
        for (const jit::RecompileOptions& way : ways_of(program)) {
            const auto kernel = recompiler->recompile(program, {}, way);
            if (!kernel) {
                CHECK(kernel.error().code == Errc::Unsupported);
                out.refusal = kernel.error().text;
                return;
            }
            ShaderOutputs own;
            own.memory = in.memory;
            Machine machine(program);
            machine.prepare(shader, in, own.memory);
            run_groups(
                machine, in, [&](exec::ComputeCall& call) { (*kernel)->entry()(call); }, own);
            count_warps(recompiler->level(), warps_of(in.groups));
            if (own.shared != out.shared || !(own.memory == out.memory))
                out.failure = engine_name(*recompiler, way) + " differs from the interpreter\n" +
                              compare_outputs(out, own);
        }
    if (out.failure.empty() && !recompilers().empty())
        out.failure = emission_failure(program, {});
}

/// Whether drawn lanes have the same bits in all components that are defined.
bool same_bits(const tgsi::Shader& shader, const ShaderOutputs& a, const ShaderOutputs& b) {
    if (a.killed != b.killed || !(a.memory == b.memory))
        return false;
    const std::vector<uint8_t> masks = output_masks(shader);
    for (size_t i = 0; i < a.outputs.size(); ++i)
        for (unsigned l = 0; l < kLanes; ++l)
            for (unsigned c = 0; c < 4; ++c)
                if (((a.covered & ~a.killed) >> l & 1) != 0 && (masks[i] >> c & 1) != 0 &&
                    a.outputs[i][l][c] != b.outputs[i][l][c])
                    return false;
    return true;
}

/// Runs a warp as recompiled code of every host level, its messages by routine. The outputs must be
/// those of the interpreter.
void compare_recompiled_warp(const tgsi::Shader& shader,
                             const ShaderInputs& in,
                             const valhall::Program& program,
                             ShaderOutputs& out) {
    jit::KernelKey key;
    const exec::VertexKey vertex_key;
    exec::FragmentKey fragment_key;
    for (exec::BlendKey& blend : fragment_key.blend)
        blend.format = exec::Format::R32G32B32A32_UINT;  // shows all bits of colours
    if (program.info.stage == exec::Stage::Fragment)
        key.fragment = &fragment_key;
    else
        key.vertex = &vertex_key;
    for (const auto& recompiler : recompilers())
        for (jit::RecompileOptions& way : ways_of(program)) {
            way.inline_messages = false;
            const auto kernel = recompiler->recompile(program, key, way);
            REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
            ShaderOutputs own;
            own.outputs.resize(out.outputs.size());
            own.memory = in.memory;
            Machine machine(program);
            machine.prepare(shader, in, own.memory);
            run_warp(
                machine, shader, in, [&](auto& call) { (*kernel)->entry()(call); }, own);
            count_warps(recompiler->level(), 1);
            if (!same_bits(shader, out, own))
                out.failure = engine_name(*recompiler, way) + " differs from the interpreter\n" +
                              compare_outputs(out, own);
        }
    if (out.failure.empty() && !recompilers().empty())
        out.failure = emission_failure(program, key);
}

}  // namespace

ShaderOutputs run_valhall(const tgsi::Shader& shader,
                          const ShaderInputs& in,
                          const valhall::CompileOptions& options) {
    ShaderOutputs out;
    out.outputs.resize(valhall::register_count(shader, tgsi::File::Output));
    valhall::CompileOptions own = options;
    own.shared_bytes = in.groups.shared_bytes;
    auto program = valhall::compile(shader, own);
    if (!program) {
        out.failure = program.error().format("compile");
        return out;
    }
    for (const valhall::Diagnostic& diagnostic : valhall::validate(*program))
        out.failure += valhall::format_diagnostic(diagnostic, *program) + "\n";
    DoubleChecker doubles(*program);
    valhall::InterpreterOptions watched{.hazards = true, .step_limit = kStepLimit, .on_step = {}};
    if (doubles.needed())
        watched.on_step = [&](const valhall::StepEvent& event) { doubles.step(event); };
    auto interpreter = valhall::Interpreter::create(*program, watched);
    if (!interpreter) {
        out.failure += interpreter.error().format("valhall");
        return out;
    }
    if (!out.failure.empty()) {
        out.failure += valhall::list_program(*program);
        return out;
    }
    Machine machine(*program);
    out.memory = in.memory;
    machine.prepare(shader, in, out.memory);
    if (machine.program.info.stage == exec::Stage::Compute) {
        run_compute(machine, in, *interpreter, out);
        if (out.failure.empty())
            compare_recompiled(shader, in, machine.program, out);
    } else {
        std::vector<valhall::RunFault> faults;
        run_warp(
            machine, shader, in, [&](auto& call) { interpreter->run(call, &faults); }, out);
        out.failure = faults_text(faults);
        if (out.failure.empty() && doubles.needed() &&
            machine.program.info.stage != exec::Stage::Geometry)
            compare_recompiled_warp(shader, in, machine.program, out);
    }
    out.failure += doubles.failure();
    if (!out.failure.empty())
        out.failure += valhall::list_program(machine.program);
    return out;
}

}  // namespace valkyr::test
