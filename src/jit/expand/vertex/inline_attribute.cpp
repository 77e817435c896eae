// Inline LD_ATTR: loads rows of vertex data and decodes their channels.
// SPDX-License-Identifier: MIT
//
// If the vertices of the lanes are consecutive and their rows can all be read whole, they are read
// where they are. Otherwise a loop over the lanes first copies the elements to the frame, zeros for
// those outside the buffer. Instanced attributes first turn instances into element numbers, mostly
// the same one in all lanes. Rules: docs/rules/formats.md, env_attribute.cpp.
#include "jit/expand/vertex/inline_attribute.hpp"

#include "base/float_bits.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/vertex/lane_rows.hpp"

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
constexpr uint32_t kLargestStride = 1U << 26;
constexpr uint32_t kExactFloats = 1U << 24;

// Scalars of the expansion.
constexpr Gp kDescriptor = Gp::T0;  // then the number of the lane
constexpr Gp kBase = Gp::T1;
constexpr Gp kSize = Gp::T2;
constexpr Gp kStride = Gp::T3;
constexpr Gp kOffset = Gp::T4;
constexpr Gp kTemporary = Gp::T5;
constexpr Gp kRow = Gp::T6;
constexpr Gp kDivisor = Gp::T0;  // after the descriptor

/// Element numbers of the part's lanes.
Address ids() {
    return VALKYR_FRAME(in);
}
/// Rows that were copied: 16 bytes a lane.
Address copies() {
    return VALKYR_FRAME(out);
}

/// Whether elements of the format are rows whose channels have a conversion.
bool format_is_expanded(const FormatInfo& info) {
    return info.block_bytes <= kRowBytes && info.layout != exec::FormatLayout::DepthStencil &&
           channels_are_fields(info);
}

// ---------------------------------------------------------------------------------------------
// Finding rows

void load_descriptor(EmitContext& c, uint32_t index) {
    HostAssembler& h = c.h;
    const auto member = [&](size_t offset) {
        return Address{kDescriptor,
                       static_cast<int32_t>(index * sizeof(AttributeDescriptor) + offset)};
    };
    h.load64(kDescriptor, {Gp::Call, 0});
    h.load64(kDescriptor,
             {kDescriptor, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                offsetof(exec::ResourceTables, attributes))});
    h.load64(kBase, member(offsetof(AttributeDescriptor, address)));
    h.load64(kSize, member(offsetof(AttributeDescriptor, size)));
    h.load32(kStride, member(offsetof(AttributeDescriptor, stride)));
}

// ---------------------------------------------------------------------------------------------
// Instances

/// ids() = ids() / kDivisor, lane by lane, a bit a step: remainder and what is left of the dividend
/// share a register, so does the quotient.
void divide_slowly(EmitContext& c) {
    HostAssembler& h = c.h;
    constexpr Gp lane = Gp::T5;
    constexpr Gp step = Gp::T6;
    const Label next_lane = h.new_label();
    const Label next_step = h.new_label();
    const Address id{Gp::Frame, ids().offset, lane, 2};
    h.shift_left64(kDivisor, 32);
    h.move(lane, uint64_t{0});
    h.bind(next_lane);
    h.load32(kOffset, id);
    h.move(step, uint64_t{32});
    h.bind(next_step);
    h.shift_left64(kOffset, 1);
    h.compare64(kOffset, kDivisor);
    const Label small = h.new_label();
    h.jump(Jump::Below, small);
    h.sub64(kOffset, kDivisor);
    h.add64(kOffset, 1);
    h.bind(small);
    h.add64(step, -1);
    h.test32(step);
    h.jump(Jump::NotEqual, next_step);
    h.store32(id, kOffset);
    h.add64(lane, 1);
    h.compare32(lane, h.traits().lanes);
    h.jump(Jump::Below, next_lane);
}

/// Jumps unless all numbers are below 2^24.
void require_exact_floats(EmitContext& c, Vec numbers, Label otherwise) {
    HostAssembler& h = c.h;
    const TempMask large = c.scratch_mask();
    h.compare(IntCond::GreaterEqual, Element::B32, false, large, numbers, c.pool(kExactFloats));
    h.mask_bits(kTemporary, large);
    h.test32(kTemporary);
    h.jump(Jump::NotEqual, otherwise);
}

