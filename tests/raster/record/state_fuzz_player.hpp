// Fuzz player: makes random calls on a device and logs the result of each.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/raster/native_scene.hpp"
#include "tests/raster/record/state_fuzz_compute.hpp"
#include "tests/raster/record/state_fuzz_shaders.hpp"
#include "tests/raster/record/state_fuzz_state.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::raster::test {

class Player : private RandomState {
public:
    Player(Device& device, uint32_t seed, Partly partly = Partly::Never)
        : RandomState(seed)
        , device_(device)
        , partly_(partly) {
        samples_ = 1U << random_.below(4);
        if (random_.below(2) == 0)
            samples_ = 1;
        make_resources();
    }

    void step() {
        if (partly_ != Partly::Never && last_state.pipeline && !chance(4)) {
            draw_partly();
            return;
        }
        switch (random_.below(13)) {
        case 0: clear(); break;
        case 1: blit(); break;
        case 2: copy(); break;
        case 3: query(); break;
        case 4: read(pick(targets_)); break;
        case 5: dispatch(); break;
        default: draw(); break;
        }
    }

    /// Finishes all draws and logs the result and the content of all resources.
    void finish() {
        note(device_.finish());
        for (const auto& list : {targets_, depths_, stores_})
            for (const TextureRef& texture : list)
                read(texture);
        std::vector<BufferRef> written = storages_;
        written.push_back(stream_);
        for (const BufferRef& buffer : written) {
            std::vector<uint8_t> bytes(buffer->size());
            note(device_.read_buffer(buffer, 0, std::as_writable_bytes(std::span(bytes))));
            note(bytes);
        }
    }

    std::vector<uint64_t> log;  ///< error codes, hashes of texels, results
    PipelineDesc last_pipeline;
    DrawState last_state;
    DrawInfo last_info;

private:
    template <typename T>
    void note(const Result<T>& result) {
        log.push_back(result.has_value() ? 0 : 1 + static_cast<uint64_t>(result.error().code));
    }
    void note(const std::vector<uint8_t>& bytes) {
        uint64_t hash = 0xCBF29CE484222325;
        for (const uint8_t b : bytes)
            hash = (hash ^ b) * 0x100000001B3;
        log.push_back(hash);
    }

    TextureRef texture(Format format, bool target, uint32_t samples) {
        TextureDesc desc;
        desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
        if (target && chance(2)) {
            desc.kind = samples > 1 ? TextureKind::Tex2DMsArray : TextureKind::Tex2DArray;
            desc.layers = 1 + random_.below(5);
        }
        desc.format = format;
        desc.width = 1 + random_.below(90);
        desc.height = 1 + random_.below(90);
        desc.samples = samples;
        desc.render_target = target;
        return must(device_.create_texture(desc));
    }

    void make_resources() {
        for (int i = 0; i < 5; ++i)
            targets_.push_back(texture(kColorFormats[random_.below(8)], true, samples_));
        for (int i = 0; i < 2; ++i)
            depths_.push_back(texture(kDepthFormats[random_.below(4)], true, samples_));
        for (int i = 0; i < 2; ++i)
            images_.push_back(image());
        for (int i = 0; i < 4; ++i)
            views_.push_back(image(true));
        for (int i = 0; i < 3; ++i)
            buffers_.push_back(vertices(random_.below(60)));
        for (int i = 0; i < 2; ++i) {
            std::vector<uint8_t> bytes(random_.below(200));
            for (uint8_t& b : bytes)
                b = static_cast<uint8_t>(chance(6) ? random_.below(256) : random_.below(40));
            indices_.push_back(
                must(device_.create_buffer(bytes.size(), std::as_bytes(std::span(bytes)))));
        }
        stream_ = must(device_.create_buffer(random_.below(2000)));
        stream_target_ = must(device_.create_stream_target({stream_, 0, UINT64_MAX}));
        for (int i = 0; i < 3; ++i)
            stores_.push_back(store());
        for (int i = 0; i < 3; ++i)
            storages_.push_back(must(device_.create_buffer(4 * random_.below(80))));
        for (const char* text : kMemoryTexts)
            fragment_shaders_.push_back(must(device_.create_shader(text, "fs")));
        for (const char* text : kVertexTexts)
            vertex_shaders_.push_back(must(device_.create_shader(text, "vs")));
        for (const char* text : kFragmentTexts)
            fragment_shaders_.push_back(must(device_.create_shader(text, "fs")));
        for (const char* text : kTextureTexts)
            fragment_shaders_.push_back(must(device_.create_shader(text, "fs")));
    }

