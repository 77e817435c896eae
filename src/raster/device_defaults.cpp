// Device defaults: report missing calls as Unsupported, and read the parameters of indirect calls.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "raster/device.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace valkyr::raster {
namespace {

Error missing(const char* what) {
    return Error{Errc::Unsupported, {}, std::string("this device has no ") + what};
}

/// The draws of an indirect call, read from its buffer some at a time.
class IndirectDraws {
public:
    /// Does Device::buffer_words() for the buffer of the call.
    using ReadWords =
        std::function<Result<const uint32_t*>(uint64_t offset, std::span<uint32_t> room)>;

    IndirectDraws(ReadWords read, const IndirectInfo& info, bool indexed)
        : read_(std::move(read))
        , info_(info)
        , indexed_(indexed)
        , bytes_(IndirectWords::size(indexed) * sizeof(uint32_t))
        , stride_(info.stride == 0 ? bytes_ : info.stride) {
        if (info.offset <= info.buffer->size() && bytes_ <= info.buffer->size() - info.offset)
            inside_ = (info.buffer->size() - info.offset - bytes_) / stride_ + 1;
    }

    /// Returns the draws from number `first` on, at least one and at most `most`, until read() is
    /// called again.
    Result<IndirectWords> read(uint32_t first, uint32_t most) {
        if (first >= inside_)
            return Error{Errc::OutOfRange, {}, "draw_indirect: draws outside the buffer"};
        const auto count = static_cast<uint32_t>(
            std::min({uint64_t{most}, inside_ - first, (sizeof(words_) - bytes_) / stride_ + 1}));
        const uint64_t size = (count - 1) * stride_ + bytes_;
        VALKYR_TRY(words, read_(info_.offset + first * stride_,
                                std::span(words_).first(size / sizeof(uint32_t))));
        return IndirectWords{words, stride_ / sizeof(uint32_t), count, indexed_};
    }

    /// Returns the draw with these words.
    /// number  its gl_DrawID
    [[nodiscard]] DrawInfo draw(const uint32_t* words, uint32_t number) const {
        DrawInfo draw;
        draw.count = words[IndirectWords::kCount];
        draw.instance_count = words[IndirectWords::kInstanceCount];
        draw.first = words[IndirectWords::kFirst];
        if (indexed_)
            draw.base_vertex = static_cast<int32_t>(words[IndirectWords::kBaseVertex]);
        draw.first_instance = words[IndirectWords::first_instance(indexed_)];
        draw.primitive_restart = info_.primitive_restart;
        draw.restart_index = info_.restart_index;
        draw.patch_vertices = info_.patch_vertices;
        draw.draw_id = number;
        return draw;
    }

private:
    ReadWords read_;
    const IndirectInfo& info_;
    bool indexed_;
    uint64_t bytes_;       // of a draw
    uint64_t stride_;      // bytes from one draw to the next
    uint64_t inside_ = 0;  // draws that lie in the buffer
    std::array<uint32_t, 1024> words_;
};

/// Returns the number of draws: draw_count, or fewer if a buffer gives a smaller number.
Result<uint32_t> draw_count(Device& device, const IndirectInfo& info) {
    if (!info.count_buffer)
        return info.draw_count;
    uint32_t count = 0;
    VALKYR_TRY_VOID(device.read_buffer(info.count_buffer, info.count_offset,
                                       std::as_writable_bytes(std::span(&count, 1))));
    return count < info.draw_count ? count : info.draw_count;
}

}  // namespace

Result<void> Device::redraw(const DrawState& state, const DrawInfo& info, StateGroups /*changed*/) {
    return draw(state, info);
}

Result<const uint32_t*>
Device::buffer_words(const BufferRef& buffer, uint64_t offset, std::span<uint32_t> room) {
    VALKYR_TRY_VOID(read_buffer(buffer, offset, std::as_writable_bytes(room)));
    return room.data();
}

uint32_t Device::join_draws(const DrawState&, DrawInfo&, const IndirectWords&) const {
    return 0;
}

