// History: keeps everything that touched one pixel of a picture, in order.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/texel.hpp"
#include "app/debug/session/draw_session.hpp"
#include "raster/messages/texture_lod.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::debug {

/// The reasons for which a fragment loses samples.
enum class Killer : uint8_t {
    Stencil,
    Depth,
    Discard,
    AlphaTest,
    AlphaToCoverage,
    ShaderSampleMask,  ///< gl_SampleMask
};

/// Samples that one test took, and the operands of the first of them: `value func against` failed.
struct Loss {
    Killer killer{};
    bool early = false;  ///< before the shader
    uint32_t samples = 0;
    exec::CompareFunc func = exec::CompareFunc::Always;
    float value = 0;        ///< depth of the fragment, alpha, or stencil reference
    float against = 0;      ///< stored depth or stencil, reference of the alpha test
    uint8_t read_mask = 0;  ///< stencil
};

/// A colour that an invocation of the shader sent to BLEND.
struct SentColor {
    uint32_t samples = 0;  ///< that it was blended into
    raster::Values color{};
    bool integer = false;
};

/// Numbers of a varying slot that the shader loaded.
struct LoadedInput {
    exec::VaryingSlot slot;
    uint8_t first = 0;  ///< component
    std::vector<uint32_t> values;
};

struct History;

/// The texel that a value was taken from.
struct Source {
    Spot spot;
    std::string texture;  ///< its name
    Texel value;
    bool filtered = false;  ///< by neighbours, too
    /// The history of the texel up to the command that took the value; null: not followed.
    std::shared_ptr<const History> history;
};

/// A texture message of the shader.
struct TexelRead {
    uint32_t unit = 0;
    std::string texture;  ///< its name; empty: none is bound
    exec::TextureMessage message{};
    std::vector<uint32_t> coordinates;  ///< floats, or integers as the message says
    std::vector<uint32_t> result;       ///< by the write mask
    /// Levels of the texture; none: nothing is bound, or a fetch from a level that the view has
    /// not.
    std::optional<raster::LevelChoice> levels;
    uint32_t view_levels = 0;  ///< of the view
    /// The texel at the coordinates, in the level that counts most; none: a cube, or not known.
    std::optional<Source> source;
};

/// A pixel of a primitive.
struct Fragment {
    uint32_t hit = 0;  ///< of the draw, as `valkyr debug --hit` counts
    uint32_t primitive = 0;
    bool back = false;
    uint32_t coverage = 0;  ///< samples that the rasterizer hands on
    std::vector<Loss> losses;
    uint32_t written = 0;  ///< samples that passed everything
    /// The shader writes to buffers or images. It runs again with them as the draw has left them,
    /// and its stores are taken back.
    bool side_effects = false;
    std::string fault;  ///< why the interpreter could not run the warp; empty: it did
    std::vector<SentColor> colors;
    std::vector<LoadedInput> inputs;
    std::vector<TexelRead> reads;
    exec::BlendKey blend;
    std::array<float, 4> blend_constant{};
    /// The shader may read texels of an attachment. It runs again when the draw has ended, and
    /// reads what the draw has left.
    bool reads_target = false;
    /// The interpreter's value, if the device left another one; a defect unless reads_target or
    /// side_effects.
    std::optional<Texel> interpreted;
};

enum class EntryKind : uint8_t {
    Start,  ///< the value before all others: a created texture, or the beginning of the frame
    Clear,
    Fragment,
    Stores,  ///< a draw whose shaders stored to the texel as that of an image
    Draw,    ///< a draw that changed the texel otherwise; a defect, or too many fragments
    Upload,
    ClearTexture,
    Copy,
    Blit,
    Dispatch,
};

struct Entry {
    EntryKind kind{};
    uint32_t command = 0;  ///< calls of the devices that write, counted from 1
    uint32_t draw = 0;     ///< Fragment, Stores, Draw
    Texel before;          ///< Start: as `after`
    Texel after;
    /// The depth/stencil attachment at the same place, if the texel is a colour.
    std::optional<Texel> depth_before;
    std::optional<Texel> depth_after;
    std::optional<Fragment> fragment;
    std::optional<Source> source;  ///< Copy, Blit
    bool beside_alone = false;     ///< Clear: of the depth/stencil attachment beside a colour
    /// Whether the entry put a value into the texel, be it the same again.
    [[nodiscard]] bool writes() const;
};

struct History {
    std::string what;     ///< "gears.trace, frame 2"
    std::string command;  ///< "valkyr debug gears.trace --frame 2"
    std::string texture;  ///< its name
    raster::TextureDesc desc;
    Spot spot;
    std::vector<Entry> entries;  ///< the first is Start
    uint32_t draws_outside = 0;  ///< that draw to the texture, but not to the texel
    uint32_t draws_scissored = 0;
    uint32_t not_followed = 0;  ///< sources beyond the most that are followed
    std::string whole;          ///< what contains the draws: "scene", "frame"
    [[nodiscard]] const Texel& value() const { return entries.back().after; }
    /// The number of the entry that wrote the value last; 0: none did.
    [[nodiscard]] size_t writer() const;
};

struct HistoryRequest {
    std::string what;
    std::string whole = "scene";
    std::string command;
    std::pair<uint32_t, uint32_t> pixel;
    /// The picture is the last surface that was read, as traces show frames; else all surfaces that
    /// were read behind the last command, side by side, as scenes do.
    bool last_read_is_shown = false;
    /// "NAME[:LEVEL[:LAYER]]": the pixel is a texel of this texture; empty: of the picture.
    std::string resource;
    /// How many textures back the sources of copies, blits and fragments that passed are followed.
    uint32_t follow = 0;
};

/// Most sources whose histories are played.
inline constexpr uint32_t kMostFollowed = 32;

/// Plays twice: to find the texture that is shown, and to watch the pixel in it. Plays again for
/// each source that is followed.
/// errors   those of the player and the device; OutOfRange: a pixel outside of the picture, no such
///          texture, level or layer; InvalidState: nothing is shown
Result<History> pixel_history(const HistoryRequest& request, const Player& play);

}  // namespace valkyr::debug
