// Player: draws a case on a device.
// SPDX-License-Identifier: MIT
#include "app/conform/player.hpp"

#include "app/conform/picture.hpp"
#include "app/conform/texels.hpp"
#include "base/fnv1a.hpp"

#include <algorithm>
#include <optional>

namespace valkyr::conform {
namespace {

class Player {
public:
    Player(const Case& scene, raster::Device& device)
        : case_(scene)
        , device_(device) {}

    Result<void> prepare();
    Result<void> run();
    Result<examples::Image> picture();
    Result<uint64_t> hash();

private:
    Result<void> add_texture(Index index, Fnv1a& hash);
    Result<void> make_texture(const TextureResource& resource);
    Result<raster::ShaderRef> shader(Index index);
    Result<void> execute(const ClearCommand& command);
    Result<void> execute(const DrawCommand& command);
    Result<void> execute(const DispatchCommand& command);
    Result<void> execute(const BlitCommand& command);
    raster::IndirectInfo indirect_info(const DrawCommand& command) const;

    template <typename T>
    static std::shared_ptr<T> at(const std::vector<std::shared_ptr<T>>& list, Index index) {
        return index == kNone ? nullptr : list[index];
    }
    raster::Surface surface(const SurfaceName& name) const {
        return {at(textures_, name.texture), name.level, name.layer, name.layer_count, name.format};
    }
    raster::Framebuffer framebuffer(const FramebufferNames& names) const;
    raster::BufferRange range(const BufferName& name) const {
        return {at(buffers_, name.buffer), name.offset, name.size};
    }
    std::vector<raster::BufferRange> ranges(const std::vector<BufferName>& names) const;
    /// Texture or image views.
    template <typename View, typename Binding>
    std::vector<View> views(const std::vector<Binding>& bindings) const;
    raster::StageResources resources(const StageNames& names) const;

