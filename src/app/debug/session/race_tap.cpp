// Race tap: runs a device's compute shaders by the interpreter, and reports their races.
// SPDX-License-Identifier: MIT
#include "app/debug/session/race_tap.hpp"

#include "app/debug/session/race_run.hpp"
#include "app/debug/session/race_watch.hpp"
#include "exec/work_groups.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace valkyr::debug {

/// A kernel whose groups the tap checks.
class RaceTap::Checked final : public raster::KernelHandle {
public:
    static Result<raster::KernelRef> create(RaceTap& tap, const valhall::Program& program) {
        auto kernel = std::make_shared<Checked>(tap, program);
        VALKYR_TRY(interpreter,
                   valhall::Interpreter::create(*kernel->program, kernel->watch.options()));
        kernel->interpreter.emplace(std::move(interpreter));
        return raster::KernelRef(std::move(kernel));
    }
    Checked(RaceTap& tap, const valhall::Program& checked)
        : program(copy_of(checked))
        , tap_(tap) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override { return {&run, this}; }

    std::shared_ptr<const valhall::Program> program;
    mutable RaceWatch watch;
    std::optional<valhall::Interpreter> interpreter;

private:
    static void run(const void* self, void* call) noexcept {
        const auto& kernel = *static_cast<const Checked*>(self);
        try {
            kernel.tap_.check(kernel, *static_cast<exec::ComputeCall*>(call));
        } catch (...) {
            kernel.tap_.exhausted_ = true;
        }
    }

    RaceTap& tap_;
};

raster::KernelRef RaceTap::wrap(const valhall::Program& program,
                                const exec::VertexKey* vertex,
                                const exec::FragmentKey* /*fragment*/,
                                raster::KernelRef kernel) {
    // Uniform prologues have no key.
    if (vertex == nullptr || program.info.stage != exec::Stage::Compute ||
        program.info.compute.shared_bytes == 0)
        return kernel;
    auto checked = Checked::create(*this, program);
    return checked ? *std::move(checked) : kernel;
}

uint64_t RaceTap::pairs() {
    const std::lock_guard lock(mutex_);
    return pairs_;
}

void RaceTap::check(const Checked& kernel, exec::ComputeCall& call) {
    const std::lock_guard lock(mutex_);
    const valhall::Program& program = *kernel.program;
    for (uint64_t n = 0; n < call.group_count && !exec::is_cancelled(call.draw->watch); ++n) {
        exec::ComputeCall group = call;
        group.first_group += n;
        group.group_count = 1;
        kernel.watch.begin({call.shared, call.shared_bytes});
        kernel.interpreter->run(group);
        for (const Race& race : kernel.watch.races()) {
            if (!known_[program.words]
                     .insert(std::minmax(race.first.word, race.second.word))
                     .second)
                continue;
            ++pairs_;
            const std::array<uint32_t, 3> place = exec::place_of(group.first_group, call.grid);
            report_("race on shared memory in " + program.source_name + ", group (" +
                    std::to_string(place[0]) + "," + std::to_string(place[1]) + "," +
                    std::to_string(place[2]) + ")\n" +
                    race_text(race, {program, std::to_array(call.block), program.source_name}));
        }
    }
}

}  // namespace valkyr::debug
