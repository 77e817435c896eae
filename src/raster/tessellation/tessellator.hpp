// Tessellator: divides the domain of a patch into points and primitives.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/tessellation.md, within the freedom of GL 4.6 section 11.2.2.
#pragma once

#include "exec/program.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::raster {

/// Tessellation levels of a patch as programs write them: any bits.
struct TessellationLevels {
    std::array<float, 4> outer{};
    std::array<float, 2> inner{};
};

/// Levels in 1/65536 after clamping and rounding; unused ones are 0. Patches with equal keys and
/// equal exec::TessellationInfo are divided equally.
struct TessellationKey {
    std::array<uint32_t, 4> outer{};
    std::array<uint32_t, 2> inner{};
    bool plain = false;  ///< quads and triangles: the corners alone
    friend bool operator==(const TessellationKey&, const TessellationKey&) = default;
};

/// Returns the key of a patch; nothing if the patch is culled: an outer level that the domain uses
/// is not greater than 0.
std::optional<TessellationKey> tessellation_key(const exec::TessellationInfo& info,
                                                const TessellationLevels& levels);

/// A place in the domain, in 1/65536. The third coordinate of triangles is 65536 - u - v.
struct DomainPlace {
    uint32_t u = 0;
    uint32_t v = 0;
    friend bool operator==(const DomainPlace&, const DomainPlace&) = default;
};
inline constexpr uint32_t kDomainOne = 65536;

/// Most points of a patch: a quad with all levels 64.
inline constexpr uint32_t kMaxDomainPoints = 65 * 65;

/// A divided domain. Primitives are points (in point mode), lines (isolines) or triangles.
struct Tessellation {
    std::vector<DomainPlace> points;
    std::vector<uint16_t> corners;  ///< points of the primitives, `vertices` each
    uint32_t vertices = 3;          ///< of a primitive: 1, 2 or 3

    [[nodiscard]] uint32_t primitives() const {
        return static_cast<uint32_t>(corners.size()) / vertices;
    }
};

/// Divides the domain; the contents of `made` are replaced.
void tessellate(const exec::TessellationInfo& info, const TessellationKey& key, Tessellation& made);

}  // namespace valkyr::raster
