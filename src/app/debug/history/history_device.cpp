// History device: reads a texel before and after each command that may write it.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_device.hpp"

#include "app/debug/history/read_spot.hpp"
#include "raster/resource/blit_axis.hpp"

#include <algorithm>

namespace valkyr::debug {

using namespace raster;

namespace {

bool is_inside(const Box& box, const Spot& spot) {
    return spot.x - box.x < box.width && spot.y - box.y < box.height && spot.z - box.z < box.depth;
}

bool is_inside(const Rect& rect, const Spot& spot) {
    const auto x = static_cast<int64_t>(spot.x);
    const auto y = static_cast<int64_t>(spot.y);
    return x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
}

Entry entry_of(EntryKind kind) {
    Entry entry;
    entry.kind = kind;
    return entry;
}

/// Whether a surface has the spot, of a texture that is the right one.
bool has(const Surface& surface, const Spot& spot) {
    return surface.level == spot.level && spot.z >= surface.layer &&
           spot.z - surface.layer < surface.layer_count;
}

/// Whether a clear touches the attachment, or the depth/stencil beside it.
bool clears(const ClearInfo& info, const Attachment& attachment) {
    const bool depth_stencil = info.depth || info.stencil;
    if (attachment.depth_stencil)
        return depth_stencil;
    return (info.color_targets >> attachment.color & 1) != 0 ||
           (depth_stencil && attachment.depth_format != Format::None);
}

/// Whether the fragment shader may read a texture that the draw writes to.
bool reads_attachment(const DrawState& state) {
    const Framebuffer& framebuffer = state.framebuffer;
    return std::ranges::any_of(state.fragment().textures, [&](const TextureView& view) {
        return view.texture && (view.texture == framebuffer.depth_stencil.texture ||
                                std::ranges::find(framebuffer.color, view.texture,
                                                  &Surface::texture) != framebuffer.color.end());
    });
}

/// One direction of a blit.
BlitAxis axis_of(int32_t to, int32_t to_size, int32_t from, int32_t from_size, uint32_t limit) {
    return {to, to_size, from, from_size, limit};
}

}  // namespace

Result<TextureRef> HistoryDevice::create_texture(const TextureDesc& desc) {
    VALKYR_TRY(texture, inner().create_texture(desc));
    const uint32_t number = log_.textures++;
    log_.numbers[texture.get()] = number;
    if (!log_.target)
        log_.created.emplace_back(texture);
    if (log_.target && number == log_.target->texture) {
        target_ = texture;
        log_.history.desc = desc;
    }
    return texture;
}

bool HistoryDevice::covers(const TextureRef& texture, uint32_t level, const Box& box) const {
    return log_.is_target(texture) && level == log_.target->level && is_inside(box, *log_.target);
}

std::optional<HistoryDevice::Attached> HistoryDevice::find(const Framebuffer& framebuffer) const {
    const auto is_here = [&](const Surface& surface) {
        return log_.is_target(surface.texture) && has(surface, *log_.target);
    };
    const Surface& depth = framebuffer.depth_stencil;
    Attached found;
    const auto color = std::ranges::find_if(framebuffer.color, is_here);
    const bool is_color = color != framebuffer.color.end();
    if (!is_color && !is_here(depth))
        return std::nullopt;
    const Surface& surface = is_color ? *color : depth;
    found.texture = surface.texture;
    found.layer = log_.target->z - surface.layer;
    found.attachment.depth_stencil = !is_color;
    found.attachment.format = surface.texture->desc().format;
    found.attachment.color =
        is_color ? static_cast<unsigned>(color - framebuffer.color.begin()) : 0;
    if (!depth.texture)
        return found;
    const Spot spot{0, depth.level, log_.target->x, log_.target->y, depth.layer + found.layer};
    const TextureDesc& desc = depth.texture->desc();
    if (!is_inside(desc, spot) || found.layer >= depth.layer_count)
        return found;
    found.attachment.depth_format = desc.format;
    if (is_color) {
        found.depth = depth.texture;
        found.depth_spot = spot;
    }
    return found;
}

/// Whether shaders with these bindings may store to the watched texel.
bool HistoryDevice::stores_to(const StageResources& resources) const {
    return std::ranges::any_of(resources.images, [&](const ImageView& image) {
        return log_.is_target(image.texture) && image.level == log_.target->level;
    });
}

void HistoryDevice::begin_command() {
    log_.reads.clear();
    ++log_.commands;
    begin_history();
}

Texel HistoryDevice::read(const TextureRef& texture, const Spot& spot) {
    if (!is_inside(texture->desc(), spot))
        return {};  // the device refuses the command
    auto texel = read_texel(inner(), texture, spot);
    if (texel.has_value())
        return std::move(*texel);
    if (!log_.error)
        log_.error = texel.error();
    return {};
}

Source HistoryDevice::source(const TextureRef& texture, const Spot& spot, bool filtered) {
    return {spot, log_.name_of(texture), read(texture, spot), filtered, nullptr};
}

/// Finds the texels that the shader read, as the draw found them.
void HistoryDevice::find_sources(Fragment& fragment, const StageResources& resources) {
    for (TexelRead& read : fragment.reads) {
        if (read.texture.empty())
            continue;
        const TextureView& view = resources.textures[read.unit];
        const SamplerState sampler =
            read.unit < resources.samplers.size() ? resources.samplers[read.unit] : SamplerState();
        std::optional<Spot> spot = read_spot(view, sampler, read);
        if (!spot)
            continue;
        spot->texture = log_.number_of(view.texture);
        read.source = source(view.texture, *spot, read.message.op != exec::TextureOp::Fetch);
    }
}

std::optional<Texel> HistoryDevice::read_depth(const Attached& attached) {
    if (!attached.depth)
        return std::nullopt;
    return read(attached.depth, attached.depth_spot);
}

void HistoryDevice::begin_history() {
    if (!target_ || !log_.draws.counting || !log_.history.entries.empty())
        return;
    log_.history.texture = log_.name_of(target_);
    Entry entry = entry_of(EntryKind::Start);
    entry.before = read(target_, *log_.target);
    entry.after = entry.before;
    add(std::move(entry));
}

template <typename Command>
Result<void> HistoryDevice::watched(Entry entry, const TextureRef& texture, Command&& command) {
    entry.command = log_.commands;
    entry.before = read(texture, *log_.target);
    VALKYR_TRY_VOID(command());
    entry.after = read(texture, *log_.target);
    add(std::move(entry));
    return {};
}

/// For commands that write to places which only their shaders know.
template <typename Command>
Result<void> HistoryDevice::watched_if_changed(Entry entry, bool may_write, Command&& command) {
    if (!may_write)
        return command();
    VALKYR_TRY_VOID(watched(std::move(entry), target_, command));
    const Entry& made = log_.history.entries.back();
    if (made.before == made.after)
        log_.history.entries.pop_back();
    return {};
}

Result<void> HistoryDevice::write_texture(const TextureRef& texture,
                                          uint32_t level,
                                          const Box& box,
                                          std::span<const std::byte> data,
                                          size_t stride_bytes,
                                          size_t slice_bytes) {
    begin_command();
    const auto write = [&] {
        return inner().write_texture(texture, level, box, data, stride_bytes, slice_bytes);
    };
    return covers(texture, level, box) ? watched(entry_of(EntryKind::Upload), texture, write)
                                       : write();
}

Result<void> HistoryDevice::read_texture(const TextureRef& texture,
                                         uint32_t level,
                                         const Box& box,
                                         std::span<std::byte> data,
                                         size_t stride_bytes,
                                         size_t slice_bytes) {
    begin_history();
    if (!log_.target && log_.draws.counting && log_.reads.empty())
        log_.know_textures();
    if (texture) {
        const TextureDesc& desc = texture->desc();
        log_.reads.push_back({{log_.number_of(texture), level, 0, 0, box.z},
                              level_size(desc.width, level),
                              level_size(desc.height, level),
                              desc.format});
    }
    return inner().read_texture(texture, level, box, data, stride_bytes, slice_bytes);
}

Result<PipelineRef> HistoryDevice::create_pipeline(const PipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_pipeline(desc));
    scissored_[pipeline] = desc.rasterizer.scissor;
    return pipeline;
}

