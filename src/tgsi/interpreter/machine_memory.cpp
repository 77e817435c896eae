// Memory handlers: execute opcodes on buffers, shared memory, counters and images.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/interpreter/machine.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::tgsi {

bool Machine::is_helper(uint32_t lane) const {
    return group_.invocations[lane].helper || group_.invocations[lane].killed;
}

/// The bytes of a BUFFER or MEMORY register; empty if there are none.
std::span<uint8_t> Machine::memory(uint32_t lane, const RegisterRef& ref) {
    const int64_t index = index_of(lane, ref.index);
    if (ref.file == File::Buffer) {
        const bool inside = index >= 0 && index < static_cast<int64_t>(group_.buffers.size());
        return inside ? group_.buffers[static_cast<size_t>(index)] : std::span<uint8_t>{};
    }
    if (ref.file != File::Memory)
        return {};
    const auto kind = program_.memory_kinds.find(static_cast<uint32_t>(index));
    // Memory without a declaration is shared: Mesa omits that declaration now and then.
    switch (kind == program_.memory_kinds.end() ? MemoryKind::Shared : kind->second) {
    case MemoryKind::Shared: return group_.shared;
    case MemoryKind::Input: return group_.kernel_input;
    case MemoryKind::Private: return lanes_[lane].private_memory;
    case MemoryKind::Global: return group_.global;
    }
    return {};
}

/// HWATOMIC[buffer][index]: the counter itself; the offset operand repeats the index and is
/// ignored.
uint32_t* Machine::counter(uint32_t lane, const RegisterRef& ref) {
    const int64_t buffer = ref.has_outer ? index_of(lane, ref.outer) : 0;
    const int64_t index = index_of(lane, ref.index);
    if (buffer < 0 || buffer >= static_cast<int64_t>(group_.counters.size()))
        return nullptr;
    const auto words = group_.counters[static_cast<size_t>(buffer)];
    const bool inside = index >= 0 && index < static_cast<int64_t>(words.size());
    return inside ? &words[static_cast<size_t>(index)] : nullptr;
}

ImagePlace Machine::image_place(uint32_t lane,
                                const Instruction& instr,
                                const RegisterRef& ref,
                                const Word4& address) const {
    ImagePlace place;
    place.image = unit(lane, ref);
    place.coord = {address[0], address[1], address[2]};
    place.sample = address[3];
    place.target = instr.has_target ? instr.target : Target::Buffer;
    place.format = instr.format;
    if (const auto decl = program_.images.find(place.image); decl != program_.images.end()) {
        // Mesa omits the target BUFFER; older texts have no target at all.
        if (!instr.has_target)
            place.target = decl->second.target;
        if (instr.format.empty() || instr.format == "NONE")
            place.format = decl->second.format;
    }
    return place;
}

namespace {

/// The components in the mask whose words, from byte `offset` on, are inside. Consecutive
/// components are one access, which is inside only as a whole.
uint8_t components_inside(std::span<const uint8_t> bytes, uint64_t offset, uint8_t mask) {
    unsigned inside = 0;
    for (unsigned c = 4; c-- > 0;) {
        const bool ends_access = c == 3 || (mask >> (c + 1) & 1) == 0;
        const bool fits = ends_access ? offset + 4 * c + 4 <= bytes.size() : inside >> (c + 1) & 1;
        if ((mask >> c & 1) != 0 && fits)
            inside |= 1U << c;
    }
    return static_cast<uint8_t>(inside);
}

/// The components of the source that a LOAD reads.
uint8_t components_read(const Instruction& instr) {
    unsigned mask = 0;
    for (unsigned c = 0; c < 4; ++c)
        if ((instr.dst[0].write_mask >> c & 1) != 0)
            mask |= 1U << instr.src[0].swizzle[c];
    return static_cast<uint8_t>(mask);
}

}  // namespace

void Machine::load(const Instruction& instr) {
    const Src& resource = instr.src[0];
    for (const uint32_t lane : running_) {
        const Word4 address = fetch4(lane, instr, 1);
        Word4 value{};
        switch (resource.reg.file) {
        case File::Image:
            if (group_.images != nullptr)
                value = group_.images->load(image_place(lane, instr, resource.reg, address));
            break;
        case File::HwAtomic:
            if (const uint32_t* word = counter(lane, resource.reg))
                value[0] = *word;
            break;
        case File::ConstBuf:
            for (unsigned c = 0; c < 4; ++c)
                value[c] = constant_word(lane, resource.reg, address[0] / 4 + c);
            break;
        default: {
            const auto bytes = memory(lane, resource.reg);
            const uint8_t inside = components_inside(bytes, address[0], components_read(instr));
            for (unsigned c = 0; c < 4; ++c)
                if ((inside >> c & 1) != 0)
                    std::memcpy(&value[c], bytes.data() + address[0] + 4 * c, 4);
            break;
        }
        }
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c)
            out[c] = value[resource.swizzle[c]];
        store(lane, instr, out);
    }
}

