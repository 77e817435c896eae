// Scalars: lease the scalar registers that have no role, each until the end of a scope.
// SPDX-License-Identifier: MIT
//
// A register has at most one lease. A caller keeps the lease of a value that it needs; a function
// that computes a value returns the lease. Calls destroy these registers, so all leases must end
// before a call (checked in debug builds).
#pragma once

#include "base/check.hpp"
#include "jit/host/lane_vector.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace valkyr::jit {

class Scalars;

/// A leased scalar register, or none.
class Scalar {
public:
    Scalar() = default;
    Scalar(Scalar&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr))
        , reg_(other.reg_) {}
    Scalar& operator=(Scalar&& other) noexcept {
        Scalar taken(std::move(other));
        swap(taken);
        return *this;
    }
    Scalar(const Scalar&) = delete;
    Scalar& operator=(const Scalar&) = delete;
    ~Scalar() { reset(); }

    operator Gp() const& { return reg_; }  // NOLINT: implicit by design
    operator Gp() const&& = delete;        // its lease ends at once
    [[nodiscard]] bool valid() const { return owner_ != nullptr; }
    /// Ends the lease before the scope does.
    void reset();

private:
    friend class Scalars;
    Scalar(Scalars& owner, Gp reg)
        : owner_(&owner)
        , reg_(reg) {}
    void swap(Scalar& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(reg_, other.reg_);
    }

    Scalars* owner_ = nullptr;
    Gp reg_ = Gp::None;
};

/// An address relative to a leased pointer.
struct LeasedAddress {
    Scalar base;
    Address address;
    operator Address() const& { return address; }  // NOLINT: implicit by design
    operator Address() const&& = delete;           // its lease ends at once
};

/// Hands out Gp::T0 to Gp::T6.
class Scalars {
public:
    /// A register must be free: the number of leases depends on the nesting of expansions, never on
    /// the program.
    Scalar lease() {
        VALKYR_CHECK(free_ != 0);
        const auto reg = static_cast<Gp>(std::countr_zero(free_));
        free_ &= free_ - 1;
        return {*this, reg};
    }
    [[nodiscard]] bool all_free() const { return free_ == kAll; }

private:
    friend class Scalar;
    static constexpr unsigned kFirst = static_cast<unsigned>(Gp::T0);
    static constexpr unsigned kCount = static_cast<unsigned>(Gp::T6) - kFirst + 1;
    static constexpr uint32_t kAll = ((1U << kCount) - 1) << kFirst;
    static uint32_t bit_of(Gp reg) { return 1U << static_cast<unsigned>(reg); }
    void release(Gp reg) {
        VALKYR_DCHECK((free_ & bit_of(reg)) == 0);
        free_ |= bit_of(reg);
    }

    uint32_t free_ = kAll;
};

inline void Scalar::reset() {
    if (owner_ == nullptr)
        return;
    owner_->release(reg_);
    owner_ = nullptr;
    reg_ = Gp::None;
}

}  // namespace valkyr::jit
