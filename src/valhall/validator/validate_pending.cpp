// Pending rule: checks V13, the waits for messages (R1 to R6 of docs/rules/isa-notes.md).
// SPDX-License-Identifier: MIT
#include "valhall/validator/validate_p.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace valkyr::valhall {

namespace {

constexpr unsigned kSlots = 3;
constexpr uint8_t kWait0126 = 0x47;
constexpr uint8_t kWaitAll = 0xC7;

/// A memory access that may still be under way.
struct PendingAccess {
    uint32_t word;
    bool base_changed;  ///< its address register has been overwritten since
    friend auto operator<=>(const PendingAccess&, const PendingAccess&) = default;
};

/// Messages that may be under way at a point of the program.
struct Pending {
    struct Slot {
        uint64_t writes = 0;  ///< staging registers that will be written
        uint64_t reads = 0;   ///< staging registers that will be read
        bool varying = false;
        bool any = false;
        friend bool operator==(const Slot&, const Slot&) = default;
    };
    std::array<Slot, kSlots> slots{};
    std::vector<PendingAccess> accesses;  ///< sorted

    bool join(const Pending& other) {
        const Pending before = *this;
        for (unsigned s = 0; s < kSlots; ++s) {
            slots[s].writes |= other.slots[s].writes;
            slots[s].reads |= other.slots[s].reads;
            slots[s].varying |= other.slots[s].varying;
            slots[s].any |= other.slots[s].any;
        }
        std::vector<PendingAccess> both;
        std::ranges::set_union(accesses, other.accesses, std::back_inserter(both));
        accesses = std::move(both);
        return slots != before.slots || accesses != before.accesses;
    }
};

/// Memory by the kind of pointer that reaches it: a pointer to one kind never reaches the others.
enum class Space : uint8_t { Global, ThreadLocal, VertexRecord };

struct AccessRange {
    bool writes = false;
    Space space = Space::Global;
    Source base;
    int64_t offset = 0;
    unsigned bytes = 0;  ///< 0 = unknown
};

bool touches_memory(Op op) {
    return has_effect(op, kReadsMemory | kWritesMemory);
}

AccessRange memory_access(const Instr& instr) {
    AccessRange access;
    access.writes = has_effect(instr.op, kWritesMemory);
    access.base = instr.src[0];
    access.base.last_use = false;
    if (has_effect(instr.op, Effect::image_load | Effect::image_store))
        return access;
    access.offset = instr.imm[0];
    access.bytes = op_info(instr.op).type_size / 8U;
    if (!has_modifier(instr.op, Mod::memory_access))
        return access;
    switch (instr.get<MemoryAccess>(Mod::memory_access)) {
    case MemoryAccess::force: access.space = Space::ThreadLocal; break;
    case MemoryAccess::istream:
    case MemoryAccess::estream: access.space = Space::VertexRecord; break;
    case MemoryAccess::none: break;
    }
    return access;
}

bool disjoint(const AccessRange& a, const AccessRange& b, bool base_changed) {
    if (a.space != b.space)
        return true;
    if (base_changed || !a.bytes || !b.bytes || !(a.base == b.base))
        return false;
    return a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
}

bool conflict(const AccessRange& a, const AccessRange& b, bool base_changed) {
    if (!a.writes && !b.writes)
        return false;
    return !disjoint(a, b, base_changed);
}

bool writes_base(const Instr& instr, const Instr& access) {
    const Source& base = access.src[0];
    if (base.kind != SourceKind::Register)
        return false;
    return std::ranges::any_of(RegisterAccesses(instr), [&](const RegisterAccess& a) {
        return a.is_write() && (a.reg == base.index || a.reg == base.index + 1);
    });
}

class PendingCheck {
public:
    PendingCheck(const ValidatedProgram& p, RuleReport& report)
        : p_(p)
        , report_(report) {}

    void run() {
        const auto step = [this](Pending& state, uint32_t word) { transfer(state, word); };
        const auto states = solve_forward(p_.graph, Pending{}, step);
        for (uint32_t number = 0; number < p_.graph.blocks().size(); ++number)
            if (p_.graph.blocks()[number].reachable)
                check_block(p_.graph.blocks()[number], states[number]);
    }

private:
    void transfer(Pending& state, uint32_t word) const {
        const Instr& instr = p_.instrs[word];
        mark_changed_bases(state, instr);
        if (const auto slot = message_slot(instr); slot && *slot < kSlots)
            add_message(state, word, *slot);
        wait(state, waited_slots(instr.flow));
    }

    void mark_changed_bases(Pending& state, const Instr& instr) const {
        bool changed = false;
        for (PendingAccess& access : state.accesses) {
            if (!access.base_changed && writes_base(instr, p_.instrs[access.word])) {
                access.base_changed = true;
                changed = true;
            }
        }
        if (!changed)
            return;
        std::ranges::sort(state.accesses);
        state.accesses.erase(std::unique(state.accesses.begin(), state.accesses.end()),
                             state.accesses.end());
    }

