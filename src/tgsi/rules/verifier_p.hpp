// Verifier: holds the state that the verifier_*.cpp files share.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/opcode_table.hpp"
#include "tgsi/rules/verifier.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace valkyr::tgsi {

/// Number of register files.
inline constexpr size_t kFileCount = 15;

/// A declared range of registers; `outer` is 0 for one-dimensional ones.
struct DeclaredRange {
    uint32_t outer = 0;
    uint32_t first = 0;
    uint32_t last = 0;
    const Declaration* decl = nullptr;
};

/// The registers that a shader declares, for finding one quickly.
class DeclaredRegisters {
public:
    explicit DeclaredRegisters(const Shader& shader);

    /// The declaration of a register, or nullptr.
    [[nodiscard]] const Declaration* find(File file, uint32_t outer, int64_t index) const;
    /// A declaration of the file, if possible one with two indexes (or one); nullptr if there is
    /// none.
    [[nodiscard]] const Declaration* any(File file, bool two_indexes) const;
    /// A declaration of the file with this outer index, or nullptr.
    [[nodiscard]] const Declaration* any_in(File file, uint32_t outer) const;
    /// The declaration with an array id, or nullptr.
    [[nodiscard]] const Declaration* array(File file, uint32_t id) const;
    /// Ranges of a file, in ascending order of (outer, first).
    [[nodiscard]] const std::vector<DeclaredRange>& ranges(File file) const {
        return ranges_[static_cast<size_t>(file)];
    }

private:
    std::array<std::vector<DeclaredRange>, kFileCount> ranges_;
    /// The first declaration with one index and with two.
    std::array<std::array<const Declaration*, 2>, kFileCount> first_{};
    std::array<std::vector<std::pair<uint32_t, const Declaration*>>, kFileCount> arrays_;
};

/// Collects errors up to a limit.
class ErrorList {
public:
    explicit ErrorList(size_t limit)
        : limit_(limit) {}
    void add(SourcePos pos, std::string text) {
        if (errors_.size() < limit_)
            errors_.push_back({Errc::Semantic, pos, std::move(text)});
    }
    [[nodiscard]] bool is_full() const { return errors_.size() >= limit_; }
    std::vector<Error>& errors() { return errors_; }

private:
    size_t limit_;
    std::vector<Error> errors_;
};

// One function a group of rules.
void verify_flow(const Shader& shader, ErrorList& errors);
void verify_declarations(const Shader& shader,
                         const DeclaredRegisters& declared,
                         ErrorList& errors);
void verify_properties(const Shader& shader, ErrorList& errors);
void verify_operands(const Shader& shader, const DeclaredRegisters& declared, ErrorList& errors);
void verify_resources(const Shader& shader, const DeclaredRegisters& declared, ErrorList& errors);

/// Whether an opcode works on textures, TEX style or SAMPLE style.
bool is_tex_style(Opcode opcode);
bool is_sample_style(Opcode opcode);
/// Whether an opcode is one of ATOM*.
bool is_atomic(Opcode opcode);

}  // namespace valkyr::tgsi
