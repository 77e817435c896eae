// Recording: keeps every state of a warp or work-group, for stepping forwards and backwards.
// SPDX-License-Identifier: MIT
#include "app/debug/session/recording.hpp"

#include "app/debug/session/environment_tap.hpp"
#include "exec/specials.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace valkyr::debug {

namespace {

void set_word(std::span<uint8_t> bytes, size_t offset, uint32_t word) {
    std::memcpy(bytes.data() + offset, &word, std::min(sizeof word, bytes.size() - offset));
}

/// The entries of one step: from its `first` index to that of the next step.
template <typename T>
std::span<const T> run_of(const std::vector<T>& all,
                          const std::vector<Step>& steps,
                          size_t step,
                          uint32_t Step::*first) {
    const size_t begin = steps[step].*first;
    const size_t end = step + 1 < steps.size() ? steps[step + 1].*first : all.size();
    return std::span(all).subspan(begin, end - begin);
}

}  // namespace

std::string_view message_name(MessageKind kind) {
    constexpr std::string_view kNames[] = {
        "attribute",     "varying",     "special varying",     "texture", "image load",
        "image address", "image store", "early depth/stencil", "ATEST",   "ZS_EMIT",
        "BLEND",         "tile load",   "tile store",          "store",
    };
    return kNames[static_cast<size_t>(kind)];
}

/// Records the steps and messages of an interpreter run.
class Recorder final : public MessageSink {
public:
    Recorder(Recording& recording, const RecordOptions& options)
        : r_(recording)
        , options_(options) {}

    void attach(const exec::DrawContext& draw, const RunMemory& memory, const WarpCase& warp) {
        tapped_.emplace(draw, *this);
        tls_ = memory.tls;
        shadow_.assign(tls_.begin(), tls_.end());
        r_.tls_bytes_ = tls_.size() / warp.warps();
        if (!warp.work_group)
            return;
        tapped_->watch = &watch_;
        add_region("shared memory", memory.shared);
        for (const GroupMemory& buffer : warp.work_group->buffers)
            add_region(buffer.name, buffer.bytes);
        for (const std::span<uint8_t> region : regions_)
            region_shadows_.emplace_back(region.begin(), region.end());
    }
    [[nodiscard]] const exec::DrawContext* draw() const { return &*tapped_; }

    bool wants(const exec::Warp& warp) override { return warp.sample_id == options_.sample; }
    void add(Message message) override {
        message.step = static_cast<uint32_t>(r_.steps_.size());
        r_.messages_.push_back(std::move(message));
    }

    void access(const valhall::LaneAccess& access) {
        if (!regions_.empty())
            accesses_.push_back(access);
    }

    void note(const valhall::StepEvent& event) {
        if (!wants(event.warp))
            return;
        const std::vector<valhall::LaneAccess> accesses = std::exchange(accesses_, {});
        if (r_.steps_.size() == options_.step_limit) {
            watch_.cancelled.store(exec::kCancelledFromOutside, std::memory_order_relaxed);
            return;
        }
        Step step;
        step.word = event.word_index;
        // Other cases are a single warp, whatever samples or blocks of it ran before.
        if (!regions_.empty()) {
            const GroupSteps::Place place = group_steps_.next(event);
            step.warp = place.warp;
            step.phase = place.phase;
        }
        if (step.warp == r_.starts_.size()) {
            r_.starts_.push_back(event.before);
            r_.steps_of_.emplace_back();
        }
        step.lanes = event.before.running;
        step.alive = event.after.alive;
        step.live = event.after.live;
        step.running = event.after.running;
        step.parked = event.after.parked;
        step.pc = event.after.pc;
        step.first_register = static_cast<uint32_t>(r_.registers_.size());
        step.first_tls = static_cast<uint32_t>(r_.tls_.size());
        step.first_memory = static_cast<uint32_t>(r_.memory_.size());
        for (uint8_t reg = 0; reg < exec::kRegisters; ++reg) {
            const exec::Lanes& before = event.before.r[reg];
            const exec::Lanes& after = event.after.r[reg];
            if (std::memcmp(&before, &after, sizeof before) != 0)
                r_.registers_.push_back({reg, before, after});
        }
        if (has_effect(event.instr.op, valhall::Effect::store)) {
            note_store(event);
            note_tls(step.warp);
        }
        for (const valhall::LaneAccess& made : accesses)
            for (uint32_t region = 0; region < regions_.size(); ++region)
                note_access(step, made, region);
        r_.steps_of_[step.warp].push_back(static_cast<uint32_t>(r_.steps_.size()));
        r_.steps_.push_back(step);
    }

private:
    void add_region(std::string name, std::span<uint8_t> bytes) {
        r_.regions_.push_back({std::move(name), {bytes.begin(), bytes.end()}});
        regions_.push_back(bytes);
    }

