// Context: executes command streams, transfers resources and switches sub-contexts.
// SPDX-License-Identifier: MIT
#include "virgl/commands/context.hpp"

#include "base/caught_error.hpp"
#include "virgl/commands/commands.hpp"
#include "virgl/observe/stopwatch.hpp"
#include "virgl/protocol/board.hpp"
#include "virgl/protocol/words.hpp"
#include "virgl/state/exhausted.hpp"
#include "virgl/state/query.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace valkyr::virgl {
namespace {

constexpr size_t kMostReports = 64;
constexpr size_t kMostAnswers = 4096;

bool is_fence(const Resource& resource) {
    return resource.is_buffer() && resource.desc().width <= kFenceBytes &&
           resource.desc().bind == kBindCustom;
}

}  // namespace

Context::Context(raster::Device& device, Observer& observer)
    : device_(device)
    , observer_(observer)
    , timeline_(device.options().timeline)
    , pipelines_(device, figures_) {
    sub_ = subs_.emplace(0, std::make_unique<SubContext>()).first->second.get();
}

Context::~Context() {
    try {
        const raster::Statistics statistics = device_.take_statistics();
        figures_.kernels += statistics.kernels_compiled;
        figures_.passes += statistics.passes;
        figures_.late_bytes += statistics.late_bytes;
        raster::add_calls(figures_.message_calls, statistics.message_calls);
        observer_.finished(name_, figures_);
    } catch (...) {
        tell(observer_, name_, caught_error().text);
    }
}

Result<ResourcePtr>
Context::create_resource(uint32_t handle, const ResourceDesc& desc, uint64_t guest_bytes) {
    if (handle == 0 || resources_.contains(handle))
        return malformed("resource handle " + std::to_string(handle) + " is 0 or in use");
    if (resources_.size() >= kMaxResources)
        return malformed("more than " + std::to_string(kMaxResources) + " resources");
    VALKYR_TRY(made, Resource::create(device_, budgets_, desc, guest_bytes));
    // A program may cope without a texture that is too large: the client goes on.
    if (!made->refusal())
        report("texture: " + made->refusal().error().text);
    resources_.emplace(handle, made);
    if (is_fence(*made))
        note_fence(handle, made);
    return made;
}

void Context::note_fence(uint32_t handle, const ResourcePtr& fence) {
    if (fence_board_ == nullptr)
        fence_board_ = fence;
    if (!fence->guest().bytes().empty())
        return;
    if (uint32_t* const words = board_words(fence_board_->guest().bytes()))
        std::atomic_ref(words[kBoardFence]).store(handle, std::memory_order_release);
}

bool Context::answer_in_memory() noexcept {
    uint32_t* const words =
        fence_board_ != nullptr ? board_words(fence_board_->guest().bytes()) : nullptr;
    if (words == nullptr)
        return false;
    // The client may write anything there, at any time: it harms only its own answers.
    const std::atomic_ref answers(words[kBoardAnswers]);
    if ((answers.fetch_and(~kBoardLooks) & kBoardLooks) == 0)
        return false;
    answers.fetch_add(kBoardAnswer);
    return true;
}

void Context::set_name(std::string name) {
    name_ = std::move(name);
    if (timeline_ != nullptr)
        timeline_->program = name_;
}

void Context::unref_resource(uint32_t handle) {
    resources_.erase(handle);
}

Result<ResourcePtr> Context::resource(uint32_t handle) const {
    const auto place = resources_.find(handle);
    if (place == resources_.end())
        return malformed("no resource " + std::to_string(handle));
    return place->second;
}

Result<ResourcePtr> Context::resource_or_none(uint32_t handle) const {
    return handle == 0 ? Result<ResourcePtr>(ResourcePtr()) : resource(handle);
}

Result<void> Context::put(uint32_t handle, const TransferBox& box, uint64_t offset) {
    VALKYR_TRY(target, resource(handle));
    TransferLayout layout = target->natural(box);
    layout.offset = offset;
    upload_from_guest(*target, box, layout, handle, *target);
    return {};
}

