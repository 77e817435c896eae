// Inline LD_ATTR: loads rows of vertex data and decodes their channels.
// SPDX-License-Identifier: MIT
//
// If the vertices of the lanes are consecutive and whole rows can be read, rows are loaded from the
// buffer. Otherwise a loop over the lanes first copies the elements to the frame, zeros for
// elements outside the buffer. Channels of 64 bits are always copied, each to a row of its own.
// Instanced attributes first divide instances into element numbers, usually one number for all
// lanes. Rules: docs/rules/formats.md, env_attribute.cpp.
#include "jit/expand/vertex/inline_attribute.hpp"

#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/format/wide_normalized.hpp"
#include "jit/expand/memory/lane_rows.hpp"
#include "jit/expand/vertex/attribute_index.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

using exec::AttributeDescriptor;
using exec::FormatInfo;
using exec::Swizzle;

namespace {

using float_bits::kOne;
constexpr unsigned kTemporaries = 8;
constexpr unsigned kRowBytes = 16;
constexpr unsigned kRowWords = kRowBytes / 4;
constexpr uint32_t kLargestStride = 1U << 26;
constexpr uint32_t kExactFloats = 1U << 24;

/// The element numbers of the part's lanes.
Address ids() {
    return VALKYR_FRAME(in);
}
/// The copied rows, 16 bytes a lane.
Address copies() {
    return VALKYR_FRAME(out);
}

constexpr unsigned kDoubleBytes = 8;

bool has_doubles(const FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Float &&
           info.bits[0] == 8 * kDoubleBytes;
}

/// Whether elements of the format are rows whose channels have a conversion.
bool format_is_expanded(const FormatInfo& info) {
    if (has_doubles(info) || has_wide_normalized(info))
        return true;
    return info.block_bytes <= kRowBytes && info.layout != exec::FormatLayout::DepthStencil &&
           channels_are_fields(info);
}

// ---------------------------------------------------------------------------------------------
// Finding rows

/// Rows of vertex data: first of the whole buffer, then those of the lanes.
struct Rows {
    Scalar base;     ///< address of the first row
    Scalar size;     ///< bytes of the buffer
    Scalar stride;   ///< bytes
    Scalar divisor;  ///< instances a row; not leased for vertices
};

/// The rows of an attribute's buffer.
Rows load_descriptor(EmitContext& c, uint32_t index, bool instanced) {
    HostAssembler& h = c.h;
    Scalar descriptor = c.load64({Gp::Call, 0});
    const auto member = [&](size_t offset) {
        return Address{descriptor,
                       static_cast<int32_t>(index * sizeof(AttributeDescriptor) + offset)};
    };
    h.load64(descriptor,
             {descriptor, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                               offsetof(exec::ResourceTables, attributes))});
    Rows rows{c.scalar(), c.scalar(), c.scalar(), {}};
    h.load64(rows.base, member(offsetof(AttributeDescriptor, address)));
    h.load64(rows.size, member(offsetof(AttributeDescriptor, size)));
    h.load32(rows.stride, member(offsetof(AttributeDescriptor, stride)));
    if (instanced) {
        h.load32(descriptor, member(offsetof(AttributeDescriptor, divisor)));
        rows.divisor = std::move(descriptor);
    }
    return rows;
}

// ---------------------------------------------------------------------------------------------
// Instances

/// ids() = ids() / divisor, lane by lane, one bit a step. One register holds the remainder, the
/// rest of the dividend and the quotient.
void divide_slowly(EmitContext& c, Gp divisor) {
    HostAssembler& h = c.h;
    const Scalar lane = c.scalar();
    const Scalar step = c.scalar();
    const Scalar value = c.scalar();
    const Label next_lane = h.new_label();
    const Label next_step = h.new_label();
    const Address id{Gp::Frame, ids().offset, lane, 2};
    h.shift_left64(divisor, 32);
    h.move(lane, uint64_t{0});
    h.bind(next_lane);
    h.load32(value, id);
    h.move(step, uint64_t{32});
    h.bind(next_step);
    h.shift_left64(value, 1);
    h.compare64(value, divisor);
    const Label small = h.new_label();
    h.jump(Jump::Below, small);
    h.sub64(value, divisor);
    h.add64(value, 1);
    h.bind(small);
    h.add64(step, -1);
    h.test32(step);
    h.jump(Jump::NotEqual, next_step);
    h.store32(id, value);
    h.add64(lane, 1);
    h.compare32(lane, h.traits().lanes);
    h.jump(Jump::Below, next_lane);
}

