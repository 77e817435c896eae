// Contents: saves in a trace what draws and transfers have made of a context, and restores it.
// SPDX-License-Identifier: MIT
#include "virgl/capture/contents.hpp"

#include "raster/texture_memory.hpp"
#include "virgl/state/query.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace valkyr::virgl {
namespace {

/// Bytes of a chunk; runs of zeros of this size are left out, as new storage has them.
constexpr size_t kPieceBytes = size_t{64} << 10;

bool all_zero(std::span<const std::byte> bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte(); });
}

void save_bytes(uint32_t client,
                uint32_t resource,
                uint32_t part,
                std::span<const std::byte> bytes,
                TraceWriter& writer) {
    for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
        const auto piece = bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at));
        if (!all_zero(piece))
            writer.contents(client, {resource, part, at}, piece);
    }
}

Result<void> save_resource(
    Context& context, uint32_t client, uint32_t handle, Resource& resource, TraceWriter& writer) {
    if (resource.texture()) {
        VALKYR_TRY(parts, raster::texture_memory(context.device(), resource.texture()));
        for (uint32_t part = 0; part < parts.size(); ++part)
            save_bytes(client, handle, part, parts[part], writer);
        return {};
    }
    const raster::BufferRef& buffer =
        resource.is_buffer() ? resource.buffer(context.device()) : raster::BufferRef();
    if (!buffer)
        return {};
    std::vector<std::byte> bytes(buffer->size());
    VALKYR_TRY_VOID(context.device().read_buffer(buffer, 0, bytes));
    save_bytes(client, handle, 0, bytes, writer);
    return {};
}

Result<void> save_object(Context& context,
                         uint32_t client,
                         uint32_t sub,
                         uint32_t handle,
                         const Object& object,
                         TraceWriter& writer) {
    if (const auto* stream = std::get_if<Ref<StreamTargetObject>>(&object);
        stream != nullptr && (*stream)->target)
        writer.stream(client,
                      {sub, handle, (*stream)->target->position(), (*stream)->vertex_bytes, 0});
    const auto* query = std::get_if<Ref<QueryObject>>(&object);
    if (query == nullptr || !(*query)->ended)
        return {};
    VALKYR_TRY(value, query_value(context.device(), **query));
    writer.query(client, {sub, handle, value});
    return {};
}

/// Elements of a map in the order of their keys: equal traces are cut equally.
template <typename Map>
std::map<uint32_t, const typename Map::mapped_type*> sorted(const Map& map) {
    std::map<uint32_t, const typename Map::mapped_type*> elements;
    for (const auto& [key, value] : map)
        elements.emplace(key, &value);
    return elements;
}

Error no_place(const std::string& what) {
    return Error{Errc::BadEncoding, {}, what};
}

Result<void> restore_bytes(Context& context, const TraceChunk& chunk) {
    const auto [handle, part, offset] = chunk.head<MemoryPlace>();
    const auto bytes = chunk.bytes();
    VALKYR_TRY(resource, context.resource(handle));
    const std::string outside = "contents outside of resource " + std::to_string(handle);
    if (resource->is_buffer()) {
        const raster::BufferRef& buffer = resource->buffer(context.device());
        if (!buffer || part != 0 || offset > buffer->size() ||
            bytes.size() > buffer->size() - offset)
            return no_place(outside);
        return context.device().write_buffer(buffer, offset, bytes);
    }
    if (!resource->texture())
        return {};  // the device refused it
    VALKYR_TRY(parts, raster::texture_memory(context.device(), resource->texture()));
    if (part >= parts.size() || offset > parts[part].size() ||
        bytes.size() > parts[part].size() - offset)
        return no_place(outside);
    std::ranges::copy(bytes, parts[part].begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
}

/// The object of a type in a sub-context; null: none.
template <typename T>
Ref<T> find_object(const Context& context, uint32_t sub, uint32_t handle) {
    const auto place = context.subs().find(sub);
    return place != context.subs().end() ? place->second->find<T>(handle) : nullptr;
}

Result<void> restore_stream(Context& context, const StreamChunk& chunk) {
    const auto object = find_object<StreamTargetObject>(context, chunk.sub, chunk.handle);
    if (!object)
        return no_place("no stream output target " + std::to_string(chunk.handle));
    object->vertex_bytes = chunk.vertex_bytes;
    if (object->target)
        return context.device().set_stream_position(object->target, chunk.position);
    return {};
}

Result<void> restore_query(Context& context, const QueryChunk& chunk) {
    const auto object = find_object<QueryObject>(context, chunk.sub, chunk.handle);
    if (!object)
        return no_place("no query " + std::to_string(chunk.handle));
    object->ended = true;
    object->restored = chunk.value;
    return {};
}

}  // namespace

Result<void> save_context(Context& context, uint32_t client, TraceWriter& writer) {
    for (const auto& [handle, resource] : sorted(context.resources()))
        VALKYR_TRY_VOID(save_resource(context, client, handle, **resource, writer));
    for (const auto& [id, sub] : sorted(context.subs()))
        for (const auto& [handle, object] : sorted((*sub)->objects()))
            VALKYR_TRY_VOID(save_object(context, client, id, handle, *object, writer));
    return {};
}

Result<void> restore_chunk(Context& context, const TraceChunk& chunk) {
    if (chunk.kind == ChunkKind::Stream)
        return restore_stream(context, chunk.head<StreamChunk>());
    if (chunk.kind == ChunkKind::Query)
        return restore_query(context, chunk.head<QueryChunk>());
    return restore_bytes(context, chunk);
}

}  // namespace valkyr::virgl
