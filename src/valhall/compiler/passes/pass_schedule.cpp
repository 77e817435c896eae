// Pass schedule: sends messages early and close together, and uses their results late.
// SPDX-License-Identifier: MIT
//
// A block is cut into stretches without side effects, in which instructions may stand in any order
// that keeps definitions before uses. In a stretch, the level of an instruction is the number of
// messages that it has to wait for one after the other. Levels follow each other: in each, first
// the messages and the instructions that feed them, then the others, which hide the messages'
// latency. Apart from that the order is kept. Stretches are short, so that few lifetimes grow.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/registers/live_intervals.hpp"

#include <algorithm>
#include <vector>

namespace valkyr::valhall::ir {
namespace {

/// Registers that messages of one stretch may fill.
constexpr unsigned kMaxResults = 12;
constexpr unsigned kMaxScheduled = 96;
constexpr unsigned kMaxLevel = 15;
/// Values alive behind a stretch, results of its messages included. Beyond 32 registers a core of
/// the GPU runs fewer warps. Hosts have 16 or 32 and keep the rest in memory, which costs less than
/// chains of arithmetic between messages that wait for each other.
constexpr unsigned kFreeRegisters = 40;
constexpr uint8_t kFeedsNothing = 0xFF;

/// Whether an instruction may change places with its neighbours. Running lanes stay the same within
/// a block, so instructions that look at other lanes may move, too.
bool is_movable(const Inst& inst) {
    if (is_pseudo(inst.op) || inst.def_count == 0 || inst.fixed != kNotFixed)
        return false;
    constexpr Effects harmless =
        Effect::lanes | Effect::texture | Effect::load | Effect::image_load;
    return is_pure(inst) || traits(inst.op).effects.any(harmless);
}

bool is_message(const Inst& inst) {
    return !traits(inst.op).alu;
}

class Scheduler {
public:
    explicit Scheduler(Function& f)
        : f_(f) {}

    void run() {
        for (const Block& block : f_.blocks) {
            // A single message cannot be brought close to another one.
            if (count_messages(block) < 2)
                continue;
            for (uint32_t i = block.first; i < block.end;)
                i = visit_stretch(i, block.end);
        }
    }

private:
    [[nodiscard]] unsigned count_messages(const Block& block) const {
        unsigned count = 0;
        for (uint32_t i = block.first; i < block.end; ++i) {
            const Inst& inst = f_.insts[i];
            const bool loads = is_message(inst) && !is_pseudo(inst.op) && inst.def_count != 0 &&
                               inst.fixed == kNotFixed;
            count += loads ? 1 : 0;
        }
        return count;
    }
    void measure_pressure();
    unsigned highest_pressure(uint32_t first, uint32_t end);
    uint32_t visit_stretch(uint32_t first, uint32_t end);
    void find_levels(uint32_t first, uint32_t end);
    void find_feeders(uint32_t first, uint32_t end);
    void reorder(uint32_t first, uint32_t end);

