// Watch: reads values by name (TEMP[0].xy, CONST[1][2], r12, u3) and tests conditions on them.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/recording.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/debug_info.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

struct Session;

/// A parsed name.
struct Watch {
    enum class Kind : uint8_t { Tgsi, GuestRegister, UniformWord } kind = Kind::Tgsi;
    tgsi::File file = tgsi::File::Temporary;
    uint32_t outer = 0;               ///< CONST: buffer; IN[v][i], OUT[v][i]: vertex
    uint32_t index = 0;               ///< register
    std::vector<uint8_t> components;  ///< 0..3 in the order asked for; r and u: one
    std::string text;                 ///< as written, without blanks
};

/// errors   Syntax: not a name; Semantic: nothing declares it; OutOfRange: index
Result<Watch> parse_watch(std::string_view text, const tgsi::Shader& shader);

/// A session and a place in its recording.
struct View {
    const Session& session;
    const Cursor& cursor;
};

/// One component in every lane. Lanes outside of `known` have no value.
struct WatchValue {
    exec::Lanes lanes{};
    uint16_t known = 0;
    std::string place;  ///< the value's location in the lanes that run next: "r12", "u3",
                        ///< "literal", "not live"
};
/// `component` is 0..3, or ignored for r and u. A TGSI register has, in each lane, the value before
/// the line that this lane executes next.
WatchValue read_watch(const View& view, const Watch& watch, unsigned component);

/// "TEMP[0].x > 0.5", "r3 == 0x10", "ADDR[0].x == 2i": true in some lane that runs next.
struct Condition {
    Watch watch;
    enum class Compare : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
    Compare compare = Compare::Equal;
    bool is_float = true;  ///< false for 0x10 and 16i: both sides are integers
    double number = 0;
};
Result<Condition> parse_condition(std::string_view text, const tgsi::Shader& shader);
bool holds(const View& view, const Condition& condition);

enum class NumberFormat : uint8_t { Float, Signed, Hex };
/// A word as text. Floats are printed with the fewest digits that read back exactly, at most 12
/// characters.
std::string format_number(uint32_t word, NumberFormat format);

}  // namespace valkyr::debug