Result<void> HistoryDevice::clear(const Framebuffer& framebuffer, const ClearInfo& info) {
    begin_command();
    const auto clear = [&] { return inner().clear(framebuffer, info); };
    const std::optional<Attached> attached = find(framebuffer);
    if (!attached || !clears(info, attached->attachment) ||
        (info.rect && !is_inside(*info.rect, *log_.target)))
        return clear();
    Entry entry = entry_of(EntryKind::Clear);
    entry.depth_before = read_depth(*attached);
    entry.beside_alone = !attached->attachment.depth_stencil &&
                         (info.color_targets >> attached->attachment.color & 1) == 0;
    VALKYR_TRY_VOID(watched(std::move(entry), attached->texture, clear));
    log_.history.entries.back().depth_after = read_depth(*attached);
    return {};
}

/// Appends the fragments of the draw that has ended. `whole` has the values before and after it.
void HistoryDevice::add_fragments(const Attached& attached, const DrawState& state, Entry whole) {
    const NameTexture name = [&](const TextureRef& texture) { return log_.name_of(texture); };
    const bool reads_target = reads_attachment(state);
    std::vector<Entry>& entries = log_.history.entries;
    const size_t first = entries.size();
    std::vector<Hit>& hits = log_.draws.capture.hits();
    std::vector<PixelTexels> interpreted;
    for (uint32_t number = 0; number < hits.size(); ++number) {
        const Hit& hit = hits[number];
        if (hit.warp->layer != attached.layer)
            continue;
        const PixelTexels found = texels_before(hit, attached.attachment);
        FragmentRun run = run_fragment(hit, attached.attachment, state, name);
        run.fragment.hit = number;
        run.fragment.reads_target = reads_target;
        find_sources(run.fragment, state.fragment());
        interpreted.push_back(std::move(run.after));
        Entry entry = entry_of(EntryKind::Fragment);
        entry.command = whole.command;
        entry.draw = whole.draw;
        entry.fragment = std::move(run.fragment);
        const Entry* last = entries.size() > first ? &entries.back() : nullptr;
        entry.before = found.watched ? *found.watched : last ? last->before : whole.before;
        entry.depth_before = found.depth ? found.depth
                             : last      ? last->depth_before
                                         : whole.depth_before;
        entries.push_back(std::move(entry));
    }
    // A fragment leaves that which the next one finds, or what the draw leaves.
    for (size_t i = first; i < entries.size(); ++i) {
        const bool is_last = i + 1 == entries.size();
        entries[i].after = is_last ? whole.after : entries[i + 1].before;
        entries[i].depth_after = is_last ? whole.depth_after : entries[i + 1].depth_before;
        std::optional<Texel>& run = interpreted[i - first].watched;
        if (run && *run != entries[i].after)
            entries[i].fragment->interpreted = std::move(run);
    }
    hits.clear();
    const Texel& reached = entries.size() > first ? entries[first].before : whole.after;
    if (reached == whole.before)
        return;
    whole.after = reached;
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(first), std::move(whole));
}