    Function& f_;
    std::vector<uint8_t> level_of_;   ///< by value, in the current stretch
    std::vector<uint8_t> feeds_;      ///< by value: lowest level of a message that needs it
    std::vector<uint16_t> pressure_;  ///< by instruction: values alive behind it
    std::vector<uint8_t> level_;      ///< by instruction of the stretch
    std::vector<uint8_t> key_;        ///< by instruction of the stretch: sort key
    std::vector<Inst> sorted_;
};

void Scheduler::measure_pressure() {
    const LiveIntervals live = find_live_intervals(f_);
    std::vector<int32_t> change(f_.insts.size() + 1, 0);
    for (ValueId v = 0; v < f_.value_count; ++v) {
        if (live.start[v] == kNone)
            continue;
        ++change[live.start[v]];
        --change[live.end[v]];
    }
    pressure_.resize(f_.insts.size());
    int32_t alive = 0;
    for (size_t i = 0; i < pressure_.size(); ++i) {
        alive += change[i];
        pressure_[i] = static_cast<uint16_t>(std::clamp(alive, 0, 0xFFFF));
    }
}

/// Most values alive at once in [first, end), in the order before the pass.
unsigned Scheduler::highest_pressure(uint32_t first, uint32_t end) {
    if (pressure_.empty())
        measure_pressure();
    return *std::max_element(pressure_.begin() + first, pressure_.begin() + end);
}

/// Finds the stretch that begins at `first` and schedules it; returns the next instruction.
uint32_t Scheduler::visit_stretch(uint32_t first, uint32_t end) {
    unsigned messages = 0;
    unsigned results = 0;
    uint32_t i = first;
    for (; i < end && i - first < kMaxScheduled && is_movable(f_.insts[i]); ++i) {
        if (is_message(f_.insts[i])) {
            if (results + f_.insts[i].def_count > kMaxResults && messages != 0)
                break;
            ++messages;
            results += f_.insts[i].def_count;
        }
    }
    if (messages > 0 && i - first > messages) {
        level_of_.resize(f_.value_count, 0);
        feeds_.resize(f_.value_count, kFeedsNothing);
        find_levels(first, i);
        find_feeders(first, i);
        if (!std::ranges::is_sorted(key_) && highest_pressure(first, i) + results <= kFreeRegisters)
            reorder(first, i);
    }
    return std::max(i, first + 1);
}

void Scheduler::find_levels(uint32_t first, uint32_t end) {
    level_.assign(end - first, 0);
    for (uint32_t i = first; i < end; ++i) {
        const Inst& inst = f_.insts[i];
        uint8_t level = 0;
        for_each_operand(f_, inst, [&](const Operand& operand) {
            if (operand.is_value())
                level = std::max(level, level_of_[operand.value]);
        });
        level_[i - first] = level;
        const bool later = is_message(inst) && level < kMaxLevel;
        for (uint32_t k = 0; k < inst.def_count; ++k)
            level_of_[inst.def + k] = static_cast<uint8_t>(level + (later ? 1 : 0));
    }
    for (uint32_t i = first; i < end; ++i)
        for (uint32_t k = 0; k < f_.insts[i].def_count; ++k)
            level_of_[f_.insts[i].def + k] = 0;
}

/// Sort keys: twice the level, plus one for instructions that feed no message of this level.
void Scheduler::find_feeders(uint32_t first, uint32_t end) {
    key_.resize(end - first);
    for (uint32_t i = end; i-- > first;) {
        const Inst& inst = f_.insts[i];
        const uint8_t level = level_[i - first];
        uint8_t feeds = kFeedsNothing;
        for (uint32_t k = 0; k < inst.def_count; ++k) {
            feeds = std::min(feeds, feeds_[inst.def + k]);
            feeds_[inst.def + k] = kFeedsNothing;
        }
        if (is_message(inst))
            feeds = level;
        key_[i - first] = static_cast<uint8_t>(2 * level + (feeds == level ? 0 : 1));
        if (feeds == kFeedsNothing)
            continue;
        for_each_operand(f_, inst, [&](const Operand& operand) {
            if (operand.is_value())
                feeds_[operand.value] = std::min(feeds_[operand.value], feeds);
        });
    }
}

/// A stable counting sort by key_.
void Scheduler::reorder(uint32_t first, uint32_t end) {
    std::array<uint32_t, 2 * (kMaxLevel + 1)> next{};
    for (const uint8_t key : key_)
        ++next[key];
    uint32_t sum = 0;
    for (uint32_t& count : next)
        sum += std::exchange(count, sum);
    sorted_.resize(end - first);
    for (uint32_t i = first; i < end; ++i)
        sorted_[next[key_[i - first]]++] = f_.insts[i];
    std::ranges::copy(sorted_, f_.insts.begin() + first);
}

}  // namespace

void schedule(Function& f) {
    Scheduler(f).run();
}

}  // namespace valkyr::valhall::ir
