// Dense rows: access words of all lanes that lie one behind the other in memory.
// SPDX-License-Identifier: MIT
//
// Single words are one register of memory. Rows of several words are so many registers, whose words
// are sorted by permutations of pairs of registers.
#include "jit/expand/memory/dense_rows.hpp"

#include "jit/context/formula.hpp"
#include "jit/expand/memory/lane_addresses.hpp"

#include <array>

namespace valkyr::jit {

namespace {

constexpr int32_t kRegisterBytes = sizeof(exec::Lanes);
constexpr uint32_t kHalf = exec::kLanes / 2;

using Row = std::array<uint32_t, exec::kLanes>;

/// Row[k] = f(k).
template <typename F>
Row make_row(F f) {
    Row row{};
    for (uint32_t k = 0; k < row.size(); ++k)
        row[k] = f(k);
    return row;
}

/// d = the words of a and b with these numbers.
void pick(EmitContext& c, Vec d, Vec a, Operand b, const Row& numbers) {
    c.h.load(d, c.pool_row(numbers));
    c.h.permute_pair(d, a, b, Mask{});
}

/// Words k of the rows of four words in two registers, then words k + 1.
Row two_columns(uint32_t k) {
    return make_row([=](uint32_t n) { return n % kHalf * 4 + n / kHalf + k; });
}
/// The lower or upper halves of two registers.
Row halves(uint32_t upper) {
    return make_row(
        [=](uint32_t n) { return n % kHalf + n / kHalf * exec::kLanes + upper * kHalf; });
}
/// The groups of `size` words of two registers by turns, from the lower or upper halves.
Row by_turns(uint32_t size, uint32_t upper) {
    return make_row([=](uint32_t n) {
        return n / (2 * size) * size + n % size + n / size % 2 * exec::kLanes + upper * kHalf;
    });
}
/// Every second word of two registers.
Row every_second(uint32_t first) {
    return make_row([=](uint32_t n) { return 2 * n + first; });
}

Address register_at(Gp base, int32_t offset, int32_t number) {
    return {base, offset + kRegisterBytes * number};
}

/// Rows of four words, of which three may be wanted. What follows the third word of the last lane
/// is not read then.
void load_four(EmitContext& c, Gp base, int32_t offset, const FourVecs& results, unsigned words) {
    HostAssembler& h = c.h;
    std::array<Temp, 4> columns;
    for (Temp& column : columns)
        column = c.scratch();
    const Vec first = results[0];
    const Vec second = results[1];
    for (int32_t half = 0; half < 2; ++half) {
        h.load(first, register_at(base, offset, 2 * half));
        if (half == 1 && words == 3) {
            const TempMask inside = c.scratch_mask();
            const Scalar bits = c.scalar();
            h.move(bits, uint64_t{(1U << (exec::kLanes - 1)) - 1});
            h.mask_from_bits(inside, bits);
            h.load_masked(second, inside, register_at(base, offset, 3));
        } else {
            h.load(second, register_at(base, offset, 2 * half + 1));
        }
        for (uint32_t k = 0; k < 2; ++k)
            pick(c, columns[static_cast<size_t>(2 * half) + k], first, second, two_columns(2 * k));
    }
    for (uint32_t k = 0; k < words; ++k)
        pick(c, results[k], columns[k / 2], columns[2 + k / 2], halves(k % 2));
}

void store_four(EmitContext& c, Gp base, int32_t offset, const FourVecs& data) {
    const Temp row = c.scratch();
    for (int32_t half = 0; half < 2; ++half) {
        const Temp low = c.scratch();
        const Temp high = c.scratch();
        pick(c, low, data[0], data[1], by_turns(1, static_cast<uint32_t>(half)));
        pick(c, high, data[2], data[3], by_turns(1, static_cast<uint32_t>(half)));
        for (int32_t k = 0; k < 2; ++k) {
            pick(c, row, low, high, by_turns(2, static_cast<uint32_t>(k)));
            c.h.store(register_at(base, offset, 2 * half + k), row);
        }
    }
}

/// Jumps if the masks have a lane.
void jump_if_either(EmitContext& c, Mask a, Mask b, Label label) {
    HostAssembler& h = c.h;
    const Scalar bits = c.scalar();
    h.mask_or(a, a, b);
    h.mask_bits(bits, a);
    h.test32(bits);
    h.jump(Jump::NotEqual, label);
}

}  // namespace

bool loads_dense(const EmitContext& c, unsigned words) {
    return words == 1 || c.h.traits().permutes_pairs;
}

bool stores_dense(const EmitContext& c, unsigned words) {
    return words != 3 && loads_dense(c, words);
}

LaneStarts find_starts(EmitContext& c, const VecPair& address, Gp lanes, Label otherwise) {
    HostAssembler& h = c.h;
    h.compare32(lanes, (1U << h.traits().lanes) - 1);
    h.jump(Jump::NotEqual, otherwise);
    LaneStarts starts{c.scalar(), c.scratch(), c.scratch_mask()};
    const Scalar upper = c.scalar();
    h.extract_first(starts.address, address.low);
    h.extract_first(upper, address.high);
    h.broadcast_first(starts.distance, address.high);
    h.compare(IntCond::NotEqual, Element::B32, true, starts.apart, address.high, starts.distance);
    h.broadcast_first(starts.distance, address.low);
    h.op(Binary::SubI32, starts.distance, address.low, starts.distance);
    h.compare32(upper, kLocalHigh);
    h.jump(Jump::Equal, otherwise);
    h.shift_left64(upper, 32);
    h.add64(starts.address, upper);
    return starts;
}

void require_distances(EmitContext& c,
                       const LaneStarts& starts,
                       const std::array<uint32_t, exec::kLanes>& distances,
                       Label otherwise) {
    const TempMask differs = c.scratch_mask();
    c.h.compare(IntCond::NotEqual, Element::B32, true, differs, starts.distance,
                Operand::memory(c.pool_row(distances)));
    jump_if_either(c, differs, starts.apart, otherwise);
    // The lower words must not wrap from one lane to the next.
    c.h.compare32(starts.address, 0U - distances.back());
    c.h.jump(Jump::AboveEqual, otherwise);
}

void require_dense(EmitContext& c, const LaneStarts& starts, unsigned words, Label otherwise) {
    const uint32_t stride = dense_stride(words);
    require_distances(c, starts, make_row([=](uint32_t lane) { return lane * stride; }), otherwise);
}

void require_equal(EmitContext& c, const LaneStarts& starts, Label otherwise) {
    const TempMask differs = c.scratch_mask();
    c.h.test_nonzero(differs, starts.distance);
    jump_if_either(c, differs, starts.apart, otherwise);
}

void require_block(EmitContext& c, const LaneStarts& starts, Vec low, Label otherwise) {
    HostAssembler& h = c.h;
    const Row places = make_row([](uint32_t lane) { return 4 * lane; });
    {
        U32 differences(c);
        h.broadcast_first(differences, low);
        differences ^= low;
        const LaneMask differs = differences != Operand::memory(c.pool_row(places));
        jump_if_either(c, differs, starts.apart, otherwise);
    }
    const Scalar first = c.scalar();
    h.move(first, starts.address);
    h.and32(first, 3);
    h.test32(first);
    h.jump(Jump::NotEqual, otherwise);
}

void load_dense(EmitContext& c, Gp base, int32_t offset, const FourVecs& results, unsigned words) {
    switch (words) {
    case 1: return c.h.load(results[0], {base, offset});
    case 2: {
        const Temp first = c.scratch();
        c.h.load(first, {base, offset});
        for (uint32_t k = 0; k < 2; ++k)
            pick(c, results[k], first, Operand::memory(register_at(base, offset, 1)),
                 every_second(k));
        return;
    }
    default: return load_four(c, base, offset, results, words);
    }
}

void store_dense(EmitContext& c, Gp base, int32_t offset, const FourVecs& data, unsigned words) {
    if (words == 1)
        return c.h.store({base, offset}, data[0]);
    if (words == 4)
        return store_four(c, base, offset, data);
    const Temp row = c.scratch();
    for (int32_t half = 0; half < 2; ++half) {
        pick(c, row, data[0], data[1], by_turns(1, static_cast<uint32_t>(half)));
        c.h.store(register_at(base, offset, half), row);
    }
}

}  // namespace valkyr::jit