    /// Notes the words that the access changed, and races.
    void note_access(const Step& step, const valhall::LaneAccess& access, uint32_t region) {
        const std::span<uint8_t> bytes = regions_[region];
        const uint64_t offset = access.address - reinterpret_cast<uintptr_t>(bytes.data());
        if (offset >= bytes.size())
            return;
        const auto first = static_cast<uint32_t>(offset);
        if (region == 0)
            r_.races_.note({access.kind, step.warp * exec::kLanes + access.lane, step.word,
                            static_cast<uint32_t>(r_.steps_.size())},
                           step.phase, first, access.bytes);
        if (access.kind == valhall::LaneAccess::Kind::Read)
            return;
        const std::span<uint8_t> shadow = region_shadows_[region];
        for (uint32_t at = first & ~3U; at < std::min<size_t>(first + access.bytes, bytes.size());
             at += 4) {
            const uint32_t before = word_at(shadow, at);
            const uint32_t after = word_at(bytes, at);
            if (before == after)
                continue;
            r_.memory_.push_back({region, at, before, after});
            set_word(shadow, at, after);
        }
    }

    /// Low and high word of an address operand.
    exec::Lanes address_word(const valhall::StepEvent& event, unsigned half) const {
        const valhall::Source& source = event.instr.src[0];
        exec::Lanes lanes{};
        for (unsigned l = 0; l < exec::kLanes; ++l) {
            if (source.kind == valhall::SourceKind::Register)
                lanes.v[l] = event.before.r[(source.index + half) % exec::kRegisters].v[l];
            else if (source.kind == valhall::SourceKind::Uniform)
                lanes.v[l] = tapped_->fau[source.index + half];
        }
        return lanes;
    }

    /// Notes the bytes that a store writes. Addresses in thread-local storage are noted as offsets
    /// within the lane's part.
    void note_store(const valhall::StepEvent& event) {
        const valhall::Source& source = event.instr.src[0];
        const bool local = source.kind == valhall::SourceKind::Special &&
                           source.index == exec::kThreadLocalPointer;
        Message message;
        message.kind = MessageKind::Store;
        message.step = static_cast<uint32_t>(r_.steps_.size());
        message.lanes = event.before.running;
        message.unit = static_cast<uint32_t>(event.instr.imm[0]);
        const valhall::Staging& data = event.instr.staging[0];
        for (unsigned k = 0; k < data.count; ++k)
            message.in.push_back(event.before.r[(data.base + k) % exec::kRegisters]);
        if (!local)
            message.out = {address_word(event, 0), address_word(event, 1)};
        r_.messages_.push_back(std::move(message));
    }

    void note_tls(uint16_t warp) {
        const size_t first = warp * r_.tls_bytes_;
        for (size_t offset = first; offset + 4 <= first + r_.tls_bytes_; offset += 4) {
            const uint32_t before = word_at(shadow_, offset);
            const uint32_t after = word_at(tls_, offset);
            if (before == after)
                continue;
            r_.tls_.push_back({static_cast<uint32_t>(offset), before, after});
            set_word(shadow_, offset, after);
        }
    }

    Recording& r_;
    const RecordOptions& options_;
    std::optional<TappedDraw> tapped_;
    std::span<uint8_t> tls_;
    std::vector<uint8_t> shadow_;
    // Work-groups.
    GroupSteps group_steps_;
    std::vector<std::span<uint8_t>> regions_;
    std::vector<std::vector<uint8_t>> region_shadows_;
    std::vector<valhall::LaneAccess> accesses_;  ///< of the step that runs
    exec::LoopWatch watch_;
};

namespace {

Error too_many_steps(const WarpCase& warp, uint32_t limit) {
    return {Errc::OutOfRange,
            {},
            std::string(warp.work_group ? "the work-group" : "the warp") + " issues more than " +
                std::to_string(limit) + " instructions (--steps sets the limit)"};
}

}  // namespace

Result<Recording> Recording::make(const WarpCase& warp, const RecordOptions& options) {
    Recording recording;
    Recorder recorder(recording, options);
    valhall::InterpreterOptions interpreting;
    interpreting.step_limit = options.step_limit;
    interpreting.on_step = [&](const valhall::StepEvent& event) { recorder.note(event); };
    interpreting.on_access = [&](const valhall::LaneAccess& made) { recorder.access(made); };
    VALKYR_TRY(interpreter, valhall::Interpreter::create(*warp.program, std::move(interpreting)));
    recording.instrs_ = interpreter.instructions();
    RunOptions running;
    running.wrap = [&](const exec::DrawContext& draw, const RunMemory& memory) {
        recorder.attach(draw, memory, warp);
        return recorder.draw();
    };
    recording.result_ =
        run_warp(warp, interpreter_engine(interpreter, warp.stage(), &recording.faults_), running);
    if (recording.steps_.size() >= options.step_limit)
        return too_many_steps(warp, options.step_limit);
    if (recording.steps_.empty())
        return Error{Errc::InvalidState,
                     {},
                     recording.messages_.empty() ? "no instruction ran: no lane is covered"
                                                 : "no instruction ran: early depth and stencil "
                                                   "tests took every lane"};
    return recording;
}

