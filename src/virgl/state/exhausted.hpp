// Exhausted memory: ends the client for whose work memory ran out.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <new>

namespace valkyr::virgl {

/// Turns the device's OutOfMemory into std::bad_alloc, which Connection catches to end the client.
/// If the client continued, it would show wrong pictures; ending it frees its memory.
inline void end_if_exhausted(const Error& error) {
    if (error.code == Errc::OutOfMemory)
        throw std::bad_alloc();
}

}  // namespace valkyr::virgl
