// State groups: name the parts of a draw's state that change together, and number their versions.
// SPDX-License-Identifier: MIT
//
// A caller that knows what it changed since its last draw names the groups (Device::redraw()). The
// device keeps a version of each group, and each object derived from state remembers the versions
// that it was made from: it is current as long as they are, no matter how many other draws came
// between.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Shader stages of a draw that have resources, in the order in which they run.
enum class DrawStage : uint8_t { Vertex, TessControl, TessEvaluation, Geometry, Fragment };
inline constexpr size_t kDrawStages = 5;
inline constexpr std::array<DrawStage, kDrawStages> kAllDrawStages{
    DrawStage::Vertex, DrawStage::TessControl, DrawStage::TessEvaluation, DrawStage::Geometry,
    DrawStage::Fragment};

/// Members of a DrawState. The groups of stages are in the order of DrawStage.
enum class StateGroup : uint32_t {
    Pipeline,         ///< pipeline: shaders, blend, depth/stencil and rasterizer state
    Framebuffer,      ///< framebuffer
    VertexBuffers,    ///< vertex_buffers
    IndexBuffer,      ///< index_buffer, index_type
    Viewports,        ///< viewport, scissor and their arrays
    Numbers,          ///< all other numbers: blend colour, references, masks, planes, stipple,
                      ///< tessellation levels
    StreamTargets,    ///< stream_targets
    VertexConstants,  ///< StageResources::constants of a stage
    TessControlConstants,
    TessEvaluationConstants,
    GeometryConstants,
    FragmentConstants,
    VertexUnits,  ///< all other StageResources of a stage
    TessControlUnits,
    TessEvaluationUnits,
    GeometryUnits,
    FragmentUnits,
};
inline constexpr size_t kStateGroups =
    static_cast<size_t>(StateGroup::VertexConstants) + 2 * kDrawStages;

constexpr StateGroup constants_group(DrawStage stage) {
    return static_cast<StateGroup>(static_cast<size_t>(StateGroup::VertexConstants) +
                                   static_cast<size_t>(stage));
}
constexpr StateGroup units_group(DrawStage stage) {
    return static_cast<StateGroup>(static_cast<size_t>(StateGroup::VertexUnits) +
                                   static_cast<size_t>(stage));
}
static_assert(units_group(DrawStage::Fragment) == StateGroup::FragmentUnits &&
              static_cast<size_t>(StateGroup::FragmentUnits) + 1 == kStateGroups);

/// A set of groups.
class StateGroups {
public:
    constexpr StateGroups() = default;
    constexpr StateGroups(StateGroup group)  // NOLINT: a group is a set of one
        : bits_(uint32_t{1} << static_cast<uint32_t>(group)) {}
    [[nodiscard]] static constexpr StateGroups all() {
        StateGroups groups;
        groups.bits_ = (uint32_t{1} << kStateGroups) - 1;
        return groups;
    }

    [[nodiscard]] constexpr uint32_t bits() const { return bits_; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    [[nodiscard]] constexpr bool has(StateGroups some) const { return (bits_ & some.bits_) != 0; }
    constexpr StateGroups& operator|=(StateGroups more) {
        bits_ |= more.bits_;
        return *this;
    }
    friend constexpr StateGroups operator|(StateGroups a, StateGroups b) { return a |= b; }
    friend constexpr bool operator==(StateGroups, StateGroups) = default;

private:
    uint32_t bits_ = 0;
};
constexpr StateGroups operator|(StateGroup a, StateGroup b) {
    return StateGroups(a) | StateGroups(b);
}

/// A version of each group, never 0: equal versions mean equal state.
class StateVersions {
public:
    /// Gives groups versions that they never had. Versions repeat after 2^32 changes; objects
    /// derived from state live for one pass, which is much shorter.
    constexpr void change(StateGroups groups) {
        if (groups.empty())
            return;
        ++now_;
        last_ = groups;
        for (uint32_t bits = groups.bits(); bits != 0; bits &= bits - 1)
            of_[static_cast<size_t>(std::countr_zero(bits))] = now_;
    }
    /// Returns the version of the last change, which is the highest one of all groups.
    [[nodiscard]] constexpr uint32_t now() const { return now_; }
    /// Returns the groups that changed after the version `then` of this object, as now() gave it.
    /// Groups that have not changed for 2^31 changes may be among them.
    [[nodiscard]] constexpr StateGroups since(uint32_t then) const {
        if (then == now_)
            return {};
        if (then == now_ - 1)
            return last_;  // as between two draws of one pipeline
        StateGroups groups;
        for (size_t i = 0; i < kStateGroups; ++i)
            if (static_cast<int32_t>(of_[i] - then) > 0)
                groups |= static_cast<StateGroup>(i);
        return groups;
    }
    [[nodiscard]] constexpr uint32_t of(StateGroup group) const {
        return of_[static_cast<size_t>(group)];
    }

private:
    static constexpr std::array<uint32_t, kStateGroups> first_versions() {
        std::array<uint32_t, kStateGroups> versions{};
        versions.fill(1);
        return versions;
    }

    uint32_t now_ = 1;
    StateGroups last_;  ///< groups of the last change
    std::array<uint32_t, kStateGroups> of_ = first_versions();
};

}  // namespace valkyr::raster
