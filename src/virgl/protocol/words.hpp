// Words: reads a payload as integers, floats and bit fields, never past its end.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace valkyr::virgl {

/// The payload of one command. [1] is its first word, as in the protocol's descriptions. Words past
/// the end read as 0; the caller has checked the length.
class Words {
public:
    explicit Words(std::span<const uint32_t> payload)
        : payload_(payload) {}

    [[nodiscard]] size_t size() const { return payload_.size(); }
    [[nodiscard]] uint32_t operator[](size_t index) const {
        return index - 1 < payload_.size() ? payload_[index - 1] : 0;
    }
    [[nodiscard]] float number(size_t index) const { return as_float((*this)[index]); }
    [[nodiscard]] int32_t signed_word(size_t index) const {
        return static_cast<int32_t>((*this)[index]);
    }
    /// Bits [start, start + size) of a word.
    [[nodiscard]] uint32_t bits(size_t index, unsigned start, unsigned size) const {
        return static_cast<uint32_t>(extract_bits((*this)[index], start, size));
    }
    [[nodiscard]] bool bit(size_t index, unsigned at) const { return bits(index, at, 1) != 0; }
    /// The words from `index` on.
    [[nodiscard]] std::span<const uint32_t> from(size_t index) const {
        return index - 1 < payload_.size() ? payload_.subspan(index - 1)
                                           : std::span<const uint32_t>();
    }

private:
    std::span<const uint32_t> payload_;
};

/// The error that a malformed command returns; it ends the connection.
inline Error malformed(std::string text) {
    return Error{Errc::BadEncoding, {}, std::move(text)};
}

/// Converts a number to `Enum`, whose values are 0 ... last.
/// errors  malformed: the number is above `last`
template <typename Enum>
Result<Enum> enumerator(uint32_t number, Enum last, const char* what) {
    if (number > static_cast<uint32_t>(last))
        return malformed(std::string("no ") + what + ' ' + std::to_string(number));
    return static_cast<Enum>(number);
}

}  // namespace valkyr::virgl
