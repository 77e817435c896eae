// Guest program: decodes reachable instructions and divides them into basic blocks.
// SPDX-License-Identifier: MIT
#include "jit/guest/guest_program.hpp"

#include "jit/guest/double_steps.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/executable.hpp"

#include <string>

namespace valkyr::jit {

using valhall::Flow;
using valhall::Instr;
using valhall::Op;
using valhall::SourceKind;

namespace {

Error at_word(Errc code, size_t index, const std::string& text) {
    return {code, {}, "word " + std::to_string(index) + ": " + text};
}

/// Words between two tests of the cancellation.
constexpr size_t kWordsAtOnce = 4096;

/// Decodes the words. Zero words after the program are padding.
Result<std::vector<Instr>> decode_words(const std::vector<uint64_t>& words,
                                        Cancellation cancellation) {
    size_t count = words.size();
    while (count > 0 && words[count - 1] == 0)
        --count;
    std::vector<Instr> instrs;
    instrs.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        if (i % kWordsAtOnce == 0)
            VALKYR_TRY_VOID(cancellation.check());
        auto instr = valhall::decode(words[i]);
        if (!instr)
            return at_word(Errc::BadEncoding, i, instr.error().text);
        const std::string_view reason = valhall::reject_reason(*instr);
        if (!reason.empty())
            return at_word(Errc::Unsupported, i,
                           std::string(valhall::op_info(instr->op).name) + ": " +
                               std::string(reason));
        instrs.push_back(*instr);
    }
    if (instrs.empty())
        return Error{Errc::BadEncoding, {}, "the program has no instructions"};
    return instrs;
}

/// Whether an instruction computes a return address: IADD_IMM.i32 d, program_counter.w0, #n.
bool is_link(const Instr& instr) {
    return instr.op == Op::IADD_IMM_I32 && instr.src[0].kind == SourceKind::Special &&
           instr.src[0].index == exec::kProgramCounter && instr.src[0].word == 0 &&
           instr.imm[0] % 8 == 0;
}

/// The word that runs after word i. BLEND blends in place, so the code up to its target, which
/// would call a blend shader, is skipped.
int64_t next_word(const std::vector<Instr>& instrs, uint32_t i) {
    return int64_t{i} + 1 + (instrs[i].op == Op::BLEND ? instrs[i].imm[0] : 0);
}

int64_t branch_target(const Instr& instr, uint32_t i) {
    return int64_t{i} + 1 + instr.imm[0];
}

/// Follows control from word 0.
class Reachability {
public:
    Reachability(const valhall::Program& program,
                 const std::vector<Instr>& instrs,
                 DoubleSteps& doubles)
        : program_(program)
        , doubles_(doubles)
        , instrs_(instrs)
        , reached_(instrs.size(), false) {}

    Result<void> run() {
        VALKYR_TRY_VOID(visit(0, 0));
        while (!work_.empty()) {
            const uint32_t i = work_.back();
            work_.pop_back();
            VALKYR_TRY_VOID(follow(i));
        }
        for (uint32_t word : return_words_)
            doubles_.arrive(word);
        return {};
    }

    [[nodiscard]] bool reached(uint32_t word) const { return reached_[word]; }
    /// The words that an indirect branch may go to.
    [[nodiscard]] const std::vector<uint32_t>& return_words() const { return return_words_; }

private:
    Result<void> visit(uint32_t from, int64_t target) {
        if (target < 0 || target >= static_cast<int64_t>(instrs_.size()))
            return at_word(Errc::BadEncoding, from, "control leaves the program");
        doubles_.pass(from, static_cast<uint32_t>(target));
        const auto index = static_cast<size_t>(target);
        if (!reached_[index]) {
            reached_[index] = true;
            work_.push_back(static_cast<uint32_t>(target));
        }
        return {};
    }

