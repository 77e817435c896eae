// Flow: scopes, edges and joins.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/flow.hpp"

#include <utility>

namespace valkyr::valhall::ir {

void Flow::set_variables(uint32_t count, uint32_t first_cache) {
    vars_.assign(count, Operand{});
    stamp_.assign(count, 0);
    logged_.assign(count, 0);
    first_cache_ = first_cache;
}

void Flow::begin() {
    b_.start_block({}, kNone);
}

Flow::Scope& Flow::push(Scope::Kind kind) {
    Scope& scope = scopes_.emplace_back();
    ++epoch_;
    scope.kind = kind;
    scope.dead = !reachable_;
    scope.log_start = log_.size();
    scope.outer_loop = loop_;
    return scope;
}

/// Starts a block whose only predecessor is `pred`.
void Flow::start_after(BlockId pred, unsigned slot) {
    const BlockId block = b_.start_block({&pred, 1}, loop_);
    b_.set_successor(pred, slot, block);
}

size_t Flow::snapshot(std::span<const VarId> vars) {
    const size_t first = snapshots_.size();
    for (const VarId var : vars)
        snapshots_.push_back(vars_[var]);
    return first;
}

/// Ends the current block with a jump to a join that starts later.
Flow::Edge Flow::jump_edge(std::span<const VarId> vars) {
    const size_t first = snapshot(vars);
    return {b_.end_with_jump(), 0, first};
}

/// Starts the block where `edges` meet and gives `vars` their values there.
void Flow::join(std::span<const VarId> vars, std::span<const Edge> edges) {
    pred_scratch_.clear();
    for (const Edge& edge : edges)
        pred_scratch_.push_back(edge.from);
    const BlockId block = b_.start_block(pred_scratch_, loop_);
    for (const Edge& edge : edges)
        b_.set_successor(edge.from, edge.slot, block);
    for (size_t i = 0; i < vars.size(); ++i) {
        const Operand& first = snapshots_[edges[0].snapshot + i];
        bool same = true;
        phi_scratch_.clear();
        for (const Edge& edge : edges) {
            const Operand& value = snapshots_[edge.snapshot + i];
            same = same && value == first;
            phi_scratch_.push_back(value.kind == OperandKind::None ? literal(0) : value);
        }
        const Operand merged = same ? first : b_.phi(phi_scratch_);
        if (!(merged == vars_[vars[i]]))
            set(vars[i], merged);
    }
    reachable_ = true;
}

void Flow::roll_back(size_t log_start) {
    ++epoch_;
    while (log_.size() > log_start) {
        vars_[log_.back().var] = log_.back().old;
        log_.pop_back();
    }
}

/// Appends the variables (caches excepted) written since `log_start` that are not yet in `vars`.
void Flow::collect_changed(size_t log_start, std::vector<VarId>& vars) {
    ++stamp_now_;
    for (const VarId var : vars)
        stamp_[var] = stamp_now_;
    for (size_t i = log_start; i < log_.size(); ++i) {
        const VarId var = log_[i].var;
        if (var >= first_cache_ || stamp_[var] == stamp_now_)
            continue;
        stamp_[var] = stamp_now_;
        vars.push_back(var);
    }
}

void Flow::begin_if(Operand condition) {
    Scope& scope = push(Scope::Kind::If);
    if (scope.dead)
        return;
    if (condition.kind == OperandKind::Literal) {
        scope.constant = true;
        scope.other_reachable = condition.value == 0;  // false: the code behind is reached anyhow
        reachable_ = condition.value != 0;
        return;
    }
    scope.branch = b_.end_with_branch(condition);
    start_after(scope.branch, 0);
}

/// Notes what the then branch wrote and goes back to the state before it.
void Flow::finish_then(Scope& scope) {
    scope.other_reachable = reachable_;
    if (reachable_) {
        collect_changed(scope.log_start, scope.vars);
        for (const VarId var : scope.vars)
            scope.then_values.push_back(vars_[var]);
        scope.then_end = b_.end_with_jump();
    }
    roll_back(scope.log_start);
    start_after(scope.branch, 1);
    reachable_ = true;
}

void Flow::begin_else() {
    Scope& scope = scopes_.back();
    scope.has_else = true;
    if (scope.dead)
        return;
    if (scope.constant)
        std::swap(reachable_, scope.other_reachable);
    else
        finish_then(scope);
}

void Flow::end_if() {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (scope.dead)
        return;
    if (scope.constant) {
        reachable_ = reachable_ || scope.other_reachable;
        return;
    }
    if (!scope.has_else)
        finish_then(scope);
    if (!scope.other_reachable && !reachable_) {
        roll_back(scope.log_start);
        return;
    }
    if (!scope.other_reachable) {
        // Only the else branch goes on: its values and its block stay current.
        return;
    }
    const size_t then_count = scope.vars.size();
    std::vector<Edge> edges;
    std::vector<VarId> all = std::move(scope.vars);
    if (reachable_)
        collect_changed(scope.log_start, all);
    const size_t else_snapshot = snapshot(all);
    if (reachable_)
        edges.push_back({b_.end_with_jump(), 0, else_snapshot});
    roll_back(scope.log_start);
    const size_t then_snapshot = snapshot(all);
    for (size_t i = 0; i < then_count; ++i)
        snapshots_[then_snapshot + i] = scope.then_values[i];
    edges.insert(edges.begin(), {scope.then_end, 0, then_snapshot});
    join(all, edges);
}

void Flow::begin_loop(std::span<const VarId> vars) {
    Scope& scope = push(Scope::Kind::Loop);
    if (scope.dead)
        return;
    scope.vars.assign(vars.begin(), vars.end());
    const BlockId pre = b_.end_with_jump();
    scope.loop = static_cast<uint32_t>(b_.function().loops.size());
    loop_ = scope.loop;
    const std::array<BlockId, 2> preds{pre, kNone};
    const BlockId header = b_.start_block(preds, loop_);
    b_.set_successor(pre, 0, header);
    b_.function().loops.push_back({header, kNone, scope.outer_loop});
    for (const VarId var : scope.vars) {
        const Operand& now = vars_[var];
        const std::array<Operand, 2> inputs{now.kind == OperandKind::None ? literal(0) : now,
                                            Operand{}};
        set(var, b_.phi(inputs));
    }
}

void Flow::continue_loop() {
    if (!reachable_)
        return;
    Scope& scope = *innermost(true);
    scope.continues.push_back(jump_edge(scope.vars));
    reachable_ = false;
}

Flow::Scope* Flow::innermost(bool loops_only) {
    for (size_t i = scopes_.size(); i-- > 0;) {
        const Scope::Kind kind = scopes_[i].kind;
        if (kind == Scope::Kind::Loop || (!loops_only && kind == Scope::Kind::Switch))
            return &scopes_[i];
    }
    return nullptr;
}

void Flow::break_out() {
    if (!reachable_)
        return;
    Scope& scope = *innermost(false);
    scope.exits.push_back(jump_edge(scope.vars));
    reachable_ = false;
}

void Flow::leave_loops_if(Operand condition) {
    if (!reachable_ || !in_loop())
        return;
    size_t outermost = 0;
    while (scopes_[outermost].kind != Scope::Kind::Loop)
        ++outermost;
    Scope& scope = scopes_[outermost];
    if (condition.kind == OperandKind::Literal) {
        if (condition.value != 0) {
            scope.exits.push_back(jump_edge(scope.vars));
            reachable_ = false;
        }
        return;
    }
    const BlockId branch = b_.end_with_branch(condition);
    start_after(branch, 0);
    scope.exits.push_back(jump_edge(scope.vars));
    start_after(branch, 1);
}

/// Jumps back to the header and completes its phis.
void Flow::close_loop(Scope& scope) {
    Function& f = b_.function();
    const BlockId header = f.loops[scope.loop].first;
    if (reachable_ && !scope.continues.empty())
        scope.continues.push_back(jump_edge(scope.vars));
    if (!scope.continues.empty())
        join(scope.vars, scope.continues);
    const bool loops = reachable_;
    for (size_t i = 0; i < scope.vars.size(); ++i) {
        Inst& phi = f.insts[f.blocks[header].first + i];
        if (loops)
            f.pool[phi.staging + 1] = vars_[scope.vars[i]];
        else
            phi.staging_count = 1;
    }
    if (loops) {
        const BlockId latch = b_.end_with_jump();
        b_.set_successor(latch, 0, header);
        f.preds[f.blocks[header].pred_first + 1] = latch;
    } else {
        f.blocks[header].pred_count = 1;
    }
    f.loops[scope.loop].last = static_cast<BlockId>(f.blocks.size() - 1);
}

bool Flow::end_loop() {
    if (scopes_.back().dead) {
        scopes_.pop_back();
        return true;
    }
    close_loop(scopes_.back());
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    loop_ = scope.outer_loop;
    roll_back(scope.log_start);
    reachable_ = false;
    if (scope.exits.empty())
        return false;
    join(scope.vars, scope.exits);
    return true;
}

void Flow::begin_switch(std::span<const VarId> vars, std::span<const Operand> cases) {
    Scope& scope = push(Scope::Kind::Switch);
    if (scope.dead)
        return;
    scope.vars.assign(vars.begin(), vars.end());
    scope.cases.resize(cases.size());
    const size_t head = snapshot(scope.vars);
    size_t default_case = cases.size();
    for (size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].kind == OperandKind::None) {
            default_case = i;
            continue;
        }
        const BlockId branch = b_.end_with_branch(cases[i]);
        start_after(branch, 0);
        scope.cases[i] = {b_.end_with_jump(), 0, head};
        start_after(branch, 1);
    }
    const Edge otherwise{b_.end_with_jump(), 0, head};
    if (default_case < cases.size())
        scope.cases[default_case] = otherwise;
    else
        scope.exits.push_back(otherwise);
    reachable_ = false;
}

