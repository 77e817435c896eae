// Double templates: make small functions, and leave gaps in their words.
// SPDX-License-Identifier: MIT
//
// The function gets its sources in registers that nothing overwrites: they are read again where it
// ends. Each source has an even register whose neighbour is never used, so that no 64-bit operand
// takes two sources where they are: in a program they may lie anywhere.
#include "valhall/compiler/double_templates.hpp"

#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/ir/builder.hpp"
#include "valhall/compiler/sequences/double_sequence.hpp"
#include "valhall/compiler/ssa_passes.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

namespace valkyr::valhall {
namespace {

// Registers of the function: results, sources with free neighbours, then scratch.
constexpr unsigned kFirstSource = 2;
constexpr unsigned kFirstScratch = kFirstSource + 2 * kMaxDoubleSources;

/// The function on SSA. Its last two instructions before the end write the results.
ir::Function make_function(DoubleOp op) {
    const DoubleOpInfo& info = double_op_info(op);
    ir::Function f;
    f.info.stage = exec::Stage::Compute;
    f.reserved = (uint64_t{1} << kFirstScratch) - 1;
    ir::Builder b(f);
    ir::Flow flow(b);
    flow.set_variables(lower::kDoubleVariables, lower::kDoubleVariables);
    flow.begin();
    std::vector<ir::Operand> sources;
    for (unsigned i = 0; i < info.source_words; ++i)
        sources.push_back(b.preload(static_cast<uint8_t>(kFirstSource + 2 * i)));
    const lower::Wide result = lower::double_sequence(b, flow, op, sources);
    for (unsigned k = 0; k < info.result_words; ++k) {
        const ir::Operand word = k == 0 ? result.low : result.high;
        VALKYR_CHECK(std::ranges::find(sources, word) == sources.end());
        b.emit(ir::Spec(Op::MOV_I32), {word});
        f.insts.back().fixed = static_cast<uint8_t>(k);
    }
    b.end_program();
    ir::Inst& end = f.insts.back();
    end.staging = static_cast<uint32_t>(f.pool.size());
    end.staging_count = info.source_words;
    f.pool.insert(f.pool.end(), sources.begin(), sources.end());
    return f;
}

/// Compiles it; the order of the sequence needs few registers, so nothing is scheduled.
ir::PackedCode generate(ir::Function& f) {
    for (const SsaPass& pass : kSsaPasses)
        pass.run(f);
    const bool places = ir::lower_constants(f).has_value();
    const bool fits = ir::allocate_registers(f).has_value();
    VALKYR_CHECK(places && fits && f.tls_bytes == 0);
    ir::insert_flow(f);
    ir::mark_last_use(f, false);
    return ir::pack(f);
}

/// Moves the numbers of registers and uniforms out of the words.
class GapMaker {
public:
    explicit GapMaker(ir::DoubleTemplate& made)
        : made_(made) {}

    void run(const ir::PackedCode& code) {
        for (const uint64_t word : code.words)
            add(word);
        // The end of the function; behind a template the program goes on.
        made_.words.back() &= ~bit_mask(kFlowStart, kFlowSize);
    }

private:
    void add(uint64_t word) {
        const Instr instr = decode(word).value();
        const OpInfo& info = op_info(instr.op);
        VALKYR_CHECK(info.staging.empty());
        made_.words.push_back(word & ~bit_mask(kPageStart, kPageSize));
        made_.loops = made_.loops || instr.op == Op::BRANCHZ;
        for (unsigned i = 0; i < info.sources.size(); ++i) {
            const Source& source = instr.src[i];
            const auto shift = static_cast<uint8_t>(8 * info.sources[i].byte);
            if (source.kind == SourceKind::Register)
                leave(shift, kRegisterCount, number_of(source.index), false);
            else if (source.kind == SourceKind::Uniform)
                leave(shift, kUniformsPerPage, source.index, true);
        }
        if (info.has_dest)
            leave(info.dest_reg.start, kRegisterCount, number_of(instr.dest.reg), false);
    }

    void leave(uint8_t shift, unsigned numbers, unsigned number, bool uniform) {
        const auto word = static_cast<uint16_t>(made_.words.size() - 1);
        made_.words.back() &= ~(uint64_t{numbers - 1} << shift);
        made_.gaps.push_back({word, shift, static_cast<uint8_t>(number), uniform});
    }

    /// The template's number of a register of the function.
    unsigned number_of(unsigned reg) {
        if (reg < kFirstSource)
            return ir::kTemplateResults + reg;
        if (reg < kFirstScratch)
            return ir::kTemplateSources + (reg - kFirstSource) / 2;
        const unsigned scratch = reg - kFirstScratch;
        made_.scratch_pairs = std::max(made_.scratch_pairs, scratch / 2 + 1);
        return ir::kTemplateScratch + scratch;
    }

    ir::DoubleTemplate& made_;
};

ir::DoubleTemplate make_template(DoubleOp op) {
    ir::Function f = make_function(op);
    const ir::PackedCode code = generate(f);
    ir::DoubleTemplate made;
    GapMaker(made).run(code);
    for (const FauWord& word : f.uniforms)
        made.literals.push_back(word.value);
    return made;
}

}  // namespace

const ir::DoubleTemplate& double_template(DoubleOp op) {
    struct Entry {
        std::once_flag once;
        ir::DoubleTemplate made;
    };
    static std::array<Entry, kDoubleOpCount> entries;
    Entry& entry = entries[static_cast<unsigned>(op)];
    std::call_once(entry.once, [&] { entry.made = make_template(op); });
    return entry.made;
}

}  // namespace valkyr::valhall
