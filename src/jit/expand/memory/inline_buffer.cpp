// Inline LD_BUFFER: loads words of buffers, for all lanes at once or lane by lane.
// SPDX-License-Identifier: MIT
//
// The running lanes' offsets choose one of three ways at run time. All equal and inside the buffer:
// one broadcast load a word. All inside: gathers, or transposed rows of 16 bytes. Otherwise bytes
// are copied to the frame, zeros for bytes outside, and loaded from there. An offset that is known
// when the kernel is made, as those of constants without a place in the FAU are, leaves the first
// way and the last.
#include "jit/expand/memory/inline_buffer.hpp"

#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/lane_rows.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace valkyr::jit {

using exec::BufferDescriptor;

namespace {

/// Four results and four to transpose them.
constexpr unsigned kTemporaries = 8;
constexpr unsigned kRowBytes = 16;
/// Gathers take offsets as signed numbers.
constexpr uint64_t kLargestOffset = 0x7FFFFFFF;

/// The offsets of the part's lanes.
Address offsets() {
    return VALKYR_FRAME(in);
}
/// The copied rows, 16 bytes a lane.
Address copies() {
    return VALKYR_FRAME(out);
}

/// The place of a handle that is known at run time only.
Address run_time_handle() {
    return VALKYR_FRAME(message);
}

/// A message and the registers of its expansion.
struct BufferSite {
    EmitContext& c;
    std::optional<uint32_t> handle;  ///< of the buffer; nullopt: it is at run_time_handle()
    unsigned words;                  ///< that each lane loads: 1 to 4
    FourVecs results = {};
    Scalar base = {};  ///< address of the buffer
    Scalar size = {};  ///< its size in bytes

    [[nodiscard]] unsigned bytes() const { return 4 * words; }
    [[nodiscard]] bool by_rows() const { return words > 2; }
    /// The bytes that each lane loads if all rows are inside the buffer.
    [[nodiscard]] unsigned readable() const { return by_rows() ? kRowBytes : bytes(); }
};

/// A table of buffers, as a member of the draw.
struct BufferTable {
    exec::ResourceTable number;
    size_t buffers, count;  ///< in exec::ResourceTables
};
constexpr std::array<BufferTable, 2> kTables{
    {{exec::ResourceTable::ConstantBuffers, offsetof(exec::ResourceTables, constant_buffers),
      offsetof(exec::ResourceTables, constant_buffer_count)},
     {exec::ResourceTable::VertexBuffers, offsetof(exec::ResourceTables, vertex_buffers),
      offsetof(exec::ResourceTables, vertex_buffer_count)}}};

int32_t table_member(size_t member) {
    return static_cast<int32_t>(offsetof(exec::DrawContext, tables) + member);
}

/// Loads size and base of the buffer whose descriptor is at base + offset.
void take_descriptor(const BufferSite& site, uint32_t offset) {
    const auto member = [&](size_t of_descriptor) {
        return Address{site.base, static_cast<int32_t>(offset + of_descriptor)};
    };
    site.c.h.load64(site.size, member(offsetof(BufferDescriptor, size)));
    site.c.h.load64(site.base, member(offsetof(BufferDescriptor, address)));
}

/// Loads size and base of entry `index` of a table. Jumps if there is no such entry.
void find_in_table(const BufferSite& site, const BufferTable& table, Gp index, Label missing) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    h.compare32(index, {site.base, table_member(table.count)});
    h.jump(Jump::AboveEqual, missing);
    h.load64(site.base, {site.base, table_member(table.buffers)});
    h.shift_left64(index, 4);
    static_assert(sizeof(BufferDescriptor) == 1U << 4);
    h.add64(site.base, index);
    take_descriptor(site, 0);
}

/// Loads size and base for a run-time handle: tests its table first. Then jumps to `done` or falls
/// through.
void find_buffer(const BufferSite& site, Label done) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar handle = c.scalar();
    const Scalar index = c.scalar();
    h.load32(handle, run_time_handle());
    h.move(index, handle);
    h.and32(index, exec::kHandleIndexMask);
    h.shift_right32(handle, exec::kHandleTableShift);
    for (const BufferTable& table : kTables) {
        const Label other = h.new_label();
        h.compare32(handle, static_cast<uint32_t>(table.number));
        h.jump(Jump::NotEqual, other);
        find_in_table(site, table, index, done);
        h.jump(done);
        h.bind(other);
    }
}

