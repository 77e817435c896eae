// Interpreter: makes a shader ready to run: register counts, arrays, control flow.
// SPDX-License-Identifier: MIT
#include "tgsi/interpreter/interpreter.hpp"

#include "tgsi/interpreter/machine.hpp"

#include <algorithm>

namespace valkyr::tgsi {

namespace {

void note_declaration(InterpreterProgram& program, const Declaration& decl) {
    const auto grow = [&](uint32_t& count) { count = std::max(count, decl.last + 1); };
    switch (decl.file) {
    case File::Temporary:
        grow(program.temporaries);
        if (decl.array_id != 0)
            program.temporary_arrays[decl.array_id] = {decl.first, decl.last};
        break;
    case File::Address: grow(program.addresses); break;
    case File::Input: grow(program.inputs); break;
    case File::Output:
        grow(program.outputs);
        program.per_vertex_outputs.resize(program.outputs);
        for (uint32_t i = decl.first; i <= decl.last; ++i)
            program.per_vertex_outputs[i] = decl.per_vertex;
        break;
    case File::SystemValue:
        grow(program.system_values);
        if (decl.has_semantic && decl.first == decl.last)
            program.system_semantics[decl.first] = decl.semantic;
        break;
    case File::Memory: program.memory_kinds[decl.first] = decl.memory_kind; break;
    case File::SamplerView:
    case File::Image:
        for (uint32_t i = decl.first; i <= decl.last; ++i)
            (decl.file == File::Image ? program.images : program.views)[i] = decl;
        break;
    default: break;
    }
}

/// Bytes of MEMORY, PRIVATE of each lane: its declaration states no size.
constexpr uint32_t kPrivateBytes = 4096;

void note_declarations(InterpreterProgram& program) {
    for (const Declaration& decl : program.shader.declarations) {
        note_declaration(program, decl);
        if (decl.file == File::Memory && decl.has_memory_kind &&
            decl.memory_kind == MemoryKind::Private)
            program.private_bytes = kPrivateBytes;
    }
}

}  // namespace

Result<Interpreter> Interpreter::create(const Shader& shader, const InterpreterLimits& limits) {
    auto program = std::make_unique<InterpreterProgram>();
    program->shader = shader;
    program->limits = limits;
    std::vector<Error> errors;
    program->flow = analyse_flow(shader, errors);
    if (!errors.empty())
        return std::move(errors.front());
    note_declarations(*program);
    program->zero_wins =
        shader.property("LEGACY_MATH_RULES", 0) != 0 || shader.property("MUL_ZERO_WINS", 0) != 0;
    program->max_emissions = shader.property("GS_MAX_OUTPUT_VERTICES", UINT32_MAX);
    return Interpreter(std::move(program));
}

Interpreter::Interpreter(std::unique_ptr<const InterpreterProgram> program)
    : program_(std::move(program)) {}
Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;
Interpreter::~Interpreter() = default;

Result<void> Interpreter::run(Group& group, StepObserver* observer) const {
    const InterpreterLimits& limits = program_->limits;
    const uint64_t lanes = group.invocations.size();
    if (lanes > limits.invocations)
        return Error{Errc::OutOfRange,
                     {},
                     "group with more than " + std::to_string(limits.invocations) + " invocations"};
    const uint64_t registers =
        uint64_t{program_->temporaries} + program_->addresses + program_->outputs;
    if (lanes * registers * sizeof(Word4) > limits.register_bytes)
        return Error{Errc::OutOfRange,
                     {},
                     "registers need more than " + std::to_string(limits.register_bytes) +
                         " bytes"};
    return Machine(*program_, group).run(observer);
}

const Shader& Interpreter::shader() const {
    return program_->shader;
}
uint32_t Interpreter::input_count() const {
    return program_->inputs;
}
uint32_t Interpreter::output_count() const {
    return program_->outputs;
}
uint32_t Interpreter::system_value_count() const {
    return program_->system_values;
}

int find_register(const Shader& shader, File file, Semantic semantic, uint32_t semantic_index) {
    for (const Declaration& decl : shader.declarations) {
        if (decl.file != file || !decl.has_semantic || decl.semantic != semantic)
            continue;
        const uint32_t count = decl.last - decl.first + 1;
        if (semantic_index >= decl.semantic_index && semantic_index - decl.semantic_index < count)
            return static_cast<int>(decl.first + semantic_index - decl.semantic_index);
    }
    return -1;
}

}  // namespace valkyr::tgsi
