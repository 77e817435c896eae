// Control flow: links flow instructions in one walk with a stack of open constructs.
// SPDX-License-Identifier: MIT
#include "tgsi/rules/flow.hpp"

#include "tgsi/opcode_table.hpp"

#include <algorithm>
#include <string>

namespace valkyr::tgsi {

namespace {

/// An IF, BGNLOOP, SWITCH or BGNSUB whose end has not come yet.
struct Open {
    Opcode opcode{};
    uint32_t start = 0;
    uint32_t link = 0;                  ///< IF or its ELSE; SWITCH or its last label
    bool has_else = false;              ///< ELSE of IF; DEFAULT of SWITCH
    std::vector<uint32_t> exits{};      ///< BRK and KILL* that go behind the end
    std::vector<uint32_t> continues{};  ///< CONT
};

bool is_if(Opcode opcode) {
    return opcode == Opcode::IF || opcode == Opcode::UIF;
}

class Linker {
public:
    Linker(const Shader& shader, std::vector<Error>& errors)
        : shader_(shader)
        , errors_(errors) {
        map_.target.assign(shader.instructions.size(), kNowhere);
    }

    FlowMap run() {
        bool has_end = false;
        for (uint32_t i = 0; i < shader_.instructions.size(); ++i) {
            has_end |= shader_.instructions[i].opcode == Opcode::END;
            visit(i, shader_.instructions[i]);
            if (stack_.size() > kMaxOpenConstructs) {
                error(i, "nesting deeper than " + std::to_string(kMaxOpenConstructs));
                return std::move(map_);
            }
        }
        for (const Open& open : stack_)
            error(open.start, std::string(name(open.opcode)) + " is never closed");
        if (!has_end)
            errors_.push_back({Errc::Semantic, {}, "END is missing"});
        link_calls();
        return std::move(map_);
    }

private:
    static std::string_view name(Opcode opcode) { return opcode_info(opcode).name; }

    void error(uint32_t at, std::string text) {
        errors_.push_back({Errc::Semantic, shader_.instructions[at].pos, std::move(text)});
    }

    Open* innermost(bool (*wanted)(Opcode)) {
        for (auto it = stack_.rbegin(); it != stack_.rend() && it->opcode != Opcode::BGNSUB; ++it)
            if (wanted(it->opcode))
                return &*it;
        return nullptr;
    }

    void visit(uint32_t i, const Instruction& instr) {
        switch (instr.opcode) {
        case Opcode::IF:
        case Opcode::UIF:
        case Opcode::BGNLOOP:
        case Opcode::SWITCH: stack_.push_back({instr.opcode, i, i}); break;
        case Opcode::BGNSUB:
            if (!stack_.empty())
                error(i, "BGNSUB inside " + std::string(name(stack_.back().opcode)));
            stack_.push_back({instr.opcode, i, i});
            break;
        case Opcode::ELSE: visit_else(i); break;
        case Opcode::CASE:
        case Opcode::DEFAULT: visit_case(i, instr.opcode); break;
        case Opcode::ENDIF:
        case Opcode::ENDLOOP:
        case Opcode::ENDSWITCH:
        case Opcode::ENDSUB: close(i, instr.opcode); break;
        case Opcode::BRK:
        case Opcode::CONT:
        case Opcode::KILL:
        case Opcode::KILL_IF: visit_jump(i, instr.opcode); break;
        case Opcode::CAL: calls_.push_back(i); break;
        case Opcode::END:
            if (!stack_.empty())
                error(i, "END inside " + std::string(name(stack_.back().opcode)));
            break;
        default: break;
        }
    }

    void visit_else(uint32_t i) {
        if (stack_.empty() || !is_if(stack_.back().opcode) || stack_.back().has_else)
            return error(i, "ELSE without IF or UIF");
        map_.target[stack_.back().link] = i + 1;
        stack_.back().link = i;
        stack_.back().has_else = true;
    }

    void visit_case(uint32_t i, Opcode opcode) {
        if (stack_.empty() || stack_.back().opcode != Opcode::SWITCH)
            return error(i, std::string(name(opcode)) + " outside SWITCH");
        Open& open = stack_.back();
        if (opcode == Opcode::DEFAULT && open.has_else)
            error(i, "second DEFAULT of the same SWITCH");
        open.has_else |= opcode == Opcode::DEFAULT;
        map_.target[open.link] = i;
        open.link = i;
    }

