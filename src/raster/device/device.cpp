// Device implementation: checks and records draws, and renders passes.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "raster/device/device_impl.hpp"
#include "raster/device/validate.hpp"
#include "raster/record/draw_builder.hpp"
#include "raster/record/draw_ranges.hpp"
#include "raster/record/draw_sharing.hpp"
#include "raster/record/hazards.hpp"
#include "raster/record/state_keys.hpp"
#include "raster/resource/bytes.hpp"
#include "raster/resource/transfer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

namespace valkyr::raster {

namespace {

/// Whether the device's code gains by decoded texels. Code for AVX-512 permutes the bytes of a
/// table of decoded codes. That takes as long as reading a copy where such a permute is one
/// operation: on AMD's processors, whose gathers are slow. Intel's need three.
bool reads_decoded(const DeviceOptions& options) {
    const bool avx512 = options.host == Host::Auto ? best_host_level() == HostLevel::Avx512
                                                   : options.host == Host::Avx512;
    const GatherMethod method =
        options.gather_method == GatherMethod::Auto ? fast_gather_method() : options.gather_method;
    return !avx512 || method == GatherMethod::Gathers;
}

/// Returns the copies that a device keeps, or null.
std::shared_ptr<KeptCopies> kept_copies(const DeviceOptions& options) {
    const bool always = options.filter_copies == FilterCopies::Always;
    const bool pays = options.filter_copies == FilterCopies::Auto && options.engine == Engine::Jit;
    if (!always && !pays)
        return nullptr;
    auto copies = std::make_shared<KeptCopies>();
    copies->decoded = always || reads_decoded(options);
    copies->at_once = always;
    return copies;
}

}  // namespace

DeviceImpl::DeviceImpl(const DeviceOptions& options)
    : options_(options) {
    copies = kept_copies(options);
    if (options.loop_limit != 0)
        watch.most_rounds = static_cast<uint32_t>(
            std::min<uint64_t>((options.loop_limit - 1) / exec::kLoopRound + 2, UINT32_MAX));
}

Result<std::unique_ptr<DeviceImpl>> DeviceImpl::create(const DeviceOptions& options,
                                                       std::unique_ptr<ShaderCache> shaders) {
    std::unique_ptr<DeviceImpl> device(new DeviceImpl(options));
    VALKYR_TRY(renderer, Renderer::create(options));
    device->renderer_ = std::move(renderer);
    device->runner = [&workers = *device->renderer_](uint32_t count, const auto& rows) {
        return workers.run_rows(count, rows);
    };
    device->shaders_ = std::move(shaders);
    if (options.draw_budget_ms != 0) {
        VALKYR_TRY(deadline, Deadline::create(device->watch,
                                              std::chrono::milliseconds(options.draw_budget_ms)));
        device->deadline_ = std::move(deadline);
    }
    device->options_.threads = device->renderer_->threads();
    return device;
}

Result<BufferRef> DeviceImpl::create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data) try {
    VALKYR_TRY(buffer, BufferImpl::create(this, size_bytes, data));
    return BufferRef(std::move(buffer));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::write_buffer(const BufferRef& buffer,
                                      uint64_t offset,
                                      std::span<const std::byte> data) try {
    BufferImpl* own = own_buffer(buffer, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "write_buffer: no buffer of this device"};
    if (offset > own->size() || data.size() > own->size() - offset)
        return Error{Errc::OutOfRange,
                     {},
                     "write_buffer: " + std::to_string(data.size()) + " bytes at " +
                         std::to_string(offset) + " of " + std::to_string(own->size())};
    const ByteRange range{offset, offset + data.size()};
    if (in_use(own->last_pass) && !own->late.may_write_now(pass_.number, range)) {
        if (can_wait(*own, range)) {
            write_late(std::static_pointer_cast<BufferImpl>(buffer), range, data);
            return {};
        }
        flush();
    }
    copy_bytes(own->data() + offset, data.data(), data.size(), &watch);
    return {};
} catch (...) {
    return caught_error();
}

/// Returns whether a write may wait for the draws of the pass.
bool DeviceImpl::can_wait(const BufferImpl& buffer, const ByteRange& range) const {
    constexpr uint64_t kMostBytes = uint64_t{1} << 20;
    constexpr size_t kMostWrites = 1024;
    return range.size() <= kMostBytes && buffer.late.count() < kMostWrites &&
           buffer.written_pass != pass_.number && pass_.arena.used() < kPassRecordBytes;
}

void DeviceImpl::write_late(const std::shared_ptr<BufferImpl>& buffer,
                            const ByteRange& range,
                            std::span<const std::byte> data) {
    std::byte* bytes = pass_.arena.allocate(data.size() + kReadSlack);
    std::memcpy(bytes, data.data(), data.size());
    if (buffer->late_pass != pass_.number)
        pass_.late.push_back(buffer);
    buffer->late_pass = pass_.number;
    buffer->late.add(range, bytes);
    late_bytes_ += data.size();
}

Result<TextureRef> DeviceImpl::create_texture(const TextureDesc& desc) try {
    VALKYR_TRY(texture, TextureImpl::create(this, desc));
    return TextureRef(std::move(texture));
} catch (...) {
    return caught_error();
}

/// Returns the runner of the threads for a transfer of a box.
RowRunner DeviceImpl::rows_of(const Box& box) {
    return runner_for(this, uint64_t{box.width} * box.height);
}

Result<void> DeviceImpl::write_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       std::span<const std::byte> data,
                                       size_t stride_bytes,
                                       size_t slice_bytes) try {
    VALKYR_TRY(own, written_texture(texture, "write_texture"));
    const Timed timed(*this);
    const TextureDesc& desc = own->desc();
    return upload(*own, level, box, data, stride_bytes, slice_bytes, rows_of(box),
                  rows_of({.width = desc.width, .height = desc.height}));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::read_texture(const TextureRef& texture,
                                      uint32_t level,
                                      const Box& box,
                                      std::span<std::byte> data,
                                      size_t stride_bytes,
                                      size_t slice_bytes) try {
    VALKYR_TRY(own, settled_texture(texture, "read_texture"));
    VALKYR_TRY_VOID(complete());
    const Timed timed(*this);
    return download(*own, level, box, data, stride_bytes, slice_bytes, rows_of(box),
                    convert_tiles_of(options_.host));
} catch (...) {
    return caught_error();
}

Result<ShaderRef> DeviceImpl::create_shader(std::string_view tgsi_text, std::string name) try {
    const exec::FloatEnvironment environment;  // parsing converts numbers to floats
    return shaders_->shader(this, tgsi_text, std::move(name));
} catch (...) {
    return caught_error();
}

Result<PipelineRef> DeviceImpl::create_pipeline(const PipelineDesc& desc) try {
    VALKYR_TRY_VOID(validate_pipeline(desc));
    if (!desc.vertex)
        return Error{Errc::InvalidState, {}, "pipeline: no vertex shader"};
    const bool patches = desc.primitive == Primitive::Patches;
    if (patches != (desc.tess_evaluation != nullptr) || (desc.tess_control && !patches))
        return Error{
            Errc::InvalidState, {}, "pipeline: tessellation shaders and patches go together only"};
    const exec::FloatEnvironment environment;  // the compiler folds constants in floats
    VALKYR_TRY(stages, shaders_->link(this, desc));
    return create_native_pipeline(desc, std::move(stages));
} catch (...) {
    return caught_error();
}

Result<PipelineRef> DeviceImpl::create_native_pipeline(PipelineDesc desc, LinkedStages stages) try {
    VALKYR_TRY_VOID(validate_pipeline(desc));
    const StageProgram& vertex = *stages.programs[static_cast<size_t>(DrawStage::Vertex)];
    VALKYR_TRY_VOID(validate_attributes(desc, vertex.info()));
    uint32_t tls_bytes = 0;
    for (const StageRef& stage : stages.programs)
        if (stage)
            tls_bytes = std::max(tls_bytes, stage->tls_bytes());
    const bool tessellates =
        stages.programs[static_cast<size_t>(DrawStage::TessControl)] != nullptr;
    VALKYR_TRY_VOID(renderer_->reserve_tls(tls_bytes, tessellates ? exec::kMaxPatchWarps : 1));
    return PipelineRef(std::make_shared<PipelineImpl>(this, std::move(desc), std::move(stages)));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::draw(const DrawState& state, const DrawInfo& info) {
    return redraw(state, info, StateGroups::all());
}

Result<void>
DeviceImpl::redraw(const DrawState& state, const DrawInfo& info, StateGroups changed) try {
    versions_.change(changed);
    unchecked_ |= changed;
    const PipelineImpl* pipeline = own_pipeline(state.pipeline, this);
    if (pipeline == nullptr)
        return Error{Errc::InvalidState, {}, "draw: no pipeline, or one of another device"};
    if (cancelled())
        return {};
    const exec::FloatEnvironment environment;  // uniform prologues run here
    if (pass_.draws.empty())
        unchecked_ = StateGroups::all();
    VALKYR_TRY_VOID(validate_draw(state, info, this, unchecked_));
    VALKYR_TRY(goes_on, check_targets(state, *pipeline));
    if (info.count == 0 || info.instance_count == 0)
        return {};
    if (!goes_on || ends_pass(state, *pipeline, info))
        VALKYR_TRY_VOID(begin_pass(state, *pipeline));
    unchecked_ = {};
    return record(state, *pipeline, info);
} catch (...) {
    return caught_error();
}

namespace {

bool writes_depth_stencil(const PipelineImpl& pipeline) {
    const DepthStencilState& zs = pipeline.desc().depth_stencil;
    return writes_depth(zs) || writes_stencil(zs);
}

/// Returns whether a draw's shaders read an attachment that it writes.
bool needs_own_pass(const TargetReads& reads, const PipelineImpl& pipeline) {
    return reads.color || (reads.depth_stencil && writes_depth_stencil(pipeline));
}

/// The state that decides which attachments a draw has, and which of them its shaders read.
constexpr StateGroups kReadGroups = [] {
    StateGroups groups = StateGroup::Pipeline | StateGroup::Framebuffer;
    for (const DrawStage stage : kAllDrawStages)
        groups |= units_group(stage);
    return groups;
}();

}  // namespace

uint32_t
DeviceImpl::join_draws(const DrawState& state, DrawInfo& draw, const IndirectWords& next) const {
    const PipelineImpl* pipeline = own_pipeline(state.pipeline, this);
    const bool restarts = draw.primitive_restart && next.indexed;
    if (pipeline == nullptr || restarts || pipeline->tells_draws_apart() ||
        needs_own_pass(target_reads(state, *pipeline), *pipeline))
        return 0;
    return continue_draw(pipeline->assembled(), draw, next);
}

/// Returns whether the draw's reads of attachments, and its writes to them, let it join the pass.
/// If so, the pass has these reads.
bool DeviceImpl::joins_reads(const DrawState& state, const PipelineImpl& pipeline) {
    const TargetReads reads = target_reads(state, pipeline);
    const bool depth_written = pass_.access.depth_written || pass_.access.stencil_written;
    if (needs_own_pass(reads, pipeline) || (reads.depth_stencil && depth_written) ||
        (pass_.reads_depth && writes_depth_stencil(pipeline)))
        return false;
    pass_.reads_depth = pass_.reads_depth || reads.depth_stencil;
    return true;
}

/// Checks a draw and its attachments; returns whether the pass has equal attachments, and shaders
/// may read them during the pass. If the framebuffer may have changed, new_targets_ gets its
/// attachments.
Result<bool> DeviceImpl::check_targets(const DrawState& state, const PipelineImpl& pipeline) {
    new_targets_.reset();
    if (!unchecked_.has(kReadGroups))
        return !pass_.alone;  // as for the last draw
    if (unchecked_.has(StateGroup::Framebuffer))
        VALKYR_TRY_VOID(resolve_targets(state.framebuffer, this, new_targets_.emplace()));
    const PassTargets& targets = new_targets_ ? *new_targets_ : pass_.targets;
    if (targets.width == 0 && !pipeline.desc().rasterizer.rasterizer_discard)
        return Error{Errc::InvalidState, {}, "draw: a framebuffer without attachments"};
    VALKYR_TRY_VOID(validate_layers(targets, pipeline.last_vertex_stage().info()));
    return !pass_.draws.empty() && !pass_.alone &&
           (!new_targets_ || *new_targets_ == pass_.targets) && joins_reads(state, pipeline);
}

/// Returns whether the pass must be rendered before this draw.
bool DeviceImpl::ends_pass(const DrawState& state,
                           const PipelineImpl& pipeline,
                           const DrawInfo& info) const {
    if (!pipeline.stream().sources.empty())
        return true;  // the draw's capture runs before the pass does
    if ((pipeline.has_side_effects() || pass_.written) && must_wait(state, pipeline, pass_.number))
        return true;
    if (!pass_.late.empty() && must_land_writes(state, pipeline, info, pass_))
        return true;
    return pass_.arena.used() > kPassRecordBytes;
}

Result<void> DeviceImpl::begin_pass(const DrawState& state, const PipelineImpl& pipeline) {
    flush();
    const Framebuffer& framebuffer = state.framebuffer;
    if (!new_targets_)
        VALKYR_TRY_VOID(resolve_targets(framebuffer, this, new_targets_.emplace()));
    PassTargets& targets = *new_targets_;
    if (pipeline.uses_images())
        share_image_targets(state, pipeline, targets);
    VALKYR_TRY_VOID(renderer_->reserve_tiles(targets));
    pass_.targets = targets;
    const TargetReads reads = target_reads(state, pipeline);
    pass_.alone = needs_own_pass(reads, pipeline);
    pass_.reads_depth = reads.depth_stencil;
    const auto use = [&](const Surface& surface) {
        if (!surface.texture)
            return;
        static_cast<TextureImpl&>(*surface.texture).last_pass = pass_.number;
        pass_.keep(surface.texture);
    };
    for (const Surface& surface : framebuffer.color)
        use(surface);
    use(framebuffer.depth_stencil);
    return {};
}

/// Adds a checked draw to the pass.
Result<void>
DeviceImpl::record(const DrawState& state, const PipelineImpl& pipeline, const DrawInfo& info) {
    const bool captures = !pipeline.stream().sources.empty();
    pass_.make_room();
    bool samples = false;
    for (const auto& query : open_queries_)
        samples = samples || query->counts_samples();
    DrawCounters* const counters = open_queries_.empty() ? nullptr : open_counters();
    VALKYR_TRY(draw,
               build_draw({&pass_, this, renderer_->tls(), counters, samples,
                           options_.hierarchical_z, options_.count_killed, &watch, &versions_},
                          state, info));
    if (captures)
        VALKYR_TRY_VOID(capture(state, *draw));
    if (!open_queries_.empty())
        count_input(*draw);
    if (pipeline.has_side_effects()) {
        mark_written(state, pipeline, pass_.number);
        pass_.written = true;
    }
    if (captures ? !pipeline.desc().rasterizer.rasterizer_discard
                 : pass_.draws.empty() || !join(*pass_.draws.back(), *draw, pipeline))
        pass_.draws.push_back(draw);
    ++draws_;
    return {};
}

void DeviceImpl::flush() {
    if (!pass_.draws.empty()) {
        const Timed timed(*this);
        if (auto done = renderer_->execute(pass_, watch); !done && !loss_)
            loss_ = std::move(done).error();
        pass_.note_changes();
        ++passes_;
        ++rendered;
    }
    if (!pass_.is_new()) {
        pass_.land_writes();
        for (const CounterBlock& block : pass_.counters)
            settle_counters(block, renderer_->threads());
        pass_.reset();
    }
    // The load is there for speed: an exchange locks the cache line in every pass.
    if (watch.runaway.load(std::memory_order_relaxed) != 0) {
        watch.runaway = 0;
        incomplete_ = true;
    }
}

Result<void> DeviceImpl::finish() try {
    flush();
    const bool late = std::exchange(out_of_time_, false);
    const bool looped = std::exchange(incomplete_, false);
    if (loss_)
        return *std::exchange(loss_, std::nullopt);
    if (late && !looped)
        return Error{Errc::InvalidState,
                     {},
                     "a draw, dispatch or copy took more than " +
                         std::to_string(options_.draw_budget_ms) +
                         " ms and was ended: the picture is incomplete"};
    if (!looped)
        return {};
    return Error{Errc::InvalidState,
                 {},
                 "a shader looped more than " + std::to_string(options_.loop_limit) +
                     " times and was ended: the picture is incomplete"};
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::complete() const {
    return loss_ ? Result<void>(*loss_) : Result<void>();
}

Result<BufferImpl*> DeviceImpl::settled_buffer(const BufferRef& buffer, const char* call) {
    BufferImpl* own = own_buffer(buffer, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, std::string(call) + ": no buffer of this device"};
    if (in_use(own->last_pass))
        flush();
    return own;
}

Result<TextureImpl*> DeviceImpl::settled_texture(const TextureRef& texture, const char* call) {
    TextureImpl* own = own_texture(texture, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, std::string(call) + ": no texture of this device"};
    if (in_use(own->last_pass))
        flush();
    return own;
}

Result<TextureImpl*> DeviceImpl::written_texture(const TextureRef& texture, const char* call) {
    VALKYR_TRY(own, settled_texture(texture, call));
    ++own->changes;
    return own;
}

Statistics DeviceImpl::take_statistics() {
    Statistics statistics;
    statistics.draws = draws_;
    draws_ = 0;
    statistics.dispatches = std::exchange(dispatches_, 0);
    statistics.passes = std::exchange(passes_, 0);
    statistics.late_bytes = std::exchange(late_bytes_, 0);
    renderer_->take_statistics(statistics);
    shaders_->take_statistics(statistics);
    return statistics;
}

}  // namespace valkyr::raster