    /// Creates a zero texture for shaders to store to.
    TextureRef store() {
        TextureDesc d;
        d.kind = chance(2) ? TextureKind::Tex2DArray : TextureKind::Tex2D;
        d.format = Format::R32_UINT;
        d.width = 1 + random_.below(90);
        d.height = 1 + random_.below(90);
        d.levels = chance(3) && std::max(d.width, d.height) > 1 ? 2 : 1;
        d.layers = d.kind == TextureKind::Tex2DArray ? 1 + random_.below(3) : 1;
        return must(device_.create_texture(d));
    }

    BufferRange range(const BufferRef& buffer) {
        return {buffer, chance(4) ? 4 * random_.below(20) : 0,
                chance(4) ? random_.below(200) : UINT64_MAX};
    }

    ImageView image_view() {
        ImageView v;
        if (chance(4)) {
            v.buffer = range(pick(storages_));
            v.format = chance(10) ? Format::R8G8B8A8_UNORM : Format::R32_UINT;
            return v;
        }
        v.texture = chance(10) ? nullptr : pick(stores_);
        v.level = static_cast<uint8_t>(chance(6) ? 1 : 0);
        v.first_layer = chance(6) ? 1 : 0;
        v.layer_count = chance(3) ? 1 : UINT32_MAX;
        if (chance(6))
            v.kind = any(TextureKind::Tex2DArray);
        return v;
    }

    /// Creates a filled texture to sample, of any kind if `any_kind`.
    TextureRef image(bool any_kind = false) {
        constexpr TextureKind kKinds[] = {TextureKind::Tex2D, TextureKind::Tex3D, TextureKind::Cube,
                                          TextureKind::Tex2DArray};
        TextureDesc d;
        d.kind = kKinds[any_kind ? random_.below(4) : 0];
        d.format = any_kind && chance(3) ? kDepthFormats[random_.below(4)]
                                         : kColorFormats[random_.below(8)];
        d.width = 1 + random_.below(40);
        d.height = d.kind == TextureKind::Cube ? d.width : 1 + random_.below(40);
        d.depth = d.kind == TextureKind::Tex3D ? 1 + random_.below(5) : 1;
        d.layers = d.kind == TextureKind::Cube ? 6 : 1;
        if (d.kind == TextureKind::Tex2DArray)
            d.layers = 1 + random_.below(7);
        if (any_kind)
            while (d.levels < 5 && std::max({d.width, d.height, d.depth}) >> d.levels != 0)
                ++d.levels;
        const TextureRef t = must(device_.create_texture(d));
        for (uint32_t level = 0; level < d.levels; ++level) {
            const uint32_t slices =
                d.kind == TextureKind::Tex3D ? std::max(d.depth >> level, 1U) : d.layers;
            const Box box{
                0, 0, 0, std::max(d.width >> level, 1U), std::max(d.height >> level, 1U), slices};
            const size_t stride = size_t{box.width} * exec::format_info(d.format).block_bytes;
            std::vector<uint8_t> bytes(stride * box.height * slices);
            for (uint8_t& b : bytes)
                b = static_cast<uint8_t>(random_.below(0x78));  // no NaN in any float format
            note(device_.write_texture(t, level, box, std::as_bytes(std::span(bytes)), stride,
                                       stride * box.height));
        }
        return t;
    }

    TextureView view() {
        TextureView v;
        if (chance(5)) {
            v.buffer = range(chance(2) ? pick(buffers_) : pick(storages_));
            v.format = chance(2) ? Format::R8G8B8A8_UNORM : Format::R32_UINT;
            return v;
        }
        v.texture = chance(10) ? nullptr : pick(chance(4) ? stores_ : views_);
        v.first_level = static_cast<uint8_t>(chance(4) ? random_.below(4) : 0);
        v.level_count = static_cast<uint8_t>(chance(4) ? random_.below(4) : 255);
        v.first_layer = chance(8) ? random_.below(4) : 0;
        if (chance(4))
            for (Swizzle& s : v.swizzle)
                s = any(Swizzle::One);
        if (chance(12))
            v.kind = any(TextureKind::Tex2DMsArray);
        return v;
    }