/// A draw to the texture of the watched texel.
template <typename Command>
Result<void> HistoryDevice::drawn_to(const Attached& attached,
                                     const DrawState& state,
                                     Entry whole,
                                     Command&& command) {
    whole.before = read(attached.texture, *log_.target);
    whole.depth_before = read_depth(attached);
    VALKYR_TRY_VOID(command());
    whole.after = read(attached.texture, *log_.target);
    whole.depth_after = read_depth(attached);
    History& history = log_.history;
    const size_t entries = history.entries.size();
    add_fragments(attached, state, std::move(whole));
    if (history.entries.size() > entries)
        return {};
    const auto pipeline = scissored_.find(state.pipeline);
    const bool scissored = pipeline != scissored_.end() && pipeline->second &&
                           state.scissor_array.empty() && !is_inside(state.scissor, *log_.target);
    ++(scissored ? history.draws_scissored : history.draws_outside);
    return {};
}

template <typename Command>
Result<void> HistoryDevice::drawn(const DrawState& state, Command&& command) {
    begin_command();
    const bool stores = std::ranges::any_of(
        state.stages, [&](const StageResources& stage) { return stores_to(stage); });
    Entry whole = entry_of(stores ? EntryKind::Stores : EntryKind::Draw);
    whole.command = log_.commands;
    whole.draw = static_cast<uint32_t>(log_.draws.draws.size());
    const std::optional<Attached> attached = find(state.framebuffer);
    const uint32_t draw = whole.draw;
    auto done = attached ? drawn_to(*attached, state, std::move(whole), command)
                         : watched_if_changed(std::move(whole), stores, command);
    log_.draws.capture.hits().clear();
    if (log_.draws.draws.size() > draw)
        log_.draws.draws.back().state = {};  // resources end when the player drops them
    return done;
}

