// Log tap: runs the kernels that log points ask for by the interpreter.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_tap.hpp"

#include "app/debug/session/kernel_cases.hpp"
#include "app/debug/trap/stage_entries.hpp"
#include "exec/work_groups.hpp"

#include <optional>
#include <utility>

namespace valkyr::debug {

namespace {

using exec::ResourceTable;

LaneStage lane_stage(const exec::ProgramInfo& info, bool is_draw) {
    switch (info.stage) {
    case exec::Stage::Vertex: return LaneStage::Vertex;
    case exec::Stage::Geometry: return LaneStage::Geometry;
    case exec::Stage::Compute:
        if (!is_draw)
            return LaneStage::Compute;
        return info.patch.vertices != 0 ? LaneStage::Control : LaneStage::Evaluation;
    case exec::Stage::Fragment:
    case exec::Stage::Blend: break;
    }
    return LaneStage::Fragment;
}

/// The records of a control program's group that it may change, by Recording::regions().
std::vector<std::span<const uint8_t>> written_records(const exec::ComputeCall& group,
                                                      const WarpCase& warp) {
    std::vector<std::span<const uint8_t>> regions(1 + exec::kRecordTables);
    const uint64_t first = group.first_group * warp.program->info.compute.block[1];
    const uint32_t made = warp.program->info.patch.vertices;
    for (const auto& [table, each] : {std::pair(ResourceTable::VertexRecords, made),
                                      std::pair(ResourceTable::PatchRecords, 1U)}) {
        const unsigned n = table_number(table);
        const exec::RecordTable& records = group.records[n];
        regions[1 + n] = {records.first + first * each * records.stride,
                          warp.patches->records[n].size()};
    }
    return regions;
}

uint32_t made_vertices(const std::shared_ptr<const tgsi::Shader>& control) {
    return control ? static_cast<uint32_t>(control->property("TCS_VERTICES_OUT", 0)) : 0;
}

}  // namespace

/// A kernel that runs by the interpreter in the draws and dispatches of log points.
class LogTap::Kernel final : public raster::KernelHandle {
public:
    Kernel(std::shared_ptr<LogTap> owner, KernelOrigin origin, raster::KernelRef kernel)
        : owner_(std::move(owner))
        , tap_(*owner_)
        , origin_(std::move(origin))
        , inner_(std::move(kernel))
        , watch_(tap_.points_, *origin_.program) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        return entry_of(origin_.program->info.stage,
                        {&run<exec::VertexCall>, &run<exec::GeometryCall>, &run<exec::ComputeCall>,
                         &run<exec::FragmentCall>},
                        this);
    }

private:
    template <typename Call>
    static void run(const void* self, void* call) noexcept {
        const auto& kernel = *static_cast<const Kernel*>(self);
        bool is_watched = false;
        try {
            is_watched = kernel.tap_.is_armed_ && kernel.begin_work();
            if (is_watched)
                kernel.run_call(*static_cast<Call*>(call));
        } catch (...) {
            kernel.tap_.points_.set_exhausted();
        }
        if (is_watched)
            return;
        const exec::Kernel inner = kernel.inner_->entry();
        inner.entry(inner.self, call);
    }

    /// Prepares for the calls of a draw or dispatch; returns whether a log point is about them.
    bool begin_work() const {
        const TappedWork& tapped = tap_.work_;
        if (serial_ == tapped.serial)
            return is_watched_;
        serial_ = tapped.serial;
        is_watched_ = false;
        const LogWork& work = tapped.work;
        const LaneStage stage = lane_stage(origin_.program->info, work.is_draw);
        const auto draw_stage = static_cast<size_t>(stage_of(origin_.program->info));
        const auto& text = work.is_draw ? tapped.texts[draw_stage] : tapped.compute;
        if (!text || !allows_shader(stage, text->name) || !interprets())
            return false;
        find_source(tapped, text);
        const raster::StageResources& resources =
            work.is_draw ? tapped.draw->stages[draw_stage] : tapped.dispatch->resources;
        is_watched_ = watch_.begin_work(work, stage, text->name, source_, resources.constants);
        return is_watched_;
    }

