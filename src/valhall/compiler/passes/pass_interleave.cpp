// Pass interleave: puts independent computations beside each other, so that none waits long.
// SPDX-License-Identifier: MIT
//
// A host core looks some hundred instructions ahead. A long chain, in which each instruction needs
// the result of the one before, fills that window, so the core does not find work that it could do
// meanwhile. This pass puts long stretches of arithmetic in the order in which a simple core begins
// them: one instruction a cycle, the oldest one whose operands are ready. Candidates come from a
// window, and the number of values alive is limited, so that none needs memory.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/registers/live_intervals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace valkyr::valhall::ir {
namespace {

/// Shorter stretches fit into the window of a core, with the messages around them.
constexpr uint32_t kMinLength = 64;
constexpr uint32_t kMaxInterleaved = 512;
/// Distance of a candidate from the oldest instruction that is not placed yet.
constexpr uint32_t kWindow = 256;
/// Values alive: this many more than at the beginning of the stretch, and this many in all.
constexpr int32_t kMoreValues = 32;
constexpr int32_t kMaxValues = 48;
/// Cycles.
constexpr uint32_t kCalendar = 64;
static_assert(kMaxLatency < kCalendar);

bool is_arithmetic(const Inst& inst) {
    return !is_pseudo(inst.op) && inst.def_count != 0 && inst.fixed == kNotFixed &&
           traits(inst.op).alu && is_pure(inst);
}

/// A set of instructions of the stretch.
class IndexSet {
public:
    void add(uint32_t i) { words_[i / 64] |= bit(i); }
    void remove(uint32_t i) { words_[i / 64] &= ~bit(i); }
    [[nodiscard]] bool has(uint32_t i) const { return (words_[i / 64] & bit(i)) != 0; }
    /// The lowest member of [first, limit), of which there is none below `first`; else `limit`.
    [[nodiscard]] uint32_t lowest(uint32_t first, uint32_t limit) const {
        for (uint32_t w = first / 64; w * 64 < limit; ++w)
            if (words_[w] != 0)
                return std::min(limit, w * 64 + static_cast<uint32_t>(std::countr_zero(words_[w])));
        return limit;
    }

private:
    static uint64_t bit(uint32_t i) { return uint64_t{1} << i % 64; }
    std::array<uint64_t, kMaxInterleaved / 64> words_{};
};

class Interleaver {
public:
    explicit Interleaver(Function& f)
        : f_(f) {}

    void run() {
        for (const Block& block : f_.blocks)
            for (uint32_t i = block.first; i < block.end;)
                i = visit_stretch(i, block.end);
    }

private:
    struct Node {
        uint32_t ready = 0;       ///< cycle in which the operands are ready
        uint32_t waits = 0;       ///< operands whose instructions are still to be placed
        uint32_t first_user = 0;  ///< index into users_; the next node's is behind the last
        uint32_t next = 0;        ///< 1 + node that becomes ready in the same cycle
    };

    uint32_t visit_stretch(uint32_t first, uint32_t end) {
        uint32_t i = first;
        while (i < end && i - first < kMaxInterleaved && is_arithmetic(f_.insts[i]))
            ++i;
        if (i - first >= kMinLength) {
            first_ = first;
            count_ = i - first;
            count_uses();
            find_users();
            reorder();
        }
        return std::max(i, first + 1);
    }
    template <typename F>
    void each_read_value(uint32_t i, F f) const {
        for_each_operand(f_, f_.insts[first_ + i], [&](const Operand& operand) {
            if (operand.is_value())
                f(operand.value);
        });
    }
    template <typename F>
    void each_made_value(uint32_t i, F f) const {
        const Inst& inst = f_.insts[first_ + i];
        for (uint32_t k = 0; k < inst.def_count; ++k)
            f(inst.def + k);
    }
    void count_uses();
    void find_users();
    void reorder();
    void place(uint32_t i, uint32_t cycle);

