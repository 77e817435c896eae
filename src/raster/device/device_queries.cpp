// Device implementation: answers queries and fences, and captures stream output.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"
#include "raster/device/device_impl.hpp"
#include "raster/record/hazards.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace valkyr::raster {
namespace {

uint64_t now_ns() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

bool measures_time(QueryKind kind) {
    return kind == QueryKind::Timestamp || kind == QueryKind::TimeElapsed;
}

/// Remembers the pass that was being recorded, and the number of its draws.
class FenceImpl final : public Fence {
public:
    FenceImpl(const DeviceTag* owner, uint64_t pass)
        : owner_(owner)
        , pass_(pass) {}
    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    [[nodiscard]] uint64_t pass() const noexcept { return pass_; }

private:
    const DeviceTag* owner_;
    uint64_t pass_;
};

Result<std::shared_ptr<QueryImpl>> own_query(const QueryRef& query, const DeviceTag* owner) {
    auto own = std::dynamic_pointer_cast<QueryImpl>(query);
    if (!own || own->owner() != owner)
        return Error{Errc::InvalidState, {}, "no query of this device"};
    return own;
}

}  // namespace

Result<QueryRef> DeviceImpl::create_query(QueryKind kind, uint32_t stream) try {
    if (static_cast<unsigned>(kind) > static_cast<unsigned>(QueryKind::TimeElapsed))
        return Error{Errc::InvalidState, {}, "no such kind of query"};
    if (stream >= exec::kMaxStreams)
        return Error{Errc::OutOfRange, {}, "create_query: stream " + std::to_string(stream)};
    return QueryRef(std::make_shared<QueryImpl>(this, kind, stream));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::begin_query(const QueryRef& query) try {
    VALKYR_TRY(own, own_query(query, this));
    if (own->open)
        return Error{Errc::InvalidState, {}, "begin_query: the query is open"};
    if (own->kind() == QueryKind::Timestamp)
        return Error{Errc::InvalidState, {}, "begin_query: a time stamp has no beginning"};
    // Counts from before must not be added after the new beginning.
    if (measures_time(own->kind()) || own->last_pass == pass_.number)
        flush();
    open_queries_.push_back(own);
    own->begin();
    own->start_ns = now_ns();
    new_counters_ = true;
    return {};
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::end_query(const QueryRef& query) try {
    VALKYR_TRY(own, own_query(query, this));
    if (!own->open && own->kind() != QueryKind::Timestamp)
        return Error{Errc::InvalidState, {}, "end_query: the query is not open"};
    own->open = false;
    open_queries_.erase(std::remove(open_queries_.begin(), open_queries_.end(), own),
                        open_queries_.end());
    new_counters_ = true;
    if (measures_time(own->kind())) {
        flush();
        own->end_ns = now_ns();
    }
    return {};
} catch (...) {
    return caught_error();
}

Result<std::optional<QueryResult>> DeviceImpl::query_result(const QueryRef& query, bool wait) try {
    VALKYR_TRY(own, own_query(query, this));
    if (own->open)
        return Error{Errc::InvalidState, {}, "query_result: the query is open"};
    if (own->last_pass == pass_.number && !pass_.counters.empty()) {
        if (!wait)
            return std::optional<QueryResult>();
        flush();
    }
    VALKYR_TRY_VOID(complete());
    return std::optional(own->result());
} catch (...) {
    return caught_error();
}

DrawCounters* DeviceImpl::open_counters() {
    const auto in_workers = [](const auto& query) { return query->counts_in_workers(); };
    if (std::none_of(open_queries_.begin(), open_queries_.end(), in_workers))
        return nullptr;
    if (new_counters_ || pass_.counters.empty()) {
        CounterBlock block;
        const unsigned workers = renderer_->threads();
        block.workers = pass_.arena.allocate_array<DrawCounters>(workers);
        std::uninitialized_fill_n(block.workers, workers, DrawCounters{});
        std::copy_if(open_queries_.begin(), open_queries_.end(), std::back_inserter(block.queries),
                     in_workers);
        for (const auto& query : block.queries)
            query->last_pass = pass_.number;
        pass_.counters.push_back(std::move(block));
        new_counters_ = false;
    }
    return pass_.counters.back().workers;
}

void DeviceImpl::count_input(const DrawRecord& draw) {
    uint64_t vertices = 0;
    uint64_t primitives = 0;
    const AssemblyState& assembly = draw.assembly;
    for_each_run(assembly, draw.vertex->watch, [&](uint32_t /*first*/, uint32_t elements) {
        vertices += elements;
        primitives += primitive_count(assembly, elements);
        return true;
    });
    for (const auto& query : open_queries_) {
        query->add_input(vertices * assembly.instance_count, primitives * assembly.instance_count);
        if (!draw.makes_primitives() && query->stream() == 0)
            query->add_generated(primitives * assembly.instance_count);
    }
}

Result<StreamTargetRef> DeviceImpl::create_stream_target(const BufferRange& range) try {
    const BufferImpl* buffer = own_buffer(range.buffer, this);
    if (buffer == nullptr)
        return Error{Errc::InvalidState, {}, "create_stream_target: no buffer of this device"};
    if (range.offset > buffer->size())
        return Error{Errc::OutOfRange, {}, "create_stream_target: an offset behind the buffer"};
    const uint64_t size = std::min(range.size, buffer->size() - range.offset);
    if (range.offset % 4 != 0)
        return Error{Errc::InvalidState, {}, "create_stream_target: the offset is no whole word"};
    return StreamTargetRef(
        std::make_shared<StreamTargetImpl>(this, range.buffer, range.offset, size));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::set_stream_position(const StreamTargetRef& target, uint64_t position) try {
    auto* own = dynamic_cast<StreamTargetImpl*>(target.get());
    if (own == nullptr || own->owner() != this)
        return Error{Errc::InvalidState, {}, "set_stream_position: no target of this device"};
    if (position % 4 != 0 || position > own->size())
        return Error{Errc::OutOfRange, {}, "set_stream_position: no word of the target"};
    own->set_position(position);
    return {};
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::capture(const DrawState& state, const DrawRecord& draw) {
    const auto& pipeline = static_cast<const PipelineImpl&>(*state.pipeline);
    const StreamLayout& layout = pipeline.stream();
    std::array<StreamTargetImpl*, kMaxStreamTargets> targets{};
    for (uint32_t rest = layout.targets(); rest != 0; rest &= rest - 1) {
        const auto slot = static_cast<size_t>(std::countr_zero(rest));
        auto* target = slot < state.stream_targets.size()
                           ? dynamic_cast<StreamTargetImpl*>(state.stream_targets[slot].get())
                           : nullptr;
        if (target == nullptr || target->owner() != this)
            return Error{Errc::InvalidState,
                         {},
                         "draw: no stream target of this device in slot " + std::to_string(slot)};
        targets[slot] = target;
    }
    // Shaders and shared buffers can observe the order of writes, so one thread writes.
    const bool in_order =
        pipeline.vertex().info().has_side_effects || share_buffers(targets) ||
        std::any_of(targets.begin(), targets.end(), [&](const StreamTargetImpl* target) {
            return target != nullptr && uses_buffer(state, pipeline, target->buffer());
        });
    const Timed timed(*this);
    VALKYR_TRY(counts, renderer_->capture(draw, layout, targets, in_order));
    for (const auto& query : open_queries_) {
        const uint32_t stream = query->stream();
        // A stream without captured outputs does not overflow.
        if (std::ranges::any_of(layout.sources, [&](const StreamSource& source) {
                return source.stream == stream;
            }))
            query->add_stream(counts.generated[stream], counts.written[stream]);
        if (draw.makes_primitives() && !draw.shape->rasterize)
            query->add_generated(counts.generated[stream]);
    }
    if (draw.counters != nullptr && !draw.shape->rasterize)
        draw.counters[0].vertices += counts.vertices;
    return {};
}

Result<FenceRef> DeviceImpl::insert_fence() try {
    return FenceRef(
        std::make_shared<FenceImpl>(this, pass_.draws.empty() ? pass_.number - 1 : pass_.number));
} catch (...) {
    return caught_error();
}

Result<bool> DeviceImpl::check_fence(const FenceRef& fence, bool wait) try {
    const auto* own = dynamic_cast<const FenceImpl*>(fence.get());
    if (own == nullptr || own->owner() != this)
        return Error{Errc::InvalidState, {}, "check_fence: no fence of this device"};
    if (own->pass() == pass_.number && wait)
        flush();
    return own->pass() < pass_.number;
} catch (...) {
    return caught_error();
}

}  // namespace valkyr::raster
