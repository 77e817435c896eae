// Recording: keeps every state of one warp, for stepping forwards and backwards.
// SPDX-License-Identifier: MIT
#include "app/debug/session/recording.hpp"

#include "app/debug/session/environment_tap.hpp"
#include "exec/specials.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace valkyr::debug {

namespace {

uint32_t word_at(std::span<const uint8_t> bytes, size_t offset) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
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

    void attach(const exec::DrawContext& draw, std::span<uint8_t> tls) {
        tapped_.emplace(draw, *this);
        tls_ = tls;
        shadow_.assign(tls.begin(), tls.end());
        r_.tls_bytes_ = tls.size();
    }
    [[nodiscard]] const exec::DrawContext* draw() const { return &*tapped_; }

    bool wants(const exec::Warp& warp) override { return warp.sample_id == options_.sample; }
    void add(Message message) override {
        message.step = static_cast<uint32_t>(r_.steps_.size());
        r_.messages_.push_back(std::move(message));
    }

    void note(const valhall::StepEvent& event) {
        if (!wants(event.warp))
            return;
        if (r_.steps_.empty())
            r_.start_ = event.before;
        Step step;
        step.word = event.word_index;
        step.lanes = event.before.running;
        step.alive = event.after.alive;
        step.live = event.after.live;
        step.running = event.after.running;
        step.pc = event.after.pc;
        step.first_register = static_cast<uint32_t>(r_.registers_.size());
        step.first_tls = static_cast<uint32_t>(r_.tls_.size());
        for (uint8_t reg = 0; reg < exec::kRegisters; ++reg) {
            const exec::Lanes& before = event.before.r[reg];
            const exec::Lanes& after = event.after.r[reg];
            if (std::memcmp(&before, &after, sizeof before) != 0)
                r_.registers_.push_back({reg, before, after});
        }
        if (has_effect(event.instr.op, valhall::Effect::store)) {
            note_store(event);
            note_tls();
        }
        r_.steps_.push_back(step);
    }

private:
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

    void note_tls() {
        for (size_t offset = 0; offset + 4 <= tls_.size(); offset += 4) {
            const uint32_t before = word_at(shadow_, offset);
            const uint32_t after = word_at(tls_, offset);
            if (before != after)
                r_.tls_.push_back({static_cast<uint32_t>(offset), before, after});
        }
        std::ranges::copy(tls_, shadow_.begin());
    }

    Recording& r_;
    const RecordOptions& options_;
    std::optional<TappedDraw> tapped_;
    std::span<uint8_t> tls_;
    std::vector<uint8_t> shadow_;
};

Result<Recording> Recording::make(const WarpCase& warp, const RecordOptions& options) {
    Recording recording;
    Recorder recorder(recording, options);
    valhall::InterpreterOptions interpreting;
    interpreting.step_limit = options.step_limit;
    interpreting.on_step = [&](const valhall::StepEvent& event) { recorder.note(event); };
    VALKYR_TRY(interpreter, valhall::Interpreter::create(*warp.program, std::move(interpreting)));
    recording.instrs_ = interpreter.instructions();
    RunOptions running;
    running.wrap = [&](const exec::DrawContext& draw, std::span<uint8_t> tls) {
        recorder.attach(draw, tls);
        return recorder.draw();
    };
    recording.result_ =
        run_warp(warp, interpreter_engine(interpreter, warp.stage(), &recording.faults_), running);
    if (recording.steps_.size() >= options.step_limit)
        return Error{Errc::OutOfRange,
                     {},
                     "the warp issues more than " + std::to_string(options.step_limit) +
                         " instructions (--steps sets the limit)"};
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

Cursor::Cursor(const Recording& recording)
    : recording_(&recording)
    , state_(recording.start())
    , tls_(recording.tls_bytes(), 0) {}

uint32_t Cursor::word() const {
    const std::vector<Step>& steps = recording_->steps();
    return steps[std::min(position_, steps.size() - 1)].word;
}

void Cursor::forward() {
    const Step& step = recording_->steps()[position_];
    for (const RegisterChange& change : recording_->register_changes(position_))
        state_.r[change.reg] = change.after;
    for (const TlsChange& change : recording_->tls_changes(position_))
        std::memcpy(tls_.data() + change.offset, &change.after, sizeof change.after);
    state_.pc = step.pc;
    state_.alive = step.alive;
    state_.live = step.live;
    state_.running = step.running;
    ++position_;
}

void Cursor::backward() {
    --position_;
    for (const RegisterChange& change : recording_->register_changes(position_))
        state_.r[change.reg] = change.before;
    for (const TlsChange& change : recording_->tls_changes(position_))
        std::memcpy(tls_.data() + change.offset, &change.before, sizeof change.before);
    const valhall::WarpState& start = recording_->start();
    const Step* before = position_ == 0 ? nullptr : &recording_->steps()[position_ - 1];
    state_.pc = before ? before->pc : start.pc;
    state_.alive = before ? before->alive : start.alive;
    state_.live = before ? before->live : start.live;
    state_.running = before ? before->running : start.running;
}

void Cursor::move_to(size_t position) {
    const size_t end = recording_->steps().size();
    while (position_ < std::min(position, end))
        forward();
    while (position_ > position)
        backward();
}

}  // namespace valkyr::debug
