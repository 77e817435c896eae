// Names of files, semantics, targets and the other keywords, and tables to find them by name.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace valkyr::tgsi {

/// A letter in upper case; other characters as they are. Keywords are compared this way.
constexpr char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Case-insensitive comparison.
constexpr bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    if (a == b)
        return true;
    for (size_t i = 0; i < a.size(); ++i)
        if (upper(a[i]) != upper(b[i]))
            return false;
    return true;
}

/// A constant hash table from names to the enumerator with the same position.
/// Slots: a power of two, larger than the number of names.
template <typename E, size_t Slots>
class KeywordTable {
public:
    template <size_t N>
    explicit constexpr KeywordTable(const std::array<std::string_view, N>& names) {
        static_assert(N < Slots && (Slots & (Slots - 1)) == 0);
        for (size_t i = 0; i < N; ++i) {
            size_t slot = hash(names[i]) % Slots;
            while (!slots_[slot].name.empty())
                slot = (slot + 1) % Slots;
            slots_[slot] = {names[i], static_cast<E>(i)};
        }
    }

    [[nodiscard]] constexpr std::optional<E> find(std::string_view name) const {
        for (size_t slot = hash(name) % Slots; !slots_[slot].name.empty();
             slot = (slot + 1) % Slots)
            if (same_word(slots_[slot].name, name))
                return slots_[slot].value;
        return std::nullopt;
    }

private:
    struct Slot {
        std::string_view name;
        E value{};
    };

    /// Of the length and the first and last two characters without their case bit.
    static constexpr uint32_t hash(std::string_view name) {
        const size_t size = name.size();
        if (size < 2)
            return 0;
        const auto at = [&](size_t i) { return uint32_t{static_cast<uint8_t>(name[i])} | 0x20U; };
        const uint32_t ends = at(0) | at(1) << 8 | at(size - 2) << 16 | at(size - 1) << 24;
        const uint32_t h = (ends + static_cast<uint32_t>(size)) * 2654435761U;
        return h >> 16;
    }

    std::array<Slot, Slots> slots_{};
};

/// Names as they are printed.
std::string_view name_of(Stage stage);
std::string_view name_of(File file);
std::string_view name_of(Semantic semantic);
std::string_view name_of(Interpolation interpolation);
std::string_view name_of(Location location);
std::string_view name_of(Target target);
std::string_view name_of(ReturnType type);
std::string_view name_of(ImmediateType type);
std::string_view name_of(MemoryKind kind);
/// Qualifier bit 0..3: COHERENT, RESTRICT, VOLATILE, STREAM_CACHE_POLICY.
std::string_view qualifier_name(unsigned bit);

/// The same backwards, case-insensitive; nullopt if there is no such name.
std::optional<Stage> find_stage(std::string_view name);
std::optional<File> find_file(std::string_view name);
std::optional<Semantic> find_semantic(std::string_view name);
std::optional<Interpolation> find_interpolation(std::string_view name);
std::optional<Location> find_location(std::string_view name);
std::optional<Target> find_target(std::string_view name);
std::optional<ReturnType> find_return_type(std::string_view name);
std::optional<ImmediateType> find_immediate_type(std::string_view name);
std::optional<MemoryKind> find_memory_kind(std::string_view name);
/// The bit of MemoryQualifier.
std::optional<uint8_t> find_qualifier(std::string_view name);

/// Whether tgsi.rst or Mesa know a property of this name.
bool is_known_property(std::string_view name);

/// The symbol that Mesa prints for a property's value (TRIANGLES, LOWER_LEFT, ...), or empty if it
/// prints the number.
std::string_view property_symbol(std::string_view property, uint32_t value);

/// The number of a symbolic property value, whatever the property; nullopt if there is none.
std::optional<uint32_t> find_property_symbol(std::string_view symbol);

}  // namespace valkyr::tgsi
