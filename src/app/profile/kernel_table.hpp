// Kernel table: keeps what each kernel of a profiled device was made from.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/state_keys.hpp"
#include "raster/record/kernel_tap.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::profile {

/// A program and the state that a kernel was specialised for.
struct KernelSource {
    std::shared_ptr<const valhall::Program> program;  ///< without its prologue
    std::optional<exec::VertexKey> vertex;            ///< neither: a uniform prologue
    std::optional<exec::FragmentKey> fragment;

    [[nodiscard]] bool is_prologue() const { return !vertex && !fragment; }
    /// The source line of a word; 0: none.
    [[nodiscard]] uint32_t line_of(size_t word) const {
        return word < program->source_lines.size() ? program->source_lines[word] : 0;
    }
};

/// Kernels of equal programs and states are one, whichever device made them.
class KernelTable {
public:
    /// The number of a kernel, from 0.
    size_t enter(const valhall::Program& program,
                 const exec::VertexKey* vertex,
                 const exec::FragmentKey* fragment);
    [[nodiscard]] const std::vector<KernelSource>& kernels() const { return kernels_; }

private:
    std::vector<KernelSource> kernels_;
    std::map<std::string, size_t> numbers_;  ///< by the bytes of name, words and keys
};

}  // namespace valkyr::profile
