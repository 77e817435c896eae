// Shared axes: finds texel numbers along x or y that several texture messages compute alike.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/shared_axes.hpp"

#include "jit/expand/texture/texture_state.hpp"
#include "jit/guest/known_words.hpp"

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <vector>

namespace valkyr::jit {

using valhall::Op;
using valhall::SourceKind;

namespace {

/// Numbers the values of registers in a block: a copy has the number of what it copies.
class ValueNumbers {
public:
    void pass(const Step& step) {
        const uint32_t copied = is_copy(step) ? (*this)[step.instr.src[0].index] : 0;
        step.access.writes.each([&](Reg r) { number_[r] = copied != 0 ? copied : ++last_; });
    }
    uint32_t operator[](Reg r) {
        if (number_[r] == 0)
            number_[r] = ++last_;
        return number_[r];
    }

private:
    static bool is_copy(const Step& step) {
        return step.instr.op == Op::MOV_I32 && step.instr.src[0].kind == SourceKind::Register;
    }

    std::array<uint32_t, kRegCount> number_{};
    uint32_t last_ = 0;
};

/// Whether texel numbers follow from the coordinate of their axis and the state of the units.
bool can_share(const TextureState& state) {
    return state.coordinates == 2 && !state.cube && !state.anisotropic && !state.level_matters &&
           state.filter != FilterChoice::ByLane && !has_borders(state);
}

/// The register of a message's word of offsets.
Reg offset_register(const Step& step, const TextureState& state) {
    return register_behind(step.instr.staging[1].base,
                           state.coordinates + state.message.array + state.message.shadow);
}

/// The constant offset word of a TEX_FETCH that reads the first level of a texture without slices,
/// 0 if it has none.
std::optional<uint32_t>
first_level_offset(const Step& step, const TextureState& state, const KnownWords& known) {
    if (state.has_slices)
        return std::nullopt;
    const auto word =
        state.message.offset ? known.value(offset_register(step, state)) : std::optional(0U);
    return word && *word >> 24 == 0 ? word : std::nullopt;
}

/// All that the texel numbers of an axis follow from.
struct AxisKey {
    uint32_t texture;
    uint32_t sampler;
    FilterChoice filter;
    unsigned axis;
    uint32_t coordinate;                   ///< number of its value
    std::optional<uint32_t> known_offset;  ///< the axis' byte of a constant texel offset
    std::optional<uint32_t> offset;        ///< the number of a word of offsets that is none

    auto operator<=>(const AxisKey&) const = default;
};

struct AxisUse {
    Step* step;
    unsigned axis;
};

/// The messages of one block.
class BlockShares {
public:
    void
    add(Step& step, const TextureState& state, ValueNumbers& numbers, const KnownWords& known) {
        const unsigned base = step.instr.staging[1].base;
        for (unsigned axis = 0; axis < 2; ++axis) {
            AxisKey key{*step.message.known,
                        *step.message.sampler,
                        state.filter,
                        axis,
                        numbers[register_behind(base, axis)],
                        {},
                        {}};
            if (state.message.offset) {
                const Reg r = offset_register(step, state);
                if (const auto word = known.value(r))
                    key.known_offset = *word >> 8 * axis & 0xFF;
                else
                    key.offset = numbers[r];
            }
            axes_[key].push_back({&step, axis});
        }
        if (!state.has_slices)
            add_level(step);
    }

    /// Adds a TEX_FETCH of the first level.
    void add_fetch(Step& step, const TextureState& state, ValueNumbers& numbers, uint32_t offset) {
        constexpr uint32_t no_sampler = 0xFFFFFFFF;
        add_level(step);
        for (unsigned axis = 0; axis < 2 && shares_fetched_axes(state); ++axis) {
            const AxisKey key{*step.message.known,
                              no_sampler,
                              FilterChoice::Nearest,
                              axis,
                              numbers[register_behind(step.instr.staging[1].base, axis)],
                              offset >> 8 * axis & 0xFF,
                              {}};
            axes_[key].push_back({&step, axis});
        }
    }

    /// Adds a message that reads the texture's only level alone.
    void add_level(Step& step) { levels_[*step.message.known].push_back(&step); }

    void number() {
        uint8_t next = 0;
        for (auto& [key, uses] : axes_) {
            const unsigned words = key.filter == FilterChoice::Nearest ? 1 : 2;
            if (uses.size() < 2 || next + words > kSharedAxisWords)
                continue;
            for (size_t k = 0; k < uses.size(); ++k)
                take_axis(uses[k], next, k > 0);
            next = static_cast<uint8_t>(next + words);
        }
        uint8_t level = 0;
        for (auto& [texture, steps] : levels_) {
            if (steps.size() < 2 || level == kSharedLevels)
                continue;
            for (size_t k = 0; k < steps.size(); ++k)
                steps[k]->message.level = {level, k > 0};
            ++level;
        }
    }

private:
    static void take_axis(const AxisUse& use, uint8_t place, bool stored) {
        use.step->message.axes[use.axis] = {place, stored};
        if (stored)
            use.step->access.reads =
                use.step->access.reads -
                RegSet::one(register_behind(use.step->instr.staging[1].base, use.axis));
    }

    std::map<AxisKey, std::vector<AxisUse>> axes_;
    std::map<uint32_t, std::vector<Step*>> levels_;
};

}  // namespace

void share_axes(GuestProgram& program, const KernelSource& source) {
    KnownWords known(program);
    for (uint32_t b = 0; b < program.blocks.size() && !source.cancellation.requested(); ++b) {
        const Block& block = program.blocks[b];
        known.begin_block(b);
        ValueNumbers numbers;
        BlockShares shares;
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            Step& step = program.steps[k];
            if (step.message.expansion == Expansion::Texture) {
                const auto state =
                    known_texture(source, step.instr, texture_message(step.instr, step.message));
                if (state && step.instr.op == Op::TEX_FETCH) {
                    if (const auto offset = first_level_offset(step, *state, known))
                        shares.add_fetch(step, *state, numbers, *offset);
                } else if (state && can_share(*state)) {
                    shares.add(step, *state, numbers, known);
                }
            }
            numbers.pass(step);
            known.pass(step);
        }
        shares.number();
    }
}

}  // namespace valkyr::jit