std::span<const RegisterChange> Recording::register_changes(size_t step) const {
    return run_of(registers_, steps_, step, &Step::first_register);
}

std::span<const TlsChange> Recording::tls_changes(size_t step) const {
    return run_of(tls_, steps_, step, &Step::first_tls);
}

std::span<const MemoryChange> Recording::memory_changes(size_t step) const {
    return run_of(memory_, steps_, step, &Step::first_memory);
}

const Step* Recording::next_step(uint32_t warp, size_t position) const {
    const auto next = std::ranges::lower_bound(steps_of_[warp], position);
    return next == steps_of_[warp].end() ? nullptr : &steps_[*next];
}

const Step* Recording::last_step(uint32_t warp, size_t position) const {
    const auto next = std::ranges::lower_bound(steps_of_[warp], position);
    return next == steps_of_[warp].begin() ? nullptr : &steps_[*std::prev(next)];
}

Cursor::Cursor(const Recording& recording)
    : recording_(&recording)
    , tls_(recording.tls_bytes() * recording.warps(), 0) {
    for (uint32_t warp = 0; warp < recording.warps(); ++warp)
        states_.push_back(recording.start(warp));
    for (const MemoryRegion& region : recording.regions())
        memory_.push_back(region.start);
}

uint32_t Cursor::next_warp() const {
    return at_end() ? warp_ : recording_->steps()[position_].warp;
}

std::span<const uint8_t> Cursor::tls() const {
    const size_t bytes = recording_->tls_bytes();
    return std::span(tls_).subspan(warp_ * bytes, bytes);
}

uint32_t Cursor::word_of(uint32_t warp) const {
    const Step* step = recording_->next_step(warp, position_);
    return (step != nullptr ? step : recording_->last_step(warp, position_))->word;
}

void Cursor::forward() {
    const Step& step = recording_->steps()[position_];
    valhall::WarpState& state = states_[step.warp];
    for (const RegisterChange& change : recording_->register_changes(position_))
        state.r[change.reg] = change.after;
    for (const TlsChange& change : recording_->tls_changes(position_))
        set_word(tls_, change.offset, change.after);
    for (const MemoryChange& change : recording_->memory_changes(position_))
        set_word(memory_[change.region], change.offset, change.after);
    state.pc = step.pc;
    state.alive = step.alive;
    state.live = step.live;
    state.running = step.running;
    state.parked = step.parked;
    ++position_;
    if (recording_->begins_phase(position_))
        release_warps();
}

void Cursor::backward() {
    if (recording_->begins_phase(position_))
        park_warps();
    --position_;
    const Step& step = recording_->steps()[position_];
    valhall::WarpState& state = states_[step.warp];
    for (const RegisterChange& change : recording_->register_changes(position_))
        state.r[change.reg] = change.before;
    for (const TlsChange& change : recording_->tls_changes(position_))
        set_word(tls_, change.offset, change.before);
    const std::span<const MemoryChange> changes = recording_->memory_changes(position_);
    for (size_t i = changes.size(); i-- > 0;)  // a step may change a word several times
        set_word(memory_[changes[i].region], changes[i].offset, changes[i].before);
    const valhall::WarpState& start = recording_->start(step.warp);
    const Step* before = recording_->last_step(step.warp, position_);
    state.pc = before != nullptr ? before->pc : start.pc;
    state.alive = before != nullptr ? before->alive : start.alive;
    state.live = before != nullptr ? before->live : start.live;
    state.running = step.lanes;
    state.parked = before != nullptr && before->phase == step.phase ? before->parked : 0;
}

/// All warps have reached a barrier: lanes that wait there go on.
void Cursor::release_warps() {
    for (uint32_t warp = 0; warp < states_.size(); ++warp) {
        const Step* next = recording_->next_step(warp, position_);
        states_[warp].parked = 0;
        states_[warp].running = next != nullptr ? next->lanes : states_[warp].running;
    }
}

/// Undoes release_warps().
void Cursor::park_warps() {
    for (uint32_t warp = 0; warp < states_.size(); ++warp) {
        const Step* last = recording_->last_step(warp, position_);
        states_[warp].parked = last->parked;
        states_[warp].running = last->running;
    }
}

void Cursor::move_to(size_t position) {
    const size_t end = recording_->steps().size();
    while (position_ < std::min(position, end))
        forward();
    while (position_ > position)
        backward();
}

}  // namespace valkyr::debug