    Result<void> follow(uint32_t i) {
        const Instr& instr = instrs_[i];
        const BranchTest test = branch_test(program_, instr);
        // A sum that is not a valid word address is only a number.
        if (const int64_t target = int64_t{i} + 1 + instr.imm[0] / 8;
            is_link(instr) && target < static_cast<int64_t>(instrs_.size())) {
            return_words_.push_back(static_cast<uint32_t>(target));
            VALKYR_TRY_VOID(visit(i, target));
        }
        if (test != BranchTest::Never)
            VALKYR_TRY_VOID(visit_branch(i));
        if (instr.flow == Flow::end || test == BranchTest::Always)
            return {};
        return visit(i, next_word(instrs_, i));
    }

    Result<void> visit_branch(uint32_t i) {
        const Instr& instr = instrs_[i];
        if (instr.op == Op::BRANCHZ)
            return visit(i, branch_target(instr, i));
        if (const auto address = known_value(program_, instr.src[1]))
            return visit(i, *address / 8);
        return {};
    }

    const valhall::Program& program_;
    DoubleSteps& doubles_;
    const std::vector<Instr>& instrs_;
    std::vector<bool> reached_;
    std::vector<uint32_t> return_words_;
    std::vector<uint32_t> work_;
};

/// Divides the reached words into steps and blocks.
class BlockBuilder {
public:
    BlockBuilder(const std::vector<Instr>& instrs,
                 const Reachability& reach,
                 const DoubleSteps& doubles,
                 GuestProgram& out)
        : instrs_(instrs)
        , reach_(reach)
        , doubles_(doubles)
        , out_(out)
        , step_of_(instrs.size(), 0) {}

    Result<void> build(const KernelKey& key, Cancellation cancellation) {
        returns_registers_ = returns_registers(*out_.source, key);
        VALKYR_TRY_VOID(make_steps(key, cancellation));
        exits_.resize(out_.steps.size());
        leader_.assign(out_.steps.size() + 1, false);
        leader_[0] = true;
        for (uint32_t k = 0; k < out_.steps.size(); ++k)
            find_exit(k);
        VALKYR_TRY_VOID(cancellation.check());
        if (has_indirect_)
            for (uint32_t word : reach_.return_words())
                leader_[step_of_[word]] = true;
        make_blocks();
        return {};
    }

private:
    Result<void> make_steps(const KernelKey& key, Cancellation cancellation) {
        out_.steps.reserve(instrs_.size());
        for (uint32_t i = 0; i < instrs_.size(); ++i) {
            if (i % kWordsAtOnce == 0)
                VALKYR_TRY_VOID(cancellation.check());
            if (!reach_.reached(i))
                continue;
            step_of_[i] = static_cast<uint32_t>(out_.steps.size());
            const valhall::DoubleRange* range = doubles_.at(i);
            const uint32_t last = range != nullptr ? i + range->count - 1 : i;
            const bool ends = ends_apart(instrs_[last]);
            Instr instr = instrs_[last];
            if (ends)
                instr.flow = Flow::none;
            if (range != nullptr)
                add_doubles(*range, instr.flow, key);
            else
                add_step(instr, i, key);
            if (ends)
                add_step(flow_only(Flow::end), last, key);
            i = last;
        }
        return {};
    }

    void add_step(const Instr& instr, uint32_t word, const KernelKey& key) {
        out_.steps.push_back({instr, register_access(instr, *out_.source, key), word});
    }

    static Instr flow_only(Flow flow) {
        Instr nop;
        nop.op = Op::NOP;
        nop.flow = flow;
        return nop;
    }

    void add_doubles(const valhall::DoubleRange& range, Flow flow, const KernelKey& key) {
        Step step;
        step.instr = flow_only(flow);
        step.word_index = range.first;
        step.doubles = range;
        step.access = step_access(step, *out_.source, key);
        out_.steps.push_back(std::move(step));
    }

    /// A compute warp returns its registers as they are after its last instruction. That one keeps
    /// only registers that are read after it (a result may take the place of a source), so the end
    /// becomes a separate step.
    [[nodiscard]] bool ends_apart(const Instr& instr) const {
        return instr.flow == Flow::end && returns_registers_ && instr.op != Op::NOP;
    }