/// Jumps unless all numbers are below 2^24.
void require_exact_floats(EmitContext& c, Vec numbers, Label otherwise) {
    HostAssembler& h = c.h;
    const TempMask large = c.scratch_mask();
    h.compare(IntCond::GreaterEqual, Element::B32, false, large, numbers, c.pool(kExactFloats));
    const Scalar lanes = c.scalar();
    h.mask_bits(lanes, large);
    h.test32(lanes);
    h.jump(Jump::NotEqual, otherwise);
}

/// ids() = ids() / divisor.
void divide_ids(EmitContext& c, Scalar divisor) {
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    const Label slow = h.new_label();
    h.compare32(divisor, 1);
    h.jump(Jump::Equal, done);
    S32 id(c);
    S32 by(c);
    F32 ratio(c);
    h.store32(VALKYR_FRAME(spare), divisor);
    id = ids();
    by = Operand::broadcast(VALKYR_FRAME(spare));
    require_exact_floats(c, id, slow);
    require_exact_floats(c, by, slow);
    // The rounded quotient may be too high by one, never too low.
    ratio = to_f32(id) / to_f32(by);
    const S32 quotient(c, ratio);
    h.f32_to_s32(quotient, quotient, Rounding::Zero);
    by = quotient * Operand::broadcast(VALKYR_FRAME(spare));
    id = ((id - by) >> 31) + quotient;
    h.store(ids(), id);
    h.jump(done);
    h.bind(slow);
    divide_slowly(c, divisor);
    h.bind(done);
}

/// The offset of the first lane's row in the buffer. Jumps if it is past the end, so that sums with
/// it cannot wrap.
Scalar first_offset(EmitContext& c, const Rows& rows, Label otherwise) {
    HostAssembler& h = c.h;
    Scalar offset = c.scalar();
    h.load32(offset, ids());
    h.mul64(offset, rows.stride);
    h.compare64(offset, rows.size);
    h.jump(Jump::Above, otherwise);
    return offset;
}

/// If all lanes name one element and `bytes` of it can be read, makes it the first of the rows,
/// with stride 0. Otherwise jumps.
void find_same(EmitContext& c, const Rows& rows, unsigned bytes, Label otherwise) {
    HostAssembler& h = c.h;
    const Temp id = c.scratch();
    const TempMask differs = c.scratch_mask();
    h.load(id, ids());
    h.compare(IntCond::NotEqual, Element::B32, true, differs, id, Operand::broadcast(ids()));
    const Scalar lanes = c.scalar();
    h.mask_bits(lanes, differs);
    h.test32(lanes);
    h.jump(Jump::NotEqual, otherwise);
    const Scalar offset = first_offset(c, rows, otherwise);
    const Scalar end = c.scalar();
    h.move(end, offset);
    h.add64(end, static_cast<int32_t>(bytes));
    h.compare64(end, rows.size);
    h.jump(Jump::Above, otherwise);
    h.add64(rows.base, offset);
    h.move(rows.stride, uint64_t{0});
}

// ---------------------------------------------------------------------------------------------
// Vertices

/// If the lanes have consecutive vertices whose rows of `bytes` are inside the buffer, makes the
/// first lane's row the first of the rows. Otherwise jumps.
void find_consecutive(EmitContext& c, const Rows& rows, unsigned bytes, Label otherwise) {
    HostAssembler& h = c.h;
    const unsigned lanes = h.traits().lanes;
    const Temp id = c.scratch();
    const Temp numbers = c.scratch();
    const TempMask same = c.scratch_mask();
    h.load(id, ids());
    h.load(numbers, h.pool_words(kLaneNumbers));
    h.op(Binary::SubI32, id, id, numbers);
    h.compare(IntCond::Equal, Element::B32, true, same, id, Operand::broadcast(ids()));
    const Scalar matches = c.scalar();
    h.mask_bits(matches, same);
    h.compare32(matches, (1U << lanes) - 1);
    h.jump(Jump::NotEqual, otherwise);
    // Then a lane number times the stride is a valid gather index.
    h.compare32(rows.stride, kLargestStride);
    h.jump(Jump::Above, otherwise);
    const Scalar offset = first_offset(c, rows, otherwise);
    const Scalar end = c.scalar();
    h.move(end, rows.stride);
    h.shift_left64(end, static_cast<unsigned>(std::countr_zero(lanes)));
    h.sub64(end, rows.stride);
    h.add64(end, offset);
    h.add64(end, static_cast<int32_t>(bytes));
    h.compare64(end, rows.size);
    h.jump(Jump::Above, otherwise);
    h.add64(rows.base, offset);
}

