// Names: maps the words of scene files to enumerators and formats.
// SPDX-License-Identifier: MIT
#include "app/conform/names.hpp"

namespace valkyr::conform {

#define VALKYR_NAMES(Enum, ...)                                                                    \
    template <>                                                                                    \
    std::span<const std::string_view> names_of<Enum>() {                                           \
        static constexpr std::string_view kNames[] = {__VA_ARGS__};                                \
        return kNames;                                                                             \
    }

VALKYR_NAMES(raster::Primitive,
             "points",
             "lines",
             "line_loop",
             "line_strip",
             "triangles",
             "triangle_strip",
             "triangle_fan",
             "quads",
             "quad_strip",
             "polygon",
             "lines_adjacency",
             "line_strip_adjacency",
             "triangles_adjacency",
             "triangle_strip_adjacency",
             "patches")
VALKYR_NAMES(raster::CullFace, "none", "front", "back", "front_and_back")
VALKYR_NAMES(raster::PolygonMode, "fill", "line", "point")
VALKYR_NAMES(raster::BlendFunc, "add", "subtract", "reverse_subtract", "min", "max")
VALKYR_NAMES(raster::BlendFactor,
             "zero",
             "one",
             "src_color",
             "src_alpha",
             "dst_color",
             "dst_alpha",
             "inv_src_color",
             "inv_src_alpha",
             "inv_dst_color",
             "inv_dst_alpha",
             "const_color",
             "const_alpha",
             "inv_const_color",
             "inv_const_alpha",
             "src_alpha_saturate",
             "src1_color",
             "src1_alpha",
             "inv_src1_color",
             "inv_src1_alpha")
VALKYR_NAMES(raster::LogicOp,
             "clear",
             "nor",
             "and_inverted",
             "copy_inverted",
             "and_reverse",
             "invert",
             "xor",
             "nand",
             "and",
             "equiv",
             "noop",
             "or_inverted",
             "copy",
             "or_reverse",
             "or",
             "set")
VALKYR_NAMES(raster::CompareFunc,
             "never",
             "less",
             "equal",
             "less_equal",
             "greater",
             "not_equal",
             "greater_equal",
             "always")
VALKYR_NAMES(raster::StencilOp,
             "keep",
             "zero",
             "replace",
             "increment_clamp",
             "decrement_clamp",
             "increment_wrap",
             "decrement_wrap",
             "invert")
VALKYR_NAMES(raster::Filter, "nearest", "linear")
VALKYR_NAMES(raster::MipFilter, "none", "nearest", "linear")
VALKYR_NAMES(raster::Wrap,
             "repeat",
             "clamp_to_edge",
             "clamp_to_border",
             "mirror_repeat",
             "mirror_clamp_to_edge",
             "mirror_clamp_to_border",
             "clamp",
             "mirror_clamp")
VALKYR_NAMES(raster::TextureKind,
             "buffer",
             "1d",
             "2d",
             "3d",
             "cube",
             "rect",
             "1d_array",
             "2d_array",
             "cube_array",
             "2d_ms",
             "2d_ms_array")
#undef VALKYR_NAMES

std::string list_names(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

std::optional<exec::Format> format_from_name(std::string_view name) {
    for (unsigned i = 1; i < exec::kFormatCount; i++)
        if (exec::format_info(static_cast<exec::Format>(i)).name == name)
            return static_cast<exec::Format>(i);
    return std::nullopt;
}

}  // namespace valkyr::conform
