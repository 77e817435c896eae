// Inline memory accesses: LOAD of words and STORE at addresses that programs compute.
// SPDX-License-Identifier: MIT
//
// The addresses decide at run time. If all lanes run and their words lie one behind the other, they
// are whole registers of memory (dense_rows.hpp); four words at other equal distances are rows of
// 16 bytes. A load from one address is one load. If the upper words of all running lanes are equal
// and do not name thread-local storage, lanes gather and scatter. All other accesses go lane by
// lane.
#include "jit/expand/memory/inline_memory.hpp"

#include "jit/context/message.hpp"
#include "jit/expand/memory/dense_rows.hpp"
#include "jit/expand/memory/lane_addresses.hpp"
#include "jit/expand/memory/lane_rows.hpp"
#include "jit/expand/memory/running_lanes.hpp"

namespace valkyr::jit {

namespace {

constexpr unsigned kLoadTemporaries = 10;
constexpr unsigned kStoreTemporaries = kDenseTemporaries;
/// Gathers take signed indices, so the base is the middle of the 4 GiB that a word can address.
constexpr uint32_t kMiddle = 0x80000000;

/// Copies of the addresses; stores them in the frame, too.
VecPair copy_addresses(EmitContext& c, const VecPair& address) {
    VecPair copy{c.scratch(), c.scratch()};
    c.h.move(copy.low, address.low);
    c.h.move(copy.high, address.high);
    c.h.store(low_words(), copy.low);
    c.h.store(high_words(), copy.high);
    return copy;
}

/// The upper word of all addresses, in the upper half of the result. Jumps if they differ or are
/// thread-local.
Scalar find_window(EmitContext& c, Vec high, Label otherwise) {
    Scalar window = first_running(c, high, high_words(), otherwise);
    c.h.compare32(window, kLocalHigh);
    c.h.jump(Jump::Equal, otherwise);
    c.h.shift_left64(window, 32);
    return window;
}

/// Moves from a window's start to its middle, where index 0 is.
void enter_middle(EmitContext& c, Gp window, Vec index) {
    const Scalar half = c.scalar();
    c.h.move(half, uint64_t{kMiddle});
    c.h.add64(window, half);
    c.h.op(Binary::Xor, index, index, c.pool(kMiddle));
}

/// The greatest distance of rows, so small that sums for all lanes do not wrap: a descending
/// address shows as a large distance.
constexpr uint32_t kMostDistance = 1U << 26;

/// Accesses of so many words have code for progressions.
constexpr unsigned kRowWords = 4;

/// Addresses that ascend by equal distances.
struct Progression {
    Scalar first;     ///< lane 0
    Scalar distance;  ///< from lane to lane
};

/// Registers that find_progression() overwrites.
struct Work {
    Vec a, b;
};

/// Jumps if not all lanes of the part are in `lanes`, or if their addresses do not ascend by equal
/// distances.
/// window  from find_window(), not changed
/// low     the lower words, which copy_addresses() has stored
Progression
find_progression(EmitContext& c, Gp window, Vec low, Gp lanes, const Work& work, Label otherwise) {
    HostAssembler& h = c.h;
    const uint32_t all = (1U << h.traits().lanes) - 1;
    const Address distances = VALKYR_FRAME(out);
    const Address distance = distances.plus(4);
    h.compare32(lanes, all);
    h.jump(Jump::NotEqual, otherwise);
    // Take distances from lane 0. The distance of lane 1 must be that of all neighbours.
    h.op(Binary::SubI32, work.a, low, Operand::broadcast(low_words()));
    h.store(distances, work.a);
    h.load(work.b, h.pool_words(kLaneNumbers));
    h.op(Binary::MulI32, work.b, work.b, Operand::broadcast(distance));
    {
        const TempMask equal = c.scratch_mask();
        const Scalar bits = c.scalar();
        h.compare(IntCond::Equal, Element::B32, true, equal, work.a, work.b);
        h.mask_bits(bits, equal);
        h.compare32(bits, all);
        h.jump(Jump::NotEqual, otherwise);
    }
    Progression found{c.scalar(), c.scalar()};
    h.load32(found.distance, low_words().plus(static_cast<int32_t>(4 * (h.traits().lanes - 1))));
    h.load32(found.first, low_words());
    h.compare64(found.distance, found.first);
    h.jump(Jump::Below, otherwise);
    h.add64(found.first, window);
    h.load32(found.distance, distance);
    h.compare32(found.distance, kMostDistance);
    h.jump(Jump::AboveEqual, otherwise);
    return found;
}

/// Loads rows of 16 bytes. Jumps if the addresses of lanes do not ascend by equal distances.
void load_progression(
    EmitContext& c, Gp window, Vec low, const FourVecs& results, Label otherwise) {
    Temp a = c.scratch();
    Temp b = c.scratch();
    const Scalar lanes = running_lanes(c);
    const Progression rows = find_progression(c, window, low, lanes, {a, b}, otherwise);
    a.reset();
    b.reset();
    load_rows_to(c, {rows.first, word_offset(c, 0), rows.distance}, results);
}

/// Loads the words of a part; registers beyond `words` are none.
void load_words(EmitContext& c, const VecPair& address, const FourVecs& results, unsigned words) {
    HostAssembler& h = c.h;
    const Label apart = h.new_label();
    const Label gather = h.new_label();
    const Label slow = h.new_label();
    const Label done = h.new_label();
    {
        const Scalar window = find_window(c, address.high, slow);
        {
            const Scalar low = first_running(c, address.low, low_words(), apart);
            h.add64(low, window);
            for (unsigned k = 0; k < words; ++k)
                h.move(results[k], Operand::broadcast({low, word_offset(c, k)}));
        }
        h.jump(done);
        h.bind(apart);
        if (words == kRowWords) {
            load_progression(c, window, address.low, results, gather);
            h.jump(done);
        }
        h.bind(gather);
        enter_middle(c, window, address.low);
        const TempMask running = running_mask(c);
        for (unsigned k = 0; k < words; ++k)
            h.gather32(results[k], {window, word_offset(c, k)}, address.low, running);
    }
    h.jump(done);
    h.bind(slow);
    {
        const Scalar lanes = running_lanes(c);
        const Address out = VALKYR_FRAME(out);
        each_address(c, lanes, [&](Gp lane, Address from, int32_t stride) {
            const Scalar word = c.scalar();
            for (unsigned k = 0; k < words; ++k) {
                h.load32(word, from.plus(static_cast<int32_t>(k) * stride));
                h.store32(of_lane(staged_array(out, k), lane), word);
            }
        });
        for (unsigned k = 0; k < words; ++k)
            h.load(results[k], staged_array(out, k));
    }
    h.bind(done);
}

/// Loads words of lanes that all run, if they lie one behind the other or all at one address.
/// Single words more often do the former, and rows the latter.
void load_together(EmitContext& c,
                   const VecPair& address,
                   const FourVecs& results,
                   unsigned words,
                   Label otherwise,
                   Label done) {
    HostAssembler& h = c.h;
    const Scalar lanes = running_lanes(c);
    const LaneStarts starts = find_starts(c, address, lanes, otherwise);
    const auto load_different = [&](Label other) {
        require_dense(c, starts, words, other);
        load_dense(c, starts.address, word_offset(c, 0), results, words);
        h.jump(done);
    };
    const auto load_equal = [&](Label other) {
        require_equal(c, starts, other);
        for (unsigned k = 0; k < words; ++k)
            h.move(results[k], Operand::broadcast({starts.address, word_offset(c, k)}));
        h.jump(done);
    };
    const Label second = h.new_label();
    if (words == 1)
        load_different(second);
    else
        load_equal(second);
    h.bind(second);
    if (words == 1)
        load_equal(otherwise);
    else
        load_different(otherwise);
}

void load_part(EmitContext& c, unsigned words) {
    HostAssembler& h = c.h;
    const VecPair address = c.widen64(0, false);
    make_room(c, kLoadTemporaries);
    FourVecs results;
    for (unsigned k = 0; k < words; ++k)
        results[k] = c.scratch();
    const Label otherwise = h.new_label();
    const Label done = h.new_label();
    if (loads_dense(c, words))
        load_together(c, address, results, words, otherwise, done);
    h.bind(otherwise);
    {
        const VecPair copy = copy_addresses(c, address);
        load_words(c, copy, results, words);
    }
    h.bind(done);
    for (unsigned k = 0; k < words; ++k)
        c.regs.define(staging_register(c, k), c.part, results[k]);
}

/// Stores words of lanes that all store, if they lie one behind the other.
void store_together(
    EmitContext& c, const VecPair& address, const FourVecs& data, unsigned words, Label otherwise) {
    const Scalar lanes = storing_lanes(c);
    LaneStarts starts = find_starts(c, address, lanes, otherwise);
    require_dense(c, starts, words, otherwise);
    starts.distance.reset();
    starts.apart.reset();
    store_dense(c, starts.address, word_offset(c, 0), data, words);
}

/// Stores a row of each lane in lane order. Jumps if the addresses of lanes do not ascend by equal
/// distances, or if find_window() jumps.
/// address  from copy_addresses(); freed
void store_progression(EmitContext& c, VecPair& address, const FourVecs& words, Label otherwise) {
    const Scalar window = find_window(c, address.high, otherwise);
    const Scalar lanes = storing_lanes(c);
    const Progression rows =
        find_progression(c, window, address.low, lanes, {address.low, address.high}, otherwise);
    address.low.reset();
    address.high.reset();
    store_rows(c, {rows.first, word_offset(c, 0), rows.distance}, words);
}

/// Scatters single words. Jumps if find_window() jumps.
void scatter_single(EmitContext& c, const VecPair& address, Vec word, Label slow) {
    HostAssembler& h = c.h;
    const Scalar window = find_window(c, address.high, slow);
    const Scalar lanes = storing_lanes(c);
    enter_middle(c, window, address.low);
    const TempMask mask = c.scratch_mask();
    h.mask_from_bits(mask, lanes);
    h.scatter32({window, word_offset(c, 0)}, address.low, mask, word);
}

/// Stores the words of a part that do not lie one behind the other. Only single words are
/// scattered: scatters of several words would not keep the order of lanes.
/// address  from copy_addresses()
void store_apart(
    EmitContext& c, VecPair& address, const FourVecs& data, unsigned words, Label done) {
    HostAssembler& h = c.h;
    const Label slow = h.new_label();
    if (words == kRowWords) {
        store_progression(c, address, data, slow);
        h.jump(done);
    } else if (words == 1 && h.traits().scatters) {
        scatter_single(c, address, data[0], slow);
        h.jump(done);
    }
    h.bind(slow);
    const Address in = VALKYR_FRAME(in);
    for (unsigned k = 0; k < words; ++k)
        h.store(staged_array(in, k), data[k]);
    const Scalar lanes = storing_lanes(c);
    store_staged_words(c, lanes, words);
}

void store_part(EmitContext& c, unsigned words) {
    HostAssembler& h = c.h;
    const VecPair address = c.widen64(0, false);
    FourVecs data;
    for (unsigned k = 0; k < words; ++k)
        data[k] = c.regs.use(staging_register(c, k), c.part);
    make_room(c, kStoreTemporaries);
    const Label otherwise = h.new_label();
    const Label done = h.new_label();
    if (stores_dense(c, words)) {
        store_together(c, address, data, words, otherwise);
        h.jump(done);
    }
    h.bind(otherwise);
    VecPair copy = copy_addresses(c, address);
    store_apart(c, copy, data, words, done);
    h.bind(done);
}

/// Replaces a lane's offset of a byte in thread-local storage by the address of that byte.
void find_local_byte(EmitContext& c, Gp at) {
    HostAssembler& h = c.h;
    const Scalar byte = c.scalar();
    h.move(byte, at);
    h.and32(byte, 3);
    h.and32(at, ~3U);
    h.shift_left64(at, kLocalShift);
    h.add64(at, byte);
    h.load64(byte, c.thread_storage());
    h.add64(at, byte);
    if (c.plan.rounds > 1)
        h.add64(at, Gp::Half);
}

void store_low(EmitContext& c, unsigned bits, Address to, Gp word) {
    if (bits == 8)
        c.h.store8(to, word);
    else
        c.h.store16(to, word);
}

/// Stores bytes or half-words lane by lane; each lies within one word.
void store_low_bits(EmitContext& c, unsigned bits) {
    HostAssembler& h = c.h;
    stage_addresses(c);
    const Address in = VALKYR_FRAME(in);
    {
        const Temp data = c.regs.use(staging_register(c, 0), c.part);
        h.store(in, data);
    }
    const Scalar lanes = storing_lanes(c);
    each_lane(c, lanes, [&](Gp lane) {
        const Scalar at = c.scalar();
        const Scalar high = c.scalar();
        const Scalar word = c.scalar();
        const Label global = h.new_label();
        const Label next = h.new_label();
        h.load32(at, of_lane(low_words(), lane));
        h.load32(high, of_lane(high_words(), lane));
        h.load32(word, of_lane(in, lane));
        h.compare32(high, kLocalHigh);
        h.jump(Jump::NotEqual, global);
        h.add32(at, word_offset(c, 0));
        find_local_byte(c, at);
        const auto part = static_cast<int32_t>(c.part * h.traits().lanes * 4);
        store_low(c, bits, {at, part, lane, 2}, word);
        h.jump(next);
        h.bind(global);
        h.shift_left64(high, 32);
        h.add64(at, high);
        store_low(c, bits, {at, word_offset(c, 0)}, word);
        h.bind(next);
    });
}

}  // namespace

void store_staged_words(EmitContext& c, Gp lanes, unsigned words) {
    HostAssembler& h = c.h;
    each_address(c, lanes, [&](Gp lane, Address to, int32_t stride) {
        const Scalar word = c.scalar();
        for (unsigned k = 0; k < words; ++k) {
            h.load32(word, of_lane(staged_array(VALKYR_FRAME(in), k), lane));
            h.store32(to.plus(static_cast<int32_t>(k) * stride), word);
        }
    });
}

MessageChoice choose_memory_load(const MessageSource& m) {
    const bool words = m.bits() % 32 == 0 && m.instr().staging[0].count == m.bits() / 32;
    return {m.inline_messages && words ? Expansion::MemoryWords : Expansion::Routine};
}

MessageChoice choose_memory_store(const MessageSource& m) {
    const bool part = (m.bits() == 8 || m.bits() == 16) && m.instr().staging[0].count == 1;
    if (m.inline_messages && part)
        return {Expansion::MemoryPart};
    return choose_memory_load(m);
}

void expand_memory_load(EmitContext& c) {
    expand_parts(c, [&] { load_part(c, c.bits() / 32); });
}

void expand_memory_store(EmitContext& c) {
    expand_parts(c, [&] { store_part(c, c.bits() / 32); });
}

void expand_memory_part_store(EmitContext& c) {
    expand_parts(c, [&] { store_low_bits(c, c.bits()); });
}

}  // namespace valkyr::jit