    BufferRef vertices(uint32_t count) {
        std::vector<float> data;
        for (uint32_t i = 0; i < count; ++i) {
            for (int k = 0; k < 3; ++k)
                data.push_back(coordinate());
            data.push_back(chance(3) ? coordinate() : 1);
            for (int k = 0; k < 4; ++k)
                data.push_back(random_.between(-0.3F, 1.2F));
        }
        return must(device_.create_buffer(data.size() * 4, std::as_bytes(std::span(data))));
    }

    Framebuffer framebuffer() {
        Framebuffer fb;
        const uint32_t count = chance(8) ? 0 : 1 + random_.below(3);
        for (uint32_t i = 0; i < count; ++i)
            fb.color.push_back({chance(6) ? nullptr : pick(targets_), chance(200) ? 1U : 0,
                                chance(8) ? 1U : 0, chance(2) ? random_.below(6) : UINT32_MAX});
        // Draws to one texture as two attachments would have no defined order.
        for (size_t i = 0; i < fb.color.size(); ++i)
            for (size_t k = 0; k < i; ++k)
                if (fb.color[i].texture == fb.color[k].texture)
                    fb.color[i].texture = nullptr;
        constexpr std::array<Format, 4> kViews{Format::R8G8B8A8_SRGB, Format::R32_UINT,
                                               Format::R16G16_FLOAT, Format::R8_UNORM};
        for (Surface& surface : fb.color)
            if (chance(12))
                surface.format = kViews[random_.below(4)];
        if (chance(2)) {
            fb.depth_stencil.texture = pick(depths_);
            fb.depth_stencil.layer_count = UINT32_MAX;
        }
        if (chance(40))
            fb = {{}, {}, random_.below(80), 1 + random_.below(80), 1U << random_.below(6), 2};
        if (chance(150))
            fb.depth_stencil.texture = pick(targets_);
        return fb;
    }

    void clear() {
        ClearInfo info;
        info.color_targets = random_.below(16);
        for (auto& color : info.color)
            for (uint32_t& word : color)
                word = random_.below(0x40000000);
        info.depth = chance(2);
        info.stencil = chance(2);
        info.depth_value = random_.between(-0.5F, 1.5F);
        info.stencil_value = static_cast<uint8_t>(random_.word());
        if (chance(2))
            info.rect = rect();
        note(device_.clear(framebuffer(), info));
    }

    BlitRegion region(const TextureRef& texture) {
        BlitRegion r;
        r.texture = texture;
        r.level = chance(50) ? 1 : 0;
        r.x = static_cast<int32_t>(random_.below(60)) - 10;
        r.y = static_cast<int32_t>(random_.below(60)) - 10;
        r.width = static_cast<int32_t>(random_.below(80)) - 20;
        r.height = static_cast<int32_t>(random_.below(80)) - 20;
        r.depth = chance(30) ? 2 : 1;
        return r;
    }

    void blit() {
        BlitInfo info;
        const bool depth = chance(4);
        info.source = region(chance(3) ? pick(images_) : pick(depth ? depths_ : targets_));
        info.destination = region(pick(depth ? depths_ : targets_));
        if (info.source.texture == info.destination.texture)
            return;
        info.filter = any(Filter::Linear);
        info.color_mask = static_cast<uint8_t>(random_.word());
        info.depth = chance(2);
        if (chance(3))
            info.scissor = rect();
        note(device_.blit(info));
    }

    void copy() {
        const Box box{random_.below(40), random_.below(40), 0,
                      random_.below(40), random_.below(40), 1};
        note(device_.copy_texture(pick(targets_), 0, random_.below(20), random_.below(20), 0,
                                  chance(3) ? pick(images_) : pick(targets_), 0, box));
    }

    void dispatch() {
        if (!dispatches_)
            dispatches_.emplace(device_, static_cast<RandomState&>(*this));
        ImageView image;
        image.texture = pick(stores_);
        note(dispatches_->dispatch({range(pick(storages_)), range(pick(storages_))}, image));
    }

