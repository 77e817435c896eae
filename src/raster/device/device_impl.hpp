// Device implementation: validates draws, records them and renders passes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/float_environment.hpp"
#include "raster/device.hpp"
#include "raster/frame/renderer.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/shader_cache.hpp"
#include "raster/resource/row_runner.hpp"
#include "raster/support/deadline.hpp"

#include <functional>
#include <memory>
#include <string>

namespace valkyr::raster {

class DeviceImpl final : public Device, public DeviceTag {
public:
    /// shaders  compiles TGSI; not null
    /// errors   OutOfRange: threads; Unsupported: the host level; System: a thread cannot be
    ///          started; OutOfMemory
    static Result<std::unique_ptr<DeviceImpl>> create(const DeviceOptions& options,
                                                      std::unique_ptr<ShaderCache> shaders);

    Result<BufferRef> create_buffer(uint64_t size_bytes, std::span<const std::byte> data) override;
    Result<void> write_buffer(const BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override;
    Result<TextureRef> create_texture(const TextureDesc& desc) override;
    Result<void> write_texture(const TextureRef& texture,
                               uint32_t level,
                               const Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override;
    Result<void> read_texture(const TextureRef& texture,
                              uint32_t level,
                              const Box& box,
                              std::span<std::byte> data,
                              size_t stride_bytes,
                              size_t slice_bytes) override;
    Result<ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<PipelineRef> create_pipeline(const PipelineDesc& desc) override;
    Result<void> clear(const Framebuffer& framebuffer, const ClearInfo& info) override;
    Result<void> draw(const DrawState& state, const DrawInfo& info) override;
    Result<void> redraw(const DrawState& state, const DrawInfo& info, StateGroups changed) override;
    Result<ComputePipelineRef> create_compute_pipeline(const ComputePipelineDesc& desc) override;
    Result<void> dispatch(const DispatchState& state,
                          const std::array<uint32_t, 3>& groups) override;
    Result<void> finish() override;
    void cancel() noexcept override { watch.cancelled |= exec::kCancelledFromOutside; }
    [[nodiscard]] bool cancelled() const noexcept override {
        return (watch.cancelled & exec::kCancelledFromOutside) != 0;
    }
    Result<void>
    read_buffer(const BufferRef& buffer, uint64_t offset, std::span<std::byte> data) override;
    Result<void> copy_buffer(const BufferRef& to,
                             uint64_t to_offset,
                             const BufferRef& from,
                             uint64_t from_offset,
                             uint64_t size) override;
    Result<void> fill_buffer(const BufferRef& buffer,
                             uint64_t offset,
                             uint64_t size,
                             std::span<const std::byte> pattern) override;
    Result<void> copy_texture(const TextureRef& to,
                              uint32_t to_level,
                              uint32_t x,
                              uint32_t y,
                              uint32_t z,
                              const TextureRef& from,
                              uint32_t from_level,
                              const Box& box) override;
    Result<void> clear_texture(const TextureRef& texture,
                               uint32_t level,
                               const Box& box,
                               const std::array<uint32_t, 4>& value) override;
    Result<void> blit(const BlitInfo& info) override;
    Result<StreamTargetRef> create_stream_target(const BufferRange& range) override;
    Result<void> set_stream_position(const StreamTargetRef& target, uint64_t position) override;
    Result<QueryRef> create_query(QueryKind kind, uint32_t stream) override;
    Result<void> begin_query(const QueryRef& query) override;
    Result<void> end_query(const QueryRef& query) override;
    Result<std::optional<QueryResult>> query_result(const QueryRef& query, bool wait) override;
    Result<void> eliminate_fast_clears(const TextureRef& texture) override;
    Result<FenceRef> insert_fence() override;
    Result<bool> check_fence(const FenceRef& fence, bool wait) override;
    [[nodiscard]] Statistics take_statistics() override;
    [[nodiscard]] const DeviceOptions& options() const noexcept override { return options_; }
    [[nodiscard]] Result<const uint32_t*>
    buffer_words(const BufferRef& buffer, uint64_t offset, std::span<uint32_t> room) override;
    [[nodiscard]] uint32_t
    join_draws(const DrawState& state, DrawInfo& draw, const IndirectWords& next) const override;

    /// Implements set_timeline() of timeline.hpp.
    void set_timeline(Timeline* timeline) { renderer_->set_timeline(timeline); }
    /// Implements wake_milliseconds() of wake_time.hpp.
    Result<void> run_rows(uint32_t count, const std::function<void(uint32_t, uint32_t)>& rows) {
        return renderer_->run_rows(count, rows);
    }
    /// Creates a pipeline of native stages (tests/raster/native_stage.hpp); the shaders in `desc`
    /// are ignored.
    Result<PipelineRef> create_native_pipeline(PipelineDesc desc, LinkedStages stages);

private:
    explicit DeviceImpl(const DeviceOptions& options);

    /// While it lives, the device's work is limited by DeviceOptions::draw_budget_ms, and floats
    /// round as in kernels.
    class Timed {
    public:
        explicit Timed(DeviceImpl& device)
            : device_(device) {
            if (device_.deadline_)
                device_.deadline_->begin();
        }
        Timed(const Timed&) = delete;
        Timed& operator=(const Timed&) = delete;
        ~Timed() {
            if (device_.deadline_)
                device_.out_of_time_ |= device_.deadline_->end();
        }

    private:
        DeviceImpl& device_;
        exec::FloatEnvironment environment_;
    };

    /// Renders all recorded draws; stores the error in loss_ if draws were left out.
    void flush();
    /// Returns the error if a draw was left out since the last finish().
    [[nodiscard]] Result<void> complete() const;
    Result<bool> check_targets(const DrawState& state, const PipelineImpl& pipeline);
    bool joins_reads(const DrawState& state, const PipelineImpl& pipeline);
    [[nodiscard]] bool
    ends_pass(const DrawState& state, const PipelineImpl& pipeline, const DrawInfo& info) const;
    /// Renders all recorded draws and makes the pass draw to the attachments of this draw.
    Result<void> begin_pass(const DrawState& state, const PipelineImpl& pipeline);
    Result<void> record(const DrawState& state, const PipelineImpl& pipeline, const DrawInfo& info);
    Result<void> run_dispatch(const ComputePipelineImpl& pipeline,
                              const StageResources& resources,
                              const std::array<uint32_t, 3>& groups);
    [[nodiscard]] bool in_use(uint64_t last_pass) const {
        return last_pass == pass_.number && !pass_.draws.empty();
    }
    /// Returns the resource behind a handle; renders first if the pass uses it.
    /// errors  InvalidState: null, or of another device
    Result<BufferImpl*> settled_buffer(const BufferRef& buffer, const char* call);
    Result<TextureImpl*> settled_texture(const TextureRef& texture, const char* call);
    /// Returns settled_texture(), and notes that the call writes to it.
    Result<TextureImpl*> written_texture(const TextureRef& texture, const char* call);
    Result<const std::byte*>
    readable_bytes(const BufferRef& buffer, uint64_t offset, uint64_t size);
    [[nodiscard]] bool can_wait(const BufferImpl& buffer, const ByteRange& range) const;
    void write_late(const std::shared_ptr<BufferImpl>& buffer,
                    const ByteRange& range,
                    std::span<const std::byte> data);
    [[nodiscard]] RowRunner rows_of(const Box& box);
    /// Returns the counters for the open queries and the next draw, or null.
    DrawCounters* open_counters();
    void count_input(const DrawRecord& draw);
    Result<void> capture(const DrawState& state, const DrawRecord& draw);

    DeviceOptions options_;
    std::unique_ptr<Renderer> renderer_;
    std::unique_ptr<ShaderCache> shaders_;
    Pass pass_;
    /// Attachments of the draw that is being recorded, if they may differ from the pass's.
    std::optional<PassTargets> new_targets_;
    Arena dispatch_arena_{size_t{1} << 16};       ///< data of the dispatch that runs
    StateVersions versions_;                      ///< versions of the current draw state
    StateGroups unchecked_ = StateGroups::all();  ///< not validated since their last change
    std::vector<std::shared_ptr<QueryImpl>> open_queries_;
    bool new_counters_ = false;  ///< the open queries changed since the last counter block
    uint64_t draws_ = 0;
    uint64_t dispatches_ = 0;
    uint64_t passes_ = 0;
    uint64_t late_bytes_ = 0;
    std::unique_ptr<Deadline> deadline_;  ///< null: work has no time limit
    bool out_of_time_ = false;            ///< the deadline ended work since the last finish()
    bool incomplete_ = false;             ///< `watch` ended warps since the last finish()
    std::optional<Error> loss_;  ///< reason why draws were left out since the last finish()
};

}  // namespace valkyr::raster
