// Eval program: runs a compiled shader on the inputs of `valkyr eval`.
// SPDX-License-Identifier: MIT
#include "app/eval/eval_program.hpp"

#include "app/debug/session/patch_records.hpp"
#include "app/debug/session/race_run.hpp"
#include "app/debug/shader/shader_case.hpp"
#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace valkyr::app {

namespace {

Result<void> outcome_of(const std::vector<valhall::RunFault>& faults) {
    if (faults.empty())
        return {};
    return Error{Errc::OutOfRange,
                 {},
                 "word " + std::to_string(faults.front().word_index) + ": " + faults.front().text};
}

/// A kernel of either engine, with the objects that it needs.
struct EvalEngine {
    std::unique_ptr<jit::Recompiler> recompiler;
    std::unique_ptr<jit::CompiledKernel> compiled;
    std::optional<valhall::Interpreter> interpreter;
    std::vector<valhall::RunFault> faults;
    exec::Stage stage = exec::Stage::Compute;

    [[nodiscard]] debug::Engine engine() {
        return compiled ? debug::kernel_engine(compiled->entry())
                        : debug::interpreter_engine(*interpreter, stage, &faults);
    }
    [[nodiscard]] Result<void> outcome() const { return outcome_of(faults); }
};

Result<EvalEngine> make_engine(const valhall::Program& program,
                               const CompiledRun& request,
                               const jit::KernelKey& key) {
    EvalEngine engine;
    engine.stage = program.info.stage;
    if (request.engine == "valhall") {
        VALKYR_TRY(interpreter,
                   valhall::Interpreter::create(
                       program, {.hazards = false, .step_limit = request.steps, .on_step = {}}));
        engine.interpreter = std::move(interpreter);
        return engine;
    }
    VALKYR_TRY(recompiler, jit::Recompiler::create(jit::best_host_level()));
    jit::RecompileOptions options;
    options.inline_messages = false;
    VALKYR_TRY(kernel, recompiler->recompile(program, key, options));
    engine.recompiler = std::move(recompiler);
    engine.compiled = std::move(kernel);
    return engine;
}

std::vector<valhall::RegisterLanes>
read_outputs(const tgsi::Shader& shader, const debug::WarpCase& warp, debug::WarpResult& result) {
    std::vector<valhall::RegisterLanes> outputs(
        valhall::register_count(shader, tgsi::File::Output));
    if (warp.stage() == exec::Stage::Fragment)
        valhall::read_fragment_outputs(shader, result.draw, outputs);
    else if (warp.stage() == exec::Stage::Vertex)
        valhall::read_vertex_outputs(shader, warp.program->info, result.parts.front().bytes,
                                     outputs);
    return outputs;
}

/// Reads the emissions of each lane. The begin of a strip implies the end of the one before.
void read_emissions(const tgsi::Shader& shader,
                    const debug::WarpCase& warp,
                    const debug::WarpResult& result,
                    tgsi::Group& group) {
    const std::span<const uint8_t> bytes = result.parts.front().bytes;
    const size_t stride = warp.stride();
    const uint32_t records = warp.lane_records();
    const auto emission = [&](std::span<const uint8_t> record) {
        uint32_t word = 0;
        std::memcpy(&word, record.data() + offsetof(exec::VertexRecord, emission), sizeof(word));
        return word;
    };
    std::vector<valhall::RegisterLanes> outputs(
        valhall::register_count(shader, tgsi::File::Output));
    for (uint32_t l = 0; l < warp.count; ++l) {
        const auto record = [&](uint32_t v) {
            return bytes.subspan(stride * (size_t{l} * records + v), stride);
        };
        auto& emissions = group.invocations[l].emissions;
        emissions.clear();
        std::array<bool, exec::kMaxStreams> begun{};
        const uint32_t count = std::min(emission(record(records - 1)), records - 1);
        for (uint32_t v = 0; v < count; ++v) {
            const uint32_t word = emission(record(v));
            const uint32_t stream = word & exec::kEmissionStream;
            if (begun[stream] && (word & exec::kEmissionBegins) != 0)
                emissions.push_back({true, stream, {}});
            begun[stream] = true;
            valhall::read_vertex_outputs(shader, warp.program->info, record(v), outputs);
            tgsi::Emission made{false, stream, {}};
            for (const valhall::RegisterLanes& value : outputs)
                made.outputs.push_back(value[0]);
            emissions.push_back(std::move(made));
        }
    }
}

/// Compiles the shader, and prepares a warp or work-group of it.
Result<std::unique_ptr<debug::WarpCase>>
make_case(const tgsi::Shader& shader, const CompiledRun& request, const tgsi::Group& group) {
    const debug::WorkGroup* const place = request.place;
    valhall::CompileOptions compiling;
    compiling.shared_bytes = place != nullptr ? place->shared_bytes : 0;
    VALKYR_TRY(program, valhall::compile(shader, compiling));
    const auto run_prologue = [&](const valhall::Program& prologue,
                                  exec::ComputeCall& call) -> Result<void> {
        VALKYR_TRY(made, make_engine(prologue, request, {}));
        made.engine()(&call);
        return made.outcome();
    };
    return debug::make_shader_case(shader,
                                   std::make_shared<const valhall::Program>(std::move(program)),
                                   group, run_prologue, place, request.textures);
}

void take_memory(const debug::WarpResult& result, tgsi::Group& group) {
    std::ranges::copy(result.parts.front().bytes, group.shared.begin());
    for (size_t n = 0; n < group.buffers.size(); ++n)
        std::ranges::copy(result.parts[1 + n].bytes, group.buffers[n].begin());
}

}  // namespace