/// Copies `bytes` bytes.
void copy_element(EmitContext& c, Address from, Address to, unsigned bytes) {
    HostAssembler& h = c.h;
    const Scalar piece = c.scalar();
    for (unsigned at = 0; at < bytes;) {
        const Address source = from.plus(static_cast<int32_t>(at));
        const Address target = to.plus(static_cast<int32_t>(at));
        if (bytes - at >= 8) {
            h.load64(piece, source);
            h.store64(target, piece);
            at += 8;
        } else if (bytes - at >= 4) {
            h.load32(piece, source);
            h.store32(target, piece);
            at += 4;
        } else if (bytes - at >= 2) {
            h.load16(piece, source);
            h.store16(target, piece);
            at += 2;
        } else {
            h.load8(piece, source);
            h.store8(target, piece);
            at += 1;
        }
    }
}

/// Clears the first bytes of the copies.
void clear_copies(EmitContext& c, unsigned bytes) {
    const Temp zero = c.constant(0);
    const unsigned step = c.h.traits().lanes * 4;
    for (unsigned at = 0; at < bytes; at += step)
        c.h.store(copies().plus(static_cast<int32_t>(at)), zero);
}

/// Emits a loop over the lanes: copy(lane, element) for elements of `bytes` bytes inside the
/// buffer, then step() for every lane. Destroys rows.size.
template <typename Copy, typename Next>
void each_element(EmitContext& c, const Rows& rows, unsigned bytes, Copy copy, Next step) {
    HostAssembler& h = c.h;
    const Scalar lane = c.scalar();
    const Scalar offset = c.scalar();
    const Label next = h.new_label();
    const Label done = h.new_label();
    // The last offset at which an element is inside.
    h.move(offset, uint64_t{bytes});
    h.compare64(rows.size, offset);
    h.jump(Jump::Below, done);
    h.sub64(rows.size, offset);
    h.move(lane, uint64_t{0});
    h.bind(next);
    h.load32(offset, {Gp::Frame, ids().offset, lane, 2});
    h.mul64(offset, rows.stride);
    h.compare64(offset, rows.size);
    const Label outside = h.new_label();
    h.jump(Jump::Above, outside);
    copy(Gp(lane), Address{rows.base, 0, offset, 0});
    h.bind(outside);
    step();
    h.add64(lane, 1);
    h.compare32(lane, h.traits().lanes);
    h.jump(Jump::Below, next);
    h.bind(done);
}

/// Copies the elements of all lanes one by one; then the rows are the copies.
void copy_rows(EmitContext& c, const Rows& rows, unsigned bytes) {
    HostAssembler& h = c.h;
    const Scalar row = c.scalar();
    clear_copies(c, h.traits().lanes * kRowBytes);
    h.load_address(row, copies());
    each_element(
        c, rows, bytes, [&](Gp, Address element) { copy_element(c, element, {row}, bytes); },
        [&] { h.add64(row, kRowBytes); });
    h.load_address(rows.base, copies());
    h.move(rows.stride, uint64_t{kRowBytes});
}

/// Sets rows to the rows of the lanes, in the buffer or copied.
void find_rows(EmitContext& c, Rows& rows, unsigned bytes, bool instanced) {
    HostAssembler& h = c.h;
    const Label general = h.new_label();
    const Label ready = h.new_label();
    const unsigned readable = bytes > 4 ? kRowBytes : 4;
    if (instanced) {
        divide_ids(c, std::move(rows.divisor));
        find_same(c, rows, readable, general);
    } else {
        find_consecutive(c, rows, readable, general);
    }
    h.jump(ready);
    h.bind(general);
    copy_rows(c, rows, bytes);
    h.bind(ready);
}

/// The doubles of a channel, lane after lane.
Address doubles(const EmitContext& c, unsigned channel) {
    return copies().plus(static_cast<int32_t>(channel * c.h.traits().lanes * kDoubleBytes));
}

/// Copies the channels of all lanes one by one, each channel to its doubles.
void copy_doubles(EmitContext& c, const Rows& rows, const FormatInfo& info) {
    HostAssembler& h = c.h;
    clear_copies(c, h.traits().lanes * info.block_bytes);
    const Scalar value = c.scalar();
    each_element(
        c, rows, info.block_bytes,
        [&](Gp lane, Address element) {
            for (unsigned channel = 0; channel < info.channel_count; ++channel) {
                h.load64(value, element.plus(static_cast<int32_t>(channel * kDoubleBytes)));
                h.store64({Gp::Frame, doubles(c, channel).offset, lane, 3}, value);
            }
        },
        [] {});
}

// ---------------------------------------------------------------------------------------------
// Channels

/// Loads the words of the rows that the format has.
FourVecs load_words(EmitContext& c, const Rows& rows, unsigned bytes) {
    HostAssembler& h = c.h;
    if (bytes > 4)
        return load_rows(c, {rows.base, 0, rows.stride});
    Temp index = c.scratch();
    h.load(index, h.pool_words(kLaneNumbers));
    h.store32(VALKYR_FRAME(spare), rows.stride);
    h.op(Binary::MulI32, index, index, Operand::broadcast(VALKYR_FRAME(spare)));
    c.gather(index, {rows.base}, index);
    return {std::move(index), Temp{}, Temp{}, Temp{}};
}

