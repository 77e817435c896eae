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
    {"bind", [](SceneBuilder& b, Arguments& a) { b.bind(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_bind", [](SceneBuilder& b, Arguments& a) { b.bind(a, b.stage(DrawStage::Vertex)); }},
    {"sampler", [](SceneBuilder& b, Arguments& a) { b.sampler(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_sampler",
     [](SceneBuilder& b, Arguments& a) { b.sampler(a, b.stage(DrawStage::Vertex)); }},
    {"vertex_shader",
     [](SceneBuilder& b, Arguments& a) { b.shader(a, b.stage(DrawStage::Vertex)); }},
    {"fragment_shader",
     [](SceneBuilder& b, Arguments& a) { b.shader(a, b.stage(DrawStage::Fragment)); }},
    {"constants",
     [](SceneBuilder& b, Arguments& a) { b.constants(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_constants",
     [](SceneBuilder& b, Arguments& a) { b.constants(a, b.stage(DrawStage::Vertex)); }},
    {"vertices", [](SceneBuilder& b, Arguments& a) { b.vertices(a); }},
    {"vertex_buffer", [](SceneBuilder& b, Arguments& a) { b.vertex_buffer(a); }},
    {"attribute", [](SceneBuilder& b, Arguments& a) { b.attribute(a); }},
    {"indices", [](SceneBuilder& b, Arguments& a) { b.indices(a); }},
    {"buffer", [](SceneBuilder& b, Arguments& a) { b.buffer(a); }},
    {"storage", [](SceneBuilder& b, Arguments& a) { b.storage(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_storage",
     [](SceneBuilder& b, Arguments& a) { b.storage(a, b.stage(DrawStage::Vertex)); }},
    {"counters",
     [](SceneBuilder& b, Arguments& a) { b.counters(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_counters",
     [](SceneBuilder& b, Arguments& a) { b.counters(a, b.stage(DrawStage::Vertex)); }},
    {"bind_buffer",
     [](SceneBuilder& b, Arguments& a) { b.bind_buffer(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_bind_buffer",
     [](SceneBuilder& b, Arguments& a) { b.bind_buffer(a, b.stage(DrawStage::Vertex)); }},
    {"image", [](SceneBuilder& b, Arguments& a) { b.image(a, b.stage(DrawStage::Fragment)); }},
    {"vertex_image", [](SceneBuilder& b, Arguments& a) { b.image(a, b.stage(DrawStage::Vertex)); }},
    {"geometry_bind",
     [](SceneBuilder& b, Arguments& a) { b.bind(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_sampler",
     [](SceneBuilder& b, Arguments& a) { b.sampler(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_shader",
     [](SceneBuilder& b, Arguments& a) { b.shader(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_constants",
     [](SceneBuilder& b, Arguments& a) { b.constants(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_storage",
     [](SceneBuilder& b, Arguments& a) { b.storage(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_counters",
     [](SceneBuilder& b, Arguments& a) { b.counters(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_bind_buffer",
     [](SceneBuilder& b, Arguments& a) { b.bind_buffer(a, b.stage(DrawStage::Geometry)); }},
    {"geometry_image",
     [](SceneBuilder& b, Arguments& a) { b.image(a, b.stage(DrawStage::Geometry)); }},
    {"compute_shader", [](SceneBuilder& b, Arguments& a) { b.shader(a, b.compute()); }},
    {"compute_constants", [](SceneBuilder& b, Arguments& a) { b.constants(a, b.compute()); }},
    {"compute_storage", [](SceneBuilder& b, Arguments& a) { b.storage(a, b.compute()); }},
    {"compute_counters", [](SceneBuilder& b, Arguments& a) { b.counters(a, b.compute()); }},
    {"compute_bind", [](SceneBuilder& b, Arguments& a) { b.bind(a, b.compute()); }},
    {"compute_bind_buffer", [](SceneBuilder& b, Arguments& a) { b.bind_buffer(a, b.compute()); }},
    {"compute_sampler", [](SceneBuilder& b, Arguments& a) { b.sampler(a, b.compute()); }},
    {"compute_image", [](SceneBuilder& b, Arguments& a) { b.image(a, b.compute()); }},
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

const StatementRow* find_statement(std::string_view name) {
    for (const StatementRow& row : kStatements)
        if (row.name == name)
            return &row;
    return nullptr;
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
        const StatementRow* row = find_statement(name.text);
        words.erase(words.begin());
        Arguments arguments(words, name.pos, diagnostics);
        if (row == nullptr) {
            arguments.error(name.pos, "unknown statement '" + std::string(name.text) + "'");
            // Skips the block that probably belongs to the unknown statement.
            if (!words.empty() && words.back().text == "{")
                static_cast<void>(lines.block());
            continue;
        }
        row->run(builder, arguments);
        arguments.finish();
    }
    result.scene = builder.finish();
    result.errors = diagnostics.errors();
    return result;
}

}  // namespace valkyr::conform
