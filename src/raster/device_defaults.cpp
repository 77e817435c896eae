// Device defaults: report missing calls as Unsupported, and read the parameters of indirect calls.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "raster/device.hpp"

#include <array>
#include <cstring>
#include <string>

namespace valkyr::raster {
namespace {

Error missing(const char* what) {
    return Error{Errc::Unsupported, {}, std::string("this device has no ") + what};
}

/// Returns the words of one draw in an indirect buffer.
constexpr uint32_t words_of(bool indexed) {
    return indexed ? 5 : 4;
}

DrawInfo info_from(const std::array<uint32_t, 5>& words, bool indexed) {
    DrawInfo info;
    info.count = words[0];
    info.instance_count = words[1];
    info.first = words[2];
    info.base_vertex = indexed ? static_cast<int32_t>(words[3]) : 0;
    info.first_instance = words[indexed ? 4 : 3];
    return info;
}

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

Result<void> Device::draw_indirect(const DrawState& state, const IndirectInfo& info) try {
    const bool indexed = state.index_type != IndexType::None;
    const uint32_t bytes = words_of(indexed) * sizeof(uint32_t);
    const uint32_t stride = info.stride == 0 ? bytes : info.stride;
    if (!info.buffer)
        return Error{Errc::InvalidState, {}, "draw_indirect: no buffer"};
    if (info.offset % 4 != 0 || stride % 4 != 0 || info.count_offset % 4 != 0)
        return Error{Errc::InvalidState, {}, "draw_indirect: an offset that is no multiple of 4"};
    VALKYR_TRY(count, draw_count(*this, info));
    for (uint32_t i = 0; i < count && !cancelled(); ++i) {
        const uint64_t at = uint64_t{i} * stride;
        if (info.offset > info.buffer->size() || at > info.buffer->size() - info.offset)
            return Error{Errc::OutOfRange, {}, "draw_indirect: draws outside the buffer"};
        std::array<uint32_t, 5> words{};
        VALKYR_TRY_VOID(read_buffer(info.buffer, info.offset + at,
                                    std::as_writable_bytes(std::span(words)).first(bytes)));
        DrawInfo draw_info = info_from(words, indexed);
        draw_info.primitive_restart = info.primitive_restart;
        draw_info.restart_index = info.restart_index;
        draw_info.patch_vertices = info.patch_vertices;
        draw_info.draw_id = i;
        VALKYR_TRY_VOID(i == 0 ? draw(state, draw_info) : redraw(state, draw_info, {}));
    }
    return {};
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
Result<FenceRef> Device::insert_fence() {
    return missing("fences");
}
Result<bool> Device::check_fence(const FenceRef&, bool) {
    return missing("fences");
}

}  // namespace valkyr::raster
