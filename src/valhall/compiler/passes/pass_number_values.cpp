// Pass value_numbering: replaces an instruction by the result of an equal one that dominates it.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::valhall::ir {
namespace {

/// How far an equal instruction may be away.
enum class Reach : uint8_t {
    Nowhere,   ///< never equal: memory, side effects
    Block,     ///< reads other running lanes, which stay the same within a block
    Anywhere,  ///< depends on its operands alone
};

Reach reach_of(const Inst& inst) {
    if (is_pure(inst))
        return Reach::Anywhere;
    if (is_pseudo(inst.op) || inst.def_count == 0)
        return Reach::Nowhere;
    const bool looks_around = traits(inst.op).effects.any(Effect::lanes | Effect::texture);
    return looks_around ? Reach::Block : Reach::Nowhere;
}

class Numbering {
public:
    explicit Numbering(Function& f)
        : f_(f)
        , dominators_(f)
        , replaced_(f) {
        buckets_.assign(std::bit_ceil(f.insts.size() + 1), kNone);
        entries_.reserve(f.insts.size());
    }

    void run() {
        for (BlockId id = 0; id < f_.blocks.size(); ++id) {
            for (uint32_t i = f_.blocks[id].first; i < f_.blocks[id].end; ++i) {
                if (f_.cancellation.requested())
                    return;
                visit(id, i);
            }
        }
        // Phi inputs on back edges were visited before their values were replaced.
        if (!f_.loops.empty())
            replaced_.apply(f_);
    }

private:
    void visit(BlockId block, uint32_t i) {
        Inst& inst = f_.insts[i];
        if (replaced_.any())
            for_each_operand(f_, inst, [&](Operand& operand) { replaced_.apply(operand); });
        const Reach reach = reach_of(inst);
        if (reach == Reach::Nowhere)
            return;
        // Messages of other blocks cannot replace this one, so they get other keys.
        const uint64_t key = reach == Reach::Block ? mix(hash(inst), block) : hash(inst);
        const auto tag = static_cast<uint32_t>(key >> 32);
        uint32_t& bucket = buckets_[key & (buckets_.size() - 1)];
        for (uint32_t e = bucket; e != kNone; e = entries_[e].next) {
            const Entry& entry = entries_[e];
            if (entry.tag != tag)
                continue;
            const bool near = reach == Reach::Block ? entry.block == block
                                                    : dominators_.dominates(entry.block, block);
            if (!near || !equal(f_.insts[entry.inst], inst))
                continue;
            for (uint32_t k = 0; k < inst.def_count; ++k)
                replaced_.set(inst.def + k, value_operand(f_.insts[entry.inst].def + k));
            return;
        }
        entries_.push_back({i, block, bucket, tag});
        bucket = static_cast<uint32_t>(entries_.size() - 1);
    }

    static uint64_t mix(uint64_t h, uint64_t x) {
        return (h ^ x) * 0x9E3779B97F4A7C15U ^ (h >> 29);
    }

    [[nodiscard]] uint64_t hash(const Inst& inst) const {
        uint64_t h = mix(static_cast<uint64_t>(inst.op), inst.word);
        if (traits(inst.op).alu && traits(inst.op).wide_sources == 0) {
            for (const Operand& source : inst.sources())
                h = mix(h, std::bit_cast<uint64_t>(source));
            return h ^ h >> 32;
        }
        for_each_operand(f_, inst, [&](const Operand& operand) {
            h = mix(h, std::bit_cast<uint64_t>(operand));
        });
        h = mix(h, static_cast<uint32_t>(inst.imm[0]));
        return h ^ h >> 32;
    }

    [[nodiscard]] bool same(const Operand& a, const Operand& b) const {
        if (a.kind == OperandKind::Pair && b.kind == OperandKind::Pair)
            return std::ranges::equal(f_.pair(a), f_.pair(b));
        return a == b;
    }

    [[nodiscard]] bool equal(const Inst& a, const Inst& b) const {
        if (a.op != b.op || a.word != b.word || a.imm != b.imm || a.def_count != b.def_count ||
            a.src_count != b.src_count)
            return false;
        for (unsigned i = 0; i < a.src_count; ++i)
            if (!same(a.src[i], b.src[i]))
                return false;
        return std::ranges::equal(f_.staging(a), f_.staging(b));
    }

    struct Entry {
        uint32_t inst;
        BlockId block;
        uint32_t next;
        uint32_t tag;  ///< half of the hash
    };

    Function& f_;
    Dominators dominators_;
    Replacements replaced_;
    std::vector<uint32_t> buckets_;
    std::vector<Entry> entries_;
};

}  // namespace

void number_values(Function& f) {
    Numbering(f).run();
}

}  // namespace valkyr::valhall::ir
