// Pass allocate_registers: scans until the values fit, and spills between scans.
// SPDX-License-Identifier: MIT
//
// register_allocator.hpp says how registers are chosen. If registers run out, values are spilled
// everywhere (spill.cpp) and the scan starts again.
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/registers/register_allocator.hpp"
#include "valhall/compiler/registers/spill.hpp"

namespace valkyr::valhall::ir {
namespace {

constexpr unsigned kMaxAttempts = 32;

}  // namespace

Result<void> allocate_registers(Function& function) {
    std::vector<uint8_t> never;
    for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
        registers::Allocator allocator(function, never);
        VALKYR_TRY_VOID(function.cancellation.check());  // the live intervals may be incomplete
        const bool fits = allocator.scan();
        VALKYR_TRY_VOID(function.cancellation.check());  // the scan may have ended early
        if (fits) {
            if (function.log != nullptr)
                allocator.note_places();
            allocator.rewrite();
            return {};
        }
        const std::vector<uint8_t> spilled = allocator.take_spilled();
        if (!spill(function, spilled, never))
            break;
    }
    return Error{Errc::Unsupported, {}, "a shader with this many values alive at once"};
}

}  // namespace valkyr::valhall::ir
