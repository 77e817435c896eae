// Memory routines: access memory lane by lane for kernels.
// SPDX-License-Identifier: MIT
//
// They do what valhall/interpreter/interpret_memory.cpp and interpret_atomic.cpp define, without
// checks: accesses of a legal program are aligned and go to memory that exists.
#pragma once

#include "exec/abi.hpp"

#include <cstdint>

namespace valkyr::jit {

/// A LOAD, LD_BUFFER, STORE or atomic, as far as it is fixed when the kernel is made.
struct MemoryAccess {
    int32_t offset = 0;     ///< bytes added to the address
    uint8_t bytes = 0;      ///< in memory
    uint8_t registers = 0;  ///< staging registers that are read or written
    uint8_t shift = 0;      ///< loads: first bit that is written
    uint8_t bits = 32;      ///< loads: bits written from there; the value is extended to fill them
    uint8_t zero = 1;       ///< loads: zero-extend
    uint8_t operation = 0;  ///< atomics: AtomicOperation
    uint8_t compare = 0;    ///< atomics: compare-and-exchange
    uint8_t wide = 0;       ///< atomics: 64 bits
    int32_t one = 0;        ///< atomics with a constant operand: that operand
    uint8_t has_one = 0;
    uint8_t reserved[3] = {};
};

/// `lanes`: bits of the lanes that take part. `address`: low and high words. `tls`: base of
/// thread-local storage. `out` holds the old contents where a register is
/// written in part.
void load_lanes(const MemoryAccess& access,
                uint32_t lanes,
                uint64_t tls,
                const exec::Lanes* address,
                exec::Lanes* out) noexcept;
/// Reads past the end of the buffer, or of no buffer, give 0.
void load_buffer(const MemoryAccess& access,
                 uint32_t lanes,
                 const exec::DrawContext* draw,
                 uint32_t handle,
                 const exec::Lanes& offset,
                 exec::Lanes* out) noexcept;
void store_lanes(const MemoryAccess& access,
                 uint32_t lanes,
                 uint64_t tls,
                 const exec::Lanes* address,
                 const exec::Lanes* in) noexcept;
/// In ascending lane order; lanes that do not take part and those with address 0 get 0 and change
/// nothing.
void atomic_lanes(const MemoryAccess& access,
                  uint32_t lanes,
                  uint64_t tls,
                  const exec::Lanes* address,
                  const exec::Lanes* in,
                  exec::Lanes* out) noexcept;
/// LEA_ATTR: address low and high, format.
void attribute_address(const exec::DrawContext* draw,
                       uint32_t index,
                       const exec::Lanes& vertex,
                       const exec::Lanes& instance,
                       exec::Lanes* out) noexcept;

}  // namespace valkyr::jit
