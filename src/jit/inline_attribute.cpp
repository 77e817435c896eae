// LD_ATTR as host code: rows of vertex data into registers, then channels of the format.
// SPDX-License-Identifier: MIT
//
// If the vertices of the lanes are consecutive and their rows can all be read whole, they are read
// where they are. Otherwise a loop over the lanes first copies the elements to the frame, zeros for
// those outside the buffer. Rules: docs/formats.md, env_attribute.cpp.
#include "jit/inline_attribute.hpp"

#include "base/bits.hpp"
#include "jit/lane_rows.hpp"
#include "jit/message.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

using exec::AttributeDescriptor;
using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;
using exec::Swizzle;

namespace {

constexpr uint32_t kQuietNan = 0x7FC00000;
constexpr uint32_t kOne = 0x3F800000;
constexpr unsigned kTemporaries = 8;
constexpr unsigned kRowBytes = 16;
constexpr uint32_t kLargestStride = 1U << 26;

// Scalars of the expansion.
constexpr Gp kDescriptor = Gp::T0;  // then the number of the lane
constexpr Gp kBase = Gp::T1;
constexpr Gp kSize = Gp::T2;
constexpr Gp kStride = Gp::T3;
constexpr Gp kOffset = Gp::T4;
constexpr Gp kTemporary = Gp::T5;
constexpr Gp kRow = Gp::T6;

/// Vertex IDs of the part's lanes.
Address ids() {
    return VALKYR_FRAME(in);
}
/// Rows that were copied: 16 bytes a lane.
Address copies() {
    return VALKYR_FRAME(out);
}

/// Where a channel lies in a row of 32-bit words.
struct Field {
    unsigned word, shift, bits;
};

Field field_of(const FormatInfo& info, unsigned channel) {
    unsigned start = 0;
    for (unsigned k = 0; k < channel; ++k)
        start += info.bits[k];
    return {start / 32, start % 32, info.bits[channel]};
}

bool is_integer(const FormatInfo& info) {
    return info.type == ChannelType::Uint || info.type == ChannelType::Sint;
}

/// Formats whose channels are fields of 32-bit words with a conversion below.
bool format_is_expanded(const FormatInfo& info) {
    const bool plain = info.layout == FormatLayout::Array || info.layout == FormatLayout::Packed;
    if (!plain || info.srgb || info.block_bytes == 0 || info.block_bytes > kRowBytes ||
        info.type == ChannelType::None)
        return false;
    for (unsigned channel = 0; channel < info.channel_count; ++channel) {
        const Field field = field_of(info, channel);
        const unsigned bits = field.bits;
        if (bits == 0 || bits > 32 || field.shift + bits > 32)
            return false;
        switch (info.type) {
        case ChannelType::Float:
            if (bits != 32 && bits != 16)
                return false;
            break;
        case ChannelType::Uint:
        case ChannelType::Sint: break;
        default:
            if (bits > 16 || (info.type == ChannelType::Snorm && bits < 2))
                return false;
        }
    }
    return true;
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

/// Jumps unless the lanes have consecutive vertices whose rows of `bytes` lie in the buffer; else
/// kBase becomes the address of the first one's.
void find_consecutive(EmitContext& c, unsigned bytes, Label otherwise) {
    HostAssembler& h = c.h;
    const unsigned lanes = h.traits().lanes;
    const Vec id = c.scratch();
    const Vec numbers = c.scratch();
    const Mask same = c.scratch_mask();
    h.load(id, ids());
    h.load(numbers, h.pool_words(kLaneNumbers));
    h.op(Binary::SubI32, id, id, numbers);
    h.compare(IntCond::Equal, Element::B32, true, same, id, Operand::broadcast(ids()));
    h.mask_bits(kTemporary, same);
    c.release(same);
    c.release(numbers);
    c.release(id);
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
    const Vec zero = c.constant(0);
    const unsigned lanes = h.traits().lanes;
    for (unsigned at = 0; at < lanes * kRowBytes; at += lanes * 4)
        h.store(copies().plus(static_cast<int32_t>(at)), zero);
    c.release(zero);
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
    const Vec index = c.scratch();
    h.load(index, h.pool_words(kLaneNumbers));
    h.store32(VALKYR_FRAME(spare), kStride);
    h.op(Binary::MulI32, index, index, Operand::broadcast(VALKYR_FRAME(spare)));
    h.gather32(index, {kBase}, index, Mask{});
    return {index, Vec{}, Vec{}, Vec{}};
}

/// v = the field of each word, zero- or sign-extended.
void extract(EmitContext& c, Vec v, Vec word, const Field& field, bool is_signed) {
    HostAssembler& h = c.h;
    if (field.bits == 32) {
        h.move(v, word);
        return;
    }
    const unsigned above = 32 - field.shift - field.bits;
    if (is_signed) {
        if (above != 0)
            h.op(ImmOp::Shl32, v, word, above);
        h.op(ImmOp::Sar32, v, above != 0 ? v : word, 32 - field.bits);
        return;
    }
    if (field.shift != 0)
        h.op(ImmOp::Shr32, v, word, field.shift);
    if (above != 0)
        h.op(Binary::And, v, field.shift != 0 ? v : word, c.pool((1U << field.bits) - 1));
}

void half_to_float(EmitContext& c, Vec v) {
    HostAssembler& h = c.h;
    const Mask nan = c.scratch_mask();
    h.f16_to_f32(v, v);
    h.compare(FloatCond::Unordered, nan, v, v);
    h.select(Element::B32, v, nan, c.pool(kQuietNan), v);
    c.release(nan);
}

float inverse_of(unsigned bits) {
    return 1.0F / static_cast<float>((1U << bits) - 1);
}

/// The value of a channel (format_channel.cpp).
Vec channel_value(EmitContext& c, const FormatInfo& info, Vec word, const Field& field) {
    HostAssembler& h = c.h;
    const Vec v = c.scratch();
    const bool is_signed = info.type == ChannelType::Snorm || info.type == ChannelType::Sint ||
                           info.type == ChannelType::Sscaled;
    extract(c, v, word, field, is_signed);
    switch (info.type) {
    case ChannelType::Float:
        if (field.bits == 16)
            half_to_float(c, v);
        break;
    case ChannelType::Unorm:
        h.op(Unary::S32ToF32, v, v);
        h.op(Binary::MulF32, v, v, c.pool(as_bits(inverse_of(field.bits))));
        break;
    case ChannelType::Snorm:
        h.op(Binary::MaxS32, v, v, c.pool(~((1U << (field.bits - 1)) - 1) + 1));
        h.op(Unary::S32ToF32, v, v);
        h.op(Binary::MulF32, v, v, c.pool(as_bits(inverse_of(field.bits - 1))));
        break;
    case ChannelType::Uscaled:
    case ChannelType::Sscaled: h.op(Unary::S32ToF32, v, v); break;
    default: break;
    }
    return v;
}

void write_components(EmitContext& c,
                      const FormatInfo& info,
                      const FourVecs& words,
                      unsigned part) {
    const valhall::Staging& run = c.instr().staging[0];
    for (unsigned k = 0; k < run.count; ++k) {
        const Swizzle s = info.swizzle[k];
        Vec v;
        if (s <= Swizzle::W) {
            const Field field = field_of(info, static_cast<unsigned>(s));
            v = channel_value(c, info, words[field.word], field);
        } else {
            v = c.constant(s == Swizzle::Zero ? 0 : is_integer(info) ? 1 : kOne);
        }
        c.regs.define(static_cast<Reg>((run.base + k) % exec::kRegisters), part, v);
        c.done_with(v);
    }
}

bool is_expanded(const EmitContext& c, const exec::AttributeMessage& message) {
    if (!c.inline_messages || c.key.vertex == nullptr || message.index >= exec::kMaxAttributes ||
        (c.key.vertex->instanced >> message.index & 1))
        return false;
    const bool half = message.format == exec::RegisterFormat::F16 ||
                      message.format == exec::RegisterFormat::S16 ||
                      message.format == exec::RegisterFormat::U16;
    const exec::Format format = c.key.vertex->attribute_format[message.index];
    return !half && c.instr().staging[0].count == std::min<unsigned>(message.components, 4) &&
           format_is_expanded(exec::format_info(format));
}

}  // namespace

bool expand_attribute(EmitContext& c, const exec::AttributeMessage& message) {
    if (!is_expanded(c, message))
        return false;
    const FormatInfo& info = exec::format_info(c.key.vertex->attribute_format[message.index]);
    const unsigned bytes = info.block_bytes;
    HostAssembler& h = c.h;
    for (c.part = 0; c.part < c.parts; ++c.part) {
        const Vec id = c.word(0);
        h.store(ids(), id);
        c.done_with(id);
        make_room(c, kTemporaries);
        load_descriptor(c, message.index);
        const Label general = h.new_label();
        const Label ready = h.new_label();
        find_consecutive(c, bytes > 4 ? kRowBytes : 4, general);
        h.jump(ready);
        h.bind(general);
        copy_rows(c, bytes);
        h.bind(ready);
        const FourVecs words = load_words(c, bytes);
        write_components(c, info, words, c.part);
        c.regs.end_part();
    }
    c.part = 0;
    return true;
}

}  // namespace valkyr::jit
