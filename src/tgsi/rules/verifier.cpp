// Verifier: runs the rules, keeps the map of registers and checks control flow.
// SPDX-License-Identifier: MIT
#include "tgsi/rules/verifier.hpp"

#include "tgsi/names.hpp"
#include "tgsi/rules/flow.hpp"
#include "tgsi/rules/verifier_p.hpp"

#include <algorithm>

namespace valkyr::tgsi {

DeclaredRegisters::DeclaredRegisters(const Shader& shader) {
    for (const Declaration& decl : shader.declarations) {
        const auto file = static_cast<size_t>(decl.file);
        ranges_[file].push_back({decl.outer, decl.first, decl.last, &decl});
        const Declaration*& first = first_[file][decl.per_vertex || decl.has_outer ? 1 : 0];
        if (first == nullptr)
            first = &decl;
        if (decl.array_id != 0)
            arrays_[file].emplace_back(decl.array_id, &decl);
    }
    for (auto& list : ranges_)
        std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
            return std::pair(a.outer, a.first) < std::pair(b.outer, b.first);
        });
    for (auto& list : arrays_)
        std::stable_sort(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
}

const Declaration* DeclaredRegisters::find(File file, uint32_t outer, int64_t index) const {
    const auto& list = ranges(file);
    if (index < 0)
        return nullptr;
    const auto key = std::pair(outer, static_cast<uint32_t>(index));
    auto it = std::upper_bound(list.begin(), list.end(), key, [](const auto& k, const auto& r) {
        return k < std::pair(r.outer, r.first);
    });
    if (it == list.begin())
        return nullptr;
    --it;
    return it->outer == outer && index <= it->last ? it->decl : nullptr;
}

const Declaration* DeclaredRegisters::any(File file, bool two_indexes) const {
    const auto& first = first_[static_cast<size_t>(file)];
    return first[two_indexes ? 1 : 0] != nullptr ? first[two_indexes ? 1 : 0]
                                                 : first[two_indexes ? 0 : 1];
}

const Declaration* DeclaredRegisters::any_in(File file, uint32_t outer) const {
    const auto& list = ranges(file);
    const auto it = std::lower_bound(list.begin(), list.end(), outer,
                                     [](const auto& r, uint32_t o) { return r.outer < o; });
    return it != list.end() && it->outer == outer ? it->decl : nullptr;
}

const Declaration* DeclaredRegisters::array(File file, uint32_t id) const {
    const auto& list = arrays_[static_cast<size_t>(file)];
    const auto it =
        std::lower_bound(list.begin(), list.end(), id,
                         [](const auto& a, uint32_t wanted) { return a.first < wanted; });
    return it != list.end() && it->first == id ? it->second : nullptr;
}

namespace {

/// F2: where the main program ends.
void verify_end(const Shader& shader, ErrorList& errors) {
    bool ended = false;
    bool in_subroutine = false;
    Opcode before = Opcode::END;
    for (const Instruction& instr : shader.instructions) {
        const Opcode opcode = instr.opcode;
        if (opcode == Opcode::BGNSUB) {
            const bool reached =
                before != Opcode::END && before != Opcode::RET && before != Opcode::ENDSUB;
            if (reached && !in_subroutine)
                errors.add(instr.pos, "the program runs into this subroutine");
            in_subroutine = true;
        } else if (opcode == Opcode::END) {
            if (ended)
                errors.add(instr.pos, "second END");
            ended = true;
        } else if (ended && !in_subroutine) {
            errors.add(instr.pos, "instruction behind END");
        }
        if (opcode == Opcode::ENDSUB)
            in_subroutine = false;
        before = opcode;
    }
}

}  // namespace

void verify_flow(const Shader& shader, ErrorList& errors) {
    std::vector<Error> found;
    analyse_flow(shader, found);
    for (Error& error : found)
        errors.add(error.pos, std::move(error.text));
    verify_end(shader, errors);
    for (const Instruction& instr : shader.instructions) {
        const OpcodeInfo& info = opcode_info(instr.opcode);
        if (!legal_in_stage(info.stages, shader.stage))
            errors.add(instr.pos, std::string(info.name) + " in a " +
                                      std::string(name_of(shader.stage)) + " shader");
    }
}

std::vector<Error> verify(const Shader& shader, size_t max_errors) {
    ErrorList errors(max_errors);
    const DeclaredRegisters declared(shader);
    verify_properties(shader, errors);
    verify_declarations(shader, declared, errors);
    verify_flow(shader, errors);
    verify_operands(shader, declared, errors);
    verify_resources(shader, declared, errors);
    return std::move(errors.errors());
}

}  // namespace valkyr::tgsi
