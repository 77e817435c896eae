// Memory instructions: LOAD, STORE, LD_BUFFER, LEA_BUF_IMM.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpret_memory.hpp"

#include "exec/handle.hpp"
#include "exec/thread_storage.hpp"
#include "valhall/interpreter/interpret.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace valkyr::valhall::interpret {

namespace {

constexpr uint64_t kNullPageBytes = 4096;

constexpr Placement kByteLanes[8] = {{1, 0, 8},  {1, 8, 8},   {1, 16, 8}, {1, 24, 8},
                                     {1, 0, 16}, {1, 16, 16}, {1, 0, 32}, {2, 0, 64}};
constexpr Placement kHalfLanes[8] = {{1, 0, 16}, {1, 16, 16}, {1, 0, 32}, {2, 0, 64},
                                     {1, 0, 16}, {1, 0, 16},  {1, 0, 16}, {1, 0, 16}};

/// Sign- or zero-extends data of `bits` bits to 64 bits.
LaneData extended(const LaneData& data, unsigned bits, bool zero) {
    if (zero || bits >= 64)
        return data;
    const auto value = static_cast<uint64_t>(sign_extend(uint64_t{data[1]} << 32 | data[0], bits));
    return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32), 0, 0};
}

/// The buffer that a resource handle names; empty if there is none.
exec::BufferDescriptor buffer_of(Machine& m, const Instr& i, uint32_t handle) {
    std::span<const exec::BufferDescriptor> buffers;
    if (m.warp.draw)
        buffers = exec::buffers_of(m.warp.draw->tables, exec::table_of(handle));
    const uint32_t index = exec::index_of(handle);
    check_index(m, i, index, static_cast<uint32_t>(buffers.size()));
    return index < buffers.size() ? buffers[index] : exec::BufferDescriptor{};
}

/// `bytes` bytes at `offset`; those at or past the end read as 0.
LaneData read_buffer(const exec::BufferDescriptor& buffer, uint32_t offset, unsigned bytes) {
    LaneData data{};
    if (buffer.address && offset < buffer.size) {
        const uint64_t available = std::min<uint64_t>(bytes, buffer.size - offset);
        std::memcpy(data.data(), buffer.address + offset, available);
    }
    return data;
}

template <unsigned bits>
void load(Machine& m, const Instr& i) {
    constexpr unsigned bytes = bits / 8;
    const Pair base = widen64(m, i.src[0], false);
    std::array<LaneData, kLanes> data{};
    for (unsigned l = 0; l < kLanes; ++l) {
        if (!m.runs(l))
            continue;
        const uint64_t address = base.lane(l) + static_cast<uint64_t>(i.imm[0]);
        if (!accessible(m, i, address, bytes, access_alignment(bytes)))
            return;
        observe(m, LaneAccess::Kind::Read, l, address, bytes);
        exec::read_memory(m.call.tls, l, address, data[l].data(), bytes);
    }
    write_loaded(m, i, bits, load_placement(i, bits), data);
}

template <unsigned bits>
void store(Machine& m, const Instr& i) {
    constexpr unsigned bytes = bits / 8;
    const Pair base = widen64(m, i.src[0], false);
    const bool forced = i.get<MemoryAccess>(Mod::memory_access) == MemoryAccess::force;
    const uint16_t lanes = effect_lanes(m, forced);
    for (unsigned l = 0; l < kLanes; ++l) {
        if (!(lanes >> l & 1))
            continue;
        const uint64_t address = base.lane(l) + static_cast<uint64_t>(i.imm[0]);
        if (!accessible(m, i, address, bytes, access_alignment(bytes)))
            return;
        LaneData data{};
        for (unsigned k = 0; k < std::min<unsigned>(4, i.staging[0].count); ++k)
            data[k] = m.state.r[(i.staging[0].base + k) % exec::kRegisters].v[l];
        observe(m, LaneAccess::Kind::Write, l, address, bytes);
        exec::write_memory(m.call.tls, l, address, data.data(), bytes);
    }
}

template <unsigned bits>
void ld_buffer(Machine& m, const Instr& i) {
    const Lanes offset = word(m, i.src[0]);
    const exec::BufferDescriptor buffer = buffer_of(m, i, uniform_word(m, i.src[1]));
    std::array<LaneData, kLanes> data{};
    for (unsigned l = 0; l < kLanes; ++l)
        if (m.runs(l))
            data[l] = read_buffer(buffer, offset.v[l], bits / 8);
    write_loaded(m, i, bits, load_placement(i, bits), data);
}

}  // namespace

