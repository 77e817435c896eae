// Context: keeps the resources and sub-contexts of one client and executes its command streams.
// SPDX-License-Identifier: MIT
//
// One thread uses it. Context and commands check all that a client sends. An Error means that the
// client broke the protocol and must be dropped. A call that the device refuses is reported and has
// no effect.
#pragma once

#include "raster/device.hpp"
#include "virgl/observe/guest_watcher.hpp"
#include "virgl/observe/observer.hpp"
#include "virgl/state/pipelines.hpp"
#include "virgl/state/resource.hpp"
#include "virgl/state/state_ids.hpp"
#include "virgl/state/sub_context.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace valkyr::virgl {

class Context {
public:
    /// Both must outlive the context.
    Context(raster::Device& device, Observer& observer);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// The watcher must outlive the context; null: none.
    void watch_guest(GuestWatcher* watcher) noexcept { guest_watcher_ = watcher; }

    void set_name(std::string name);
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Null: none.
    [[nodiscard]] raster::Timeline* timeline() const noexcept { return timeline_; }

    // Messages of the socket.

    /// errors  malformed: handle 0, a handle in use, impossible sizes; OutOfRange, System
    Result<ResourcePtr>
    create_resource(uint32_t handle, const ResourceDesc& desc, uint64_t guest_bytes);
    void unref_resource(uint32_t handle);
    /// Copies from guest storage, from `offset` on with natural pitches, to host storage.
    Result<void> put(uint32_t handle, const TransferBox& box, uint64_t offset);
    /// Copies from host storage to guest storage, laid out likewise.
    Result<void> get(uint32_t handle, const TransferBox& box, uint64_t offset);
    /// put_bytes() and get_bytes() copy between host storage and `data` instead of guest storage.
    Result<void> put_bytes(uint32_t handle,
                           const TransferBox& box,
                           const TransferLayout& layout,
                           std::span<const std::byte> data);
    Result<void> get_bytes(uint32_t handle,
                           const TransferBox& box,
                           const TransferLayout& layout,
                           std::span<std::byte> data);
    /// Finishes the work that a wait for `handle` covers: query results; all work if it is a fence.
    void wait(uint32_t handle);
    /// True if all recorded work is rendered and all queries are answered: a wait has nothing to
    /// do.
    [[nodiscard]] bool settled() const noexcept { return settled_; }
    /// Returns the first fence; null: there is none yet.
    [[nodiscard]] const ResourcePtr& board() const noexcept { return fence_board_; }
    /// Answers a wait in the memory of the first fence, if the client says there that it looks
    /// (board.hpp). Returns whether it did.
    bool answer_in_memory() noexcept;
    /// Executes a command stream; stops between commands when the device is cancelled. The error
    /// names the command and its word in the stream.
    Result<void> execute(std::span<const uint32_t> stream);

    // For commands.

    [[nodiscard]] raster::Device& device() noexcept { return device_; }
    [[nodiscard]] SubContext& sub() noexcept { return *sub_; }
    [[nodiscard]] Figures& figures() noexcept { return figures_; }
    [[nodiscard]] PipelineCache& pipelines() noexcept { return pipelines_; }
    [[nodiscard]] StateIds& ids() noexcept { return ids_; }
    [[nodiscard]] Observer& observer() noexcept { return observer_; }
    [[nodiscard]] const std::shared_ptr<Budget>& budget() const noexcept { return budgets_.host; }
    /// The number of objects in all sub-contexts.
    [[nodiscard]] size_t object_count() const noexcept { return object_count_; }
    /// Puts an object of the current sub-context under a handle.
    void keep_object(uint32_t handle, Object object);
    /// False if the handle has no object.
    bool drop_object(uint32_t handle);

    /// errors  malformed: no such resource
    Result<ResourcePtr> resource(uint32_t handle) const;
    /// Like resource(), but null for handle 0.
    Result<ResourcePtr> resource_or_none(uint32_t handle) const;
    [[nodiscard]] const std::unordered_map<uint32_t, ResourcePtr>& resources() const noexcept {
        return resources_;
    }
    [[nodiscard]] const std::unordered_map<uint32_t, std::unique_ptr<SubContext>>&
    subs() const noexcept {
        return subs_;
    }
    Result<void> create_sub(uint32_t id);
    Result<void> select_sub(uint32_t id);
    void destroy_sub(uint32_t id);
    /// Copies `data` to host storage. For buffers this does not wait for draws that read them.
    void upload(Resource& target,
                const TransferBox& box,
                const TransferLayout& layout,
                std::span<const std::byte> data);
    /// Copies from the guest storage of `source`, whose handle is `source_handle`.
    void upload_from_guest(Resource& target,
                           const TransferBox& box,
                           const TransferLayout& layout,
                           uint32_t source_handle,
                           Resource& source);
    /// Renders all recorded draws.
    void finish();
    /// Has the result of an ended query written to guest storage, at the latest when the client
    /// waits.
    void answer_later(const Ref<QueryObject>& query);
    void forget_answer(const Ref<QueryObject>& query);

    /// Whether the current sub-context's render condition lets draws and clears through (OpenGL 3.0
    /// section 2.14); true without a condition and if the query cannot be read. Renders the draws
    /// that the query counts.
    [[nodiscard]] bool condition_holds();

    /// Sends a line to the observer: each text once, up to a limit.
    void report(const std::string& text);
    /// Reports an error of the device. True if there was none. OutOfMemory ends the client.
    bool accept(const Result<void>& result, const char* what);

private:
    void use_sub(SubContext& sub);
    Result<void> execute_command(uint32_t header, std::span<const uint32_t> payload);
    void answer_queries();
    /// Fences without memory are those of a client under `valkyr run` (board.hpp): it finds the
    /// number of the last one, and knows that all messages before were taken.
    void note_fence(uint32_t handle, const ResourcePtr& fence);
    void present(Resource& resource);

    raster::Device& device_;
    Observer& observer_;
    raster::Timeline* timeline_;  ///< null: none
    GuestWatcher* guest_watcher_ = nullptr;
    std::string name_;
    Figures figures_;
    uint64_t draws_before_frame_ = 0;
    Budgets budgets_;
    PipelineCache pipelines_;
    StateIds ids_;
    std::unordered_map<uint32_t, ResourcePtr> resources_;
    ResourcePtr fence_board_;  ///< the first fence; null: none yet
    std::unordered_map<uint32_t, std::unique_ptr<SubContext>> subs_;
    SubContext* sub_ = nullptr;
    size_t object_count_ = 0;
    std::vector<Ref<QueryObject>> answers_;
    bool settled_ = false;
    std::unordered_set<std::string> reported_;
};

}  // namespace valkyr::virgl