Result<void> Context::get(uint32_t handle, const TransferBox& box, uint64_t offset) {
    VALKYR_TRY(source, resource(handle));
    finish();
    TransferLayout layout = source->natural(box);
    layout.offset = offset;
    {
        const Stopwatch watch(figures_.transfer_ns, timeline_, "read texels");
        accept(source->read(device_, box, layout, source->guest().bytes()), "TRANSFER_GET");
    }
    if ((source->desc().bind & kBindDisplayTarget) != 0)
        present(*source);
    return {};
}

Result<void> Context::put_bytes(uint32_t handle,
                                const TransferBox& box,
                                const TransferLayout& layout,
                                std::span<const std::byte> data) {
    VALKYR_TRY(target, resource(handle));
    upload(*target, box, layout, data);
    return {};
}

Result<void> Context::get_bytes(uint32_t handle,
                                const TransferBox& box,
                                const TransferLayout& layout,
                                std::span<std::byte> data) {
    VALKYR_TRY(source, resource(handle));
    finish();
    accept(source->read(device_, box, layout, data), "TRANSFER_GET");
    return {};
}

void Context::upload(Resource& target,
                     const TransferBox& box,
                     const TransferLayout& layout,
                     std::span<const std::byte> data) {
    const Stopwatch watch(figures_.transfer_ns, timeline_, "upload");
    figures_.uploaded_bytes +=
        uint64_t{box.box.width} * box.box.height * box.box.depth * (target.is_buffer() ? 1 : 4);
    accept(target.write(device_, box, layout, data), "upload");
}

void Context::upload_from_guest(Resource& target,
                                const TransferBox& box,
                                const TransferLayout& layout,
                                uint32_t source_handle,
                                Resource& source) {
    const auto bytes = source.guest().bytes();
    if (guest_watcher_ != nullptr && layout.offset < bytes.size()) {
        const uint64_t extent =
            std::min<uint64_t>(target.extent(box, layout), bytes.size() - layout.offset);
        guest_watcher_->guest_read(source_handle, layout.offset,
                                   bytes.subspan(layout.offset, extent));
    }
    upload(target, box, layout, bytes);
}

void Context::wait(uint32_t handle) {
    answer_queries();
    const auto place = resources_.find(handle);
    if (place != resources_.end() && is_fence(*place->second))
        finish();
    if (settled_)
        return;
    const auto fence = device_.insert_fence();
    const auto done = fence ? device_.check_fence(*fence, false) : false;
    settled_ = done && *done;
}

void Context::finish() {
    answer_queries();
    const Stopwatch watch(figures_.wait_ns, timeline_, "render");
    accept(device_.finish(), "rendering");
}

void Context::present(Resource& resource) {
    ++figures_.frames;
    draws_before_frame_ = figures_.draws;
    if (timeline_ != nullptr)
        timeline_->end_frame();
    if (!observer_.wants_frame(figures_.frames) || !resource.texture())
        return;
    // The device converts to RGBA8 from the window's format.
    const uint32_t width = resource.desc().width;
    const uint32_t height = resource.desc().height;
    raster::TextureDesc desc;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    desc.width = width;
    desc.height = height;
    auto copy = device_.create_texture(desc);
    if (!copy)
        return;
    const auto region = [&](const raster::TextureRef& texture) {
        raster::BlitRegion r;
        r.texture = texture;
        r.width = static_cast<int32_t>(width);
        r.height = static_cast<int32_t>(height);
        return r;
    };
    FramePixels pixels{width, height, std::vector<std::byte>(size_t{4} * width * height)};
    raster::BlitInfo blit;
    blit.source = region(resource.texture());
    blit.destination = region(*copy);
    if (accept(device_.blit(blit), "screenshot") &&
        accept(device_.read_texture(*copy, 0, {0, 0, 0, width, height, 1}, pixels.rgba,
                                    size_t{4} * width),
               "screenshot"))
        observer_.frame(figures_.frames, pixels);
}

Result<void> Context::create_sub(uint32_t id) {
    if (subs_.contains(id))
        return malformed("sub-context " + std::to_string(id) + " exists");
    if (subs_.size() >= kMaxSubContexts)
        return malformed("more than " + std::to_string(kMaxSubContexts) + " sub-contexts");
    subs_.emplace(id, std::make_unique<SubContext>());
    return {};
}

