// Blend descriptor: packs where and how BLEND writes a colour in a 64-bit word.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstdint>

namespace valkyr::exec {

/// How BLEND proceeds.
enum class BlendMode : uint8_t {
    Shader,         ///< goes on into the epilogue, which calls a blend program
    Opaque,         ///< writes the colour as it is
    FixedFunction,  ///< blends by the state of the target
    Off,            ///< writes nothing
};

/// The operand of BLEND (docs/rules/isa-notes.md, section "BLEND").
struct BlendDescriptor {
    BlendMode mode = BlendMode::Off;  ///< bits 1..0
    uint8_t components = 4;           ///< bits 4..3, less one
    uint8_t target = 0;               ///< bits 19..16: render target
    Format format = Format::None;     ///< bits 53..32: of the target
    uint8_t register_type = 0;        ///< bits 63..56: 1 f32, 2 s32, 3 u32
};

constexpr uint64_t pack(const BlendDescriptor& descriptor) {
    return static_cast<uint64_t>(descriptor.mode) | uint64_t{descriptor.components - 1U} << 3 |
           uint64_t{descriptor.target} << 16 | static_cast<uint64_t>(descriptor.format) << 32 |
           uint64_t{descriptor.register_type} << 56;
}

// Engines need no more of a descriptor than these two.
constexpr BlendMode blend_mode(uint64_t descriptor) {
    return static_cast<BlendMode>(descriptor & 3);
}
constexpr uint32_t blend_target(uint64_t descriptor) {
    return static_cast<uint32_t>(descriptor >> 16 & 0xF);
}

}  // namespace valkyr::exec
