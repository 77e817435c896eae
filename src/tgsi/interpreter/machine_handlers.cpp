// Handler table: gives each opcode the function of the machine that runs it.
// SPDX-License-Identifier: MIT
#include "tgsi/interpreter/machine.hpp"

#include <initializer_list>

namespace valkyr::tgsi {

/// Built once; generic handlers follow from the functions that an opcode has.
struct HandlerTable {
    std::array<OpcodeHandler, kOpcodeCount> rows{};

    HandlerTable() {
        for (size_t i = 0; i < kOpcodeCount; ++i)
            rows[i] = generic(static_cast<Opcode>(i));
        arithmetic();
        textures();
        memory();
        flow();
        special();
    }

    static OpcodeHandler generic(Opcode opcode) {
        OpcodeHandler row;
        row.scalar = scalar_op(opcode);
        row.wide = wide_op(opcode);
        const ChannelRule rule = opcode_info(opcode).channels;
        if (row.scalar != nullptr)
            row.run =
                rule == ChannelRule::Replicate ? &Machine::replicated : &Machine::component_wise;
        else if (row.wide != nullptr)
            row.run = rule == ChannelRule::Narrow        ? &Machine::narrow
                      : rule == ChannelRule::WideCompare ? &Machine::wide_compare
                                                         : &Machine::wide;
        return row;
    }

    void set(Machine::Handler handler, std::initializer_list<Opcode> opcodes) {
        for (const Opcode opcode : opcodes)
            rows[static_cast<size_t>(opcode)].run = handler;
    }

    void arithmetic() {
        using enum Opcode;
        set(&Machine::multiply, {MUL, MAD, FMA, LRP});
        set(&Machine::dot_product, {DP2, DP3, DP4});
        set(&Machine::dst, {DST});
        set(&Machine::lit, {LIT});
        set(&Machine::exp, {EXP});
        set(&Machine::log, {LOG});
        set(&Machine::pack, {PK2H, PK2US, PK4B, PK4UB});
        set(&Machine::unpack, {UP2H, UP2US, UP4B, UP4UB});
        set(&Machine::dfracexp, {DFRACEXP});
        set(&Machine::derivative, {DDX, DDY, DDX_FINE, DDY_FINE});
        set(&Machine::vote, {VOTE_ANY, VOTE_ALL, VOTE_EQ});
        set(&Machine::ballot, {BALLOT});
        set(&Machine::read_first, {READ_FIRST});
        set(&Machine::read_invocation, {READ_INVOC});
    }

    void textures() {
        using enum Opcode;
        set(&Machine::texture,
            {TEX,         TXP,      TXB,      TXL,      TEX_LZ,      TEX2,    TXB2,     TXL2,
             TXD,         TXF,      TXF_LZ,   TG4,      LODQ,        SAMPLE,  SAMPLE_B, SAMPLE_C,
             SAMPLE_C_LZ, SAMPLE_D, SAMPLE_L, SAMPLE_I, SAMPLE_I_MS, GATHER4, LOD});
        set(&Machine::texture_size, {TXQ, SVIEWINFO});
        set(&Machine::texture_samples, {TXQS});
        set(&Machine::handle, {SAMP2HND, IMG2HND});
    }

    void memory() {
        using enum Opcode;
        set(&Machine::load, {LOAD});
        set(&Machine::store_memory, {STORE});
        set(&Machine::resource_size, {RESQ});
        set(&Machine::atomic, {ATOMUADD, ATOMXCHG, ATOMCAS, ATOMAND, ATOMOR, ATOMXOR, ATOMUMIN,
                               ATOMUMAX, ATOMIMIN, ATOMIMAX, ATOMFADD, ATOMINC_WRAP, ATOMDEC_WRAP});
        // Lanes run in lockstep and memory is written at once, so these have nothing to do.
        set(&Machine::nothing, {MEMBAR, NOP});
        set(&Machine::barrier, {BARRIER});
    }

    void flow() {
        using enum Opcode;
        set(&Machine::flow_if, {IF, UIF});
        set(&Machine::flow_jump, {ELSE, ENDLOOP, BRK, CONT, BGNSUB});
        set(&Machine::flow_fall, {ENDIF, BGNLOOP, CASE, DEFAULT, ENDSWITCH});
        set(&Machine::flow_switch, {SWITCH});
        set(&Machine::flow_call, {CAL});
        set(&Machine::flow_return, {RET, ENDSUB});
        set(&Machine::flow_end, {END});
        set(&Machine::kill, {KILL, KILL_IF});
        set(&Machine::demote, {DEMOTE});
        set(&Machine::emit, {EMIT, ENDPRIM});
    }

    void special() {
        using enum Opcode;
        set(&Machine::interpolate, {INTERP_CENTROID, INTERP_SAMPLE, INTERP_OFFSET});
        set(&Machine::framebuffer_fetch, {FBFETCH});
        set(&Machine::read_helper, {READ_HELPER});
        set(&Machine::clock, {CLOCK});
        set(&Machine::sample_position, {SAMPLE_POS});
        set(&Machine::sample_info, {SAMPLE_INFO});
    }
};

const OpcodeHandler& handler_of(Opcode opcode) {
    static const HandlerTable table;
    return table.rows[static_cast<size_t>(opcode)];
}

}  // namespace valkyr::tgsi
