// Shared argument: reads --shared, the size of the memory that a work-group shares.
// SPDX-License-Identifier: MIT
#include "app/cli/shared_argument.hpp"

namespace valkyr::app {

void add_shared_argument(Command command, uint32_t& bytes) {
    command
        .option("--shared", bytes,
                "COMP texts: bytes of memory that a work-group shares, the bound of accesses to "
                "MEMORY, SHARED; a text does not say it")
        .range(0, static_cast<int>(bytes))
        .value_name("BYTES")
        .shows_default();
}

}  // namespace valkyr::app
