// Verifier: checks declarations and properties.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/rules/verifier_p.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace valkyr::tgsi {

namespace {

std::string register_name(const Declaration& decl) {
    return std::string(name_of(decl.file)) + '[' + std::to_string(decl.first) + ']';
}

/// Whether two declarations give the register that they share the same meaning.
bool agree(const Declaration& a, const Declaration& b) {
    return a.has_semantic && b.has_semantic && a.semantic == b.semantic &&
           int64_t{a.semantic_index} - a.first == int64_t{b.semantic_index} - b.first;
}

/// D1. Ranges are sorted; a range that starts before the farthest end so far overlaps. Mesa
/// declares the components of one register separately, and repeats the declaration of a varying
/// that overlaps another one.
void verify_overlaps(const DeclaredRegisters& declared, ErrorList& errors) {
    for (size_t file = 0; file < kFileCount; ++file) {
        const auto& ranges = declared.ranges(static_cast<File>(file));
        const DeclaredRange* before = nullptr;
        for (const DeclaredRange& range : ranges) {
            const bool overlaps =
                before != nullptr && before->outer == range.outer && range.first <= before->last;
            const bool apart = overlaps && (before->decl->usage_mask & range.decl->usage_mask) == 0;
            if (overlaps && !apart && !agree(*before->decl, *range.decl))
                errors.add(range.decl->pos, register_name(*range.decl) + " is declared twice");
            if (!overlaps || range.last > before->last)
                before = &range;
        }
    }
}

/// D2
void verify_arrays(const Shader& shader, ErrorList& errors) {
    std::set<std::pair<File, uint32_t>> seen;
    for (const Declaration& decl : shader.declarations)
        if (decl.array_id != 0 && !seen.insert({decl.file, decl.array_id}).second)
            errors.add(decl.pos, "second ARRAY(" + std::to_string(decl.array_id) + ") of " +
                                     std::string(name_of(decl.file)));
}

bool is_system_value(Semantic semantic) {
    switch (semantic) {
    case Semantic::Position:
    case Semantic::Face:
    case Semantic::PCoord:
    case Semantic::PrimId:
    case Semantic::InstanceId:
    case Semantic::VertexId:
    case Semantic::GridSize:
    case Semantic::BlockId:
    case Semantic::BlockSize:
    case Semantic::ThreadId:
    case Semantic::SampleId:
    case Semantic::SamplePos:
    case Semantic::SampleMask:
    case Semantic::InvocationId:
    case Semantic::VertexIdNoBase:
    case Semantic::BaseVertex:
    case Semantic::TessCoord:
    case Semantic::TessOuter:
    case Semantic::TessInner:
    case Semantic::VerticesIn:
    case Semantic::HelperInvocation:
    case Semantic::BaseInstance:
    case Semantic::DrawId:
    case Semantic::WorkDim:
    case Semantic::SubgroupSize:
    case Semantic::SubgroupInvocation:
    case Semantic::SubgroupEqMask:
    case Semantic::SubgroupGeMask:
    case Semantic::SubgroupGtMask:
    case Semantic::SubgroupLeMask:
    case Semantic::SubgroupLtMask:
    case Semantic::CsUserDataAmd:
    case Semantic::TessDefaultOuterLevel:
    case Semantic::TessDefaultInnerLevel:
    case Semantic::Layer:
    case Semantic::ViewportIndex: return true;
    default: return false;
    }
}

bool is_fragment_output(Semantic semantic) {
    return semantic == Semantic::Color || semantic == Semantic::Position ||
           semantic == Semantic::Stencil || semantic == Semantic::SampleMask;
}

/// Files whose registers carry semantics.
bool has_semantics(File file) {
    return file == File::Input || file == File::Output || file == File::SystemValue;
}

/// D3: a semantic is present and fits.
void verify_semantic(const Shader& shader, const Declaration& decl, ErrorList& errors) {
    const bool fragment = shader.stage == Stage::Fragment;
    const bool needed = decl.file == File::SystemValue ||
                        (fragment && (decl.file == File::Input || decl.file == File::Output));
    if (!decl.has_semantic) {
        if (needed)
            errors.add(decl.pos, register_name(decl) + " needs a semantic");
        return;
    }
    const std::string name(name_of(decl.semantic));
    if (!has_semantics(decl.file))
        errors.add(decl.pos, register_name(decl) + " cannot have the semantic " + name);
    else if (decl.file == File::SystemValue && !is_system_value(decl.semantic))
        errors.add(decl.pos, name + " is not a system value");
    else if (fragment && decl.file == File::Output && !is_fragment_output(decl.semantic))
        errors.add(decl.pos, name + " is not an output of fragment shaders");
}

/// D3: no two registers of a file have an equal semantic and index.
void verify_clashes(const Shader& shader, ErrorList& errors) {
    // (file, semantic, index) -> register and components that have it.
    std::map<std::tuple<File, Semantic, uint32_t>, std::pair<uint32_t, uint8_t>> seen;
    for (const Declaration& decl : shader.declarations) {
        if (!decl.has_semantic || !has_semantics(decl.file))
            continue;
        for (uint32_t i = decl.first; i <= decl.last; ++i) {
            const uint32_t index = decl.semantic_index + (i - decl.first);
            auto& [at, mask] = seen[{decl.file, decl.semantic, index}];
            if ((mask & decl.usage_mask) != 0 && at != i) {
                errors.add(decl.pos, "second " + std::string(name_of(decl.file)) + " with " +
                                         std::string(name_of(decl.semantic)) + '[' +
                                         std::to_string(index) + ']');
                break;
            }
            at = i;
            mask |= decl.usage_mask;
        }
    }
}

/// Semantics of whole patches: never per vertex.
bool is_patch_semantic(const Declaration& decl) {
    return decl.has_semantic &&
           (decl.semantic == Semantic::Patch || decl.semantic == Semantic::TessOuter ||
            decl.semantic == Semantic::TessInner || decl.semantic == Semantic::PrimId);
}

bool is_per_vertex(const Shader& shader, const Declaration& decl) {
    const Stage stage = shader.stage;
    if (decl.file == File::Output)
        return stage == Stage::TessCtrl && !is_patch_semantic(decl);
    if (decl.file != File::Input)
        return false;
    return stage == Stage::Geometry ||
           ((stage == Stage::TessCtrl || stage == Stage::TessEval) && !is_patch_semantic(decl));
}

/// D4
void verify_form(const Shader& shader, const Declaration& decl, ErrorList& errors) {
    const std::string name = register_name(decl);
    if (decl.per_vertex && !is_per_vertex(shader, decl))
        errors.add(decl.pos, name + " is not per vertex");
    if (!decl.per_vertex && is_per_vertex(shader, decl))
        errors.add(decl.pos, name + " is per vertex: \"[]\" is missing");
    const bool fragment_input = shader.stage == Stage::Fragment && decl.file == File::Input;
    if ((decl.has_interpolation || decl.location != Location::Center) && !fragment_input)
        errors.add(decl.pos, "interpolation of " + name + ", which is not a fragment input");
    if (decl.has_outer && decl.file != File::Constant && decl.file != File::HwAtomic)
        errors.add(decl.pos, name + " has two dimensions");
    if (decl.has_streams && (shader.stage != Stage::Geometry || decl.file != File::Output))
        errors.add(decl.pos, "STREAM of " + name + ", which is not a geometry output");
    if (decl.file == File::Immediate)
        errors.add(decl.pos, "IMM is not declared by DCL");
}

/// A property: which stage has it and how large it can be.
struct PropertyRow {
    std::string_view name;
    Stage stage;
    bool any_stage;
    uint32_t last;
};

// clang-format off
constexpr PropertyRow kProperties[] = {
    {"GS_INPUT_PRIMITIVE",         Stage::Geometry, false, 14},
    {"GS_OUTPUT_PRIMITIVE",        Stage::Geometry, false, 14},
    {"GS_MAX_OUTPUT_VERTICES",     Stage::Geometry, false, 65535},
    {"GS_INVOCATIONS",             Stage::Geometry, false, 127},
    {"FS_COORD_ORIGIN",            Stage::Fragment, false, 1},
    {"FS_COORD_PIXEL_CENTER",      Stage::Fragment, false, 1},
    {"FS_COLOR0_WRITES_ALL_CBUFS", Stage::Fragment, false, 1},
    {"FS_DEPTH_LAYOUT",            Stage::Fragment, false, 4},
    {"FS_EARLY_DEPTH_STENCIL",     Stage::Fragment, false, 1},
    {"FS_POST_DEPTH_COVERAGE",     Stage::Fragment, false, 1},
    {"FS_BLEND_EQUATION_ADVANCED", Stage::Fragment, false, UINT32_MAX},
    {"VS_PROHIBIT_UCPS",           Stage::Vertex,   true,  1},
    {"VS_WINDOW_SPACE_POSITION",   Stage::Vertex,   false, 1},
    {"VS_BLIT_SGPRS_AMD",          Stage::Vertex,   false, UINT32_MAX},
    {"TCS_VERTICES_OUT",           Stage::TessCtrl, false, 32},
    {"TES_PRIM_MODE",              Stage::TessEval, false, 14},
    {"TES_SPACING",                Stage::TessEval, false, 2},
    {"TES_VERTEX_ORDER_CW",        Stage::TessEval, false, 1},
    {"TES_POINT_MODE",             Stage::TessEval, false, 1},
    {"NUM_CLIPDIST_ENABLED",       Stage::Vertex,   true,  8},
    {"NUM_CULLDIST_ENABLED",       Stage::Vertex,   true,  8},
    {"NEXT_SHADER",                Stage::Vertex,   true,  5},
    {"CS_FIXED_BLOCK_WIDTH",       Stage::Compute,  false, 65535},
    {"CS_FIXED_BLOCK_HEIGHT",      Stage::Compute,  false, 65535},
    {"CS_FIXED_BLOCK_DEPTH",       Stage::Compute,  false, 65535},
    {"CS_USER_DATA_COMPONENTS_AMD", Stage::Compute, false, UINT32_MAX},
    {"LEGACY_MATH_RULES",          Stage::Vertex,   true,  1},
    {"MUL_ZERO_WINS",              Stage::Vertex,   true,  1},
    {"LAYER_VIEWPORT_RELATIVE",    Stage::Vertex,   true,  1},
    {"SEPARABLE_PROGRAM",          Stage::Vertex,   true,  1},
};
// clang-format on

void verify_property(const Shader& shader, const Property& property, ErrorList& errors) {
    const auto row = std::find_if(std::begin(kProperties), std::end(kProperties),
                                  [&](const PropertyRow& r) { return r.name == property.name; });
    if (row == std::end(kProperties)) {
        errors.add(property.pos, "unknown property " + property.name);
        return;
    }
    if (!row->any_stage && row->stage != shader.stage)
        errors.add(property.pos,
                   property.name + " in a " + std::string(name_of(shader.stage)) + " shader");
    bool good = property.value <= row->last;
    if (property.name == "TES_PRIM_MODE")
        good = property.value == 1 || property.value == 4 || property.value == 7;
    if (!good)
        errors.add(property.pos, property.name + " cannot be " + std::to_string(property.value));
}

void require(const Shader& shader, std::string_view name, ErrorList& errors) {
    const bool found = std::any_of(shader.properties.begin(), shader.properties.end(),
                                   [&](const Property& p) { return p.name == name; });
    if (!found)
        errors.add({}, "property " + std::string(name) + " is missing");
}

}  // namespace

void verify_declarations(const Shader& shader,
                         const DeclaredRegisters& declared,
                         ErrorList& errors) {
    verify_overlaps(declared, errors);
    verify_arrays(shader, errors);
    for (const Declaration& decl : shader.declarations) {
        verify_semantic(shader, decl, errors);
        verify_form(shader, decl, errors);
    }
    verify_clashes(shader, errors);
}

void verify_properties(const Shader& shader, ErrorList& errors) {
    std::set<std::string_view> seen;
    for (const Property& property : shader.properties) {
        if (!seen.insert(property.name).second)
            errors.add(property.pos, "second property " + property.name);
        verify_property(shader, property, errors);
    }
    if (shader.stage == Stage::Geometry)
        for (const std::string_view name :
             {"GS_INPUT_PRIMITIVE", "GS_OUTPUT_PRIMITIVE", "GS_MAX_OUTPUT_VERTICES"})
            require(shader, name, errors);
    if (shader.stage == Stage::TessCtrl)
        require(shader, "TCS_VERTICES_OUT", errors);
    if (shader.stage == Stage::TessEval)
        require(shader, "TES_PRIM_MODE", errors);
}

}  // namespace valkyr::tgsi