    void query() {
        if (!query_) {
            query_ = must(device_.create_query(static_cast<QueryKind>(random_.below(4))));
            note(device_.begin_query(query_));
            return;
        }
        note(device_.end_query(query_));
        const auto result = device_.query_result(query_, true);
        note(result);
        if (result.has_value())
            log.push_back((*result)->value);
        query_ = nullptr;
    }

    void read(const TextureRef& texture) {
        const TextureDesc& d = texture->desc();
        const size_t stride = size_t{d.width} * exec::format_info(d.format).block_bytes;
        std::vector<uint8_t> bytes(stride * d.height);
        for (uint32_t z = 0; z < d.layers; ++z) {
            note(device_.read_texture(texture, 0, {0, 0, z, d.width, d.height, 1},
                                      std::as_writable_bytes(std::span(bytes)), stride));
            note(bytes);
        }
    }

    PipelineDesc pipeline() {
        PipelineDesc p;
        p.vertex = pick(vertex_shaders_);
        p.fragment = chance(30) ? nullptr : pick(fragment_shaders_);
        const Format wide = Format::R32G32B32A32_FLOAT;
        p.elements = {{0, chance(10) ? random_.below(64) : 0, 0, wide},
                      {chance(5) ? 1U : 0, 16, chance(5) ? random_.below(3) : 0,
                       chance(4) ? Format::R8G8B8A8_UNORM : wide}};
        if (chance(100))
            p.elements.pop_back();
        p.strides = {chance(10) ? random_.below(70) : 32, 32};
        for (BlendTarget& target : p.blend.targets)
            target = blend_target();
        p.blend.independent = chance(2);
        p.blend.logic_op_enable = chance(6);
        p.blend.logic_op = any(LogicOp::Set);
        p.blend.alpha_to_coverage = chance(5);
        p.blend.alpha_to_one = chance(5);
        p.depth_stencil.depth_test = chance(2);
        p.depth_stencil.depth_write = chance(2);
        p.depth_stencil.depth_func = any(CompareFunc::Always);
        p.depth_stencil.stencil = {stencil(), stencil()};
        p.depth_stencil.alpha_test = chance(6);
        p.depth_stencil.alpha_func = any(CompareFunc::Always);
        p.rasterizer = rasterizer();
        p.primitive = any(Primitive::TriangleStripAdjacency);
        if (chance(10)) {
            p.stream_output.elements = {{static_cast<uint8_t>(random_.below(2)), 0, 4, 0, 0}};
            p.stream_output.stride_words = {4 + random_.below(3), 0, 0, 0};
        }
        return p;
    }

    bool set_pipeline(DrawState& s) {
        last_pipeline = pipeline();
        const auto made = device_.create_pipeline(last_pipeline);
        note(made);
        if (!made.has_value())
            return false;
        s.pipeline = *made;
        known_.push_back(*made);
        if (known_.size() > 3)
            known_.erase(known_.begin());
        return true;
    }
    void set_vertex_buffers(DrawState& s) {
        s.vertex_buffers = {{chance(20) ? storages_[random_.below(2)] : pick(buffers_)},
                            {pick(buffers_), random_.below(100), UINT64_MAX}};
        if (chance(20))
            s.vertex_buffers[0].buffer = nullptr;
    }
    void set_index_buffer(DrawState& s) {
        s.index_type = IndexType::None;
        if (!chance(3))
            return;
        s.index_type = any(IndexType::U32);
        s.index_buffer = {pick(indices_), random_.below(8), UINT64_MAX};
        if (chance(40))
            s.index_buffer.buffer = nullptr;
    }
    void set_constants(DrawState& s) {
        s.fragment().constants = {
            std::vector<uint32_t>(random_.below(9), 0x3E000000 + (random_.word() & 0xFFFFFF))};
    }
    void set_vertex_constants(DrawState& s) {
        s.vertex().constants = {std::vector<uint32_t>(random_.below(6), 0x3E000000)};
        for (uint32_t& word : s.vertex().constants[0])
            word += random_.word() & 0xFFFFFF;
    }
    /// Draws have no geometry shader: they do the same whatever its resources are.
    void set_geometry_constants(DrawState& s) {
        s.geometry().constants = {std::vector<uint32_t>(random_.below(9))};
    }
    void set_units(DrawState& s) {
        s.fragment().textures = {view()};
        s.fragment().samplers = {sampler()};
        bind_memory(s);
    }
    void draw() {
        DrawState s;
        if (!set_pipeline(s))
            return;
        s.framebuffer = framebuffer();
        set_vertex_buffers(s);
        set_index_buffer(s);
        set_constants(s);
        set_vertex_constants(s);
        set_units(s);
        set_viewports(s);
        set_numbers(s);
        if (!chance(20))
            s.stream_targets = {stream_target_};
        last_state = s;
        last_info = draw_info();
        note(device_.draw(s, last_info));
    }

