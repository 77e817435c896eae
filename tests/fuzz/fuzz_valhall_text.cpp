// Fuzz target: assembles bytes as Valhall assembly text.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/fuzz/error_check.hpp"
#include "tests/fuzz/targets.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/text/listing.hpp"

#include <string_view>

namespace valkyr::fuzz {

using namespace valhall;

void valhall_text(std::span<const uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Assembly result = assemble(text);
    check_errors(result.errors, text, 1);
    VALKYR_CHECK(result.words.size() == result.lines.size());
    for (const uint64_t word : result.words)
        VALKYR_CHECK(decode(word).has_value());
    const Assembly again = assemble(list_words(result.words, {.bytes = false, .labels = true}));
    VALKYR_CHECK(again.errors.empty() && again.words == result.words);
    const auto hex = parse_hex_file(text);
    VALKYR_CHECK(hex.has_value() || hex.error().pos.line >= 1);
}

}  // namespace valkyr::fuzz