Result<GroupRaces> run_race_check(const tgsi::Shader& shader,
                                  uint64_t steps,
                                  tgsi::Group& group,
                                  const debug::WorkGroup& place,
                                  const std::string& name) {
    CompiledRun request;
    request.engine = "valhall";
    request.steps = steps;
    request.place = &place;
    VALKYR_TRY(warp, make_case(shader, request, group));
    VALKYR_TRY(run, debug::run_race_check(*warp, steps));
    VALKYR_TRY_VOID(outcome_of(run.faults));
    take_memory(run.result, group);
    return GroupRaces{!run.races.empty(), debug::races_text(run.races, *warp, name, false)};
}

Result<void> run_compiled(const tgsi::Shader& shader, const CompiledRun& run, tgsi::Group& group) {
    const debug::WorkGroup* const place = run.place;
    const bool control = shader.stage == tgsi::Stage::TessCtrl;
    if (place == nullptr && !control && group.invocations.size() > exec::kLanes)
        return Error{Errc::Unsupported, {}, "engine " + run.engine + ": more than 16 lanes"};
    VALKYR_TRY(warp, make_case(shader, run, group));
    jit::KernelKey key = warp->key();
    key.strict_nan = false;
    VALKYR_TRY(kernel, make_engine(*warp->program, run, key));
    debug::WarpResult result = debug::run_warp(*warp, kernel.engine());
    VALKYR_TRY_VOID(kernel.outcome());
    if (place != nullptr) {
        take_memory(result, group);
        return {};
    }
    if (warp->patches) {
        debug::read_patch(*warp, shader, result, group);
        return {};
    }
    if (warp->stage() == exec::Stage::Geometry)
        read_emissions(shader, *warp, result, group);
    const std::vector<valhall::RegisterLanes> outputs = read_outputs(shader, *warp, result);
    for (uint32_t l = 0; l < warp->count; ++l) {
        auto& lane = group.invocations[l];
        lane.killed = warp->stage() == exec::Stage::Fragment && result.draw.coverage[l] == 0;
        lane.outputs.clear();
        for (const valhall::RegisterLanes& value : outputs)
            lane.outputs.push_back(value[l]);
    }
    return {};
}

}  // namespace valkyr::app