Result<void> Context::select_sub(uint32_t id) {
    const auto place = subs_.find(id);
    if (place == subs_.end())
        return malformed("no sub-context " + std::to_string(id));
    if (sub_ != place->second.get())
        use_sub(*place->second);
    return {};
}

void Context::destroy_sub(uint32_t id) {
    const auto place = subs_.find(id);
    if (id == 0 || place == subs_.end())
        return;
    object_count_ -= place->second->object_count();
    if (sub_ == place->second.get())
        use_sub(*subs_.at(0));
    subs_.erase(place);
}

/// Marks all state groups, since the device's last draw may be of another sub-context.
void Context::use_sub(SubContext& sub) {
    sub.change_all();
    sub_ = &sub;
}

void Context::keep_object(uint32_t handle, Object object) {
    if (sub_->keep_object(handle, std::move(object)))
        ++object_count_;
}

bool Context::drop_object(uint32_t handle) {
    if (!sub_->drop_object(handle))
        return false;
    --object_count_;
    return true;
}

void Context::answer_later(const Ref<QueryObject>& query) {
    if (answers_.size() >= kMostAnswers)
        answer_queries();
    answers_.push_back(query);
}

void Context::forget_answer(const Ref<QueryObject>& query) {
    std::erase(answers_, query);
}

bool Context::condition_holds() {
    const RenderCondition& condition = sub_->condition();
    if (!condition.query)
        return true;
    const auto value = query_value(device_, *condition.query);
    if (!value)
        end_if_exhausted(value.error());
    return !value || (*value != 0) != condition.inverted;
}

void Context::answer_queries() {
    const auto answers = std::exchange(answers_, {});
    if (answers.empty())
        return;
    const Stopwatch watch(figures_.wait_ns, timeline_, "answer queries");
    for (const Ref<QueryObject>& query : answers)
        accept(write_answer(device_, *query), "query");
}

void Context::report(const std::string& text) {
    if (reported_.size() >= kMostReports || !reported_.insert(text).second)
        return;
    observer_.log(name_, text);
    if (reported_.size() == kMostReports)
        observer_.log(name_, "further messages are left out");
}

bool Context::accept(const Result<void>& result, const char* what) {
    if (result)
        return true;
    end_if_exhausted(result.error());
    report(std::string(what) + ": " + result.error().text);
    return false;
}

Result<void> Context::execute(std::span<const uint32_t> stream) {
    const Stopwatch watch(figures_.submit_ns);
    ++figures_.submits;
    settled_ = false;
    for (size_t at = 0; at < stream.size() && !device_.cancelled();) {
        const uint32_t header = stream[at];
        const size_t length = header >> 16;
        if (length > stream.size() - at - 1)
            return malformed(command_name(header) + " at word " + std::to_string(at) + ": " +
                             std::to_string(length) + " words, of which " +
                             std::to_string(stream.size() - at - 1) + " are there");
        auto done = execute_command(header, stream.subspan(at + 1, length));
        if (!done)
            return malformed(command_name(header) + " at word " + std::to_string(at) + ": " +
                             done.error().text);
        at += 1 + length;
    }
    return {};
}

Result<void> Context::execute_command(uint32_t header, std::span<const uint32_t> payload) {
    ++figures_.commands;
    const CommandRow* row = command_row(header);
    if (row == nullptr) {
        report("unknown " + command_name(header) + " is skipped");
        return {};
    }
    if (payload.size() < row->least || payload.size() > row->most)
        return malformed(std::to_string(payload.size()) + " words instead of " +
                         std::to_string(row->least) +
                         (row->least == row->most ? "" : " to " + std::to_string(row->most)));
    if (row->execute == nullptr)
        return {};
    raster::TimelineScope scope(timeline_, 0, row->name);
    auto done = row->execute(*this, {static_cast<ObjectType>(header >> 8 & 0xFF), Words(payload)});
    scope.set_number(figures_.draws - draws_before_frame_);
    return done;
}

}  // namespace valkyr::virgl
