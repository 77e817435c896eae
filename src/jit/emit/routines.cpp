// Memory routines: access memory lane by lane for kernels.
// SPDX-License-Identifier: MIT
#include "jit/emit/routines.hpp"

#include "base/bits.hpp"
#include "exec/handle.hpp"
#include "exec/thread_storage.hpp"
#include "valhall/arith/atomic_update.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace valkyr::jit {

using exec::Lanes;
using valhall::AtomicOperation;

namespace {

using LaneData = std::array<uint32_t, 4>;

/// address: low and high words.
uint64_t address_of(const Lanes* address, unsigned lane) {
    return uint64_t{address[1].v[lane]} << 32 | address[0].v[lane];
}

template <typename F>
void each_lane(uint32_t lanes, F f) {
    for (; lanes; lanes &= lanes - 1)
        f(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// Sign- or zero-extends the bytes that were read to 64 bits.
LaneData extended(const MemoryAccess& access, LaneData data) {
    if (!access.zero && access.bytes < 8) {
        const uint64_t value = uint64_t{data[1]} << 32 | data[0];
        const auto wide = static_cast<uint64_t>(sign_extend(value, access.bytes * 8U));
        data[0] = static_cast<uint32_t>(wide);
        data[1] = static_cast<uint32_t>(wide >> 32);
    }
    return data;
}

/// The bits of a register that an access writes.
uint32_t written_bits(const MemoryAccess& access) {
    return access.bits >= 32 ? 0xFFFFFFFF
                             : static_cast<uint32_t>(bit_mask(access.shift, access.bits));
}

void write_loaded(const MemoryAccess& access, LaneData data, unsigned lane, Lanes* out) {
    data = extended(access, data);
    const uint32_t mask = written_bits(access);
    for (unsigned k = 0; k < access.registers; ++k) {
        uint32_t& word = out[k].v[lane];
        word = (word & ~mask) | (data[k] << access.shift & mask);
    }
}

/// All ones in active lanes. The loop has no shift by the lane number, so that compilers vectorise
/// it.
Lanes active_masks(uint32_t lanes) {
    Lanes masks;
    for (unsigned lane = 0; lane < std::size(masks.v); ++lane) {
        const uint32_t bit = 1U << lane;
        masks.v[lane] = (lanes & bit) != 0 ? 0xFFFFFFFF : 0;
    }
    return masks;
}

/// Writes equal data to all active lanes.
void write_everywhere(const MemoryAccess& access, LaneData data, const Lanes& active, Lanes* out) {
    data = extended(access, data);
    const uint32_t bits = written_bits(access);
    for (unsigned k = 0; k < access.registers; ++k) {
        const uint32_t value = data[k] << access.shift;
        for (unsigned lane = 0; lane < std::size(active.v); ++lane) {
            const uint32_t mask = active.v[lane] & bits;
            out[k].v[lane] = (out[k].v[lane] & ~mask) | (value & mask);
        }
    }
}

/// Whether all active lanes hold `value`.
bool all_equal(const Lanes& words, const Lanes& active, uint32_t value) {
    uint32_t different = 0;
    for (unsigned lane = 0; lane < std::size(words.v); ++lane)
        different |= (words.v[lane] ^ value) & active.v[lane];
    return different == 0;
}

LaneData
read_buffer(const MemoryAccess& access, const exec::BufferDescriptor& buffer, uint32_t at) {
    LaneData data{};
    if (buffer.address && at < buffer.size) {
        const uint64_t available = std::min<uint64_t>(access.bytes, buffer.size - at);
        std::memcpy(data.data(), buffer.address + at, available);
    }
    return data;
}

exec::BufferDescriptor buffer_of(const exec::ResourceTables& tables, uint32_t handle) {
    const uint32_t index = exec::index_of(handle);
    const auto buffers = exec::buffers_of(tables, exec::table_of(handle));
    return index < buffers.size() ? buffers[index] : exec::BufferDescriptor{};
}

/// Element `index` of the staging registers, one lane.
template <typename U>
U staged(const Lanes* in, unsigned index, unsigned lane) {
    if constexpr (sizeof(U) == 4)
        return in[index].v[lane];
    else
        return uint64_t{in[2 * index + 1].v[lane]} << 32 | in[2 * index].v[lane];
}

template <typename U>
U atomic_lane(const MemoryAccess& access, U* memory, const Lanes* in, unsigned lane) {
    const U operand = access.has_one ? static_cast<U>(int64_t{access.one}) : staged<U>(in, 0, lane);
    if (access.compare)
        return valhall::atomic_compare_exchange(memory, operand, staged<U>(in, 1, lane));
    return valhall::atomic_update(memory, static_cast<AtomicOperation>(access.operation), operand);
}

template <typename U>
void atomics(const MemoryAccess& access,
             uint32_t lanes,
             uint64_t tls,
             const Lanes* address,
             const Lanes* in,
             Lanes* out) {
    each_lane(lanes, [&](unsigned lane) {
        const uint64_t base = address_of(address, lane);
        if (base == 0)
            return;
        const auto old = static_cast<uint64_t>(exec::update_memory<U>(
            tls, lane, base + static_cast<uint64_t>(int64_t{access.offset}),
            [&](U* memory) { return atomic_lane<U>(access, memory, in, lane); }));
        out[0].v[lane] = static_cast<uint32_t>(old);
        out[1].v[lane] = static_cast<uint32_t>(old >> 32);
    });
}

}  // namespace

void load_lanes(const MemoryAccess& access,
                uint32_t lanes,
                uint64_t tls,
                const Lanes* address,
                Lanes* out) noexcept {
    each_lane(lanes, [&](unsigned lane) {
        const uint64_t place =
            address_of(address, lane) + static_cast<uint64_t>(int64_t{access.offset});
        LaneData data{};
        exec::read_memory(tls, lane, place, data.data(), access.bytes);
        write_loaded(access, data, lane, out);
    });
}

void load_buffer(const MemoryAccess& access,
                 uint32_t lanes,
                 const exec::DrawContext* draw,
                 uint32_t handle,
                 const Lanes& offset,
                 Lanes* out) noexcept {
    if (lanes == 0)
        return;
    const exec::BufferDescriptor buffer = buffer_of(draw->tables, handle);
    // Usually all lanes read a uniform buffer at one offset.
    const uint32_t first = offset.v[std::countr_zero(lanes)];
    const Lanes active = active_masks(lanes);
    if (all_equal(offset, active, first)) {
        write_everywhere(access, read_buffer(access, buffer, first), active, out);
        return;
    }
    each_lane(lanes, [&](unsigned lane) {
        write_loaded(access, read_buffer(access, buffer, offset.v[lane]), lane, out);
    });
}

void store_lanes(const MemoryAccess& access,
                 uint32_t lanes,
                 uint64_t tls,
                 const Lanes* address,
                 const Lanes* in) noexcept {
    each_lane(lanes, [&](unsigned lane) {
        const uint64_t place =
            address_of(address, lane) + static_cast<uint64_t>(int64_t{access.offset});
        LaneData data{};
        for (unsigned k = 0; k < std::min<unsigned>(4, access.registers); ++k)
            data[k] = in[k].v[lane];
        exec::write_memory(tls, lane, place, data.data(), access.bytes);
    });
}

void atomic_lanes(const MemoryAccess& access,
                  uint32_t lanes,
                  uint64_t tls,
                  const Lanes* address,
                  const Lanes* in,
                  Lanes* out) noexcept {
    out[0] = out[1] = {};
    if (access.wide)
        atomics<uint64_t>(access, lanes, tls, address, in, out);
    else
        atomics<uint32_t>(access, lanes, tls, address, in, out);
}

void attribute_address(const exec::DrawContext* draw,
                       uint32_t index,
                       const Lanes& vertex,
                       const Lanes& instance,
                       Lanes* out) noexcept {
    out[0] = out[1] = out[2] = {};
    if (index >= draw->tables.attribute_count)
        return;
    const exec::AttributeDescriptor& a = draw->tables.attributes[index];
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const uint64_t element = a.divisor ? instance.v[lane] / a.divisor : vertex.v[lane];
        const uint64_t offset = element * a.stride;
        const bool inside = offset + exec::format_info(a.format).block_bytes <= a.size;
        const uint64_t address = inside ? std::bit_cast<uint64_t>(a.address) + offset : 0;
        out[0].v[lane] = static_cast<uint32_t>(address);
        out[1].v[lane] = static_cast<uint32_t>(address >> 32);
        out[2].v[lane] = static_cast<uint32_t>(a.format);
    }
}

}  // namespace valkyr::jit