/// Loads size and base; a buffer that does not exist has size 0.
void load_descriptor(const BufferSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    h.load64(site.base, {Gp::Call, 0});
    h.move(site.size, uint64_t{0});
    if (site.handle) {
        const uint32_t index = exec::index_of(*site.handle);
        h.compare32({site.base, table_member(kTables[0].count)}, index);
        h.jump(Jump::BelowEqual, done);
        h.load64(site.base, {site.base, table_member(kTables[0].buffers)});
        take_descriptor(site, static_cast<uint32_t>(index * sizeof(BufferDescriptor)));
    } else {
        find_buffer(site, done);
    }
    h.bind(done);
}

/// Loads for all lanes the words at the first lane's offset. Jumps to `differ` if lanes have other
/// offsets, to `outside` if the words are not all inside the buffer.
void load_same(const BufferSite& site, Vec offset, Label differ, Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar first = first_running(c, offset, offsets(), differ);
    const Scalar end = c.scalar();
    h.move(end, first);
    h.add64(end, static_cast<int32_t>(site.bytes()));
    h.compare64(end, site.size);
    h.jump(Jump::Above, outside);
    for (unsigned k = 0; k < site.words; ++k)
        h.move(site.results[k],
               Operand::broadcast({site.base, static_cast<int32_t>(4 * k), first, 0}));
}

/// Jumps unless the rows of all running lanes are inside. Other lanes get offset 0.
void require_inside(const BufferSite& site, Vec offset, Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar last = c.scalar();
    {
        const Scalar limit = c.scalar();
        h.move(limit, uint64_t{site.readable()});
        h.compare64(site.size, limit);
        h.jump(Jump::Below, outside);
        h.move(last, site.size);
        h.sub64(last, limit);
        h.move(limit, kLargestOffset);
        h.compare64(last, limit);
        h.jump(Jump::Above, outside);
    }
    h.store32(VALKYR_FRAME(spare), last);
    const TempMask behind = c.scratch_mask();
    h.compare(IntCond::Greater, Element::B32, false, behind, offset,
              Operand::broadcast(VALKYR_FRAME(spare)));
    jump_if_any(c, behind, outside);
    if (!c.lanes_can_be_inactive())
        return;
    h.clear_lanes(offset, behind, offset);
    h.store(offsets(), offset);
}

/// Copies the lanes' bytes to the frame one by one, zeros for bytes outside. Then base and offsets
/// name the copies.
void copy_bytes(const BufferSite& site, Vec offset) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const unsigned lanes = h.traits().lanes;
    const Temp zero = c.constant(0);
    for (unsigned at = 0; at < lanes * kRowBytes; at += lanes * 4)
        h.store(copies().plus(static_cast<int32_t>(at)), zero);
    const Scalar lane = c.scalar();
    const Scalar from = c.scalar();
    const Scalar to = c.scalar();
    const Scalar byte = c.scalar();
    const Label next = h.new_label();
    h.move(lane, uint64_t{0});
    h.bind(next);
    h.load32(from, {Gp::Frame, offsets().offset, lane, 2});
    h.move(to, lane);
    h.shift_left64(to, 4);
    static_assert(kRowBytes == 1U << 4);
    const Label next_byte = h.new_label();
    const Label end = h.new_label();
    h.bind(next_byte);
    h.compare64(from, site.size);
    h.jump(Jump::AboveEqual, end);
    h.load8(byte, {site.base, 0, from, 0});
    h.store8({Gp::Frame, copies().offset, to, 0}, byte);
    h.add64(from, 1);
    h.add64(to, 1);
    h.move(byte, to);
    h.and32(byte, kRowBytes - 1);
    h.compare32(byte, site.bytes() & (kRowBytes - 1));
    h.jump(Jump::NotEqual, next_byte);
    h.bind(end);
    h.add64(lane, 1);
    h.compare32(lane, lanes);
    h.jump(Jump::Below, next);
    h.load_address(site.base, copies());
    std::array<uint32_t, exec::kLanes> starts{};
    for (uint32_t k = 0; k < starts.size(); ++k)
        starts[k] = k * kRowBytes;
    h.load(offset, c.pool_row(starts));
    h.store(offsets(), offset);
}

