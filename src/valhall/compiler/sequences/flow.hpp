// Flow: builds SSA from variables under structured control flow, block by block in source order.
// SPDX-License-Identifier: MIT
//
// A variable holds the operand written last. Writes are logged, so that leaving a construct costs
// what was written inside it. Where edges meet, variables that differ get a phi. Code behind a jump
// is unreachable: callers ask reachable() and skip it, but still report the constructs.
//
// Every two-way branch goes to fresh blocks, so that no edge from a branch enters a block with
// several predecessors: copies for phis always have a place.
#pragma once

#include "valhall/compiler/ir/builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::valhall::ir {

using VarId = uint32_t;

class Flow {
public:
    explicit Flow(Builder& builder)
        : b_(builder) {}

    /// Variables 0..count-1, all unset. Variables from `first_cache` on cache values that can be
    /// computed again: they are forgotten where control flow meets and never get a phi.
    void set_variables(uint32_t count, uint32_t first_cache);
    /// The operand written last; kind None if unset.
    [[nodiscard]] const Operand& get(VarId var) const { return vars_[var]; }
    /// The operand written last of each variable.
    [[nodiscard]] std::span<const Operand> values() const { return vars_; }
    void set(VarId var, Operand value) {
        // One entry is enough as long as no scope begins or ends and nothing is rolled back.
        if (logged_[var] != epoch_) {
            logged_[var] = epoch_;
            log_.push_back({var, vars_[var]});
        }
        vars_[var] = value;
    }

    [[nodiscard]] bool reachable() const { return reachable_; }
    /// False once the function outgrew kMaxSnapshots: compilation must stop.
    [[nodiscard]] bool within_limits() const { return snapshots_.size() <= kMaxSnapshots; }
    [[nodiscard]] bool in_loop() const { return loop_ != kNone; }

    /// Starts the entry block.
    void begin();

    // `condition` is a 0/~0 boolean.
    void begin_if(Operand condition);
    void begin_else();
    void end_if();

    /// `vars`: the variables that the loop's body may write.
    void begin_loop(std::span<const VarId> vars);
    /// Returns false if nothing leaves the loop.
    bool end_loop();
    void continue_loop();
    /// Leaves the innermost loop or switch.
    void break_out();
    /// Lanes for which `condition` holds leave all loops (demoted lanes must not loop for ever).
    void leave_loops_if(Operand condition);

    /// `cases`: one condition a CASE in source order, kind None for DEFAULT.
    void begin_switch(std::span<const VarId> vars, std::span<const Operand> cases);
    void begin_case();
    void end_switch();

    /// A subroutine's body, or main: leave_region() jumps to its end.
    void begin_region(std::span<const VarId> vars);
    void leave_region();
    void end_region();

private:
    static constexpr size_t kMaxSnapshots = size_t{1} << 22;

    /// A jump that waits for its target block: `from`'s successor `slot`, and the values of the
    /// join's variables in snapshots_.
    struct Edge {
        BlockId from = kNone;
        uint32_t slot = 0;
        size_t snapshot = 0;
    };
    struct Scope {
        enum class Kind : uint8_t { If, Loop, Switch, Region } kind = Kind::If;
        bool dead = false;      ///< the whole construct is unreachable
        bool constant = false;  ///< If: the condition is a literal
        bool has_else = false;
        bool other_reachable = false;  ///< If: whether the finished branch reaches the join
        size_t log_start = 0;
        BlockId branch = kNone;    ///< If: the block with the branch
        BlockId then_end = kNone;  ///< If: last block of the then branch
        std::vector<VarId> vars;   ///< variables of the joins (If: written by the then branch)
        std::vector<Operand> then_values;
        std::vector<Edge> exits;
        std::vector<Edge> continues;
        std::vector<Edge> cases;  ///< Switch: from the tests to the bodies
        size_t next_case = 0;
        uint32_t loop = kNone;
        uint32_t outer_loop = kNone;
    };
    struct LogEntry {
        VarId var;
        Operand old;
    };

    Scope& push(Scope::Kind kind);
    void start_after(BlockId pred, unsigned slot);
    Edge jump_edge(std::span<const VarId> vars);
    size_t snapshot(std::span<const VarId> vars);
    void join(std::span<const VarId> vars, std::span<const Edge> edges);
    void roll_back(size_t log_start);
    void collect_changed(size_t log_start, std::vector<VarId>& vars);
    void finish_then(Scope& scope);
    void close_loop(Scope& scope);
    Scope* innermost(bool loops_only);

    Builder& b_;
    std::vector<Operand> vars_;
    std::vector<uint32_t> stamp_;
    std::vector<uint32_t> logged_;  ///< by variable: the epoch of its last entry in log_
    std::vector<LogEntry> log_;
    std::vector<Operand> snapshots_;
    std::vector<Scope> scopes_;
    std::vector<BlockId> pred_scratch_;
    std::vector<Operand> phi_scratch_;
    uint32_t first_cache_ = 0;
    uint32_t stamp_now_ = 0;
    uint32_t epoch_ = 1;
    uint32_t loop_ = kNone;
    bool reachable_ = true;
};

}  // namespace valkyr::valhall::ir