    /// Draws with the state of the draw before, of which some groups change.
    void draw_partly() {
        DrawState& s = last_state;
        StateGroups changed;
        const auto change = [&](StateGroups groups, uint32_t one_in, auto&& set) {
            if (!chance(one_in))
                return;
            set();
            changed |= groups;
        };
        change(StateGroup::Pipeline, 3, [&] { s.pipeline = pick(known_); });
        change(StateGroup::Framebuffer, 30, [&] { s.framebuffer = framebuffer(); });
        change(StateGroup::VertexBuffers, 6, [&] { set_vertex_buffers(s); });
        change(StateGroup::IndexBuffer, 6, [&] { set_index_buffer(s); });
        change(StateGroup::FragmentConstants, 4, [&] { set_constants(s); });
        change(StateGroup::VertexConstants, 6, [&] { set_vertex_constants(s); });
        change(StateGroup::GeometryConstants, 20, [&] { set_geometry_constants(s); });
        change(StateGroup::GeometryUnits, 20, [&] { s.geometry().samplers = {sampler()}; });
        change(StateGroup::VertexUnits | StateGroup::FragmentUnits, 6, [&] { set_units(s); });
        change(StateGroup::Viewports, 6, [&] { set_viewports(s); });
        change(StateGroup::Numbers, 6, [&] { set_numbers(s); });
        change(StateGroup::StreamTargets, 20, [&] { s.stream_targets = {stream_target_}; });
        if (chance(8))  // Callers may tell of groups that did not change.
            changed |= static_cast<StateGroup>(random_.below(kStateGroups));
        if (chance(20)) {
            const std::array<float, 4> row{coordinate(), coordinate(), coordinate(), 1};
            note(device_.write_buffer(pick(buffers_), 0, std::as_bytes(std::span(row))));
        }
        if (!chance(3))
            last_info = draw_info();
        note(partly_ == Partly::Redraw ? device_.redraw(s, last_info, changed)
                                       : device_.draw(s, last_info));
    }

    /// Results must not depend on the order of pixels. Within a draw, no word is written in two
    /// ways, and no written word is read, except that vertices may read words that fragments write.
    /// Successive draws do both.
    void bind_memory(DrawState& s) {
        s.fragment().images = {image_view(), image_view()};
        for (ImageView& v : s.fragment().images)
            if (v.buffer.buffer)
                v.buffer.buffer = storages_[1];
        if (s.fragment().images[0].texture == s.fragment().images[1].texture)
            s.fragment().images.pop_back();
        TextureView& view = s.fragment().textures[0];
        for (const ImageView& v : s.fragment().images)
            if (v.texture == view.texture)
                view.texture = nullptr;
        if (!view.texture && view.buffer.buffer != buffers_[0])
            view.buffer.buffer = chance(2) ? storages_[2] : nullptr;
        s.fragment().storage = {range(storages_[0])};
        s.fragment().counters = {range(storages_[0])};
        s.vertex().storage = {range(storages_[2])};
    }

    Device& device_;
    Partly partly_;
    std::vector<PipelineRef> known_;  ///< the most recently created pipelines
    uint32_t samples_ = 1;
    std::vector<TextureRef> targets_, depths_, images_, views_, stores_;
    std::vector<BufferRef> buffers_, indices_, storages_;
    std::vector<ShaderRef> vertex_shaders_, fragment_shaders_;
    BufferRef stream_;
    StreamTargetRef stream_target_;
    QueryRef query_;
    std::optional<RandomDispatches> dispatches_;
};

}  // namespace valkyr::raster::test
