// Inline LD_TEX and LEA_TEX: expands loads of image texels and of their addresses.
// SPDX-License-Identifier: MIT
//
// Texels are gathered; texels of one word in rows or blocks are loaded together (image_rows.hpp),
// which is decided at run time. A texel that does not exist has the components of one whose bytes
// are 0.
#include "jit/expand/image/inline_image.hpp"

#include "base/check.hpp"
#include "base/float_bits.hpp"
#include "exec/handle.hpp"
#include "exec/image_conversion.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/image/image_place.hpp"
#include "jit/expand/image/image_rows.hpp"
#include "jit/expand/image/image_strips.hpp"
#include "jit/expand/memory/noted_row.hpp"

#include <algorithm>
#include <array>

namespace valkyr::jit {

using exec::FormatInfo;
using exec::ImageDescriptor;
using exec::ImageMessage;
using exec::Swizzle;
using valhall::Op;

namespace {

/// The handle's source in LD_TEX and LEA_TEX.
constexpr unsigned kHandleSource = 2;
/// Results of LEA_TEX.
constexpr unsigned kAddressWords = 3;

unsigned component_count(const ImageMessage& message) {
    return std::min<unsigned>(message.components, 4);
}

void define_result(EmitContext& c, unsigned k, Temp v) {
    c.regs.define(staging_register(c, k), c.part, v);
    c.done_with(v);
}

/// A component that is 0 or 1 in the format; without a unit every component is 0.
/// found  lanes with a unit; invalid: all
Temp constant_component(EmitContext& c,
                        const FormatInfo& info,
                        Swizzle swizzle,
                        const TempMask& found) {
    const uint32_t one = has_integer_values(info) ? 1 : float_bits::kOne;
    if (swizzle == Swizzle::Zero || !found.valid())
        return c.constant(swizzle == Swizzle::Zero ? 0 : one);
    Temp v = c.scratch();
    c.h.mask_value(Element::B32, v, found, one);
    return v;
}

/// Temporaries for addresses, and those of find_texels().
constexpr unsigned kAddressTemporaries = 9;
/// Temporaries for texels of one word: the texels, and those of find_texels().
constexpr unsigned kWordTemporaries = 7;
static_assert(kWordTemporaries > kRowTemporaries);

/// The texels of a unit with rows, which are gathered if they are none.
Temp load_row_or_gather(EmitContext& c, const ImageUnit& unit) {
    HostAssembler& h = c.h;
    const Label gather = h.new_label();
    const Label done = h.new_label();
    const Temp coordinates = c.word(0);
    make_room(c, kWordTemporaries);
    Temp texels = c.scratch();
    load_row(c, unit, coordinates, texels, gather);
    h.jump(done);
    h.bind(gather);
    gather_texels(c, unit, texels);
    h.bind(done);
    c.regs.allow_evictions();
    return texels;
}

/// Whether component k comes from this word of the texel.
bool is_in_word(const FormatInfo& info, unsigned k, unsigned word) {
    return info.swizzle[k] <= Swizzle::W &&
           channel_field(info, static_cast<unsigned>(info.swizzle[k])).word == word;
}

/// The components of the texels, loaded word by word.
std::array<Temp, 4> load_components(EmitContext& c, const ImageUnit& unit, unsigned count) {
    const FormatInfo& info = *unit.info;
    std::array<Temp, 4> components;
    ImagePlace place;
    const bool strip = has_strip(c, unit);
    const bool rows = has_rows(c, unit);
    if (strip) {
        components = load_strip(c, unit, count);
    } else if (!rows) {
        place = find_texels(c, unit);
        enter_image(c, place);
    }
    for (unsigned word = 0; word < (info.block_bytes + 3U) / 4 && !strip; ++word) {
        Temp texels;
        for (unsigned k = 0; k < count; ++k) {
            if (!is_in_word(info, k, word))
                continue;
            if (!texels.valid() && rows) {
                texels = load_row_or_gather(c, unit);
            } else if (!texels.valid()) {
                texels = c.scratch();
                gather_word(c, place, texels, word);
            }
            const auto channel = static_cast<unsigned>(info.swizzle[k]);
            components[k] = channel_value(c, info, channel_field(info, channel), texels);
        }
    }
    for (unsigned k = 0; k < count; ++k)
        if (info.swizzle[k] > Swizzle::W)
            components[k] = constant_component(c, info, info.swizzle[k], place.found);
    return components;
}

void load_part(EmitContext& c, const ImageUnit& unit, const ImageMessage& message) {
    const unsigned count = component_count(message);
    std::array<Temp, 4> components = load_components(c, unit, count);
    if (!has_halves(message.format)) {
        for (unsigned k = 0; k < count; ++k)
            define_result(c, k, std::move(components[k]));
        return;
    }
    for (unsigned k = 0; k < count; ++k)
        narrow_component(c, *unit.info, has_signed_integers(message.format, *unit.info),
                         components[k]);
    for (unsigned k = 0; k < count; k += 2) {
        if (k + 1 < count)
            c.pack_halves(components[k], components[k], components[k + 1]);
        define_result(c, k / 2, std::move(components[k]));
    }
}

/// The addresses of any texels, 0 where there is none. A run-time handle decides on the conversion
/// word, too.
/// address  registers; leased if there are none
void find_addresses(EmitContext& c,
                    const ImageUnit& unit,
                    const ImageMessage& message,
                    VecPair& address) {
    const ImagePlace place = find_texels(c, unit);
    if (!address.low.valid())
        address = {c.scratch(), c.scratch()};
    const auto base = [&](unsigned half) {
        return Operand::broadcast(place.member(offsetof(ImageDescriptor, data) + size_t{4} * half));
    };
    U32 low(c, address.low);
    U32 high(c, address.high);
    low = u32(place.offset) + base(0);
    {
        const LaneMask carries = low < base(0);
        high = where(carries, 1);
    }
    high += base(1);
    {
        const U32 zero(c, 0);
        low = select(place.inside, low, zero);
        high = select(place.inside, high, zero);
    }
    if (!unit.index) {
        Temp conversion = c.constant(exec::conversion_word(exec::Format::None, message.format));
        c.h.select(Element::B32, conversion, place.found,
                   c.pool(exec::conversion_word(unit.key.format, message.format)), conversion);
        define_result(c, 2, std::move(conversion));
    }
}

/// Stores the addresses, and the conversion word if it depends on the handle.
void address_part(EmitContext& c, const ImageUnit& unit, const ImageMessage& message) {
    HostAssembler& h = c.h;
    VecPair address;
    if (has_rows(c, unit)) {
        const Label apart = h.new_label();
        const Label done = h.new_label();
        const Temp coordinates = c.word(0);
        make_room(c, kAddressTemporaries);
        address = {c.scratch(), c.scratch()};
        find_row(c, unit, coordinates, address, apart);
        h.jump(done);
        h.bind(apart);
        note_no_row(c);
        find_addresses(c, unit, message, address);
        h.bind(done);
        c.regs.allow_evictions();
    } else {
        find_addresses(c, unit, message, address);
    }
    define_result(c, 0, std::move(address.low));
    define_result(c, 1, std::move(address.high));
}

/// The handle of LD_TEX or LEA_TEX, if it is known.
std::optional<uint32_t> known_handle(const MessageSource& m) {
    const valhall::Instr& i = m.instr();
    const auto immediate = [&](unsigned table, unsigned index) {
        return exec::make_handle(exec::ResourceTable(i.imm[table]),
                                 static_cast<uint32_t>(i.imm[index]));
    };
    switch (i.op) {
    case Op::LD_TEX_IMM: return immediate(1, 0);
    case Op::LEA_TEX_IMM: return immediate(0, 1);
    default: return m.known_word(kHandleSource);
    }
}

/// The unit of a known handle, else the description that all units share.
std::optional<ImageUnit> find_unit(const KernelSource& source, std::optional<uint32_t> handle) {
    return handle ? find_image_unit(source, *handle) : find_common_unit(source);
}

bool gives_address(const valhall::Instr& instr) {
    return instr.op == Op::LEA_TEX || instr.op == Op::LEA_TEX_IMM;
}

unsigned result_count(const valhall::Instr& instr) {
    if (gives_address(instr))
        return kAddressWords;
    const unsigned count = component_count(image_message(instr, 0));
    return has_halves(valhall::register_format(instr)) ? (count + 1) / 2 : count;
}

/// Emits f(unit) for every part.
template <typename F>
void each_image_part(EmitContext& c, F f) {
    const std::optional<ImageUnit> unit = find_unit(c, c.message().known);
    VALKYR_CHECK(unit);
    if (!unit->index)
        stage_image_handle(c, kHandleSource);
    expand_parts(c, [&] { f(*unit); });
}

}  // namespace

exec::ImageMessage image_message(const valhall::Instr& instr, uint32_t handle) {
    return {handle, valhall::register_format(instr), valhall::components(instr)};
}

MessageChoice choose_image(const MessageSource& m) {
    MessageChoice choice{Expansion::Routine, known_handle(m)};
    const std::optional<ImageUnit> unit = find_unit(m, choice.known);
    if (!unit || m.instr().staging[0].count != result_count(m.instr()))
        return choice;
    choice.expansion = choice.known ? Expansion::KnownImage : Expansion::CommonImage;
    if (choice.known && gives_address(m.instr()))
        choice.conversion =
            exec::conversion_word(unit->key.format, valhall::register_format(m.instr()));
    choice.notes_row = m.instr().op == Op::LEA_TEX_IMM && has_flat_words(*unit);
    choice.strip = choose_strip(m, *unit);
    return choice;
}

void expand_image_load(EmitContext& c) {
    const ImageMessage message = image_message(c.instr(), 0);
    each_image_part(c, [&](const ImageUnit& unit) { load_part(c, unit, message); });
}

void expand_image_address(EmitContext& c) {
    const ImageMessage message = image_message(c.instr(), 0);
    each_image_part(c, [&](const ImageUnit& unit) { address_part(c, unit, message); });
    if (c.message().conversion)
        c.regs.define_constant(staging_register(c, 2), *c.message().conversion);
}

}  // namespace valkyr::jit
