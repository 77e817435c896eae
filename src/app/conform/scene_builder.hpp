// Builds a Case statement by statement: the meaning of a scene file.
// SPDX-License-Identifier: MIT
//
// Each statement has a method, which takes the words after the statement's name. State statements
// apply to the next draws.
#pragma once

#include "app/conform/arguments.hpp"
#include "app/conform/case.hpp"
#include "app/conform/parser.hpp"
#include "app/conform/texels.hpp"

#include <map>
#include <string>

namespace valkyr::conform {

class SceneBuilder {
public:
    SceneBuilder(LineReader& lines, Diagnostics& diagnostics, const LoadFile& load)
        : lines_(lines)
        , diagnostics_(diagnostics)
        , load_(load) {}

    /// The stage whose shader and bindings a statement sets.
    StageNames& stage(DrawStage which) { return draw_.stage(which); }
    StageNames& compute() { return dispatch_.compute; }

    // scene_builder.cpp: title, tolerance and commands
    void title(Arguments& a);
    void tolerance(Arguments& a);
    void set(Arguments& a);
    void clear(Arguments& a);
    void draw(Arguments& a);
    void blit(Arguments& a);
    void show(Arguments& a);
    void dispatch(Arguments& a);
    void dispatch_indirect(Arguments& a);
    void draw_indirect(Arguments& a);
    /// The case. Adds an error for each missing part.
    Case finish();

    // scene_resources.cpp: targets and textures
    void size(Arguments& a);
    void color(Arguments& a);
    void depth(Arguments& a);
    void framebuffer(Arguments& a);
    void texture(Arguments& a);
    void fill(Arguments& a);
    void bind(Arguments& a, StageNames& stage);
    void sampler(Arguments& a, StageNames& stage);

    // scene_data.cpp: shaders, constants, vertices, indices
    void shader(Arguments& a, StageNames& stage);
    void constants(Arguments& a, StageNames& stage);
    void vertices(Arguments& a);
    void vertex_buffer(Arguments& a);
    void attribute(Arguments& a);
    void indices(Arguments& a);

    // scene_streams.cpp: stream output
    void stream(Arguments& a);
    void capture(Arguments& a);

    // scene_bindings.cpp: buffers, images, viewport arrays, patterns
    void buffer(Arguments& a);
    void storage(Arguments& a, StageNames& stage);
    void counters(Arguments& a, StageNames& stage);
    void bind_buffer(Arguments& a, StageNames& stage);
    void image(Arguments& a, StageNames& stage);
    void viewport_at(Arguments& a);
    void scissor_at(Arguments& a);
    void polygon_stipple(Arguments& a);

private:
    // Blocks: the words, or the text, between "{" and "}".
    std::vector<Word> word_block(Arguments& a);
    std::string_view text_block(Arguments& a, uint32_t& first_line);
    /// Numbers of a block as bytes of type f32, u32, i32, u16, i16, u8, i8 or hex.
    std::vector<std::byte> data_block(Arguments& a);
    Index add_buffer(Arguments& a, std::vector<std::byte> bytes);
    Index add_texture(Arguments& a, std::string name, const raster::TextureDesc& desc);
    void add_attachment(Arguments& a, bool is_depth);
    Index find_texture(Arguments& a, const Word& name);
    Index find_buffer(Arguments& a, const Word& name);
    void buffer_slot(Arguments& a, std::vector<BufferName>& slots);
    /// Takes "offset=" and "size=" in bytes; returns whether it is one of them.
    static bool take_range(Arguments& a, const KeyValue& pair, BufferName& name);
    void add_viewports(uint32_t last);
    /// "NAME", "NAME:LEVEL" or "NAME:LEVEL:LAYER", then "+LAYERS", then "@FORMAT".
    SurfaceName surface(Arguments& a, const Word& word);
    template <typename T>
    void add_command(Arguments& a, T command) {
        if (case_.commands.size() >= kMaxCommands)
            a.error(a.pos(), "too many commands");
        if (a.ok())
            case_.commands.push_back({a.pos(), std::make_shared<const T>(std::move(command))});
    }
    void texture_keys(Arguments& a, raster::TextureDesc& desc);
    Pattern pattern(Arguments& a);
    std::vector<uint8_t>
    literal_level(Arguments& a, const raster::TextureDesc& desc, uint32_t level);
    void clear_color(Arguments& a, ClearCommand& command, uint32_t targets);
    void blit_side(Arguments& a, Index& texture, raster::BlitRegion& region);
    bool check_tolerance();
    void shared_memory(Arguments& a, DispatchCommand& command);

    LineReader& lines_;
    Diagnostics& diagnostics_;
    const LoadFile& load_;
    Case case_;
    DrawCommand draw_;
    DispatchCommand dispatch_;
    uint32_t width_ = 32;
    uint32_t height_ = 32;
    uint32_t samples_ = 1;
    uint32_t color_count_ = 0;  ///< attachments made by color statements
    uint64_t texture_bytes_ = 0;
    std::map<std::string, Index, std::less<>> texture_names_;
    std::map<std::string, Index, std::less<>> buffer_names_;
};

}  // namespace valkyr::conform