    [[nodiscard]] bool allows_shader(LaneStage stage, const std::string& name) const {
        for (const LogSpec& spec : tap_.points_.specs())
            if (spec.allows_shader(stage, name))
                return true;
        return false;
    }

    bool interprets() const {
        if (!interpreter_)
            if (auto made = valhall::Interpreter::create(*origin_.program, watch_.options()))
                interpreter_.emplace(*std::move(made));
        return interpreter_.has_value();
    }

    void find_source(const TappedWork& tapped,
                     const std::shared_ptr<const ShaderText>& text) const {
        if (text_ == text && texts_ == tapped.texts)
            return;
        text_ = text;
        texts_ = tapped.texts;
        source_ = tapped.work.is_draw ? source_of(tapped.texts, *origin_.program)
                                      : source_of_compute(text, *origin_.program);
    }

    template <typename Call>
    LogCall call_of(const Call& call) const {
        LogCall made;
        made.lane = [&call, this](const LanePlace& place) {
            return lane_of(call, place, tap_.work_.work.is_draw);
        };
        made.make_case = [&call, this](uint32_t) { return draw_case(origin_, draw_of(call)); };
        return made;
    }

    template <typename Call>
    void run_call(Call& call) const {
        LogCall watched = call_of(call);
        watched.tls = call.tls;
        watch_.begin(watched);
        interpreter_->run(call);
    }

    void run_call(exec::GeometryCall& call) const {
        LogCall watched = call_of(call);
        watched.make_case = [&call, this](uint32_t number) {
            return geometry_case(origin_, call, number * exec::kLanes);
        };
        watched.case_per_warp = true;
        watched.tls = call.out.tls;
        watch_.begin(watched);
        interpreter_->run(call);
    }

    void run_call(exec::ComputeCall& call) const {
        for (uint64_t n = 0; n < call.group_count && !exec::is_cancelled(call.draw->watch); ++n) {
            exec::ComputeCall group = call;
            group.first_group += n;
            group.group_count = 1;
            LogCall watched = call_of(group);
            watched.is_group = true;
            watched.tls = call.tls;
            std::unique_ptr<WarpCase> patches;
            if (tap_.work_.work.is_draw)
                add_patches(group, watched, patches);
            watch_.begin(watched);
            interpreter_->run(group);
        }
    }

    /// The patches of a group of a tessellation program.
    void add_patches(const exec::ComputeCall& group,
                     LogCall& watched,
                     std::unique_ptr<WarpCase>& patches) const {
        const bool is_control = origin_.program->info.patch.vertices != 0;
        const uint32_t made = made_vertices(source_.control);
        const uint32_t given = tap_.work_.patch_vertices;
        patches = is_control
                      ? control_case(origin_, group, group.first_group, given)
                      : points_case(origin_, group, group.first_group, made != 0 ? made : given);
        if (is_control)
            watched.records = written_records(group, *patches);
        watched.make_case = [&patches](uint32_t) { return std::move(patches); };
    }

    std::shared_ptr<LogTap> owner_;
    LogTap& tap_;
    KernelOrigin origin_;
    raster::KernelRef inner_;
    mutable LogWatch watch_;
    mutable std::optional<valhall::Interpreter> interpreter_;
    mutable std::shared_ptr<const ShaderText> text_;
    mutable StageTexts texts_;
    mutable ProgramSource source_;
    mutable uint64_t serial_ = 0;  ///< of the work that it is prepared for
    mutable bool is_watched_ = false;
};

raster::KernelRef LogTap::wrap(const valhall::Program& program,
                               const exec::VertexKey* vertex,
                               const exec::FragmentKey* fragment,
                               raster::KernelRef kernel) {
    // Uniform prologues have no key.
    if (vertex == nullptr && fragment == nullptr)
        return kernel;
    KernelOrigin origin{copy_of(program), {}, {}};
    if (vertex != nullptr)
        origin.vertex = *vertex;
    if (fragment != nullptr)
        origin.fragment = *fragment;
    return std::make_shared<Kernel>(shared_from_this(), std::move(origin), std::move(kernel));
}

}  // namespace valkyr::debug
