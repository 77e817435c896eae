// Lane vectors: define the registers, operands and operations that emitters use.
// SPDX-License-Identifier: MIT
//
// A vector register holds W lanes of 32 bits: 16 on AVX-512, 8 on AVX2, 4 on NEON. Emitters do not
// depend on W. No declaration here names a host instruction: HostAssembler (host_assembler.hpp)
// maps the operations to one host level.
#pragma once

#include "base/lifetime.hpp"

#include <cstdint>

namespace valkyr::jit {

/// A host vector register by number.
struct VALKYR_HANDLE Vec {
    uint8_t id = 0xFF;
    [[nodiscard]] bool valid() const { return id != 0xFF; }
    friend bool operator==(Vec, Vec) = default;
};

/// A lane mask: a k register on AVX-512, a vector of 0 / ~0 elements elsewhere.
struct VALKYR_HANDLE Mask {
    uint8_t id = 0xFF;
    [[nodiscard]] bool valid() const { return id != 0xFF; }
    friend bool operator==(Mask, Mask) = default;
};

/// Scalar registers by role. Calls destroy only Half, Argument and T0 to T6.
enum class Gp : uint8_t {
    Frame,       ///< stack pointer: base of the kernel's frame
    Call,        ///< the call struct
    Fau,         ///< FAU words
    Item,        ///< the current item: BlockRef or vertex
    PixelBlock,  ///< byte offset of the 4x4 block in a 4-byte-per-pixel tile
    Running,     ///< running lanes of the round as bits (programs with divergence)
    Primitive,   ///< PrimitiveSetup (fragment), records of the warp (vertex)
    Half,      ///< byte offset of the lanes in a Lanes array; only when a warp takes several rounds
    Argument,  ///< set just before the call of a routine that takes a scalar (Argument::scalar)
    T0,        ///< T0 to T6 are leased (registers/scalar.hpp), never named
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    Pool,  ///< only as an address base: the constant pool
    None,
};

/// base + index * 2^shift + offset.
struct Address {
    Gp base = Gp::Frame;
    int32_t offset = 0;
    Gp index = Gp::None;
    uint8_t shift = 0;
    [[nodiscard]] Address plus(int32_t bytes) const { return {base, offset + bytes, index, shift}; }
};

/// The last operand of an operation: a register, W lanes in memory, or one 32-bit word of memory
/// for all lanes.
struct VALKYR_HANDLE Operand {
    enum class Kind : uint8_t { Register, Memory, Broadcast };
    Kind kind = Kind::Register;
    Vec reg;
    Address address;
    Operand(Vec v)
        : reg(v) {}  // NOLINT: implicit by design
    Operand(Kind k, Address a)
        : kind(k)
        , address(a) {}
    static Operand memory(Address a) { return {Kind::Memory, a}; }
    static Operand broadcast(Address a) { return {Kind::Broadcast, a}; }
    [[nodiscard]] bool is_reg() const { return kind == Kind::Register; }
};

/// Width of the elements that an integer operation, a comparison or a selection works on.
enum class Element : uint8_t { B8, B16, B32, B64 };

/// Rounding direction, numbered as the round_mode field of machine words.
enum class Rounding : uint8_t { Nearest, Up, Down, Zero };

enum class FloatCond : uint8_t {
    Equal,
    Greater,
    GreaterEqual,
    NotEqual,  ///< true on NaN
    Less,
    LessEqual,
    LessGreater,  ///< false on NaN
    Unordered,
    Ordered,
};

enum class IntCond : uint8_t { Equal, Greater, GreaterEqual, NotEqual, Less, LessEqual };

// Operations on lane vectors: what they compute is in operations.inc.
enum class Binary : uint8_t {
#define VALKYR_BINARY(name, ...) name,
#include "jit/host/operations.inc"
};
enum class Unary : uint8_t {
#define VALKYR_UNARY(name, ...) name,
#include "jit/host/operations.inc"
};
enum class ImmOp : uint8_t {
#define VALKYR_IMMEDIATE(name, ...) name,
#include "jit/host/operations.inc"
};

/// Conditions of scalar jumps after a comparison or test.
enum class Jump : uint8_t { Equal, NotEqual, Below, AboveEqual, Above, BelowEqual, Less };

/// A code position.
struct Label {
    uint32_t id = 0xFFFFFFFF;
};

}  // namespace valkyr::jit
