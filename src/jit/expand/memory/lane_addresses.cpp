// Lane addresses: loops over the addresses of an access, in thread-local storage or not.
// SPDX-License-Identifier: MIT
#include "jit/expand/memory/lane_addresses.hpp"

namespace valkyr::jit {

void stage_addresses(EmitContext& c) {
    const VecPair address = c.widen64(0, false);
    c.h.store(low_words(), address.low);
    c.h.store(high_words(), address.high);
}

}  // namespace valkyr::jit
