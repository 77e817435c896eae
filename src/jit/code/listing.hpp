// Host listing: records the text, offset and Valhall word of every host instruction.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/host/host_assembler.hpp"
#include "jit/recompiler.hpp"

#include <asmjit/core.h>
#include <vector>

namespace valkyr::jit {

/// Collects the lines that the assembler logs.
class ListingLogger final : public asmjit::Logger {
public:
    explicit ListingLogger(const HostAssembler& assembler)
        : assembler_(assembler) {}

    /// Sets the Valhall word of the instructions that follow.
    void set_word(uint32_t word_index) { word_index_ = word_index; }
    std::vector<HostLine> take() { return std::move(lines_); }
    /// True if memory ran out for a line. An exception must not leave the assembler's callback.
    [[nodiscard]] bool incomplete() const { return incomplete_; }

protected:
    asmjit::Error _log(const char* data, size_t size) noexcept override;

private:
    const HostAssembler& assembler_;
    uint32_t word_index_ = kPrologueWord;
    std::vector<HostLine> lines_;
    bool incomplete_ = false;
};

}  // namespace valkyr::jit