    Function& f_;
    uint32_t first_ = 0;
    uint32_t count_ = 0;
    std::vector<int32_t> alive_at_;  ///< by instruction: values alive before it
    std::vector<uint32_t> maker_;    ///< by value: 1 + its instruction of the stretch, 0 elsewhere
    std::vector<uint32_t> uses_;     ///< by value: reads that are not placed yet
    std::vector<Node> nodes_;
    std::vector<uint32_t> users_;
    std::vector<Inst> placed_;
    std::array<uint32_t, kCalendar> calendar_{};  ///< by cycle: 1 + first node that becomes ready
    IndexSet ready_;
    IndexSet done_;
    int32_t alive_ = 0;
};

/// Runs once a function. A value with reads outside of stretches stays alive.
void Interleaver::count_uses() {
    if (!uses_.empty())
        return;
    const LiveIntervals live = find_live_intervals(f_);
    alive_at_.assign(f_.insts.size() + 1, 0);
    for (ValueId v = 0; v < f_.value_count; ++v) {
        if (live.start[v] == kNone)
            continue;
        ++alive_at_[live.start[v] + 1];
        --alive_at_[live.end[v] + 1];
    }
    int32_t alive = 0;
    for (int32_t& change : alive_at_)
        change = alive += change;
    maker_.assign(f_.value_count, 0);
    uses_.assign(f_.value_count, 0);
    for (const Inst& inst : f_.insts)
        for_each_operand(f_, inst, [&](const Operand& operand) {
            if (operand.is_value())
                ++uses_[operand.value];
        });
}

void Interleaver::find_users() {
    nodes_.assign(count_ + 1, {});
    for (uint32_t i = 0; i < count_; ++i) {
        each_read_value(i, [&](ValueId v) {
            if (maker_[v] != 0) {
                ++nodes_[maker_[v] - 1].first_user;
                ++nodes_[i].waits;
            }
        });
        each_made_value(i, [&](ValueId v) { maker_[v] = i + 1; });
    }
    uint32_t sum = 0;
    for (Node& node : nodes_)
        node.first_user = sum += node.first_user;
    users_.resize(sum);
    for (uint32_t i = 0; i < count_; ++i)
        each_read_value(i, [&](ValueId v) {
            if (maker_[v] != 0)
                users_[--nodes_[maker_[v] - 1].first_user] = i;
        });
    for (uint32_t i = 0; i < count_; ++i)
        each_made_value(i, [&](ValueId v) { maker_[v] = 0; });
}

void Interleaver::reorder() {
    calendar_ = {};
    ready_ = {};
    done_ = {};
    placed_.clear();
    alive_ = alive_at_[first_];
    const int32_t most = std::min(alive_ + kMoreValues, kMaxValues);
    for (uint32_t i = 0; i < count_; ++i)
        if (nodes_[i].waits == 0)
            ready_.add(i);
    uint32_t oldest = 0;
    for (uint32_t cycle = 0; oldest < count_; ++cycle) {
        uint32_t node = std::exchange(calendar_[cycle % kCalendar], 0);
        for (; node != 0; node = nodes_[node - 1].next)
            if (!done_.has(node - 1))
                ready_.add(node - 1);
        const uint32_t limit = std::min(count_, oldest + kWindow);
        // With too many values alive the oldest instruction comes next, whether its operands are
        // ready or not.
        const uint32_t chosen = alive_ < most ? ready_.lowest(oldest, limit) : oldest;
        if (chosen == limit)
            continue;
        place(chosen, cycle);
        while (oldest < count_ && done_.has(oldest))
            ++oldest;
    }
    std::ranges::copy(placed_, f_.insts.begin() + first_);
}

void Interleaver::place(uint32_t i, uint32_t cycle) {
    placed_.push_back(f_.insts[first_ + i]);
    ready_.remove(i);
    done_.add(i);
    each_read_value(i, [&](ValueId v) { alive_ -= --uses_[v] == 0 ? 1 : 0; });
    each_made_value(i, [&](ValueId) { ++alive_; });
    const uint32_t result = cycle + traits(f_.insts[first_ + i].op).latency;
    for (uint32_t u = nodes_[i].first_user; u < nodes_[i + 1].first_user; ++u) {
        Node& user = nodes_[users_[u]];
        user.ready = std::max(user.ready, result);
        if (--user.waits != 0)
            continue;
        uint32_t& slot = calendar_[user.ready % kCalendar];
        user.next = std::exchange(slot, users_[u] + 1);
    }
}

}  // namespace

void interleave(Function& f) {
    Interleaver(f).run();
}

}  // namespace valkyr::valhall::ir