/// LOAD from CONSTBUF[b]: a constant buffer by bytes.
uint32_t Machine::constant_word(uint32_t lane, const RegisterRef& ref, uint64_t word) const {
    const int64_t buffer = index_of(lane, ref.index);
    if (buffer < 0 || buffer >= static_cast<int64_t>(group_.constants.size()))
        return 0;
    const auto words = group_.constants[static_cast<size_t>(buffer)];
    return word < words.size() ? words[word] : 0;
}

void Machine::store_memory(const Instruction& instr) {
    const RegisterRef& ref = instr.dst[0].reg;
    for (const uint32_t lane : running_) {
        if (is_helper(lane))
            continue;
        const Word4 address = fetch4(lane, instr, 0);
        const Word4 value = fetch4(lane, instr, 1);
        if (ref.file == File::Image) {
            if (group_.images != nullptr)
                group_.images->store(image_place(lane, instr, ref, address), value);
            continue;
        }
        const auto bytes = memory(lane, ref);
        const uint8_t inside = components_inside(bytes, address[0], instr.dst[0].write_mask);
        for (unsigned c = 0; c < 4; ++c) {
            if ((inside >> c & 1) != 0)
                std::memcpy(bytes.data() + address[0] + 4 * c, &value[c], 4);
        }
    }
}

namespace {

/// The new value of a 32-bit cell; `compare` is used by ATOMCAS only.
uint32_t updated(Opcode opcode, uint32_t old, uint32_t value, uint32_t compare) {
    const auto s_old = static_cast<int32_t>(old);
    const auto s_value = static_cast<int32_t>(value);
    switch (opcode) {
    case Opcode::ATOMUADD: return old + value;
    case Opcode::ATOMXCHG: return value;
    case Opcode::ATOMCAS: return old == compare ? value : old;
    case Opcode::ATOMAND: return old & value;
    case Opcode::ATOMOR: return old | value;
    case Opcode::ATOMXOR: return old ^ value;
    case Opcode::ATOMUMIN: return std::min(old, value);
    case Opcode::ATOMUMAX: return std::max(old, value);
    case Opcode::ATOMIMIN: return static_cast<uint32_t>(std::min(s_old, s_value));
    case Opcode::ATOMIMAX: return static_cast<uint32_t>(std::max(s_old, s_value));
    case Opcode::ATOMFADD: return arith::add(old, value);
    // tgsi.rst's formulas.
    case Opcode::ATOMINC_WRAP: return old + 1 <= value ? old + 1 : 0;
    case Opcode::ATOMDEC_WRAP: return old > 0 && old < value ? old - 1 : 0;
    default: return old;
    }
}

}  // namespace

/// Takes lanes in ascending order; the old value goes to every component of the destination.
void Machine::atomic(const Instruction& instr) {
    const RegisterRef& ref = instr.src[0].reg;
    for (const uint32_t lane : running_) {
        if (is_helper(lane)) {
            store(lane, instr, Word4{});
            continue;
        }
        const Word4 address = fetch4(lane, instr, 1);
        const bool compares = instr.opcode == Opcode::ATOMCAS;
        const uint32_t first = fetch(lane, instr, 2, 0);
        const uint32_t value = compares ? fetch(lane, instr, 3, 0) : first;
        uint32_t old = 0;
        if (ref.file == File::Image || ref.file == File::HwAtomic) {
            uint32_t* cell = ref.file == File::HwAtomic ? counter(lane, ref)
                             : group_.images != nullptr
                                 ? group_.images->texel(image_place(lane, instr, ref, address))
                                 : nullptr;
            if (cell != nullptr) {
                old = *cell;
                *cell = updated(instr.opcode, old, value, first);
            }
        } else if (const auto bytes = memory(lane, ref);
                   components_inside(bytes, address[0], 1) != 0) {
            std::memcpy(&old, bytes.data() + address[0], 4);
            const uint32_t now = updated(instr.opcode, old, value, first);
            std::memcpy(bytes.data() + address[0], &now, 4);
        }
        store(lane, instr, {old, old, old, old});
    }
}

void Machine::resource_size(const Instruction& instr) {
    const RegisterRef& ref = instr.src[0].reg;
    for (const uint32_t lane : running_) {
        Word4 out{};
        if (ref.file == File::Image) {
            TextureSize size;
            const ImagePlace place = image_place(lane, instr, ref, {});
            if (group_.images != nullptr)
                size = group_.images->size(place.image);
            const TargetShape shape = target_shape(place.target);
            out = {size.width, shape.dimensions >= 2 ? size.height : 0,
                   shape.dimensions == 3 ? size.depth : 0, size.samples};
            if (shape.array)
                out[shape.dimensions] = shape.cube ? size.depth / 6 : size.depth;
        } else {
            out[0] = static_cast<uint32_t>(memory(lane, ref).size());
        }
        store(lane, instr, out);
    }
}

}  // namespace valkyr::tgsi
