// Shader runner: runs groups of lanes through tgsi::Interpreter.
// SPDX-License-Identifier: MIT
#include "tests/oracle/shader_runner.hpp"

#include "tests/oracle/bound_images.hpp"
#include "tests/oracle/bound_textures.hpp"

#include <utility>

namespace valkyr::reference {

ShaderRunner::ShaderRunner(tgsi::Interpreter interpreter)
    : interpreter_(std::move(interpreter)) {}
ShaderRunner::~ShaderRunner() = default;

Result<std::unique_ptr<ShaderRunner>> ShaderRunner::create(const tgsi::Shader& shader,
                                                           const raster::StageResources& resources,
                                                           uint32_t samples) {
    VALKYR_TRY(interpreter, tgsi::Interpreter::create(shader));
    VALKYR_TRY(textures, bind_textures(resources.textures, resources.samplers));
    std::unique_ptr<ShaderRunner> runner(new ShaderRunner(std::move(interpreter)));
    runner->textures_ = std::move(textures);
    runner->group_.textures = runner->textures_.get();
    runner->group_.samples = samples;
    for (const std::vector<uint32_t>& words : resources.constants)
        runner->group_.constants.emplace_back(words);
    VALKYR_TRY(images, bind_images(resources.images));
    runner->images_ = std::move(images);
    runner->group_.images = runner->images_.get();
    for (const raster::BufferRange& range : resources.storage)
        runner->group_.buffers.push_back(bytes_of(range));
    for (const raster::BufferRange& range : resources.counters) {
        const std::span<uint8_t> bytes = bytes_of(range);
        runner->group_.counters.emplace_back(reinterpret_cast<uint32_t*>(bytes.data()),
                                             bytes.size() / 4);
    }
    return runner;
}

void ShaderRunner::run(std::vector<tgsi::Invocation>& lanes, tgsi::Interpolator* interpolator) {
    group_.invocations.swap(lanes);
    group_.interpolator = interpolator;
    const Result<void> result = interpreter_.run(group_);
    group_.invocations.swap(lanes);
    if (!result && !error_)
        error_ = result.error();
    for (tgsi::Invocation& lane : lanes)
        lane.outputs.resize(interpreter_.output_count());
}

void ShaderRunner::run(std::vector<tgsi::Invocation>& lanes,
                       std::vector<std::vector<tgsi::Word4>> vertices) {
    group_.vertex_inputs = std::move(vertices);
    run(lanes);
    for (tgsi::Invocation& lane : lanes)
        for (tgsi::Emission& emission : lane.emissions)
            if (!emission.ends_primitive)
                emission.outputs.resize(interpreter_.output_count());
}

ControlOutputs ShaderRunner::run_control(std::vector<tgsi::Invocation>& lanes,
                                         std::vector<std::vector<tgsi::Word4>> vertices) {
    run(lanes, std::move(vertices));
    ControlOutputs made{std::move(group_.vertex_outputs), std::move(group_.patch_outputs)};
    made.vertices.resize(lanes.size());
    for (std::vector<tgsi::Word4>& vertex : made.vertices)
        vertex.resize(interpreter_.output_count());
    made.patch.resize(interpreter_.output_count());
    return made;
}

void ShaderRunner::run_group(std::vector<tgsi::Invocation>& lanes, std::span<uint8_t> shared) {
    group_.shared = shared;
    run(lanes);
}

}  // namespace valkyr::reference
