// NaN bits: find the results whose NaNs are read bit by bit.
// SPDX-License-Identifier: MIT
//
// Hosts make NaNs of different signs and payloads. Float operations do not tell NaNs apart, and
// whatever writes a float format writes the one quiet NaN. Only stores, integer operations and
// their like see the bits. A result that can come to one of these is made quiet where it is
// computed, so that all hosts and the interpreter give the same bits; others cost nothing.
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Sets Step::quiet_nans. Runs after trim_accesses(). Ends early when cancelled.
void find_nan_bits(GuestProgram& program, const KernelKey& key, Cancellation cancellation = {});

}  // namespace valkyr::jit