/// ids() = ids() / the divisor, which the descriptor has.
void divide_ids(EmitContext& c, uint32_t index) {
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    const Label slow = h.new_label();
    h.load32(kDivisor, {kDescriptor, static_cast<int32_t>(index * sizeof(AttributeDescriptor) +
                                                          offsetof(AttributeDescriptor, divisor))});
    h.compare32(kDivisor, 1);
    h.jump(Jump::Equal, done);
    const Temp id = c.scratch();
    const Temp divisor = c.scratch();
    const Temp quotient = c.scratch();
    h.store32(VALKYR_FRAME(spare), kDivisor);
    h.load(id, ids());
    h.move(divisor, Operand::broadcast(VALKYR_FRAME(spare)));
    require_exact_floats(c, id, slow);
    require_exact_floats(c, divisor, slow);
    // The rounded quotient can only be one too high.
    h.op(Unary::S32ToF32, quotient, id);
    h.op(Unary::S32ToF32, divisor, divisor);
    h.op(Binary::DivF32, quotient, quotient, divisor);
    h.f32_to_s32(quotient, quotient, Rounding::Zero);
    h.op(Binary::MulI32, divisor, quotient, Operand::broadcast(VALKYR_FRAME(spare)));
    h.op(Binary::SubI32, id, id, divisor);
    h.op(ImmOp::Sar32, id, id, 31);
    h.op(Binary::AddI32, id, id, quotient);
    h.store(ids(), id);
    h.jump(done);
    h.bind(slow);
    divide_slowly(c);
    h.bind(done);
}

/// Jumps unless all lanes have one element, of which `bytes` can be read; else kBase becomes its
/// address and kStride 0.
void find_same(EmitContext& c, unsigned bytes, Label otherwise) {
    HostAssembler& h = c.h;
    const Temp id = c.scratch();
    const TempMask differs = c.scratch_mask();
    h.load(id, ids());
    h.compare(IntCond::NotEqual, Element::B32, true, differs, id, Operand::broadcast(ids()));
    h.mask_bits(kTemporary, differs);
    h.test32(kTemporary);
    h.jump(Jump::NotEqual, otherwise);
    h.load32(kOffset, ids());
    h.mul64(kOffset, kStride);
    h.compare64(kOffset, kSize);
    h.jump(Jump::Above, otherwise);
    h.move(kTemporary, kOffset);
    h.add64(kTemporary, static_cast<int32_t>(bytes));
    h.compare64(kTemporary, kSize);
    h.jump(Jump::Above, otherwise);
    h.add64(kBase, kOffset);
    h.move(kStride, uint64_t{0});
}

// ---------------------------------------------------------------------------------------------
// Vertices

/// Jumps unless the lanes have consecutive vertices whose rows of `bytes` lie in the buffer; else
/// kBase becomes the address of the first one's.
void find_consecutive(EmitContext& c, unsigned bytes, Label otherwise) {
    HostAssembler& h = c.h;
    const unsigned lanes = h.traits().lanes;
    const Temp id = c.scratch();
    const Temp numbers = c.scratch();
    const TempMask same = c.scratch_mask();
    h.load(id, ids());
    h.load(numbers, h.pool_words(kLaneNumbers));
    h.op(Binary::SubI32, id, id, numbers);
    h.compare(IntCond::Equal, Element::B32, true, same, id, Operand::broadcast(ids()));
    h.mask_bits(kTemporary, same);
    h.compare32(kTemporary, (1U << lanes) - 1);
    h.jump(Jump::NotEqual, otherwise);
    // So that a lane number times the stride is an index of a gather.
    h.compare32(kStride, kLargestStride);
    h.jump(Jump::Above, otherwise);
    // first * stride <= size first, so that the sum below cannot wrap.
    h.load32(kOffset, ids());
    h.mul64(kOffset, kStride);
    h.compare64(kOffset, kSize);
    h.jump(Jump::Above, otherwise);
    h.move(kTemporary, kStride);
    h.shift_left64(kTemporary, static_cast<unsigned>(std::countr_zero(lanes)));
    h.sub64(kTemporary, kStride);
    h.add64(kTemporary, kOffset);
    h.add64(kTemporary, static_cast<int32_t>(bytes));
    h.compare64(kTemporary, kSize);
    h.jump(Jump::Above, otherwise);
    h.add64(kBase, kOffset);
}

/// Copies `bytes` bytes from kBase + kOffset to kRow.
void copy_element(EmitContext& c, unsigned bytes) {
    HostAssembler& h = c.h;
    for (unsigned at = 0; at < bytes;) {
        const auto offset = static_cast<int32_t>(at);
        const Address from{kBase, offset, kOffset, 0};
        const Address to{kRow, offset};
        if (bytes - at >= 8) {
            h.load64(kTemporary, from);
            h.store64(to, kTemporary);
            at += 8;
        } else if (bytes - at >= 4) {
            h.load32(kTemporary, from);
            h.store32(to, kTemporary);
            at += 4;
        } else if (bytes - at >= 2) {
            h.load16(kTemporary, from);
            h.store16(to, kTemporary);
            at += 2;
        } else {
            h.load8(kTemporary, from);
            h.store8(to, kTemporary);
            at += 1;
        }
    }
}

