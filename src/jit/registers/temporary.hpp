// Temporaries: own a host register until the end of a scope.
// SPDX-License-Identifier: MIT
//
// A temporary converts to an assembler operand. RegisterFile::define() takes its register over for
// a guest register; afterwards the temporary releases nothing. The end of a part frees all
// temporaries, with the same effect.
//
// `const Vec v = c.scratch();` would free the register at once; Clang refuses that.
#pragma once

#include "base/lifetime.hpp"
#include "jit/host/lane_vector.hpp"

#include <utility>

namespace valkyr::jit {

class RegisterFile;

/// A vector register, owned (from scratch()) or borrowed from its owner.
class VALKYR_OWNER Temp {
public:
    Temp() = default;
    /// Borrows: the register is not released.
    Temp(Vec borrowed)
        : vec_(borrowed) {}  // NOLINT: implicit by design
    Temp(RegisterFile& owner, Vec v);
    Temp(Temp&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr))
        , vec_(other.vec_)
        , lease_(other.lease_) {}
    Temp& operator=(Temp&& other) noexcept {
        Temp taken(std::move(other));
        swap(taken);
        return *this;
    }
    Temp(const Temp&) = delete;
    Temp& operator=(const Temp&) = delete;
    ~Temp() { reset(); }

    operator Vec() const { return vec_; }      // NOLINT: implicit by design
    operator Operand() const { return vec_; }  // NOLINT: implicit by design
    [[nodiscard]] bool valid() const { return vec_.valid(); }
    /// Frees the register before the scope ends.
    void reset();

private:
    void swap(Temp& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(vec_, other.vec_);
        std::swap(lease_, other.lease_);
    }

    RegisterFile* owner_ = nullptr;
    Vec vec_;
    uint8_t lease_ = 0;  ///< RegisterFile::lease_of() at allocation, compared in debug builds
};

/// A lane mask, which is a vector register on some levels.
class VALKYR_OWNER TempMask {
public:
    TempMask() = default;
    TempMask(RegisterFile& owner, Mask m)
        : owner_(&owner)
        , mask_(m) {}
    TempMask(TempMask&& other) noexcept { swap(other); }
    TempMask& operator=(TempMask&& other) noexcept {
        TempMask taken(std::move(other));
        swap(taken);
        return *this;
    }
    TempMask(const TempMask&) = delete;
    TempMask& operator=(const TempMask&) = delete;
    ~TempMask() { reset(); }

    operator Mask() const { return mask_; }  // NOLINT: implicit by design
    [[nodiscard]] bool valid() const { return mask_.valid(); }
    void reset();

private:
    void swap(TempMask& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(mask_, other.mask_);
    }

    RegisterFile* owner_ = nullptr;
    Mask mask_;
};

/// An operand in memory or in a register that may be a temporary.
class VALKYR_OWNER TempOperand {
public:
    TempOperand(Operand borrowed)
        : operand_(borrowed) {}  // NOLINT: implicit by design
    TempOperand(Temp temporary)
        : operand_(Vec(temporary))
        , temporary_(std::move(temporary)) {}  // NOLINT: implicit by design

    operator Operand() const { return operand_; }  // NOLINT: implicit by design
    [[nodiscard]] bool is_reg() const { return operand_.is_reg(); }
    [[nodiscard]] Operand::Kind kind() const { return operand_.kind; }
    /// The register of a register operand, with its ownership.
    [[nodiscard]] Temp take_register() && {
        return temporary_.valid() ? std::move(temporary_) : Temp(operand_.reg);
    }

private:
    Operand operand_;
    Temp temporary_;
};

}  // namespace valkyr::jit
