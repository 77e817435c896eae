// Watch: reads values by name (TEMP[0].xy, CONST[1][2], r12, u3) and tests conditions on them.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/recording.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/debug_info.hpp"

#include <optional>
#include <span>
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

/// Reads a name that any shader may declare.
/// errors   Syntax: not a name; OutOfRange: there is no such guest register
Result<Watch> parse_name(std::string_view text);
/// errors   Semantic: nothing declares it; OutOfRange: index
Result<void> check_declared(const Watch& watch, const tgsi::Shader& shader);
/// As parse_name(), then check_declared().
Result<Watch> parse_watch(std::string_view text, const tgsi::Shader& shader);

/// A session and the state of one of its warps before it issues a word.
struct View {
    const Session& session;
    const valhall::WarpState& state;
    uint32_t warp = 0;  ///< of the work-group
    uint32_t word = 0;  ///< that the warp issues next, or issued last if it has ended
    std::span<const uint8_t> tls;
    std::span<const std::vector<uint8_t>> memory;  ///< by Recording::regions()
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
/// Reads a condition on a name that any shader may declare.
/// errors   those of parse_name(); Syntax: no condition
Result<Condition> parse_condition(std::string_view text);
/// As parse_condition(), then check_declared().
Result<Condition> parse_condition(std::string_view text, const tgsi::Shader& shader);
/// The lanes that have a value for which it is true.
uint16_t lanes_where(const View& view, const Condition& condition);
bool holds(const View& view, const Condition& condition);

enum class NumberFormat : uint8_t { Float, Signed, Hex };

/// A name and the letters behind its '/', as the command `print` has them.
struct NamedFormat {
    std::string name;
    NumberFormat format = NumberFormat::Float;
    bool all = false;  ///< 'a'
};
/// errors   Syntax: another letter than f, d, x and a; no name
Result<NamedFormat> parse_named_format(std::string_view text);

/// A word as text. Floats are printed with the fewest digits that read back exactly, at most 12
/// characters.
std::string format_number(uint32_t word, NumberFormat format);

}  // namespace valkyr::debug
