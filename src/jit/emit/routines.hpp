// Memory routines: access memory lane by lane for kernels.
// SPDX-License-Identifier: MIT
//
// valhall/interpreter/interpret_memory.cpp and interpret_atomic.cpp define their results. They do
// not check addresses: legal programs make aligned accesses to existing memory.
#pragma once

#include "exec/abi.hpp"

#include <cstdint>

namespace valkyr::jit {

/// The properties of a LOAD, LD_BUFFER, STORE or atomic that are known when the kernel is made.
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
    int32_t one = 0;        ///< atomics: the constant operand, if has_one
    uint8_t has_one = 0;
    uint8_t reserved[3] = {};
};

/// `lanes`: bits of the lanes that take part. `address`: low and high words. `tls`: base of
/// thread-local storage. `out` holds the old contents of registers that are written in part.
void load_lanes(const MemoryAccess& access,
                uint32_t lanes,
                uint64_t tls,
                const exec::Lanes* address,
                exec::Lanes* out) noexcept;
/// Reads past the end of the buffer, or without a buffer, give 0.
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
/// Runs in ascending lane order. Lanes that do not take part or have address 0 get 0 and change
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
