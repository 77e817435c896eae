// Homes: assign places to guest registers that live across basic blocks.
// SPDX-License-Identifier: MIT
#include "jit/registers/homes.hpp"

#include <algorithm>
#include <vector>

namespace valkyr::jit {

namespace {

/// Host registers that every block keeps for its own values and temporaries.
constexpr unsigned kLocalRegistersWide = 10;    // hosts with at least 24 registers
constexpr unsigned kLocalRegistersNarrow = 8;   // the longest emitters need this many
constexpr unsigned kLocalRegistersPerPart = 2;  // with several parts: so many for each,
constexpr unsigned kLocalRegistersParts = 8;    // and so many in addition

class HomeAssigner {
public:
    HomeAssigner(const GuestProgram& program, const HostTraits& traits, unsigned parts)
        : program_(program)
        , parts_(parts)
        , used_(program.blocks.size(), 0) {
        unsigned available = traits.vectors;
        if (traits.masks == 0 && program.has_partial)
            available -= parts;
        available_ = available;
        unsigned local = available >= 24 ? kLocalRegistersWide : kLocalRegistersNarrow;
        if (parts > 1)
            local = std::max(local, kLocalRegistersParts + kLocalRegistersPerPart * parts);
        limit_ = available > local ? available - local : 0;
        count_uses();
    }

    Homes assign() {
        Homes homes;
        std::vector<Reg> order;
        for (const Block& block : program_.blocks)
            homes.any |= block.live_out;
        if (program_.entry_repeats)
            homes.any |= program_.blocks.front().live_in;
        homes.any.each([&](Reg r) { order.push_back(r); });
        std::stable_sort(order.begin(), order.end(),
                         [&](Reg a, Reg b) { return weight_[a] > weight_[b]; });
        for (Reg r : order)
            place(r, homes);
        return homes;
    }

private:
    static bool lives_in(const Block& block, Reg r) {
        return (block.live_in | block.live_out).has(r);
    }

    /// Counts uses; each enclosing loop multiplies the weight by ten.
    void count_uses() {
        for (const Block& block : program_.blocks) {
            uint64_t scale = 1;
            for (unsigned d = 0; d < block.loop_depth; ++d)
                scale *= 10;
            for (uint32_t k = block.first; k < block.first + block.count; ++k) {
                const Access& access = program_.steps[k].access;
                (access.reads | access.writes).each([&](Reg r) { weight_[r] += scale; });
            }
        }
    }

    void place(Reg r, Homes& homes) {
        uint32_t taken = 0;
        for (size_t b = 0; b < program_.blocks.size(); ++b) {
            if (!lives_in(program_.blocks[b], r))
                continue;
            if (static_cast<unsigned>(std::popcount(used_[b])) + parts_ > limit_)
                return;
            taken |= used_[b];
        }
        // Take registers from the top: low numbers have shorter encodings and stay for the blocks'
        // own values.
        std::array<Vec, kMaxParts> vecs{};
        unsigned found = 0;
        for (unsigned id = available_; id-- > 0 && found < parts_;)
            if (!(taken >> id & 1))
                vecs[found++] = Vec{static_cast<uint8_t>(id)};
        if (found < parts_)
            return;
        for (size_t b = 0; b < program_.blocks.size(); ++b)
            for (unsigned p = 0; p < parts_ && lives_in(program_.blocks[b], r); ++p)
                used_[b] |= 1U << vecs[p].id;
        homes.vec[r] = vecs;
        homes.in_registers |= RegSet::one(r);
    }

    const GuestProgram& program_;
    unsigned parts_;
    unsigned available_ = 0;
    unsigned limit_ = 0;
    std::vector<uint32_t> used_;
    std::array<uint64_t, kRegCount> weight_{};
};

}  // namespace

Homes assign_homes(const GuestProgram& program, const HostTraits& traits, unsigned parts) {
    return HomeAssigner(program, traits, parts).assign();
}

}  // namespace valkyr::jit
