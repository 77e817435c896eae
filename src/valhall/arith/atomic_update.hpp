// Atomic update: computes what an atomic operation leaves in memory.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/isa.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

namespace valkyr::valhall {

/// The new value of a word (U: uint32_t or uint64_t) under ATOM and ATOM_RETURN (`valhall.xml`,
/// enum AtomicOperation): modular sums, signed and unsigned bounds, bit operations.
template <typename U>
U atomic_result(AtomicOperation operation, U old, U operand) {
    using S = std::make_signed_t<U>;
    const auto a = static_cast<S>(old);
    const auto b = static_cast<S>(operand);
    switch (operation) {
    case AtomicOperation::aadd: return static_cast<U>(old + operand);
    case AtomicOperation::asmin: return static_cast<U>(std::min(a, b));
    case AtomicOperation::asmax: return static_cast<U>(std::max(a, b));
    case AtomicOperation::aumin: return std::min(old, operand);
    case AtomicOperation::aumax: return std::max(old, operand);
    case AtomicOperation::aand: return old & operand;
    case AtomicOperation::aor: return old | operand;
    case AtomicOperation::axor: return old ^ operand;
    case AtomicOperation::axchg: return operand;
    }
    return old;
}

/// Applies the operation to a naturally aligned word in one indivisible step; returns the old word.
template <typename U>
U atomic_update(U* memory, AtomicOperation operation, U operand) {
    const std::atomic_ref<U> reference(*memory);
    U old = reference.load();
    while (!reference.compare_exchange_weak(old, atomic_result(operation, old, operand))) {
    }
    return old;
}

/// Stores `desired` if the word equals `expected`, in one indivisible step; returns the old word.
template <typename U>
U atomic_compare_exchange(U* memory, U desired, U expected) {
    const std::atomic_ref<U> reference(*memory);
    reference.compare_exchange_strong(expected, desired);
    return expected;
}

}  // namespace valkyr::valhall