void Flow::begin_case() {
    Scope& scope = scopes_.back();
    if (scope.dead)
        return;
    std::vector<Edge> edges{scope.cases[scope.next_case++]};
    if (reachable_)
        edges.push_back(jump_edge(scope.vars));
    roll_back(scope.log_start);
    join(scope.vars, edges);
}

void Flow::end_switch() {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (scope.dead)
        return;
    if (reachable_)
        scope.exits.push_back(jump_edge(scope.vars));
    roll_back(scope.log_start);
    reachable_ = false;
    if (!scope.exits.empty())
        join(scope.vars, scope.exits);
}

void Flow::begin_region(std::span<const VarId> vars) {
    Scope& scope = push(Scope::Kind::Region);
    scope.vars.assign(vars.begin(), vars.end());
}

void Flow::leave_region() {
    if (!reachable_)
        return;
    size_t i = scopes_.size() - 1;
    while (scopes_[i].kind != Scope::Kind::Region)
        --i;
    scopes_[i].exits.push_back(jump_edge(scopes_[i].vars));
    reachable_ = false;
}

void Flow::end_region() {
    if (scopes_.back().dead || scopes_.back().exits.empty()) {
        scopes_.pop_back();
        return;
    }
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (reachable_)
        scope.exits.push_back(jump_edge(scope.vars));
    roll_back(scope.log_start);
    join(scope.vars, scope.exits);
}

}  // namespace valkyr::valhall::ir
