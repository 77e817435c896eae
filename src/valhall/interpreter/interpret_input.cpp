// Input functions: execute loads of attributes and varyings.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/interpreter/interpret_message.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// An index beyond every table, so that the load gives 0.
constexpr uint32_t kNoIndex = 0xFFFFFFFF;

/// The attribute that a resource handle names.
uint32_t attribute_index(uint32_t handle) {
    return exec::table_of(handle) == exec::ResourceTable::Attributes ? exec::index_of(handle)
                                                                     : kNoIndex;
}
uint32_t attribute_index(const Instr& i, unsigned table, unsigned index) {
    return attribute_index(
        exec::make_handle(exec::ResourceTable(i.imm[table]), static_cast<uint32_t>(i.imm[index])));
}

void load_attribute(Machine& m, const Instr& i, uint32_t index) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->attribute))
        return;
    check_index(m, i, index, m.warp.draw->tables.attribute_count);
    MessageData out = staging_in(m, i.staging[0]);
    env->attribute(sender(m), {index, register_format(i), components(i)}, word(m, i.src[0]),
                   word(m, i.src[1]), out.data());
    staging_out(m, i.staging[0], out);
}

/// Address of one element of an attribute, 0 when it lies outside of what is bound.
uint64_t element_address(const exec::AttributeDescriptor& a, uint32_t vertex, uint32_t instance) {
    const uint64_t element = a.divisor ? instance / a.divisor : vertex;
    const uint64_t offset = element * a.stride;
    if (offset + exec::format_info(a.format).block_bytes > a.size)
        return 0;
    return reinterpret_cast<uintptr_t>(a.address) + offset;
}

/// LEA_ATTR: address low and high, conversion descriptor.
void attribute_address(Machine& m, const Instr& i, uint32_t index) {
    const Lanes vertex = word(m, i.src[0]);
    const Lanes instance = word(m, i.src[1]);
    MessageData out{};
    if (m.warp.draw && index < m.warp.draw->tables.attribute_count) {
        const exec::AttributeDescriptor& a = m.warp.draw->tables.attributes[index];
        for (unsigned l = 0; l < kLanes; ++l) {
            const uint64_t address = element_address(a, vertex.v[l], instance.v[l]);
            out[0].v[l] = static_cast<uint32_t>(address);
            out[1].v[l] = static_cast<uint32_t>(address >> 32);
            out[2].v[l] = static_cast<uint32_t>(a.format);
        }
    }
    staging_out(m, i.staging[0], out);
}

void load_and_write(Machine& m, const Instr& i, const VaryingRequest& request) {
    MessageData out = staging_in(m, i.staging[0]);
    if (load_varying(m, i, request, out.data()))
        staging_out(m, i.staging[0], out);
}

void load_buffer_varying(Machine& m, const Instr& i, uint32_t offset) {
    load_and_write(m, i, {buffer_varying(i, offset), word(m, i.src[0])});
}

void ld_var_buf_imm(Machine& m, const Instr& i) {
    load_buffer_varying(m, i, static_cast<uint32_t>(i.imm[0]));
}

void ld_var_buf(Machine& m, const Instr& i) {
    load_buffer_varying(m, i, uniform_word(m, i.src[1]));
}

}  // namespace

VALKYR_INTERPRET_AS(LD_ATTR_IMM, load_attribute(m, i, attribute_index(i, 1, 0)))
VALKYR_INTERPRET_AS(LD_ATTR, load_attribute(m, i, attribute_index(uniform_word(m, i.src[2]))))
VALKYR_INTERPRET_AS(LEA_ATTR_IMM, attribute_address(m, i, attribute_index(i, 0, 1)))
VALKYR_INTERPRET_AS(LEA_ATTR, attribute_address(m, i, attribute_index(uniform_word(m, i.src[2]))))
VALKYR_INTERPRET_AS(LD_VAR_BUF_IMM_F32, ld_var_buf_imm(m, i))
VALKYR_INTERPRET_AS(LD_VAR_BUF_IMM_F16, ld_var_buf_imm(m, i))
VALKYR_INTERPRET_AS(LD_VAR_BUF_F32, ld_var_buf(m, i))
VALKYR_INTERPRET_AS(LD_VAR_BUF_F16, ld_var_buf(m, i))

VALKYR_INTERPRET(LD_VAR_IMM) {
    load_and_write(m, i, {slot_varying(i, static_cast<uint32_t>(i.imm[1])), word(m, i.src[0])});
}

VALKYR_INTERPRET(LD_VAR) {
    const uint32_t slot = exec::index_of(uniform_word(m, i.src[1]));
    load_and_write(m, i, {slot_varying(i, slot), word(m, i.src[0])});
}

VALKYR_INTERPRET(LD_VAR_FLAT_IMM) {
    load_and_write(m, i, {slot_varying(i, static_cast<uint32_t>(i.imm[1])), Lanes{}});
}

VALKYR_INTERPRET(LD_VAR_FLAT) {
    const uint32_t slot = exec::index_of(uniform_word(m, i.src[0]));
    load_and_write(m, i, {slot_varying(i, slot), Lanes{}});
}

VALKYR_INTERPRET(LD_VAR_SPECIAL) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->varying_special))
        return;
    MessageData out = staging_in(m, i.staging[0]);
    env->varying_special(sender(m), static_cast<uint32_t>(i.imm[0]), sample_mode(i),
                         word(m, i.src[0]), out.data());
    staging_out(m, i.staging[0], out);
}

}  // namespace valkyr::valhall::interpret
