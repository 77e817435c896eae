// Smooth lines: additions to the shaders.
// SPDX-License-Identifier: MIT
#include "raster/shader_cache_smooth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <utility>
#include <vector>

namespace valkyr::raster {
namespace {

using tgsi::Declaration;
using tgsi::File;
using tgsi::Instruction;
using tgsi::Opcode;
using tgsi::Semantic;

constexpr uint32_t kLastGeneric = 255;
constexpr std::array<uint8_t, 4> kAll{0, 1, 2, 3};
constexpr std::array<uint8_t, 4> kX{0, 0, 0, 0};
constexpr std::array<uint8_t, 4> kY{1, 1, 1, 1};
constexpr std::array<uint8_t, 4> kZ{2, 2, 2, 2};
constexpr std::array<uint8_t, 4> kW{3, 3, 3, 3};

tgsi::RegisterRef reg(File file, uint32_t index) {
    tgsi::RegisterRef ref;
    ref.file = file;
    ref.index.value = static_cast<int32_t>(index);
    return ref;
}

tgsi::Src src(File file, uint32_t index, const std::array<uint8_t, 4>& swizzle) {
    tgsi::Src operand;
    operand.reg = reg(file, index);
    operand.swizzle = swizzle;
    return operand;
}

tgsi::Dst dst(File file, uint32_t index, uint8_t mask) {
    return {reg(file, index), mask};
}

Instruction
instruction(Opcode opcode, const tgsi::Dst& to, std::initializer_list<tgsi::Src> sources) {
    Instruction inst;
    inst.opcode = opcode;
    inst.dst_count = 1;
    inst.dst[0] = to;
    inst.src_count = static_cast<uint8_t>(sources.size());
    std::copy(sources.begin(), sources.end(), inst.src.begin());
    return inst;
}

/// The first register of a file that no declaration has.
uint32_t free_register(const tgsi::Shader& shader, File file) {
    uint32_t next = 0;
    for (const Declaration& d : shader.declarations)
        if (d.file == file)
            next = std::max(next, d.last + 1);
    return next;
}

bool uses_generic(const tgsi::Shader& shader, uint32_t index) {
    return std::any_of(
        shader.declarations.begin(), shader.declarations.end(), [&](const Declaration& d) {
            return d.has_semantic && d.semantic == Semantic::Generic && index >= d.semantic_index &&
                   index - d.semantic_index <= d.last - d.first;
        });
}

uint32_t add_immediate(tgsi::Shader& shader, const std::array<float, 4>& value) {
    tgsi::Immediate immediate;
    for (size_t c = 0; c < 4; ++c)
        immediate.words[c] = std::bit_cast<uint32_t>(value[c]);
    shader.immediates.push_back(immediate);
    return static_cast<uint32_t>(shader.immediates.size() - 1);
}

Declaration declaration(File file, uint32_t first, uint32_t last) {
    Declaration d;
    d.file = file;
    d.first = first;
    d.last = last;
    return d;
}

Declaration varying(File file, uint32_t index, uint32_t generic) {
    Declaration d = declaration(file, index, index);
    d.has_semantic = true;
    d.semantic_index = generic;
    if (file == File::Input) {
        d.has_interpolation = true;
        d.interpolation = tgsi::Interpolation::Linear;
    }
    return d;
}

/// Statements in the order of their kinds.
void renew_order(tgsi::Shader& shader) {
    using tgsi::StatementKind;
    auto& order = shader.order;
    order.assign(shader.properties.size(), StatementKind::Property);
    order.insert(order.end(), shader.declarations.size(), StatementKind::Declaration);
    order.insert(order.end(), shader.immediates.size(), StatementKind::Immediate);
    order.insert(order.end(), shader.instructions.size(), StatementKind::Instruction);
}

/// Colour outputs and the temporaries that stand for them.
struct Colors {
    std::vector<uint32_t> outputs;
    uint32_t first_temporary = 0;
};

Colors find_colors(const tgsi::Shader& shader) {
    Colors colors;
    for (const Declaration& d : shader.declarations)
        if (d.file == File::Output && d.has_semantic && d.semantic == Semantic::Color)
            for (uint32_t i = d.first; i <= d.last; ++i)
                colors.outputs.push_back(i);
    colors.first_temporary = free_register(shader, File::Temporary);
    return colors;
}

/// Makes an instruction write temporaries instead of colours; false if it computes which.
bool redirect(Instruction& inst, const Colors& colors) {
    for (unsigned i = 0; i < inst.dst_count; ++i) {
        tgsi::RegisterRef& to = inst.dst[i].reg;
        if (to.file != File::Output)
            continue;
        if (to.index.indirect)
            return false;
        const auto found = std::find(colors.outputs.begin(), colors.outputs.end(),
                                     static_cast<uint32_t>(to.index.value));
        if (found != colors.outputs.end())
            to = reg(File::Temporary, colors.first_temporary +
                                          static_cast<uint32_t>(found - colors.outputs.begin()));
    }
    return true;
}

/// What comes before the end: coverage, and the colours with it in their alpha.
/// line  the varying: distance from the middle, from both ends, and half the width plus 1/2
std::vector<Instruction> epilogue(const Colors& colors, uint32_t line, uint32_t half) {
    const uint32_t scratch = colors.first_temporary + static_cast<uint32_t>(colors.outputs.size());
    const auto in = [&](const std::array<uint8_t, 4>& s) { return src(File::Input, line, s); };
    const auto temp = [&](const std::array<uint8_t, 4>& s) {
        return src(File::Temporary, scratch, s);
    };
    tgsi::Src across = in(kX);
    across.absolute = across.negate = true;
    std::vector<Instruction> list;
    list.push_back(instruction(Opcode::ADD, dst(File::Temporary, scratch, 1), {in(kW), across}));
    list.back().saturate = true;
    list.push_back(instruction(Opcode::MIN, dst(File::Temporary, scratch, 2), {in(kY), in(kZ)}));
    list.push_back(instruction(Opcode::ADD, dst(File::Temporary, scratch, 2),
                               {temp(kY), src(File::Immediate, half, kY)}));
    list.back().saturate = true;
    list.push_back(
        instruction(Opcode::MUL, dst(File::Temporary, scratch, 1), {temp(kX), temp(kY)}));
    for (uint32_t i = 0; i < colors.outputs.size(); ++i) {
        const uint32_t color = colors.first_temporary + i;
        list.push_back(instruction(Opcode::MOV, dst(File::Output, colors.outputs[i], 7),
                                   {src(File::Temporary, color, kAll)}));
        list.push_back(instruction(Opcode::MUL, dst(File::Output, colors.outputs[i], 8),
                                   {src(File::Temporary, color, kW), temp(kX)}));
    }
    return list;
}

/// The value of what is wholly covered.
constexpr std::array<float, 4> kWhole{0, 0.5F, 0.5F, 1};

void extend_vertex(tgsi::Shader& shader, uint32_t generic) {
    const uint32_t output = free_register(shader, File::Output);
    shader.declarations.push_back(varying(File::Output, output, generic));
    const uint32_t whole = add_immediate(shader, kWhole);
    shader.instructions.insert(shader.instructions.begin(),
                               instruction(Opcode::MOV, dst(File::Output, output, 0xF),
                                           {src(File::Immediate, whole, kAll)}));
    renew_order(shader);
}

bool extend_fragment(tgsi::Shader& shader, uint32_t generic) {
    const Colors colors = find_colors(shader);
    const uint32_t line = free_register(shader, File::Input);
    const auto temporaries = static_cast<uint32_t>(colors.outputs.size());
    shader.declarations.push_back(varying(File::Input, line, generic));
    shader.declarations.push_back(
        declaration(File::Temporary, colors.first_temporary, colors.first_temporary + temporaries));
    const std::vector<Instruction> ending = epilogue(colors, line, add_immediate(shader, kWhole));
    std::vector<Instruction> all;
    bool in_subroutine = false;
    for (Instruction& inst : shader.instructions) {
        if (!redirect(inst, colors))
            return false;
        in_subroutine =
            (in_subroutine || inst.opcode == Opcode::BGNSUB) && inst.opcode != Opcode::ENDSUB;
        if (inst.opcode == Opcode::END || (inst.opcode == Opcode::RET && !in_subroutine))
            all.insert(all.end(), ending.begin(), ending.end());
        all.push_back(std::move(inst));
    }
    shader.instructions = std::move(all);
    renew_order(shader);
    return true;
}

}  // namespace

Result<SmoothShaders> add_line_coverage(const tgsi::Shader& vertex, const tgsi::Shader& fragment) {
    uint32_t generic = kLastGeneric;
    while (generic > 0 && (uses_generic(vertex, generic) || uses_generic(fragment, generic)))
        --generic;
    if (generic == 0)
        return Error{Errc::OutOfRange, {}, "smooth lines: no varying is left"};
    SmoothShaders shaders{vertex, fragment, static_cast<uint8_t>(generic)};
    extend_vertex(shaders.vertex, generic);
    if (!extend_fragment(shaders.fragment, generic))
        return Error{Errc::Unsupported, {}, "smooth lines: colours written by a computed index"};
    return shaders;
}

}  // namespace valkyr::raster
