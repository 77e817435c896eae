// Names: lists the keywords of files, semantics, targets and the rest, and finds them by name.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace valkyr::tgsi {

static_assert(std::endian::native == std::endian::little, "word_key() loads words");

/// A letter in upper case; other characters as they are. Keywords are compared this way.
constexpr char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Case-insensitive comparison.
constexpr bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (upper(a[i]) != upper(b[i]))
            return false;
    return true;
}

/// The first eight characters of a word (letters, digits, '_') as a number that ignores case: bit 5
/// tells a letter's cases apart, and clearing it makes no other two characters of words equal. Two
/// words of up to eight characters are equal, but for case, exactly if their keys are.
constexpr uint64_t word_key(std::string_view word) {
    constexpr uint64_t kNoCase = 0xDFDF'DFDF'DFDF'DFDF;
    const size_t size = word.size();
    if (std::is_constant_evaluated()) {
        uint64_t key = 0;
        for (size_t i = 0; i < size && i < 8; ++i)
            key |= uint64_t{static_cast<uint8_t>(word[i])} << (8 * i);
        return key & kNoCase;
    }
    // Overlapping loads instead of a loop; none reaches behind the word.
    const auto load = [&]<typename T>(T value, size_t at) {
        std::memcpy(&value, word.data() + at, sizeof value);
        return uint64_t{value};
    };
    uint64_t key = 0;
    if (size >= 8)
        key = load(uint64_t{}, 0);
    else if (size >= 4)
        key = load(uint32_t{}, 0) | load(uint32_t{}, size - 4) << (8 * (size - 4));
    else if (size >= 2)
        key = load(uint16_t{}, 0) | load(uint8_t{}, size - 1) << (8 * (size - 1));
    else if (size == 1)
        key = load(uint8_t{}, 0);
    return key & kNoCase;
}

/// A constant hash table from names to the enumerator with the same position. Only words (letters,
/// digits, '_') can be looked up.
/// Slots: a power of two, larger than the number of names.
template <typename E, size_t Slots>
class KeywordTable {
public:
    template <size_t N>
    explicit constexpr KeywordTable(const std::array<std::string_view, N>& names) {
        static_assert(N < Slots && (Slots & (Slots - 1)) == 0);
        for (size_t i = 0; i < N; ++i) {
            const uint64_t key = word_key(names[i]);
            size_t slot = hash(key);
            while (slots_[slot].key != 0)
                slot = (slot + 1) % Slots;
            slots_[slot] = {key, names[i], static_cast<E>(i)};
        }
    }

    /// Finds a name of up to eight characters by its key, if no name of the table is longer.
    [[nodiscard]] constexpr std::optional<E> find(uint64_t key) const {
        for (size_t slot = hash(key); slots_[slot].key != 0; slot = (slot + 1) % Slots)
            if (slots_[slot].key == key)
                return slots_[slot].value;
        return std::nullopt;
    }

    [[nodiscard]] constexpr std::optional<E> find(std::string_view name) const {
        const uint64_t key = word_key(name);
        for (size_t slot = hash(key); slots_[slot].key != 0; slot = (slot + 1) % Slots) {
            const Slot& entry = slots_[slot];
            if (entry.key == key && entry.name.size() == name.size() &&
                (name.size() <= 8 || same_word(entry.name.substr(8), name.substr(8))))
                return entry.value;
        }
        return std::nullopt;
    }

private:
    struct Slot {
        uint64_t key = 0;
        std::string_view name;
        E value{};
    };

    static constexpr size_t hash(uint64_t key) {
        return ((key * 0x9E37'79B9'7F4A'7C15U) >> 40) % Slots;
    }

    std::array<Slot, Slots> slots_{};
};

/// The name of an enumerator as it is printed. E: Stage, File, Semantic, Interpolation, Location,
/// Target, ReturnType, ImmediateType or MemoryKind.
template <typename E>
std::string_view name_of(E value);
/// The enumerator of a name, case-insensitive; nullopt if there is none. E as for name_of().
template <typename E>
std::optional<E> find_keyword(std::string_view name);
/// The file whose name has this word_key(); every file's name has at most eight characters.
std::optional<File> find_file(uint64_t key);

/// Qualifier bit 0..3: COHERENT, RESTRICT, VOLATILE, STREAM_CACHE_POLICY.
std::string_view qualifier_name(unsigned bit);
/// The bit of MemoryQualifier of a name.
std::optional<uint8_t> find_qualifier(std::string_view name);

/// The symbol that Mesa prints for a property's value (TRIANGLES, LOWER_LEFT, ...), or empty if it
/// prints the number.
std::string_view property_symbol(std::string_view property, uint32_t value);

/// The number of a symbolic property value, whatever the property; nullopt if there is none.
std::optional<uint32_t> find_property_symbol(std::string_view symbol);

}  // namespace valkyr::tgsi