/// A temporary with the numbers of a channel of 64 bits.
Temp narrowed_doubles(EmitContext& c, unsigned channel) {
    Temp low = c.scratch();
    const Temp high = c.scratch();
    const Address place = doubles(c, channel);
    c.h.load(low, place);
    c.h.load(high, place.plus(static_cast<int32_t>(c.h.traits().lanes * kDoubleBytes / 2)));
    c.h.narrow_f64(low, low, high);
    return low;
}

/// A temporary with component k.
/// words  invalid: takes the copied doubles
Temp component(EmitContext& c, const FormatInfo& info, const FourVecs& words, unsigned k) {
    const Swizzle s = info.swizzle[k];
    if (s <= Swizzle::W) {
        const auto channel = static_cast<unsigned>(s);
        if (has_doubles(info))
            return narrowed_doubles(c, channel);
        const ChannelField field = channel_field(info, channel);
        if (has_wide_normalized(info))
            return wide_normalized(c, info, words[field.word]);
        return channel_value(c, info, field, words[field.word]);
    }
    return c.constant(s == Swizzle::Zero ? 0 : has_integer_values(info) ? 1 : kOne);
}

unsigned component_count(const exec::AttributeMessage& message) {
    return std::min<unsigned>(message.components, 4);
}

void write_components(EmitContext& c,
                      const FormatInfo& info,
                      const FourVecs& words,
                      const exec::AttributeMessage& message) {
    const bool halves = has_halves(message.format);
    const unsigned step = halves ? 2 : 1;
    const auto narrowed = [&](unsigned k) {
        Temp v = component(c, info, words, k);
        if (halves)
            narrow_component(c, info, has_signed_integers(message.format, info), v);
        return v;
    };
    for (unsigned k = 0; k < component_count(message); k += step) {
        Temp v = narrowed(k);
        if (halves && k + 1 < component_count(message)) {
            const Temp high = narrowed(k + 1);
            c.pack_halves(v, v, high);
        }
        c.regs.define(staging_register(c, k / step), c.part, v);
        c.done_with(v);
    }
}

/// The number of the attribute, if it is known.
std::optional<uint32_t> known_index(const MessageSource& m) {
    if (m.instr().op == valhall::Op::LD_ATTR_IMM)
        return immediate_attribute(m.instr(), 1, 0);
    const std::optional<uint32_t> handle = m.known_word(2);
    return handle ? std::optional(attribute_of(*handle)) : std::nullopt;
}

bool is_expanded(const MessageSource& m, uint32_t index) {
    if (!m.inline_messages || m.key.vertex == nullptr || index >= exec::kMaxAttributes)
        return false;
    const exec::AttributeMessage message = attribute_message(m.instr(), index);
    const unsigned count = component_count(message);
    const unsigned registers = has_halves(message.format) ? (count + 1) / 2 : count;
    const exec::Format format = m.key.vertex->attribute_format[index];
    return m.instr().staging[0].count == registers && format_is_expanded(exec::format_info(format));
}

}  // namespace

MessageChoice choose_attribute(const MessageSource& m) {
    const std::optional<uint32_t> index = known_index(m);
    const bool expanded = index && is_expanded(m, *index);
    return {expanded ? Expansion::Attribute : Expansion::Routine, index};
}

exec::AttributeMessage attribute_message(const valhall::Instr& instr, uint32_t index) {
    return {index, valhall::register_format(instr), valhall::components(instr)};
}

void expand_attribute(EmitContext& c) {
    const exec::AttributeMessage message = attribute_message(c.instr(), *c.message().known);
    const FormatInfo& info = exec::format_info(c.key.vertex->attribute_format[message.index]);
    const bool instanced = (c.key.vertex->instanced >> message.index & 1) != 0;
    expand_parts(c, [&] {
        Temp id = c.word(instanced ? 1 : 0);
        c.h.store(ids(), id);
        c.done_with(id);
        make_room(c, has_wide_normalized(info) ? kRowWords + kWideTemporaries : kTemporaries);
        Rows rows = load_descriptor(c, message.index, instanced);
        if (has_doubles(info)) {
            if (instanced)
                divide_ids(c, std::move(rows.divisor));
            copy_doubles(c, rows, info);
            c.regs.allow_evictions();  // components need more registers than the rows
            write_components(c, info, {}, message);
        } else {
            find_rows(c, rows, info.block_bytes, instanced);
            c.regs.allow_evictions();
            write_components(c, info, load_words(c, rows, info.block_bytes), message);
        }
    });
}

}  // namespace valkyr::jit