    void add_message(Pending& state, uint32_t word, uint8_t slot) const {
        const Instr& instr = p_.instrs[word];
        Pending::Slot& s = state.slots[slot];
        s.any = true;
        s.varying = s.varying || has_effect(instr.op, Effect::varying);
        for (const RegisterAccess& access : RegisterAccesses(instr)) {
            if (access.kind == AccessKind::StagingWrite)
                s.writes |= uint64_t{1} << access.reg;
            else if (access.kind == AccessKind::StagingRead)
                s.reads |= uint64_t{1} << access.reg;
        }
        if (!touches_memory(instr.op))
            return;
        const PendingAccess access{word, false};
        const auto place = std::ranges::lower_bound(state.accesses, access);
        if (place == state.accesses.end() || *place != access)
            state.accesses.insert(place, access);
    }

    void wait(Pending& state, uint8_t waited) const {
        for (unsigned s = 0; s < kSlots; ++s)
            if (waited >> s & 1)
                state.slots[s] = {};
        std::erase_if(state.accesses, [&](const PendingAccess& access) {
            return waited >> message_slot(p_.instrs[access.word]).value_or(0) & 1;
        });
    }

    void check_block(const BasicBlock& block, Pending state) {
        for (uint32_t word = block.first; word <= block.last; ++word) {
            check_registers(state, word);
            check_memory(state, word);
            check_varying(state, word);
            check_waits_before(state, word);
            transfer(state, word);
        }
        const bool varying =
            std::ranges::any_of(state.slots, [](const Pending::Slot& s) { return s.varying; });
        if (varying && !block.successors.empty())
            report_.add(block.last, p_.instrs[block.last],
                        "a varying load is pending at the end of the block (R4)");
    }

    void check_registers(const Pending& state, uint32_t word) {
        const Instr& instr = p_.instrs[word];
        for (const RegisterAccess& access : RegisterAccesses(instr)) {
            for (unsigned s = 0; s < kSlots; ++s) {
                const std::string name =
                    "r" + std::to_string(access.reg) + " while slot " + std::to_string(s);
                if (state.slots[s].writes >> access.reg & 1)
                    report_.add(word, instr,
                                (access.is_write() ? "writes " : "reads ") + name +
                                    " will write it (R1)");
                else if (access.last_use && (state.slots[s].reads >> access.reg & 1))
                    report_.add(word, instr, "last use of " + name + " will read it (R2)");
            }
        }
    }

    void check_memory(const Pending& state, uint32_t word) {
        const Instr& instr = p_.instrs[word];
        if (!touches_memory(instr.op))
            return;
        const AccessRange access = memory_access(instr);
        for (const PendingAccess& other : state.accesses) {
            if (!conflict(memory_access(p_.instrs[other.word]), access, other.base_changed))
                continue;
            report_.add(word, instr,
                        "is unordered with the access at word " + std::to_string(other.word) +
                            " (R3)");
            return;
        }
    }

    void check_varying(const Pending& state, uint32_t word) {
        const Instr& instr = p_.instrs[word];
        if (!has_modifier(instr.op, Mod::update) ||
            instr.get<UpdateMode>(Mod::update) == UpdateMode::retrieve)
            return;
        if (std::ranges::any_of(state.slots, [](const Pending::Slot& s) { return s.varying; }))
            report_.add(word, instr,
                        "changes the interpolation position while a varying load is pending (R4)");
    }

    void check_waits_before(const Pending& state, uint32_t word) {
        const Instr& instr = p_.instrs[word];
        if (has_effect(instr.op, Effect::barrier)) {
            if (std::ranges::any_of(state.slots, [](const Pending::Slot& s) { return s.any; }))
                report_.add(word, instr, "slots 0 to 2 are not drained (R5)");
            if (instr.flow != Flow::wait)
                report_.add(word, instr, "needs .wait (R5)");
        }
        if (has_effect(instr.op, Effect::coverage))
            check_flow_before(word, kWait0126, ".wait0126");
        if (has_effect(instr.op, kTouchesTile) && p_.stage() != exec::Stage::Blend)
            check_flow_before(word, kWaitAll, ".wait");
    }

    void check_flow_before(uint32_t word, uint8_t slots, std::string_view name) {
        const std::vector<uint32_t> before = p_.graph.instructions_before(word);
        bool missing = before.empty();
        for (const uint32_t other : before) {
            // The word after a BRANCHZI runs when the blend shader returns; the BLEND before it has
            // waited.
            const Instr& instr = p_.instrs[other];
            const bool waited = (waited_slots(instr.flow) & slots) == slots;
            missing = missing || (!waited && instr.op != Op::BRANCHZI);
        }
        if (missing)
            report_.add(word, p_.instrs[word],
                        "the instruction before needs " + std::string(name) + " (R6)");
    }

    const ValidatedProgram& p_;
    RuleReport& report_;
};

}  // namespace

void check_pending(const ValidatedProgram& p, RuleReport& report) {
    PendingCheck(p, report).run();
}

}  // namespace valkyr::valhall
