// LibFuzzer entry: calls the target that VALKYR_FUZZ_NAME names.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.hpp"

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    valkyr::fuzz::VALKYR_FUZZ_NAME({data, size});
    return 0;
}
// NOLINTEND(readability-identifier-naming)
