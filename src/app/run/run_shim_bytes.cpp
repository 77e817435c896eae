// Shim bytes: hold the shared library of run_shim.cpp inside the command.
// SPDX-License-Identifier: MIT
#include "app/run/run_shim_bytes.hpp"

// VALKYR_RUN_SHIM is the library's path at build time.
asm(".section .rodata\n"
    "valkyr_run_shim_begin:\n"
    ".incbin \"" VALKYR_RUN_SHIM "\"\n"
    "valkyr_run_shim_end:\n"
    ".previous\n"
    ".global valkyr_run_shim_begin\n"
    ".global valkyr_run_shim_end\n");

extern "C" {
extern const char valkyr_run_shim_begin[];  // NOLINT: names of the assembler
extern const char valkyr_run_shim_end[];    // NOLINT
}

namespace valkyr::app {

std::string_view run_shim_bytes() {
    return {valkyr_run_shim_begin, valkyr_run_shim_end};
}

}  // namespace valkyr::app