Result<void> Device::draw_indirect(const DrawState& state, const IndirectInfo& info) try {
    if (!info.buffer)
        return Error{Errc::InvalidState, {}, "draw_indirect: no buffer"};
    if (info.offset % 4 != 0 || info.stride % 4 != 0 || info.count_offset % 4 != 0)
        return Error{Errc::InvalidState, {}, "draw_indirect: an offset that is no multiple of 4"};
    VALKYR_TRY(count, draw_count(*this, info));
    std::optional<DrawInfo> pending;
    StateGroups changed = StateGroups::all();
    const auto draw_pending = [&]() -> Result<void> {
        if (!pending)
            return {};
        const DrawInfo draw = *std::exchange(pending, std::nullopt);
        return redraw(state, draw, std::exchange(changed, StateGroups()));
    };
    IndirectDraws draws(
        [&](uint64_t offset, std::span<uint32_t> room) {
            return buffer_words(info.buffer, offset, room);
        },
        info, state.index_type != IndexType::None);
    for (uint32_t i = 0; i < count && !cancelled();) {
        const auto read = draws.read(i, count - i);
        if (!read) {
            VALKYR_TRY_VOID(draw_pending());
            return read.error();
        }
        for (uint32_t done = 0; done < read->count;) {
            const IndirectWords next = read->from(done);
            uint32_t taken = pending ? join_draws(state, *pending, next) : 0;
            if (taken == 0) {
                VALKYR_TRY_VOID(draw_pending());
                pending = draws.draw(next.words, i + done);
                taken = 1;
            }
            done += taken;
        }
        i += read->count;
    }
    return draw_pending();
} catch (...) {
    return caught_error();
}

Result<void> Device::dispatch_indirect(const DispatchState& state,
                                       const BufferRef& buffer,
                                       uint64_t offset) try {
    std::array<uint32_t, 3> groups{};
    if (!buffer)
        return Error{Errc::InvalidState, {}, "dispatch_indirect: no buffer"};
    if (offset % 4 != 0)
        return Error{
            Errc::InvalidState, {}, "dispatch_indirect: an offset that is no multiple of 4"};
    if (offset > buffer->size() || sizeof(groups) > buffer->size() - offset)
        return Error{Errc::OutOfRange, {}, "dispatch_indirect: group counts outside the buffer"};
    if (cancelled())
        return {};  // The buffer may hold anything.
    VALKYR_TRY_VOID(read_buffer(buffer, offset, std::as_writable_bytes(std::span(groups))));
    return dispatch(state, groups);
} catch (...) {
    return caught_error();
}

Result<void> Device::read_buffer(const BufferRef&, uint64_t, std::span<std::byte>) {
    return missing("read_buffer");
}
Result<ComputePipelineRef> Device::create_compute_pipeline(const ComputePipelineDesc&) {
    return missing("compute shaders");
}
Result<void> Device::dispatch(const DispatchState&, const std::array<uint32_t, 3>&) {
    return missing("compute shaders");
}
Result<void> Device::copy_buffer(const BufferRef&, uint64_t, const BufferRef&, uint64_t, uint64_t) {
    return missing("copy_buffer");
}
Result<void> Device::fill_buffer(const BufferRef&, uint64_t, uint64_t, std::span<const std::byte>) {
    return missing("fill_buffer");
}
Result<void> Device::copy_texture(const TextureRef&,
                                  uint32_t,
                                  uint32_t,
                                  uint32_t,
                                  uint32_t,
                                  const TextureRef&,
                                  uint32_t,
                                  const Box&) {
    return missing("copy_texture");
}
Result<void>
Device::clear_texture(const TextureRef&, uint32_t, const Box&, const std::array<uint32_t, 4>&) {
    return missing("clear_texture");
}
Result<void> Device::blit(const BlitInfo&) {
    return missing("blit");
}
Result<StreamTargetRef> Device::create_stream_target(const BufferRange&) {
    return missing("stream output");
}
Result<void> Device::set_stream_position(const StreamTargetRef&, uint64_t) {
    return missing("stream output");
}
Result<QueryRef> Device::create_query(QueryKind, uint32_t) {
    return missing("queries");
}
Result<void> Device::begin_query(const QueryRef&) {
    return missing("queries");
}
Result<void> Device::end_query(const QueryRef&) {
    return missing("queries");
}
Result<std::optional<QueryResult>> Device::query_result(const QueryRef&, bool) {
    return missing("queries");
}
Result<void> Device::eliminate_fast_clears(const TextureRef&) {
    return {};  // a device without fast clears has none to eliminate
}
Result<FenceRef> Device::insert_fence() {
    return missing("fences");
}
Result<bool> Device::check_fence(const FenceRef&, bool) {
    return missing("fences");
}

}  // namespace valkyr::raster