    void visit_jump(uint32_t i, Opcode opcode) {
        const auto is_loop = [](Opcode o) { return o == Opcode::BGNLOOP; };
        const auto can_break = [](Opcode o) { return o == Opcode::BGNLOOP || o == Opcode::SWITCH; };
        Open* const open = innermost(opcode == Opcode::BRK ? +can_break : +is_loop);
        if (open == nullptr) {
            if (opcode == Opcode::BRK || opcode == Opcode::CONT)
                error(i, std::string(name(opcode)) + " outside a loop");
        } else if (opcode == Opcode::CONT) {
            open->continues.push_back(i);
        } else {
            open->exits.push_back(i);
        }
    }

    void close(uint32_t i, Opcode opcode) {
        const bool matches = !stack_.empty() && opens(opcode, stack_.back().opcode);
        if (!matches)
            return error(i, std::string(name(opcode)) + " without its beginning");
        const Open& open = stack_.back();
        for (const uint32_t exit : open.exits)
            map_.target[exit] = i + 1;
        for (const uint32_t jump : open.continues)
            map_.target[jump] = i;
        if (opcode == Opcode::ENDLOOP)
            map_.target[i] = open.start + 1;
        else if (opcode == Opcode::ENDSWITCH)
            map_.target[open.link] = i;
        else
            map_.target[open.link] = i + 1;
        if (opcode == Opcode::ENDSUB)
            subroutines_.push_back({open.start, i});
        stack_.pop_back();
    }

    static bool opens(Opcode end, Opcode start) {
        switch (end) {
        case Opcode::ENDIF: return is_if(start);
        case Opcode::ENDLOOP: return start == Opcode::BGNLOOP;
        case Opcode::ENDSWITCH: return start == Opcode::SWITCH;
        default: return start == Opcode::BGNSUB;
        }
    }

    struct Subroutine {
        uint32_t first;
        uint32_t last;
        uint32_t depth = 0;  ///< longest chain of calls from it; 0 = not known yet
        bool open = false;
    };

    Subroutine* subroutine_at(uint32_t start) {
        // Subroutines do not nest, so they are sorted by their first instruction.
        const auto found = std::lower_bound(
            subroutines_.begin(), subroutines_.end(), start,
            [](const Subroutine& sub, uint32_t first) { return sub.first < first; });
        return found != subroutines_.end() && found->first == start ? &*found : nullptr;
    }

    void link_calls() {
        bool good = true;
        for (const uint32_t call : calls_) {
            const Instruction& instr = shader_.instructions[call];
            if (instr.has_label && subroutine_at(instr.label) != nullptr) {
                map_.target[call] = instr.label + 1;
            } else {
                error(call, "the label of CAL is not the number of a BGNSUB");
                good = false;
            }
        }
        for (size_t i = 0; good && i < subroutines_.size(); ++i)
            good = depth_of(subroutines_[i], 1) != 0;
    }

    /// Length of the longest call chain from `sub`, or 0 after an error.
    uint32_t depth_of(Subroutine& sub, uint32_t level) {
        if (sub.open || level > kMaxCallDepth) {
            error(sub.first, sub.open ? "subroutine calls itself"
                                      : "more than " + std::to_string(kMaxCallDepth) +
                                            " calls inside each other");
            return 0;
        }
        if (sub.depth != 0)
            return sub.depth;
        sub.open = true;
        uint32_t deepest = 0;
        const auto begin = std::lower_bound(calls_.begin(), calls_.end(), sub.first);
        for (auto call = begin; call != calls_.end() && *call < sub.last; ++call) {
            const uint32_t below = depth_of(*subroutine_at(map_.target[*call] - 1), level + 1);
            if (below == 0)
                return 0;
            deepest = std::max(deepest, below);
        }
        sub.open = false;
        sub.depth = deepest + 1;
        return sub.depth;
    }

    const Shader& shader_;
    std::vector<Error>& errors_;
    FlowMap map_;
    std::vector<Open> stack_;
    std::vector<uint32_t> calls_;
    std::vector<Subroutine> subroutines_;
};

}  // namespace

FlowMap analyse_flow(const Shader& shader, std::vector<Error>& errors) {
    return Linker(shader, errors).run();
}

}  // namespace valkyr::tgsi
