// Debug info: tells where TGSI registers are while a compiled program runs.
// SPDX-License-Identifier: MIT
//
// Points are the instructions of the text in the order in which they are lowered: subroutines count
// once a call. Every machine word belongs to the point it was made for. The value of a register "at
// a word" is the one it has in the text before the word's point executes, although scheduling may
// have moved machine words of later or earlier points there.
#pragma once

#include "tgsi/shader.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::valhall {

/// Where one component of a register is.
struct ValueLocation {
    enum class Kind : uint8_t {
        NotLive,    ///< nowhere: not computed yet, not needed any more, or optimised away
        Unwritten,  ///< the text has not written it: reads give 0
        Literal,    ///< `value` itself
        Register,   ///< guest register `value`
        Uniform,    ///< the word that `uniform` describes
        Memory,     ///< byte `value` of the lane's thread-local storage
    };
    Kind kind = Kind::NotLive;
    uint32_t value = 0;
    FauWord uniform{};
    friend bool operator==(const ValueLocation&, const ValueLocation&) = default;
};

/// Made by compile() for one program.
class DebugInfo {
public:
    /// The place of component 0..3 of a TEMP, OUT, IN, ADDR or SV register when the lane is about
    /// to execute `word`. Registers of arrays with indirect indexes are always in memory, even
    /// while the words of an instruction that writes them store one component after the other.
    /// Constants and immediates have no place here: the text and the buffers hold them.
    [[nodiscard]] ValueLocation
    locate(tgsi::File file, uint32_t index, unsigned component, uint32_t word) const;

    /// Point of a word; 0 = none of the text.
    [[nodiscard]] uint32_t point_of(uint32_t word) const {
        return word < word_points.size() ? word_points[word] : 0;
    }

    // Filled by the compiler.
    struct Registers {
        tgsi::File file{};
        uint32_t count = 0;
        uint32_t first_variable = 0;  ///< four a register
    };
    struct Array {
        tgsi::File file{};
        uint32_t first = 0;
        uint32_t count = 0;
        uint32_t offset = 0;  ///< of the first register in thread-local storage, 16 bytes each
    };
    /// From `point` on, up to the variable's next record, the value is at one of these places.
    struct Record {
        uint32_t variable = 0;
        uint32_t point = 0;
        ValueLocation location;   ///< Register: only within the words below
        uint32_t first_word = 0;  ///< first and last word before which the value is there
        uint32_t last_word = 0xFFFFFFFF;
        /// From this word on the value is at `slot` of thread-local storage; 0: not spilled.
        uint32_t slot_word = 0;
        uint32_t slot = 0;
    };
    std::vector<Registers> files;
    std::vector<Array> arrays;
    std::vector<Record> records;        ///< by variable, then by point
    std::vector<uint32_t> word_points;  ///< by word
    /// By word: other moves of a join come before it and may have overwritten registers that are
    /// dead on this path.
    std::vector<uint8_t> word_in_moves;
    std::vector<uint32_t> point_lines;  ///< by point: line of the text, 0 = none
    /// By point: its words belong to a join, and so to several paths.
    std::vector<uint8_t> point_joins;
};

}  // namespace valkyr::valhall
