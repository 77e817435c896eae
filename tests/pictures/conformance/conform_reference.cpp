// Conform reference: proves the goldens with the reference renderer, or writes them anew.
// SPDX-License-Identifier: MIT
#include "app/cli/exit_codes.hpp"
#include "app/conform/command.hpp"
#include "tests/oracle/reference_device.hpp"

int main(int argc, char** argv) {
    using namespace valkyr;
    CLI::App app{"Draw the conformance cases with the reference renderer", "conform_reference"};
    conform::CommandOptions options;
    conform::add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? app::kExitOk : app::kExitUsage;
    }
    const conform::Configuration reference{"reference",
                                           []() -> Result<std::unique_ptr<raster::Device>> {
                                               return reference::create_reference_device();
                                           }};
    return options.bless ? conform::bless_command(options, reference)
                         : conform::run_command(options, {reference});
}
