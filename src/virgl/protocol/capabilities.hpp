// Capability sets: tell the client's driver the features and limits of this server.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::virgl {

inline constexpr size_t kCapset1Bytes = 308;
inline constexpr size_t kCapset2Bytes = 1376;

/// The OpenGL version that a client gets; each offers what those before it do.
enum class GlLevel : uint8_t {
    Gl21,  ///< OpenGL 2.1, OpenGL ES 2.0
    Gl30,
    Gl31,  ///< and OpenGL ES 3.0
    Gl33,
    Es31,  ///< OpenGL ES 3.1; OpenGL as in Gl33
    Gl43,  ///< OpenGL 4.3
};
inline constexpr uint32_t kGlLevels = 6;

/// The packed structure of capability set 2. Its first 308 bytes are set 1, except for the version
/// in the first word.
using Capset = std::array<std::byte, kCapset2Bytes>;
Capset capability_set(GlLevel level, uint32_t version);

}  // namespace valkyr::virgl
