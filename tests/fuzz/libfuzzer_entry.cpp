// The function that libFuzzer calls; compiled once a target with VALKYR_FUZZ_NAME set to its name.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.hpp"

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    valkyr::fuzz::VALKYR_FUZZ_NAME({data, size});
    return 0;
}
// NOLINTEND(readability-identifier-naming)
