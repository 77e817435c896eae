// Guest cache: keeps decoded programs that may be recompiled for another state.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace valkyr::jit {

/// Keeps the results of read_program() for the last programs. It compares programs by their words,
/// so callers need no identifiers. Thread-safe.
class GuestCache {
public:
    /// Like read_program(), from the cache if possible; returns a copy without any analysis.
    Result<GuestProgram> read(const valhall::Program& program,
                              const KernelKey& key,
                              bool host_doubles = true,
                              Cancellation cancellation = {});

private:
    /// The parts of a key and of options that the result of read_program() depends on.
    struct KeyFacts {
        bool second_color = false;
        bool returns_registers = false;
        bool host_doubles = true;
        friend bool operator==(const KeyFacts&, const KeyFacts&) = default;
    };
    /// All data that the result of read_program() depends on.
    struct Identity {
        uint64_t hash = 0;
        exec::Stage stage = {};
        KeyFacts facts;
        std::vector<uint64_t> words;
        std::vector<valhall::FauWord> fau;
        std::vector<valhall::DoubleRange> double_ranges;
    };
    struct Entry {
        Identity identity;
        std::shared_ptr<const GuestProgram> program;
    };

    std::shared_ptr<const GuestProgram>
    find(uint64_t hash, const valhall::Program& program, const KeyFacts& facts);
    void remember(Entry entry);

    std::mutex mutex_;
    std::vector<Entry> entries_;
    size_t next_ = 0;  ///< the entry that the next program replaces
};

}  // namespace valkyr::jit
