// Double checker: notes sources where a range begins, and looks at registers from its end on.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/double_checker.hpp"

#include "valhall/arith/arith_double.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/register_access.hpp"

namespace valkyr::test {

using valhall::DoubleRange;
using valhall::RegisterAccess;
using valhall::StepEvent;

DoubleChecker::DoubleChecker(const valhall::Program& program)
    : program_(program)
    , begins_(program.words.size(), 0)
    , ends_(program.words.size(), 0) {
    uint32_t number = 0;
    for (const DoubleRange& range : program.double_ranges) {
        ++number;
        if (range.count == 0 || size_t{range.first} + range.count > program.words.size()) {
            fail(range.first, "a range outside of the program");
            continue;
        }
        begins_[range.first] = number;
        ends_[range.first + range.count - 1] = number;
    }
}

void DoubleChecker::fail(uint32_t word, const std::string& text) {
    if (failure_.empty())
        failure_ = "word " + std::to_string(word) + ": " + text + "\n";
}

void DoubleChecker::step(const StepEvent& event) {
    if (warp_ != &event.warp || event.word_index == 0) {
        warp_ = &event.warp;
        stale_.fill(0);
    }
    if (const uint32_t number = begins_[event.word_index])
        enter(program_.double_ranges[number - 1], event.before);
    check_accesses(event);
    if (const uint32_t number = ends_[event.word_index])
        leave(program_.double_ranges[number - 1], event);
}

void DoubleChecker::enter(const DoubleRange& range, const valhall::WarpState& state) {
    entered_.lanes = state.running;
    for (unsigned i = 0; i < valhall::double_op_info(range.op).source_words; ++i)
        entered_.sources[i] = state.r[range.sources[i]];
}

void DoubleChecker::check_accesses(const StepEvent& event) {
    for (const RegisterAccess& access : valhall::RegisterAccesses(event.instr)) {
        if (access.is_write() && access.halves == 3)
            stale_[access.reg] &= static_cast<uint16_t>(~event.before.running);
        else if ((stale_[access.reg] & event.before.running) != 0)
            fail(event.word_index,
                 "reads r" + std::to_string(access.reg) + ", which words of a double have left");
    }
}

void DoubleChecker::leave(const DoubleRange& range, const StepEvent& event) {
    ++checked_;
    const valhall::DoubleOpInfo& info = valhall::double_op_info(range.op);
    if (event.before.running != entered_.lanes)
        fail(event.word_index, "other lanes leave a range than entered it");
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        if ((entered_.lanes >> l & 1) == 0)
            continue;
        std::array<uint32_t, valhall::kMaxDoubleSources> words{};
        for (unsigned i = 0; i < info.source_words; ++i)
            words[i] = entered_.sources[i].v[l];
        const auto expected = valhall::compute_double(range.op, {words.data(), info.source_words});
        for (unsigned k = 0; k < info.result_words; ++k)
            if (event.after.r[range.result + k].v[l] != expected[k])
                fail(event.word_index, "the host computes another " + std::string(info.name));
    }
    for (uint32_t word = range.first; word < range.first + range.count; ++word)
        for (const RegisterAccess& access :
             valhall::RegisterAccesses(valhall::decode(program_.words[word]).value()))
            if (access.is_write() &&
                (access.reg < range.result || access.reg >= range.result + info.result_words))
                stale_[access.reg] |= entered_.lanes;
}

}  // namespace valkyr::test
