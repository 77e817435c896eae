// Command dis: turns Valhall machine words into assembly text.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/text/listing.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

struct DisOptions {
    std::string input;
    bool hex = false;
    bool text = false;
    ColorChoice color = ColorChoice::Auto;
};

/// Reports every word before the end of the program that does not decode.
int report_bad_words(const std::vector<uint64_t>& words,
                     const std::string& name,
                     ColorChoice color) {
    int status = kExitOk;
    for (size_t i = 0; i < words.size() && words[i] != 0; ++i) {
        const auto instr = valhall::decode(words[i]);
        if (instr.has_value())
            continue;
        status =
            fail({Errc::BadEncoding, {}, "word " + std::to_string(i) + ": " + instr.error().text},
                 name, color);
    }
    return status;
}

int disassemble_file(const DisOptions& options) {
    const std::string name = input_name(options.input);
    const auto bytes = read_input(options.input);
    if (!bytes.has_value())
        return fail(bytes.error(), "valkyr dis", options.color);
    const auto words = options.hex ? valhall::parse_hex_file(*bytes) : valhall::from_binary(*bytes);
    if (!words.has_value())
        return fail(words.error(), name, options.color);
    valhall::ListingStyle style;
    style.bytes = !options.text;
    style.labels = options.text;
    const auto written = write_output("-", valhall::list_words(*words, style));
    if (!written.has_value())
        return fail(written.error(), "valkyr dis", options.color);
    return report_bad_words(*words, name, options.color);
}

}  // namespace

void add_dis_command(CommandLine& line) {
    const Command command = line.subcommand("dis", "Disassemble Valhall machine code");
    auto options = std::make_shared<DisOptions>();
    command.option("FILE", options->input, "Machine code, - for standard input").required();
    command.flag("--hex", options->hex, "Read eight hexadecimal bytes a line instead of binary");
    command.flag("--text", options->text, "Print text that valkyr asm takes: labels, no bytes");
    add_color_argument(command, options->color);
    command.runs([options] { return disassemble_file(*options); });
}

}  // namespace valkyr::app
