// Messages of asmjit: stand in for asmjit's own messages in the shared library.
// SPDX-License-Identifier: MIT
//
// Debian builds asmjit as a static library whose code may lie anywhere, but for the one file that
// prints to stderr: a shared library cannot hold that. The linker takes these functions instead.
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