/// The elements of all lanes one by one, then kBase and kStride of the copies.
void copy_rows(EmitContext& c, unsigned bytes) {
    HostAssembler& h = c.h;
    constexpr Gp lane = kDescriptor;
    const Label next = h.new_label();
    const Label done = h.new_label();
    const Temp zero = c.constant(0);
    const unsigned lanes = h.traits().lanes;
    for (unsigned at = 0; at < lanes * kRowBytes; at += lanes * 4)
        h.store(copies().plus(static_cast<int32_t>(at)), zero);
    h.load_address(kRow, copies());
    // The last offset at which an element lies inside.
    h.move(kTemporary, uint64_t{bytes});
    h.compare64(kSize, kTemporary);
    h.jump(Jump::Below, done);
    h.sub64(kSize, kTemporary);
    h.move(lane, uint64_t{0});
    h.bind(next);
    h.load32(kOffset, {Gp::Frame, ids().offset, lane, 2});
    h.mul64(kOffset, kStride);
    h.compare64(kOffset, kSize);
    const Label outside = h.new_label();
    h.jump(Jump::Above, outside);
    copy_element(c, bytes);
    h.bind(outside);
    h.add64(kRow, kRowBytes);
    h.add64(lane, 1);
    h.compare32(lane, lanes);
    h.jump(Jump::Below, next);
    h.bind(done);
    h.load_address(kBase, copies());
    h.move(kStride, uint64_t{kRowBytes});
}

// ---------------------------------------------------------------------------------------------
// Channels

/// Words of the rows at kBase; those that the format has.
FourVecs load_words(EmitContext& c, unsigned bytes) {
    HostAssembler& h = c.h;
    if (bytes > 4)
        return load_rows(c, {kBase, 0, kStride, kOffset});
    Temp index = c.scratch();
    h.load(index, h.pool_words(kLaneNumbers));
    h.store32(VALKYR_FRAME(spare), kStride);
    h.op(Binary::MulI32, index, index, Operand::broadcast(VALKYR_FRAME(spare)));
    h.gather32(index, {kBase}, index, Mask{});
    return {std::move(index), Temp{}, Temp{}, Temp{}};
}

/// A temporary with component k.
Temp component(EmitContext& c, const FormatInfo& info, const FourVecs& words, unsigned k) {
    const Swizzle s = info.swizzle[k];
    if (s <= Swizzle::W) {
        const ChannelField field = channel_field(info, static_cast<unsigned>(s));
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
        const unsigned r = c.instr().staging[0].base + k / step;
        c.regs.define(static_cast<Reg>(r % exec::kRegisters), c.part, v);
        c.done_with(v);
    }
}

bool is_expanded(const EmitContext& c, const exec::AttributeMessage& message) {
    if (!c.inline_messages || c.key.vertex == nullptr || message.index >= exec::kMaxAttributes)
        return false;
    const unsigned count = component_count(message);
    const unsigned registers = has_halves(message.format) ? (count + 1) / 2 : count;
    const exec::Format format = c.key.vertex->attribute_format[message.index];
    return c.instr().staging[0].count == registers && format_is_expanded(exec::format_info(format));
}

}  // namespace

bool expand_attribute(EmitContext& c, const exec::AttributeMessage& message) {
    if (!is_expanded(c, message))
        return false;
    const FormatInfo& info = exec::format_info(c.key.vertex->attribute_format[message.index]);
    const unsigned bytes = info.block_bytes;
    const bool instanced = (c.key.vertex->instanced >> message.index & 1) != 0;
    HostAssembler& h = c.h;
    each_part(c, [&] {
        Temp id = c.word(instanced ? 1 : 0);
        h.store(ids(), id);
        c.done_with(id);
        make_room(c, kTemporaries);
        load_descriptor(c, message.index);
        const Label general = h.new_label();
        const Label ready = h.new_label();
        const unsigned readable = bytes > 4 ? kRowBytes : 4;
        if (instanced) {
            divide_ids(c, message.index);
            find_same(c, readable, general);
        } else {
            find_consecutive(c, readable, general);
        }
        h.jump(ready);
        h.bind(general);
        copy_rows(c, bytes);
        h.bind(ready);
        write_components(c, info, load_words(c, bytes), message);
        c.regs.end_part();
    });
    return true;
}

}  // namespace valkyr::jit
