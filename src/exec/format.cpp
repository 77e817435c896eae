// Format table: has a row for each format.
// SPDX-License-Identifier: MIT
#include "exec/format.hpp"

namespace valkyr::exec {

const FormatInfo& format_info(Format format) {
    using enum Swizzle;
    static constexpr FormatInfo kRows[kFormatCount] = {
#define VALKYR_FORMAT(id, layout, bytes, bw, bh, channels, type, srgb, ...)                        \
    {#id, FormatLayout::layout, bytes, bw, bh, channels, ChannelType::type, srgb, __VA_ARGS__},
#include "exec/formats.inc"
#undef VALKYR_FORMAT
    };
    const auto index = static_cast<unsigned>(format);
    return kRows[index < kFormatCount ? index : 0];
}

}  // namespace valkyr::exec
