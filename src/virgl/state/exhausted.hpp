// Exhausted memory: ends a client whose work cannot be done for lack of memory.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <new>

namespace valkyr::virgl {

/// Goes on as if memory had run out here, if the device says that it did: Connection catches it. A
/// client that went on would show wrong pictures; one that is ended gives its memory back.
inline void end_if_exhausted(const Error& error) {
    if (error.code == Errc::OutOfMemory)
        throw std::bad_alloc();
}

}  // namespace valkyr::virgl