    const Case& case_;
    raster::Device& device_;
    std::vector<raster::BufferRef> buffers_;
    std::vector<raster::TextureRef> textures_;
    std::vector<raster::StreamTargetRef> streams_;
    std::vector<raster::ShaderRef> shaders_;
};

/// The error with the command's place, unless it already has one.
Error placed(Error error, SourcePos pos) {
    if (error.pos == SourcePos{})
        error.pos = pos;
    return error;
}

Result<void> Player::make_texture(const TextureResource& resource) {
    VALKYR_TRY(texture, device_.create_texture(resource.desc));
    for (const LevelContent& content : resource.contents) {
        const LevelSize size = level_size(resource.desc, content.level);
        const exec::FormatInfo& info = exec::format_info(resource.desc.format);
        const size_t stride =
            size_t{(size.width + info.block_width - 1) / info.block_width} * info.block_bytes;
        const size_t rows = (size.height + info.block_height - 1) / info.block_height;
        raster::Box box{0, 0, 0, size.width, size.height, size.slices};
        VALKYR_TRY_VOID(device_.write_texture(texture, content.level, box,
                                              std::as_bytes(std::span(content.bytes)), stride,
                                              stride * rows));
    }
    textures_.push_back(std::move(texture));
    return {};
}

Result<void> Player::prepare() {
    for (const std::vector<std::byte>& bytes : case_.buffers) {
        VALKYR_TRY(buffer, device_.create_buffer(bytes.size(), bytes));
        buffers_.push_back(std::move(buffer));
    }
    for (const TextureResource& resource : case_.textures) {
        Result<void> made = make_texture(resource);
        if (!made) {
            Error error = made.error();
            error.text = "texture " + resource.name + ": " + error.text;
            return error;
        }
    }
    for (const BufferName& name : case_.streams) {
        VALKYR_TRY(target, device_.create_stream_target(range(name)));
        streams_.push_back(std::move(target));
    }
    shaders_.resize(case_.shaders.size());
    return {};
}

/// Creates the shader at its first use, so that its error is reported by a draw.
Result<raster::ShaderRef> Player::shader(Index index) {
    if (index == kNone)
        return raster::ShaderRef();
    if (shaders_[index] == nullptr) {
        const ShaderText& text = case_.shaders[index];
        Result<raster::ShaderRef> made =
            device_.create_shader(text.text, text.file.empty() ? "shader" : text.file);
        if (!made) {
            Error error = made.error();
            if (text.file.empty())
                error.pos.line += text.first_line - 1;
            else
                error = {error.code, {}, error.format(text.file)};
            return error;
        }
        shaders_[index] = std::move(*made);
    }
    return shaders_[index];
}

raster::Framebuffer Player::framebuffer(const FramebufferNames& names) const {
    raster::Framebuffer made;
    for (const SurfaceName& name : names.color)
        made.color.push_back(surface(name));
    made.depth_stencil = surface(names.depth_stencil);
    return made;
}

std::vector<raster::BufferRange> Player::ranges(const std::vector<BufferName>& names) const {
    std::vector<raster::BufferRange> list;
    list.reserve(names.size());
    for (const BufferName& name : names)
        list.push_back(range(name));
    return list;
}

template <typename View, typename Binding>
std::vector<View> Player::views(const std::vector<Binding>& bindings) const {
    std::vector<View> list;
    for (const Binding& binding : bindings) {
        list.push_back(binding.view);
        list.back().texture = at(textures_, binding.texture);
        list.back().buffer = range(binding.buffer);
    }
    return list;
}

raster::StageResources Player::resources(const StageNames& names) const {
    return {names.constants,       views<raster::TextureView>(names.textures),
            names.samplers,        views<raster::ImageView>(names.images),
            ranges(names.storage), ranges(names.counters)};
}

Result<void> Player::execute(const ClearCommand& command) {
    return device_.clear(framebuffer(command.framebuffer), command.info);
}

Result<void> Player::execute(const DrawCommand& command) {
    raster::PipelineDesc desc = command.pipeline;
    VALKYR_TRY(vertex, shader(command.stage(DrawStage::Vertex).shader));
    VALKYR_TRY(control, shader(command.stage(DrawStage::TessControl).shader));
    VALKYR_TRY(evaluation, shader(command.stage(DrawStage::TessEvaluation).shader));
    VALKYR_TRY(geometry, shader(command.stage(DrawStage::Geometry).shader));
    VALKYR_TRY(fragment, shader(command.stage(DrawStage::Fragment).shader));
    desc.vertex = vertex;
    desc.tess_control = control;
    desc.tess_evaluation = evaluation;
    desc.geometry = geometry;
    desc.fragment = fragment;
    VALKYR_TRY(pipeline, device_.create_pipeline(desc));
    raster::DrawState state = command.state;
    state.pipeline = pipeline;
    state.framebuffer = framebuffer(command.framebuffer);
    state.vertex_buffers = ranges(command.vertex_buffers);
    state.index_buffer = range(command.index_buffer);
    for (const Index target : command.stream_targets)
        state.stream_targets.push_back(at(streams_, target));
    for (const DrawStage stage : raster::kAllDrawStages)
        state.stage(stage) = resources(command.stage(stage));
    return command.indirect.buffer == kNone ? device_.draw(state, command.info)
                                            : device_.draw_indirect(state, indirect_info(command));
}

raster::IndirectInfo Player::indirect_info(const DrawCommand& command) const {
    raster::IndirectInfo info;
    info.buffer = at(buffers_, command.indirect.buffer);
    info.offset = command.indirect.offset;
    info.draw_count = command.draw_count;
    info.stride = command.stride;
    info.count_buffer = at(buffers_, command.indirect_count.buffer);
    info.count_offset = command.indirect_count.offset;
    info.primitive_restart = command.info.primitive_restart;
    info.restart_index = command.info.restart_index;
    info.patch_vertices = command.info.patch_vertices;
    return info;
}

Result<void> Player::execute(const DispatchCommand& command) {
    VALKYR_TRY(compute, shader(command.compute.shader));
    VALKYR_TRY(pipeline, device_.create_compute_pipeline({compute, command.shared_bytes}));
    const raster::DispatchState state{pipeline, resources(command.compute)};
    return command.indirect.buffer == kNone
               ? device_.dispatch(state, command.groups)
               : device_.dispatch_indirect(state, at(buffers_, command.indirect.buffer),
                                           command.indirect.offset);
}

Result<void> Player::execute(const BlitCommand& command) {
    raster::BlitInfo info = command.info;
    info.source.texture = at(textures_, command.source);
    info.destination.texture = at(textures_, command.destination);
    return device_.blit(info);
}

Result<void> Player::run() {
    for (const Command& command : case_.commands) {
        Result<void> done =
            std::visit([&](const auto& what) { return execute(*what); }, command.what);
        if (!done)
            return placed(done.error(), command.pos);
    }
    return device_.finish();
}

Result<examples::Image> Player::picture() {
    std::optional<examples::Image> all;
    for (const SurfaceName& name : case_.show) {
        const raster::TextureDesc& desc = case_.textures[name.texture].desc;
        const LevelSize size = level_size(desc, name.level);
        const size_t stride = size_t{size.width} * exec::format_info(desc.format).block_bytes;
        std::vector<uint8_t> bytes(stride * size.height);
        const raster::Box box{0, 0, name.layer, size.width, size.height, 1};
        VALKYR_TRY_VOID(device_.read_texture(textures_[name.texture], name.level, box,
                                             std::as_writable_bytes(std::span(bytes)), stride));
        examples::Image shown = show_surface(desc.format, size.width, size.height, bytes);
        all = all ? beside(*all, shown) : std::move(shown);
    }
    return std::move(*all);
}

Result<void> Player::add_texture(Index index, Fnv1a& hash) {
    const raster::TextureDesc& desc = case_.textures[index].desc;
    const exec::FormatInfo& info = exec::format_info(desc.format);
    if (info.block_width != 1)
        return {};
    for (uint32_t level = 0; level < std::max(desc.levels, 1U); ++level) {
        const LevelSize size = level_size(desc, level);
        const size_t stride = size_t{size.width} * info.block_bytes;
        std::vector<std::byte> bytes(stride * size.height * size.slices);
        const raster::Box box{0, 0, 0, size.width, size.height, size.slices};
        VALKYR_TRY_VOID(device_.read_texture(textures_[index], level, box, bytes, stride,
                                             stride * size.height));
        hash.add(bytes);
    }
    return {};
}

Result<uint64_t> Player::hash() {
    Fnv1a hash;
    for (Index i = 0; i < textures_.size(); ++i)
        VALKYR_TRY_VOID(add_texture(i, hash));
    for (Index i = 0; i < buffers_.size(); ++i) {
        std::vector<std::byte> bytes(case_.buffers[i].size());
        VALKYR_TRY_VOID(device_.read_buffer(buffers_[i], 0, bytes));
        hash.add(bytes);
    }
    return hash.value();
}

}  // namespace

Result<uint64_t> hash_of(const Case& scene, raster::Device& device) {
    Player player(scene, device);
    VALKYR_TRY_VOID(player.prepare());
    VALKYR_TRY_VOID(player.run());
    return player.hash();
}

Result<examples::Image> play(const Case& scene, raster::Device& device) {
    Player player(scene, device);
    VALKYR_TRY_VOID(player.prepare());
    VALKYR_TRY_VOID(player.run());
    return player.picture();
}

}  // namespace valkyr::conform
