// Conform reference: checks the goldens with the reference renderer, or rewrites them.
// SPDX-License-Identifier: MIT
#include "app/cli/command_line.hpp"
#include "app/conform/command.hpp"
#include "tests/oracle/reference_device.hpp"

int main(int argc, char** argv) {
    using namespace valkyr;
    app::CommandLine line("Draw the conformance cases with the reference renderer",
                          "conform_reference");
    conform::CommandOptions options;
    conform::add_options(line.program(), options);
    if (const auto code = line.parse(argc, argv))
        return *code;
    const conform::Configuration reference{"reference",
                                           []() -> Result<std::unique_ptr<raster::Device>> {
                                               return reference::create_reference_device();
                                           }};
    return options.bless ? conform::bless_command(options, reference)
                         : conform::run_command(options, {reference});
}