Placement load_placement(const Instr& i, unsigned bits) {
    switch (bits) {
    case 8: return kByteLanes[i.mod(Mod::load_lane_8_bit) & 7];
    case 16: return kHalfLanes[i.mod(Mod::load_lane_16_bit) & 7];
    case 32:
        return i.get<LoadLane32Bit>(Mod::load_lane_32_bit) == LoadLane32Bit::d0
                   ? Placement{2, 0, 64}
                   : Placement{1, 0, 32};
    default: return {static_cast<uint8_t>((bits + 31) / 32), 0, 128};
    }
}

void write_loaded(Machine& m,
                  const Instr& i,
                  unsigned bits,
                  const Placement& placement,
                  const std::array<LaneData, kLanes>& data) {
    // 24 and 48 bits fill whole registers with zeros, whatever `.unsigned` says.
    const bool zero = i.mod(Mod::unsigned_) || bits == 24 || bits == 48;
    const unsigned count = std::min<unsigned>(placement.words, i.staging[0].count);
    const uint32_t mask =
        placement.bits >= 32 ? 0xFFFFFFFF : ((1U << placement.bits) - 1) << placement.shift;
    for (unsigned k = 0; k < count; ++k) {
        const Lanes value =
            each([&](unsigned l) { return extended(data[l], bits, zero)[k] << placement.shift; });
        write_register(m, i.staging[0].base + k, value, mask);
    }
}

uint16_t effect_lanes(const Machine& m, bool forced) {
    return forced ? m.state.running : static_cast<uint16_t>(m.state.running & m.state.live);
}

bool accessible(Machine& m, const Instr& i, uint64_t address, unsigned bytes, unsigned alignment) {
    const bool outside = exec::is_thread_local(address) &&
                         uint64_t{static_cast<uint32_t>(address)} + bytes > m.call.tls_bytes;
    if (address >= kNullPageBytes && address % alignment == 0 && !outside)
        return true;
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    const std::string name(op_info(i.op).name);
    const char* what = address % alignment ? " at misaligned address "
                       : outside           ? " behind thread-local storage at "
                                           : " at null address ";
    m.fault = name + what + text;
    return false;
}

#define VALKYR_MEMORY(bits)                                                                        \
    VALKYR_INTERPRET_AS(LOAD_I##bits, load<bits>(m, i))                                            \
    VALKYR_INTERPRET_AS(STORE_I##bits, store<bits>(m, i))                                          \
    VALKYR_INTERPRET_AS(LD_BUFFER_I##bits, ld_buffer<bits>(m, i))
VALKYR_MEMORY(8)
VALKYR_MEMORY(16)
VALKYR_MEMORY(24)
VALKYR_MEMORY(32)
VALKYR_MEMORY(48)
VALKYR_MEMORY(64)
VALKYR_MEMORY(96)
VALKYR_MEMORY(128)
#undef VALKYR_MEMORY

namespace {

/// Vertex records, `stride` bytes apart.
struct Records {
    const uint8_t* first = nullptr;  ///< null: none
    uint32_t stride = 0;
};

Records
records_of(const exec::Warp& warp, const exec::RecordTable* tables, exec::ResourceTable table) {
    const unsigned number = static_cast<unsigned>(table) - exec::kFirstRecordTable;
    if (tables != nullptr && number < exec::kRecordTables)
        return {tables[number].first, tables[number].stride};
    if (table == exec::ResourceTable::VertexRecords && warp.vertex != nullptr)
        return {warp.vertex->records, warp.vertex->record_stride};
    if (table == exec::ResourceTable::InputRecords && warp.geometry) {
        const auto& call = *reinterpret_cast<const exec::GeometryCall*>(warp.vertex);
        return {call.inputs, call.input_stride};
    }
    return {};
}

}  // namespace

VALKYR_INTERPRET(LEA_BUF_IMM) {
    const Lanes id = word(m, i.src[0]);
    const Records records = i.imm[1] == 0
                                ? records_of(m.warp, m.call.records, exec::ResourceTable(i.imm[0]))
                                : Records{};
    Pair address{};
    for (unsigned l = 0; records.first != nullptr && l < kLanes; ++l)
        address.set_lane(l, reinterpret_cast<uintptr_t>(records.first) +
                                uint64_t{id.v[l]} * records.stride);
    if (i.staging[0].count > 0)
        write_register(m, i.staging[0].base, address.low);
    if (i.staging[0].count > 1)
        write_register(m, i.staging[0].base + 1U, address.high);
}

}  // namespace valkyr::valhall::interpret
