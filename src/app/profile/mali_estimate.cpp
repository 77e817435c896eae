// Mali estimate: cycles that a shader core of a Mali would issue for the counted words.
// SPDX-License-Identifier: MIT
#include "app/profile/mali_estimate.hpp"

#include "valhall/isa/decode.hpp"

#include <algorithm>

namespace valkyr::profile {

namespace {

constexpr std::string_view kPipeNames[kPipes] = {"FMA",     "CVT",        "SFU",
                                                 "varying", "load/store", "texture"};
// Both have two engines, 4-wide special functions and four bilinear texels a cycle.
constexpr MaliCore kCores[] = {{"g57", "Mali-G57", 2, 4, 1, 4}, {"g78", "Mali-G78", 2, 4, 1, 4}};

/// 32-bit words that an instruction receives.
unsigned words_received(const valhall::Instr& instr) {
    return std::max<unsigned>(instr.staging[0].count, 1);
}

}  // namespace

std::string_view pipe_name(Pipe pipe) {
    return kPipeNames[static_cast<size_t>(pipe)];
}

std::span<const MaliCore> mali_cores() {
    return kCores;
}

std::optional<MaliCore> find_mali_core(std::string_view name) {
    const auto* const found = std::ranges::find(kCores, name, &MaliCore::name);
    return found != std::end(kCores) ? std::optional(*found) : std::nullopt;
}

void PipeCycles::add(const PipeCycles& other) {
    std::ranges::transform(cycles, other.cycles, cycles.begin(), std::plus<>());
}

Pipe PipeCycles::fullest() const {
    return static_cast<Pipe>(std::ranges::max_element(cycles) - cycles.begin());
}

PipeCycles word_cycles(uint64_t word, const WordCount& count, const MaliCore& core) {
    PipeCycles made;
    const auto instr = valhall::decode(word);
    if (!instr)
        return made;
    const auto warps = static_cast<double>(count.warps);
    const double arithmetic = warps / core.engines;
    const double texture = warps * exec::kLanes / core.texels;
    const double varying = warps * words_received(*instr) / core.varying_words;
    switch (valhall::op_info(instr->op).unit) {
    case valhall::Unit::Fma: made.at(Pipe::Fma) = arithmetic; break;
    case valhall::Unit::Cvt: made.at(Pipe::Cvt) = arithmetic; break;
    case valhall::Unit::Sfu: made.at(Pipe::Sfu) = arithmetic * exec::kLanes / core.sfu_lanes; break;
    case valhall::Unit::Varying: made.at(Pipe::Varying) = varying; break;
    case valhall::Unit::LoadStore: made.at(Pipe::LoadStore) = warps; break;
    case valhall::Unit::Texture: made.at(Pipe::Texture) = texture; break;
    case valhall::Unit::VaryingTexture:
        made.at(Pipe::Varying) = 2 * warps / core.varying_words;  // two coordinates
        made.at(Pipe::Texture) = texture;
        break;
    case valhall::Unit::None: break;
    }
    return made;
}

PipeCycles kernel_cycles(const KernelCost& kernel, const MaliCore& core) {
    PipeCycles sum;
    for (size_t word = 0; word < kernel.words.size(); ++word)
        sum.add(word_cycles(kernel.source.program->words[word], kernel.words[word].count, core));
    return sum;
}

}  // namespace valkyr::profile
