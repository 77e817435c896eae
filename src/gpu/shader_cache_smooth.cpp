// Smooth shapes: add the coverage of smooth lines and points to shaders.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache_smooth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <utility>
#include <vector>

namespace valkyr::gpu {
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

/// An output whose writes go to a temporary first.
struct Redirected {
    uint32_t output = 0;
    Semantic semantic = Semantic::Color;
};

/// Outputs that are redirected. Output list[i] has temporary first_temporary + i.
struct Outputs {
    std::vector<Redirected> list;
    uint32_t first_temporary = 0;
    uint32_t scratch = 0;  ///< the temporary behind them
};

bool is_computed(const tgsi::RegisterRef& to) {
    return to.file == File::Output && to.index.indirect;
}

/// Finds the outputs to redirect: the colours; every output (and gaps between them) if the shader
/// writes outputs by a computed index.
Outputs find_outputs(const tgsi::Shader& shader) {
    bool computed = false;
    for (const Instruction& inst : shader.instructions)
        for (unsigned i = 0; i < inst.dst_count; ++i)
            computed = computed || is_computed(inst.dst[i].reg);
    std::vector<Redirected> all(free_register(shader, File::Output),
                                Redirected{0, Semantic::Generic});
    for (const Declaration& d : shader.declarations)
        if (d.file == File::Output && d.has_semantic)
            for (uint32_t i = d.first; i <= d.last; ++i)
                all[i].semantic = d.semantic;
    Outputs outputs;
    for (uint32_t i = 0; i < all.size(); ++i)
        if (computed || all[i].semantic == Semantic::Color)
            outputs.list.push_back({i, all[i].semantic});
    outputs.first_temporary = free_register(shader, File::Temporary);
    outputs.scratch = outputs.first_temporary + static_cast<uint32_t>(outputs.list.size());
    return outputs;
}

/// Makes an instruction write temporaries instead of outputs.
void redirect(Instruction& inst, const Outputs& outputs) {
    for (unsigned i = 0; i < inst.dst_count; ++i) {
        tgsi::RegisterRef& to = inst.dst[i].reg;
        if (to.file != File::Output)
            continue;
        const auto first = static_cast<int32_t>(outputs.first_temporary);
        if (to.index.indirect) {
            // All outputs have temporaries, in their order.
            to.file = File::Temporary;
            to.index.value += first;
            to.array_id = 0;
            continue;
        }
        const auto found =
            std::find_if(outputs.list.begin(), outputs.list.end(), [&](const Redirected& r) {
                return r.output == static_cast<uint32_t>(to.index.value);
            });
        if (found != outputs.list.end())
            to = reg(File::Temporary,
                     outputs.first_temporary + static_cast<uint32_t>(found - outputs.list.begin()));
    }
}

/// Source operands of the additions.
struct Operands {
    uint32_t input;      ///< the varying
    uint32_t scratch;    ///< a temporary
    uint32_t immediate;  ///< value of the varying at full coverage

