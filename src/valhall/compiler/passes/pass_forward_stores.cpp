// Pass forward_stores: makes loads from arrays copies of what the block has stored or loaded there.
// SPDX-License-Identifier: MIT
//
// Arrays with indexes of run time lie in thread-local storage, whose words nothing else reaches.
// Only accesses at known offsets are followed. Stores stay: debuggers show arrays at every step.
#include "exec/specials.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <algorithm>

namespace valkyr::valhall::ir {
namespace {

/// Most words known at a time: copies make values live longer, and the machine has 64 registers.
constexpr size_t kMostWords = 32;

bool is_known_place(const Inst& inst) {
    const Operand& base = inst.src[0];
    return base.kind == OperandKind::Special && base.value == exec::kThreadLocalPointer;
}

void make_copy(Function& f, Inst& inst, Operand value) {
    inst.op = Op::MOV_I32;
    inst.word = base_word(Op::MOV_I32);
    inst.src = {value};
    inst.src_count = 1;
    inst.imm = {};
    f.note(Op::MOV_I32);
}

/// The values of words, by their offset.
class KnownWords {
public:
    void clear() { words_.clear(); }
    /// Replaces what the word overlaps.
    void set(int32_t offset, Operand value) {
        constexpr int32_t bytes = sizeof(uint32_t);
        std::erase_if(words_, [&](const Word& word) {
            return word.offset < offset + bytes && offset < word.offset + bytes;
        });
        if (words_.size() == kMostWords)
            words_.erase(words_.begin());
        words_.push_back({offset, value});
    }
    /// null: not known
    [[nodiscard]] const Operand* find(int32_t offset) const {
        const auto word = std::ranges::find(words_, offset, &Word::offset);
        return word == words_.end() ? nullptr : &word->value;
    }

private:
    struct Word {
        int32_t offset;
        Operand value;
    };
    std::vector<Word> words_;  ///< the latest last
};

void visit(Function& f, Inst& inst, KnownWords& known) {
    if (inst.op == Op::LOAD_I32 && is_known_place(inst)) {
        const int32_t offset = inst.imm[0];
        if (const Operand* value = known.find(offset))
            make_copy(f, inst, *value);
        else
            known.set(offset, value_operand(inst.def));
        return;
    }
    if (!traits(inst.op).effects.any(kWritesMemory))
        return;
    const bool stores_words = inst.op == Op::STORE_I32 || inst.op == Op::STORE_I128;
    if (!stores_words || !is_known_place(inst))
        return known.clear();
    for (unsigned k = 0; k < inst.staging_count; ++k)
        known.set(inst.imm[0] + static_cast<int32_t>(k * sizeof(uint32_t)),
                  f.pool[inst.staging + k]);
}

}  // namespace

void forward_stores(Function& f) {
    if (f.tls_bytes == 0 || !f.may_have(Op::LOAD_I32))
        return;
    KnownWords known;
    for (const Block& block : f.blocks) {
        known.clear();
        for (uint32_t i = block.first; i < block.end; ++i)
            visit(f, f.insts[i], known);
    }
}

}  // namespace valkyr::valhall::ir
