// Scene files: statements, one function each.
// SPDX-License-Identifier: MIT
#include "app/conform/parser.hpp"

#include "app/conform/scene_builder.hpp"

namespace valkyr::conform {
namespace {

using Statement = void (*)(SceneBuilder&, Arguments&);
struct StatementRow {
    std::string_view name;
    Statement run;
};

constexpr StatementRow kStatements[] = {
    {"title", [](SceneBuilder& b, Arguments& a) { b.title(a); }},
    {"tolerance", [](SceneBuilder& b, Arguments& a) { b.tolerance(a); }},
    {"size", [](SceneBuilder& b, Arguments& a) { b.size(a); }},
    {"color", [](SceneBuilder& b, Arguments& a) { b.color(a); }},
    {"depth", [](SceneBuilder& b, Arguments& a) { b.depth(a); }},
    {"framebuffer", [](SceneBuilder& b, Arguments& a) { b.framebuffer(a); }},
    {"show", [](SceneBuilder& b, Arguments& a) { b.show(a); }},
    {"texture", [](SceneBuilder& b, Arguments& a) { b.texture(a); }},
    {"fill", [](SceneBuilder& b, Arguments& a) { b.fill(a); }},
    {"vertices", [](SceneBuilder& b, Arguments& a) { b.vertices(a); }},
    {"vertex_buffer", [](SceneBuilder& b, Arguments& a) { b.vertex_buffer(a); }},
    {"attribute", [](SceneBuilder& b, Arguments& a) { b.attribute(a); }},
    {"indices", [](SceneBuilder& b, Arguments& a) { b.indices(a); }},
    {"stream", [](SceneBuilder& b, Arguments& a) { b.stream(a); }},
    {"capture", [](SceneBuilder& b, Arguments& a) { b.capture(a); }},
    {"buffer", [](SceneBuilder& b, Arguments& a) { b.buffer(a); }},
    {"viewport_at", [](SceneBuilder& b, Arguments& a) { b.viewport_at(a); }},
    {"scissor_at", [](SceneBuilder& b, Arguments& a) { b.scissor_at(a); }},
    {"polygon_stipple", [](SceneBuilder& b, Arguments& a) { b.polygon_stipple(a); }},
    {"set", [](SceneBuilder& b, Arguments& a) { b.set(a); }},
    {"clear", [](SceneBuilder& b, Arguments& a) { b.clear(a); }},
    {"draw", [](SceneBuilder& b, Arguments& a) { b.draw(a); }},
    {"draw_indirect", [](SceneBuilder& b, Arguments& a) { b.draw_indirect(a); }},
    {"dispatch", [](SceneBuilder& b, Arguments& a) { b.dispatch(a); }},
    {"dispatch_indirect", [](SceneBuilder& b, Arguments& a) { b.dispatch_indirect(a); }},
    {"blit", [](SceneBuilder& b, Arguments& a) { b.blit(a); }},
};

/// A statement for the shader or bindings of a stage. Its name follows the stage's prefix.
using StageStatement = void (SceneBuilder::*)(Arguments&, StageNames&);
struct StageStatementRow {
    std::string_view name;
    StageStatement run;
};
constexpr StageStatementRow kStageStatements[] = {
    {"shader", &SceneBuilder::shader},   {"constants", &SceneBuilder::constants},
    {"bind", &SceneBuilder::bind},       {"bind_buffer", &SceneBuilder::bind_buffer},
    {"sampler", &SceneBuilder::sampler}, {"image", &SceneBuilder::image},
    {"storage", &SceneBuilder::storage}, {"counters", &SceneBuilder::counters},
};

struct StagePrefix {
    std::string_view prefix;
    StageNames& (*stage)(SceneBuilder& builder);
};
constexpr StagePrefix kStagePrefixes[] = {
    {"vertex_", [](SceneBuilder& b) -> StageNames& { return b.stage(DrawStage::Vertex); }},
    {"tess_control_",
     [](SceneBuilder& b) -> StageNames& { return b.stage(DrawStage::TessControl); }},
    {"tess_evaluation_",
     [](SceneBuilder& b) -> StageNames& { return b.stage(DrawStage::TessEvaluation); }},
    {"geometry_", [](SceneBuilder& b) -> StageNames& { return b.stage(DrawStage::Geometry); }},
    {"compute_", [](SceneBuilder& b) -> StageNames& { return b.compute(); }},
};
/// Bindings without a prefix are those of the fragment shader; its shader has one.
constexpr StagePrefix kFragment{
    "", [](SceneBuilder& b) -> StageNames& { return b.stage(DrawStage::Fragment); }};

bool run_stage_statement(std::string_view name,
                         const StagePrefix& stage,
                         SceneBuilder& builder,
                         Arguments& arguments) {
    if (!name.starts_with(stage.prefix))
        return false;
    name.remove_prefix(stage.prefix.size());
    for (const StageStatementRow& row : kStageStatements) {
        if (row.name != name)
            continue;
        (builder.*row.run)(arguments, stage.stage(builder));
        return true;
    }
    return false;
}

/// Returns whether there is a statement of that name.
bool run_statement(std::string_view name, SceneBuilder& builder, Arguments& arguments) {
    for (const StatementRow& row : kStatements) {
        if (row.name != name)
            continue;
        row.run(builder, arguments);
        return true;
    }
    for (const StagePrefix& stage : kStagePrefixes)
        if (run_stage_statement(name, stage, builder, arguments))
            return true;
    if (name == "fragment_shader")
        return run_stage_statement("shader", kFragment, builder, arguments);
    return name != "shader" && run_stage_statement(name, kFragment, builder, arguments);
}

}  // namespace

ParsedCase parse_case(std::string_view text, const LoadFile& load) {
    ParsedCase result;
    Diagnostics diagnostics;
    if (text.size() > kMaxSceneBytes) {
        diagnostics.add({}, "a scene file has at most 1 MiB");
        result.errors = diagnostics.errors();
        return result;
    }
    LineReader lines(text);
    SceneBuilder builder(lines, diagnostics, load);
    while (!diagnostics.full()) {
        std::vector<Word> words = lines.next_line();
        if (words.empty())
            break;
        const Word name = words.front();
        words.erase(words.begin());
        Arguments arguments(words, name.pos, diagnostics);
        if (!run_statement(name.text, builder, arguments)) {
            arguments.error(name.pos, "unknown statement '" + std::string(name.text) + "'");
            // Skips the block that probably belongs to the unknown statement.
            if (!words.empty() && words.back().text == "{")
                static_cast<void>(lines.block());
            continue;
        }
        arguments.finish();
    }
    result.scene = builder.finish();
    result.errors = diagnostics.errors();
    return result;
}

}  // namespace valkyr::conform
