// Trap tap: runs all shaders of a device by the interpreter, and looks for NaN and infinity.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_tap.hpp"

#include "app/debug/trap/call_lane.hpp"
#include "app/debug/trap/stage_entries.hpp"
#include "exec/work_groups.hpp"
#include "valhall/text/disassemble.hpp"

#include <optional>

namespace valkyr::debug {

namespace {

/// Between a shader's name and the number that makes it unique.
constexpr char kNumberMark = '\x1f';

/// A copy without the prologue.
std::unique_ptr<const valhall::Program> copy_of(const valhall::Program& program) {
    auto copy = std::make_unique<valhall::Program>();
    copy->info = program.info;
    copy->words = program.words;
    copy->fau = program.fau;
    copy->source_lines = program.source_lines;
    copy->source_name = program.source_name;
    copy->double_ranges = program.double_ranges;
    return copy;
}

/// "line 14: RCP TEMP[0].x, TEMP[1].xxxx: word 20: FRCP.f32 r4, r5".
std::string place_text(const valhall::Program& program, const TrapText& text, uint32_t word) {
    const uint32_t line = word < program.source_lines.size() ? program.source_lines[word] : 0;
    std::string place;
    if (line != 0) {
        place = numbered("line ", line) + ": ";
        if (const std::string& words = text.line(line).text; !words.empty())
            place += words + ": ";
    }
    for (const valhall::DoubleRange& range : program.double_ranges)
        if (word - range.first < range.count)
            return place + numbered("words ", range.first) +
                   numbered(" to ", range.first + range.count - 1) + ": " +
                   std::string(double_op_info(range.op).name) + " of doubles";
    const auto instr = valhall::disassemble(program.words[word]);
    return place + numbered("word ", word) + ": " + (instr ? *instr : std::string());
}

}  // namespace

/// A kernel whose calls are watched.
class TrapTap::Kernel final : public raster::KernelHandle {
public:
    Kernel(std::shared_ptr<TrapTap> owner, const valhall::Program& program, bool is_prologue)
        : owner_(std::move(owner))
        , tap_(*owner_)
        , program_(copy_of(program))
        , prologue_(program.prologue ? copy_of(*program.prologue) : nullptr)
        , text_(tap_.text_of(program.source_name))
        , number_(tap_.log_.program(program.words))
        , results_(is_prologue ? tap_.marks_of(program) : nullptr)
        , watch_(*program_,
                 text_,
                 program.prologue ? tap_.marks_of(*program.prologue) : nullptr,
                 [this](const TrapHit& hit) { count(hit); }) {}

    /// errors  those of Interpreter::create
    Result<void> prepare() {
        VALKYR_TRY(interpreter, valhall::Interpreter::create(*program_, watch_.options()));
        interpreter_.emplace(std::move(interpreter));
        return {};
    }

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        return entry_of(program_->info.stage,
                        {&run<exec::VertexCall>, &run<exec::GeometryCall>, &run<exec::ComputeCall>,
                         &run<exec::FragmentCall>},
                        this);
    }

private:
    template <typename Call>
    static void run(const void* self, void* call) noexcept {
        const auto& kernel = *static_cast<const Kernel*>(self);
        try {
            kernel.run_call(*static_cast<Call*>(call));
        } catch (...) {
            kernel.tap_.log_.set_exhausted();
        }
    }

    template <typename Call>
    void run_call(Call& call) const {
        lane_ = [&call, this](const TrapHit& hit) {
            return lane_of(call, {hit.warp, hit.number, hit.lane}, tap_.is_draw_);
        };
        watch_.begin(draw_of(call), false);
        interpreter_->run(call);
    }

    void run_call(exec::ComputeCall& call) const {
        for (uint64_t n = 0; n < call.group_count && !exec::is_cancelled(call.draw->watch); ++n) {
            exec::ComputeCall group = call;
            group.first_group += n;
            group.group_count = 1;
            lane_ = [&group, this](const TrapHit& hit) {
                return lane_of(group, {hit.warp, hit.number, hit.lane}, tap_.is_draw_);
            };
            watch_.begin(*call.draw, true);
            interpreter_->run(group);
        }
        if (results_)
            watch_.take_results(*results_);
    }

    void count(const TrapHit& hit) const {
        const valhall::Program& program = hit.by_prologue ? *prologue_ : *program_;
        const uint32_t line =
            hit.word < program.source_lines.size() ? program.source_lines[hit.word] : 0;
        const uint32_t place = line != 0 ? line : 0x80000000 + hit.word;
        tap_.log_.count(number_, place, hit, [&] { return finding(program, hit); });
    }

    [[nodiscard]] TrapFinding finding(const valhall::Program& program, const TrapHit& hit) const {
        TrapFinding made;
        std::string shader = "shader \"" + text_.name() + "\", ";
        if (results_) {
            shader += "once for all";
        } else {
            const CallLane lane = lane_(hit);
            shader = std::string(stage_text(lane.stage)) + " " + shader + lane_text(lane);
            made.target = lane_target(lane);
        }
        made.where = numbered(tap_.is_draw_ ? "draw " : "dispatch ", tap_.number_) + ", " + shader +
                     ": " + place_text(program, text_, hit.word) + ": ";
        const std::string what = hit.special == Special::Nan ? "NaN" : "infinity";
        const std::string operands = hit.operands();
        made.where += hit.is_made ? "makes " + what + (operands.empty() ? "" : " of " + operands)
                                  : what + " comes in";
        if (hit.by_prologue)
            made.where += ", once for all of the draw";
        if (!made.target.empty())
            made.target = numbered("--draw ", tap_.number_) + " " + made.target;
        return made;
    }

    std::shared_ptr<TrapTap> owner_;
    TrapTap& tap_;
    std::unique_ptr<const valhall::Program> program_;
    std::unique_ptr<const valhall::Program> prologue_;  ///< null: there is none
    const TrapText& text_;
    uint32_t number_;
    std::shared_ptr<PrologueMarks> results_;  ///< null: this is no prologue
    mutable TrapWatch watch_;
    std::optional<valhall::Interpreter> interpreter_;
    mutable std::function<CallLane(const TrapHit&)> lane_;
};

raster::KernelRef TrapTap::wrap(const valhall::Program& program,
                                const exec::VertexKey* vertex,
                                const exec::FragmentKey* fragment,
                                raster::KernelRef kernel) {
    const bool is_prologue = vertex == nullptr && fragment == nullptr;
    auto made = std::make_shared<Kernel>(shared_from_this(), program, is_prologue);
    if (!made->prepare())
        return kernel;
    return made;
}

std::string TrapTap::add_text(const std::string& name, std::string_view text) {
    std::string unique = name + kNumberMark + std::to_string(texts_.size());
    texts_.emplace(unique, TrapText(name, text));
    return unique;
}

const TrapText& TrapTap::text_of(const std::string& program_name) {
    const std::string shown = program_name.substr(0, program_name.find(kNumberMark));
    return texts_.try_emplace(program_name, shown, "").first->second;
}

std::shared_ptr<PrologueMarks> TrapTap::marks_of(const valhall::Program& prologue) {
    std::shared_ptr<PrologueMarks>& marks = prologues_[prologue.words];
    if (!marks)
        marks = std::make_shared<PrologueMarks>();
    return marks;
}

}  // namespace valkyr::debug