    /// The control flow after a step, if it is not the next step.
    struct StepExit {
        bool ends_block = false;
        bool conditional = false;
        Exit exit = Exit::FallThrough;
        uint32_t target = 0;  ///< step
    };

    void find_exit(uint32_t k) {
        const Step& step = out_.steps[k];
        const BranchTest test = branch_test(*out_.source, step.instr);
        if (step.instr.flow == Flow::end)
            return set_exit(k, Exit::End, 0);
        if (k + 1 < out_.steps.size() && out_.steps[k + 1].word_index == step.word_index)
            return;
        if (test == BranchTest::Never) {
            const uint32_t next = step_of_[next_word(instrs_, step.last_word())];
            return next == k + 1 ? void() : set_exit(k, Exit::Jump, next);
        }
        const Exit kind = test == BranchTest::Always ? Exit::Jump : Exit::Branch;
        if (step.instr.op == Op::BRANCHZ)
            return set_branch(k, kind, step_of_[branch_target(step.instr, step.word_index)]);
        if (const auto address = known_value(*out_.source, step.instr.src[1]))
            return set_branch(k, kind, step_of_[*address / 8]);
        has_indirect_ = true;
        set_exit(k, Exit::Indirect, 0);
        exits_[k].conditional = test == BranchTest::Sometimes;
    }

    /// A branch to the next step has no effect and ends no block.
    void set_branch(uint32_t k, Exit kind, uint32_t target) {
        if (target != k + 1)
            set_exit(k, kind, target);
    }

    void set_exit(uint32_t k, Exit kind, uint32_t target) {
        exits_[k] = {true, false, kind, target};
        leader_[k + 1] = true;
        if (kind == Exit::Jump || kind == Exit::Branch)
            leader_[target] = true;
    }

    void make_blocks() {
        std::vector<uint32_t> block_of(out_.steps.size());
        for (uint32_t k = 0; k < out_.steps.size(); ++k) {
            if (leader_[k])
                out_.blocks.emplace_back().first = k;
            block_of[k] = static_cast<uint32_t>(out_.blocks.size() - 1);
            Block& block = out_.blocks.back();
            ++block.count;
            if (exits_[k].ends_block) {
                block.exit = exits_[k].exit;
                block.conditional = exits_[k].conditional;
                block.target = exits_[k].target;
            }
        }
        for (Block& block : out_.blocks)
            if (block.exit == Exit::Jump || block.exit == Exit::Branch)
                block.target = block_of[block.target];
        if (has_indirect_)
            for (uint32_t word : reach_.return_words())
                out_.return_points.push_back(block_of[step_of_[word]]);
    }

    const std::vector<Instr>& instrs_;
    const Reachability& reach_;
    const DoubleSteps& doubles_;
    GuestProgram& out_;
    std::vector<uint32_t> step_of_;
    std::vector<StepExit> exits_;
    std::vector<bool> leader_;
    bool has_indirect_ = false;
    bool returns_registers_ = false;
};

}  // namespace

Access step_access(const Step& step, const valhall::Program& program, const KernelKey& key) {
    Access access = register_access(step.instr, program, key);
    if (step.doubles) {
        const Access operation = double_access(*step.doubles);
        access.reads |= operation.reads;
        access.writes |= operation.writes;
    }
    return access;
}

Result<GuestProgram> read_program(const valhall::Program& program,
                                  const KernelKey& key,
                                  bool host_doubles,
                                  Cancellation cancellation) {
    VALKYR_TRY(instrs, decode_words(program.words, cancellation));
    DoubleSteps doubles;
    if (host_doubles)
        doubles = DoubleSteps(program.double_ranges, instrs);
    Reachability reach(program, instrs, doubles);
    VALKYR_TRY_VOID(reach.run());
    VALKYR_TRY_VOID(cancellation.check());
    GuestProgram out;
    out.source = &program;
    VALKYR_TRY_VOID(BlockBuilder(instrs, reach, doubles, out).build(key, cancellation));
    return out;
}

}  // namespace valkyr::jit
