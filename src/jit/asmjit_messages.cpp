// Messages of asmjit: replace asmjit's functions that print, for the shared library.
// SPDX-License-Identifier: MIT
//
// Debian builds asmjit as a static library of position-independent code, except for the one file
// that prints to stderr: a shared library cannot contain that file. The linker takes these
// functions instead.
#include <asmjit/core.h>
#include <cstdlib>

namespace asmjit::DebugUtils {

const char* errorAsString(Error error) noexcept {
    switch (error) {
    case kErrorOk: return "Ok";
    case kErrorOutOfMemory: return "OutOfMemory";
    case kErrorFeatureNotEnabled: return "FeatureNotEnabled";
    case kErrorTooManyHandles: return "TooManyHandles";
    case kErrorTooLarge: return "TooLarge";
    case kErrorFailedToOpenAnonymousMemory: return "FailedToOpenAnonymousMemory";
    default: return "an error of asmjit";
    }
}

void debugOutput(const char* /*text*/) noexcept {}

void assertionFailed(const char* /*file*/, int /*line*/, const char* /*message*/) noexcept {
    std::abort();
}

}  // namespace asmjit::DebugUtils