    [[nodiscard]] tgsi::Src in(const std::array<uint8_t, 4>& s) const {
        return src(File::Input, input, s);
    }
    [[nodiscard]] tgsi::Src temp(const std::array<uint8_t, 4>& s) const {
        return src(File::Temporary, scratch, s);
    }
    [[nodiscard]] tgsi::Dst to(uint8_t mask) const { return dst(File::Temporary, scratch, mask); }
};

tgsi::Src negated(tgsi::Src source) {
    source.negate = true;
    return source;
}

/// Computes the coverage of a line in x of the scratch register. The varying holds the distance
/// from the middle, those from both ends, and half the width plus 1/2.
std::vector<Instruction> line_coverage(const Operands& o) {
    tgsi::Src across = o.in(kX);
    across.absolute = across.negate = true;
    std::vector<Instruction> list;
    list.push_back(instruction(Opcode::ADD, o.to(1), {o.in(kW), across}));
    list.back().saturate = true;
    list.push_back(instruction(Opcode::MIN, o.to(2), {o.in(kY), o.in(kZ)}));
    list.push_back(
        instruction(Opcode::ADD, o.to(2), {o.temp(kY), src(File::Immediate, o.immediate, kY)}));
    list.back().saturate = true;
    list.push_back(instruction(Opcode::MUL, o.to(1), {o.temp(kX), o.temp(kY)}));
    return list;
}

/// Computes the coverage of a point in x of the scratch register. The varying holds the place from
/// the middle in units of the outer radius, and how fast coverage falls.
std::vector<Instruction> point_coverage(const Operands& o) {
    std::vector<Instruction> list;
    list.push_back(instruction(Opcode::MUL, o.to(3), {o.in(kAll), o.in(kAll)}));
    list.push_back(instruction(Opcode::ADD, o.to(1), {o.temp(kX), o.temp(kY)}));
    list.push_back(instruction(Opcode::ADD, o.to(1),
                               {src(File::Immediate, o.immediate, kW), negated(o.temp(kX))}));
    list.push_back(instruction(Opcode::MUL, o.to(1), {o.temp(kX), o.in(kZ)}));
    list.back().saturate = true;
    return list;
}

/// Components of an output that is not a colour.
uint8_t components_of(Semantic semantic) {
    switch (semantic) {
    case Semantic::Position: return 4;
    case Semantic::Stencil: return 2;
    case Semantic::SampleMask: return 1;
    default: return 0;
    }
}

/// Instructions at the start: compute the coverage, and kill fragments where it is 0.
std::vector<Instruction> prologue(const Operands& operands, SmoothShape shape) {
    std::vector<Instruction> list =
        shape == SmoothShape::Lines ? line_coverage(operands) : point_coverage(operands);
    list.push_back(instruction(Opcode::SEQ, operands.to(2),
                               {operands.temp(kX), src(File::Immediate, operands.immediate, kX)}));
    Instruction kill = instruction(Opcode::KILL_IF, {}, {negated(operands.temp(kY))});
    kill.dst_count = 0;
    list.push_back(std::move(kill));
    return list;
}

/// Instructions before the end: write the outputs; the alpha of colours is multiplied by the
/// coverage.
std::vector<Instruction> epilogue(const Outputs& outputs, const Operands& operands) {
    std::vector<Instruction> list;
    for (uint32_t i = 0; i < outputs.list.size(); ++i) {
        const Redirected& output = outputs.list[i];
        const uint32_t temporary = outputs.first_temporary + i;
        const bool color = output.semantic == Semantic::Color;
        const uint8_t copied = color ? 7 : components_of(output.semantic);
        if (copied != 0)
            list.push_back(instruction(Opcode::MOV, dst(File::Output, output.output, copied),
                                       {src(File::Temporary, temporary, kAll)}));
        if (color)
            list.push_back(instruction(Opcode::MUL, dst(File::Output, output.output, 8),
                                       {src(File::Temporary, temporary, kW), operands.temp(kX)}));
    }
    return list;
}

/// The varying's value at full coverage. Its x, y and w are constants of the formulas, too.
constexpr std::array<float, 4> whole(SmoothShape shape) {
    if (shape == SmoothShape::Lines)
        return {0, 0.5F, 0.5F, 1};
    return {0, 0, 1, 1};
}

void extend_vertex(tgsi::Shader& shader, uint32_t generic, SmoothShape shape) {
    const uint32_t output = free_register(shader, File::Output);
    shader.declarations.push_back(varying(File::Output, output, generic));
    const uint32_t value = add_immediate(shader, whole(shape));
    shader.instructions.insert(shader.instructions.begin(),
                               instruction(Opcode::MOV, dst(File::Output, output, 0xF),
                                           {src(File::Immediate, value, kAll)}));
    renew_order(shader);
}

void extend_fragment(tgsi::Shader& shader, uint32_t generic, SmoothShape shape) {
    const Outputs outputs = find_outputs(shader);
    const uint32_t input = free_register(shader, File::Input);
    shader.declarations.push_back(varying(File::Input, input, generic));
    shader.declarations.push_back(
        declaration(File::Temporary, outputs.first_temporary, outputs.scratch));
    const Operands operands{input, outputs.scratch, add_immediate(shader, whole(shape))};
    const std::vector<Instruction> ending = epilogue(outputs, operands);
    std::vector<Instruction> all = prologue(operands, shape);
    bool in_subroutine = false;
    for (Instruction& inst : shader.instructions) {
        redirect(inst, outputs);
        in_subroutine =
            (in_subroutine || inst.opcode == Opcode::BGNSUB) && inst.opcode != Opcode::ENDSUB;
        if (inst.opcode == Opcode::END || (inst.opcode == Opcode::RET && !in_subroutine))
            all.insert(all.end(), ending.begin(), ending.end());
        all.push_back(std::move(inst));
    }
    shader.instructions = std::move(all);
    renew_order(shader);
}

}  // namespace

Result<SmoothShaders>
add_coverage(const tgsi::Shader& vertex, const tgsi::Shader& fragment, SmoothShape shape) {
    uint32_t generic = kLastGeneric;
    while (generic > 0 && (uses_generic(vertex, generic) || uses_generic(fragment, generic)))
        --generic;
    if (generic == 0)
        return Error{Errc::OutOfRange, {}, "smooth lines and points: no varying is left"};
    SmoothShaders shaders{vertex, fragment, static_cast<uint8_t>(generic)};
    extend_vertex(shaders.vertex, generic, shape);
    extend_fragment(shaders.fragment, generic, shape);
    return shaders;
}

}  // namespace valkyr::gpu
