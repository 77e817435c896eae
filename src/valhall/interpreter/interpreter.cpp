// Interpreter: decodes a program, and runs single warps of it.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpreter.hpp"

#include "exec/specials.hpp"
#include "valhall/interpreter/interpreter_hazards.hpp"
#include "valhall/interpreter/interpreter_run.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/executable.hpp"

#include <algorithm>
#include <cstdio>

namespace valkyr::valhall {

namespace {

constexpr uint64_t kAllRegisters = ~uint64_t{0};

/// "word 12 (0x00a4c01000000201): text", at the source line of the word.
Error word_error(const Program& program, size_t index, Errc code, std::string_view text) {
    char hex[24];
    std::snprintf(hex, sizeof hex, "0x%016llx",
                  static_cast<unsigned long long>(program.words[index]));
    const uint32_t line = index < program.source_lines.size() ? program.source_lines[index] : 0;
    std::string message = "word " + std::to_string(index) + " (" + hex + "): ";
    message += text;
    return Error{code, {line, 0}, std::move(message)};
}

/// The highest FAU word that the instruction reads plus one; 0 if it reads none.
uint32_t fau_words_read(const Instr& instr) {
    uint32_t count = 0;
    const auto sources = op_info(instr.op).sources;
    for (size_t k = 0; k < sources.size(); ++k) {
        const Source& source = instr.src[k];
        if (source.kind != SourceKind::Uniform)
            continue;
        const bool wide = sources[k].size == 64 && source.selector == sources[k].selector_default;
        count = std::max(count, source.index + (wide ? 2U : 1U));
    }
    return count;
}

Result<Instr> decode_word(const Program& program, size_t index) {
    auto decoded = decode(program.words[index]);
    if (!decoded)
        return word_error(program, index, decoded.error().code, decoded.error().text);
    const std::string_view reason = reject_reason(*decoded);
    if (!reason.empty()) {
        const std::string name(op_info(decoded->op).name);
        return word_error(program, index, Errc::Unsupported, name + ": " + std::string(reason));
    }
    const uint32_t fau_words = fau_words_read(*decoded);
    if (fau_words > program.fau.size())
        return word_error(program, index, Errc::OutOfRange,
                          "uniform u" + std::to_string(fau_words - 1) + ", but the program has " +
                              std::to_string(program.fau.size()) + " FAU words");
    return decoded;
}

}  // namespace

Result<Interpreter> Interpreter::create(const Program& program, InterpreterOptions options) {
    Interpreter result;
    result.info_ = program.info;
    result.fau_words_ = static_cast<uint32_t>(program.fau.size());
    result.options_ = std::move(options);
    size_t count = program.words.size();
    while (count > 0 && program.words[count - 1] == 0)
        --count;
    result.instrs_.reserve(count);
    for (size_t index = 0; index < count; ++index) {
        VALKYR_TRY(instr, decode_word(program, index));
        result.instrs_.push_back(instr);
    }
    return result;
}

void Interpreter::run_warp(WarpState& state,
                           exec::Warp& warp,
                           std::vector<RunFault>* faults) const {
    interpret::CallContext call;
    call.tls_bytes = info_.tls_bytes;
    if (warp.draw) {
        call.fau = {warp.draw->fau, warp.draw->fau ? fau_words_ : 0};
        call.tls = warp.draw->special[exec::kThreadLocalPointer];
    }
    if (warp.fragment) {
        call.tls = warp.fragment->tls;
        call.worker = warp.fragment->worker;
    } else if (warp.vertex) {
        call.tls = warp.vertex->tls;
        call.worker = warp.vertex->worker;
    }
    interpret::Hazards hazards(kAllRegisters);
    interpret::WarpRun(instrs_, options_, state, warp, call, options_.hazards ? &hazards : nullptr,
                       faults)
        .run(false);
}

exec::Kernel Interpreter::kernel() const {
    const auto entry = [](const void* self, void* call) noexcept {
        const auto& interpreter = *static_cast<const Interpreter*>(self);
        switch (interpreter.info_.stage) {
        case exec::Stage::Vertex: return interpreter.run(*static_cast<exec::VertexCall*>(call));
        case exec::Stage::Geometry: return interpreter.run(*static_cast<exec::GeometryCall*>(call));
        case exec::Stage::Fragment:
        case exec::Stage::Blend: return interpreter.run(*static_cast<exec::FragmentCall*>(call));
        case exec::Stage::Compute: return interpreter.run(*static_cast<exec::ComputeCall*>(call));
        }
    };
    return {entry, this};
}

}  // namespace valkyr::valhall
