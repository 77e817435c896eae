// Fuzz target: decodes bytes as Valhall machine words.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/text/listing.hpp"

namespace valkyr::fuzz {

using namespace valhall;

namespace {

/// Small constant 21 prints like constant 0, so its text assembles to constant 0.
Instr without_second_zero(Instr instr) {
    for (Source& source : instr.src)
        if (source.kind == SourceKind::Constant && source.index == 21)
            source.index = 0;
    return instr;
}

void check_word(uint64_t word) {
    const auto instr = decode(word);
    if (!instr.has_value()) {
        VALKYR_CHECK(instr.error().code == Errc::BadEncoding && !instr.error().text.empty());
        return;
    }
    const auto again = encode(*instr);
    VALKYR_CHECK(again.has_value() && *again == word);
    const auto parsed = parse_instr(disassemble(*instr));
    VALKYR_CHECK(parsed.has_value() && *parsed == without_second_zero(*instr));
}

}  // namespace

void valhall_words(std::span<const uint8_t> bytes) {
    const size_t whole = bytes.size() / 8 * 8;
    const auto words = from_binary({reinterpret_cast<const char*>(bytes.data()), whole});
    VALKYR_CHECK(words.has_value() && words->size() == whole / 8);
    for (const uint64_t word : *words)
        check_word(word);
    const auto again = parse_hex_file(list_words(*words));
    VALKYR_CHECK(again.has_value() && again->size() <= words->size());
    for (size_t i = 0; i < again->size(); ++i)
        VALKYR_CHECK((*again)[i] == (*words)[i]);
}

}  // namespace valkyr::fuzz
