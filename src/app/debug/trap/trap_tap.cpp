// Trap tap: runs all shaders of a device by the interpreter, and looks for NaN and infinity.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_tap.hpp"

#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"
#include "exec/work_groups.hpp"
#include "valhall/text/disassemble.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>

namespace valkyr::debug {

namespace {

/// Between a shader's name and the number that makes it unique.
constexpr char kNumberMark = '\x1f';

std::string numbered(const char* what, uint64_t number) {
    return what + std::to_string(number);
}

/// "(3,0,0)".
std::string triple(const std::array<uint32_t, 3>& numbers) {
    return "(" + std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," +
           std::to_string(numbers[2]) + ")";
}

std::string point_text(const exec::DomainPoint& point) {
    char text[80];
    std::snprintf(text, sizeof text, "%g,%g", static_cast<double>(point.u),
                  static_cast<double>(point.v));
    return text;
}

TrapLane name_of(const exec::VertexCall& call, const TrapHit& hit, bool /*is_draw*/) {
    const uint32_t vertex = call.vertex_ids[hit.number * exec::kLanes + hit.lane];
    return {"vertex", numbered("vertex ", vertex) + numbered(", instance ", call.instance_id),
            numbered("--vertex ", vertex)};
}

TrapLane name_of(const exec::GeometryCall& call, const TrapHit& hit, bool /*is_draw*/) {
    const uint32_t pair = hit.number * exec::kLanes + hit.lane;
    const uint32_t primitive = call.primitive_ids[pair];
    return {"geometry",
            numbered("primitive ", primitive) + numbered(", invocation ", call.invocations[pair]),
            numbered("--primitive ", primitive)};
}

TrapLane name_of(const exec::FragmentCall& call, const TrapHit& hit, bool /*is_draw*/) {
    const std::string pixel =
        std::to_string(hit.warp.x + static_cast<int32_t>(exec::lane_x(hit.lane))) + "," +
        std::to_string(hit.warp.y + static_cast<int32_t>(exec::lane_y(hit.lane)));
    TrapLane name{"fragment", "pixel " + pixel, "--pixel " + pixel};
    const auto* key = static_cast<const exec::FragmentKey*>(call.draw->key);
    if (key != nullptr && key->per_sample) {
        name.text += numbered(", sample ", hit.warp.sample_id);
        name.target += numbered(" --sample ", hit.warp.sample_id);
    }
    return name;
}

const uint8_t* record_of(const exec::ComputeCall& call, exec::ResourceTable table, uint64_t n) {
    const exec::RecordTable& records =
        call.records[static_cast<unsigned>(table) - exec::kFirstRecordTable];
    return records.first + records.stride * n;
}

/// A call of one group.
TrapLane name_of(const exec::ComputeCall& call, const TrapHit& hit, bool is_draw) {
    const uint32_t invocation = hit.number * exec::kLanes + hit.lane;
    if (!is_draw) {
        return {"compute",
                "group " + triple(exec::place_of(call.first_group, call.grid)) + ", invocation " +
                    triple(exec::place_of(invocation, call.block)),
                ""};
    }
    const exec::ProgramInfo& info = *call.draw->info;
    const bool is_control = info.patch.vertices != 0;
    exec::DomainPoint point{};
    uint64_t patch = 0;
    if (is_control) {
        patch = call.first_group * info.compute.block[1] + invocation / info.patch.vertices;
    } else {
        std::memcpy(&point,
                    record_of(call, exec::ResourceTable::DomainPoints,
                              call.first_group * exec::kLanes + invocation),
                    sizeof point);
        patch = point.patch;
    }
    exec::PatchRecord record;
    std::memcpy(&record, record_of(call, exec::ResourceTable::PatchRecords, patch), sizeof record);
    return {is_control ? "tessellation control" : "tessellation evaluation",
            numbered("patch ", record.id) +
                (is_control ? numbered(", invocation ", invocation % info.patch.vertices)
                            : ", point " + point_text(point)),
            numbered("--patch ", record.id)};
}

const exec::DrawContext& draw_of(const exec::GeometryCall& call) {
    return *call.out.draw;
}
template <typename Call>
const exec::DrawContext& draw_of(const Call& call) {
    return *call.draw;
}

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
        switch (program_->info.stage) {
        case exec::Stage::Vertex: return {&run<exec::VertexCall>, this};
        case exec::Stage::Geometry: return {&run<exec::GeometryCall>, this};
        case exec::Stage::Compute: return {&run<exec::ComputeCall>, this};
        case exec::Stage::Fragment:
        case exec::Stage::Blend: break;
        }
        return {&run<exec::FragmentCall>, this};
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
        name_ = [&call, this](const TrapHit& hit) { return name_of(call, hit, tap_.is_draw_); };
        watch_.begin(draw_of(call), false);
        interpreter_->run(call);
    }

    void run_call(exec::ComputeCall& call) const {
        for (uint64_t n = 0; n < call.group_count && !exec::is_cancelled(call.draw->watch); ++n) {
            exec::ComputeCall group = call;
            group.first_group += n;
            group.group_count = 1;
            name_ = [&group, this](const TrapHit& hit) {
                return results_ ? TrapLane{"", "once for all", ""}
                                : name_of(group, hit, tap_.is_draw_);
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
        const TrapLane lane = name_(hit);
        TrapFinding made;
        made.where = numbered(tap_.is_draw_ ? "draw " : "dispatch ", tap_.number_) + ", " +
                     (lane.stage.empty() ? "" : lane.stage + " ") + "shader \"" + text_.name() +
                     "\", " + lane.text + ": " + place_text(program, text_, hit.word) + ": ";
        const std::string what = hit.special == Special::Nan ? "NaN" : "infinity";
        const std::string operands = hit.operands();
        made.where += hit.is_made ? "makes " + what + (operands.empty() ? "" : " of " + operands)
                                  : what + " comes in";
        if (hit.by_prologue)
            made.where += ", once for all of the draw";
        if (!lane.target.empty())
            made.target = numbered("--draw ", tap_.number_) + " " + lane.target;
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
    mutable std::function<TrapLane(const TrapHit&)> name_;
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