/// Loads at each lane's offset; all are inside.
void load_each(const BufferSite& site, Vec offset) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (!site.by_rows()) {
        for (unsigned k = 0; k < site.words; ++k)
            c.gather(site.results[k], {site.base, static_cast<int32_t>(4 * k)}, offset);
        return;
    }
    const Scalar at = c.scalar();
    for (unsigned lane = 0; lane < h.traits().lanes; ++lane) {
        h.load32(at, offsets().plus(static_cast<int32_t>(4 * lane)));
        const Address row{site.base, 0, at, 0};
        if (lane < 4)
            h.load_quad(site.results[lane], row);
        else
            h.insert_quad(site.results[lane % 4], lane / 4, row);
    }
    transpose_rows(c, site.results);
}

/// Takes registers for the results, finds the buffer.
void begin_load(BufferSite& site) {
    make_room(site.c, kTemporaries);
    for (Temp& v : site.results)
        v = site.c.scratch();
    site.base = site.c.scalar();
    site.size = site.c.scalar();
    load_descriptor(site);
}

/// Loads at the same offset in all lanes, which leaves room for a row below kLargestOffset.
void load_known(BufferSite& site, uint32_t offset) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp lanes = c.scratch();
    begin_load(site);
    const Label outside = h.new_label();
    const Label done = h.new_label();
    {
        const Scalar end = c.scalar();
        h.move(end, uint64_t{offset} + site.bytes());
        h.compare64(site.size, end);
        h.jump(Jump::Below, outside);
    }
    for (unsigned k = 0; k < site.words; ++k)
        h.move(site.results[k],
               Operand::broadcast({site.base, static_cast<int32_t>(offset + 4 * k)}));
    h.jump(done);
    h.bind(outside);
    c.move_constant(lanes, offset);
    h.store(offsets(), lanes);
    copy_bytes(site, lanes);
    load_each(site, lanes);
    h.bind(done);
}

/// Loads at offsets that programs compute.
void load_computed(BufferSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Temp offset = c.scratch();
    {
        Temp source = c.word(0);
        h.move(offset, source);
        c.done_with(source);
    }
    h.store(offsets(), offset);
    begin_load(site);
    const Label differ = h.new_label();
    const Label outside = h.new_label();
    const Label read = h.new_label();
    const Label done = h.new_label();
    load_same(site, offset, differ, outside);
    h.jump(done);
    h.bind(outside);
    copy_bytes(site, offset);
    h.jump(read);
    h.bind(differ);
    require_inside(site, offset, outside);
    h.bind(read);
    load_each(site, offset);
    h.bind(done);
}

void load_part(EmitContext& c, std::optional<uint32_t> handle, unsigned words) {
    BufferSite site{.c = c, .handle = handle, .words = words};
    const std::optional<uint32_t> offset = c.known_word(0);
    if (offset && *offset <= kLargestOffset - kRowBytes)
        load_known(site, *offset);
    else
        load_computed(site);
    for (unsigned k = 0; k < words; ++k)
        c.regs.define(staging_register(c, k), c.part, site.results[k]);
}

}  // namespace

MessageChoice choose_buffer_load(const MessageSource& m) {
    if (!m.inline_messages || m.bits() % 32 != 0 || m.instr().staging[0].count != m.bits() / 32)
        return {Expansion::Routine};
    const std::optional<uint32_t> handle = m.known_word(1);
    const bool constant = handle &&
                          exec::table_of(*handle) == exec::ResourceTable::ConstantBuffers &&
                          exec::index_of(*handle) < exec::kMaxConstantBuffers;
    return {Expansion::BufferWords, constant ? handle : std::nullopt};
}

void expand_buffer_load(EmitContext& c) {
    const std::optional<uint32_t> handle = c.message().known;
    if (!handle) {
        const Scalar word = c.uniform_word(1);
        c.h.store32(run_time_handle(), word);
    }
    expand_parts(c, [&] { load_part(c, handle, c.bits() / 32); });
}

}  // namespace valkyr::jit