Result<void> HistoryDevice::work(const Work& work, const DoWork& do_work) {
    if (work.draw != nullptr)
        return drawn(*work.draw, do_work);
    begin_command();
    return watched_if_changed(entry_of(EntryKind::Dispatch), stores_to(work.dispatch->resources),
                              do_work);
}

Result<void> HistoryDevice::copy_texture(const TextureRef& to,
                                         uint32_t to_level,
                                         uint32_t x,
                                         uint32_t y,
                                         uint32_t z,
                                         const TextureRef& from,
                                         uint32_t from_level,
                                         const Box& box) {
    begin_command();
    const auto copy = [&] {
        return inner().copy_texture(to, to_level, x, y, z, from, from_level, box);
    };
    if (!from || !covers(to, to_level, {x, y, z, box.width, box.height, box.depth}))
        return copy();
    const Spot& target = *log_.target;
    Entry entry = entry_of(EntryKind::Copy);
    const Spot spot{log_.number_of(from), from_level, box.x + (target.x - x),
                    box.y + (target.y - y), box.z + (target.z - z)};
    entry.source = source(from, spot, false);
    return watched(std::move(entry), to, copy);
}

Result<void> HistoryDevice::clear_texture(const TextureRef& texture,
                                          uint32_t level,
                                          const Box& box,
                                          const std::array<uint32_t, 4>& value) {
    begin_command();
    const auto clear = [&] { return inner().clear_texture(texture, level, box, value); };
    return covers(texture, level, box) ? watched(entry_of(EntryKind::ClearTexture), texture, clear)
                                       : clear();
}

Result<void> HistoryDevice::blit(const BlitInfo& info) {
    begin_command();
    const auto blit = [&] { return inner().blit(info); };
    const BlitRegion& to = info.destination;
    const BlitRegion& from = info.source;
    if (!from.texture || !log_.is_target(to.texture) || to.level != log_.target->level)
        return blit();
    const TextureDesc& desc = from.texture->desc();
    const Spot& target = *log_.target;
    const BlitAxis x =
        axis_of(to.x, to.width, from.x, from.width, level_size(desc.width, from.level));
    const BlitAxis y =
        axis_of(to.y, to.height, from.y, from.height, level_size(desc.height, from.level));
    const BlitAxis z = axis_of(to.z, to.depth, from.z, from.depth, slices_of(desc, from.level));
    const auto reaches = [](const BlitAxis& axis, uint32_t texel) {
        return texel >= axis.destination && texel < axis.destination + axis.size;
    };
    if (!reaches(x, target.x) || !reaches(y, target.y) || !reaches(z, target.z) ||
        (info.scissor && !is_inside(*info.scissor, target)))
        return blit();
    Entry entry = entry_of(EntryKind::Blit);
    const Spot spot{log_.number_of(from.texture), from.level, x.nearest(target.x - x.destination),
                    y.nearest(target.y - y.destination), z.nearest(target.z - z.destination)};
    const bool filtered = info.filter == Filter::Linear && (x.scaled() || y.scaled());
    entry.source = source(from.texture, spot, filtered);
    return watched(std::move(entry), to.texture, blit);
}

}  // namespace valkyr::debug
