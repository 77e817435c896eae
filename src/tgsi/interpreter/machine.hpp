// Machine: holds lanes, registers and the handlers of opcodes. Private to the room.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/opcode_table.hpp"
#include "tgsi/rules/flow.hpp"
#include "tgsi/target_shape.hpp"

#include <map>
#include <unordered_map>

namespace valkyr::tgsi {

/// Lanes that votes, ballots and READ_* see together.
inline constexpr uint32_t kSubgroupSize = 16;

/// First and last register of an array or a file.
struct RegisterRange {
    int64_t first = 0;
    int64_t last = -1;
    [[nodiscard]] bool contains(int64_t index) const { return index >= first && index <= last; }
};

/// A shader, and the facts about it that run() needs.
struct InterpreterProgram {
    Shader shader;
    InterpreterLimits limits;
    FlowMap flow;
    bool zero_wins = false;  ///< LEGACY_MATH_RULES
    uint32_t temporaries = 0;
    uint32_t addresses = 0;
    uint32_t inputs = 0;
    uint32_t outputs = 0;
    uint32_t system_values = 0;
    std::vector<bool> per_vertex_outputs;                     ///< by OUT index
    uint32_t max_emissions = 0;                               ///< GS_MAX_OUTPUT_VERTICES
    uint32_t private_bytes = 0;                               ///< MEMORY, PRIVATE of each lane
    std::map<uint32_t, RegisterRange> temporary_arrays;       ///< by array id
    std::unordered_map<uint32_t, Semantic> system_semantics;  ///< by SV index
    std::unordered_map<uint32_t, MemoryKind> memory_kinds;    ///< by MEMORY index
    std::unordered_map<uint32_t, Declaration> views;          ///< by SVIEW index
    std::unordered_map<uint32_t, Declaration> images;         ///< by IMAGE index
};

/// One lane's own state.
struct LaneState {
    uint32_t pc = 0;  ///< next instruction; kNowhere: finished
    bool at_barrier = false;
    uint32_t emitted_vertices = 0;
    std::vector<uint32_t> calls;  ///< CAL instructions that it is inside of
    std::vector<Word4> temporaries;
    std::vector<Word4> addresses;
    std::vector<uint8_t> private_memory;
};

/// Runs one group through one program.
class Machine {
public:
    Machine(const InterpreterProgram& program, Group& group);
    /// observer  may be null
    Result<void> run(StepObserver* observer);

    /// The handler of an opcode; every opcode has one.
    using Handler = void (Machine::*)(const Instruction& instr);
    /// One 32-bit result from up to five source words.
    using ScalarOp = uint32_t (*)(const uint32_t* s);
    /// One 64-bit result (or its low word) from up to three sources.
    using WideOp = uint64_t (*)(const uint64_t* s);

private:
    // machine.cpp: scheduling.
    bool choose_running();
    [[nodiscard]] bool before(const LaneState& a, const LaneState& b) const;
    [[nodiscard]] bool same_place(const LaneState& a, const LaneState& b) const;
    void release_barrier();
    [[nodiscard]] bool all_killed() const;
    Result<void> limit_error(const std::string& what) const;

    // machine_registers.cpp: operands.
    [[nodiscard]] int64_t index_of(uint32_t lane, const RegisterIndex& index) const;
    [[nodiscard]] uint32_t read(uint32_t lane, const RegisterRef& ref, unsigned component) const;
    [[nodiscard]] uint32_t read_input(uint32_t lane, const RegisterRef& ref, unsigned c) const;
    [[nodiscard]] std::vector<Word4>* output_registers(uint32_t lane, const RegisterRef& ref) const;
    [[nodiscard]] uint32_t read_output(uint32_t lane, const RegisterRef& ref, unsigned c) const;
    [[nodiscard]] uint32_t read_constant(uint32_t lane, const RegisterRef& ref, unsigned c) const;
    [[nodiscard]] uint32_t read_system_value(uint32_t lane, int64_t index, unsigned c) const;
    [[nodiscard]] RegisterRange range_of(const RegisterRef& ref) const;
    [[nodiscard]] uint32_t
    fetch(uint32_t lane, const Instruction& instr, unsigned source, unsigned component) const;
    [[nodiscard]] Word4 fetch4(uint32_t lane, const Instruction& instr, unsigned source) const;
    /// Pair 0 (xy) or 1 (zw) of a 64-bit source.
    [[nodiscard]] uint64_t
    fetch_wide(uint32_t lane, const Instruction& instr, unsigned source, unsigned pair) const;
    Word4* destination(uint32_t lane, const RegisterRef& ref);
    /// Writes those components of `mask` that the destination's write mask has, too.
    void store(uint32_t lane,
               const Instruction& instr,
               const Word4& value,
               uint8_t mask = 0xF,
               unsigned dst = 0);

    // machine_alu.cpp: arithmetic by the channel rules of the opcode table.
    void component_wise(const Instruction& instr);
    void replicated(const Instruction& instr);
    void dot_product(const Instruction& instr);
    void wide(const Instruction& instr);
    void wide_compare(const Instruction& instr);
    void narrow(const Instruction& instr);
    /// Calls put(result, pair, value) with the value of the 64-bit opcode for each of the pairs.
    template <typename F>
    void by_pair(const Instruction& instr, unsigned pairs, uint8_t mask, F put);
    void dfracexp(const Instruction& instr);
    void dst(const Instruction& instr);
    void lit(const Instruction& instr);
    void exp(const Instruction& instr);
    void log(const Instruction& instr);
    void unpack(const Instruction& instr);
    void pack(const Instruction& instr);
    [[nodiscard]] uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c) const;
    void multiply(const Instruction& instr);

    // machine_lanes.cpp: between lanes.
    void derivative(const Instruction& instr);
    void vote(const Instruction& instr);
    void ballot(const Instruction& instr);
    void read_first(const Instruction& instr);
    void read_invocation(const Instruction& instr);
    [[nodiscard]] bool is_running(uint32_t lane) const;

    // machine_flow.cpp
    void flow_if(const Instruction& instr);
    void flow_jump(const Instruction& instr);
    void flow_fall(const Instruction& instr);
    void flow_switch(const Instruction& instr);
    void flow_call(const Instruction& instr);
    void flow_return(const Instruction& instr);
    void flow_end(const Instruction& instr);
    void kill(const Instruction& instr);
    void demote(const Instruction& instr);
    void barrier(const Instruction& instr);
    void emit(const Instruction& instr);
    void nothing(const Instruction& instr);

    // machine_special.cpp
    void interpolate(const Instruction& instr);
    void framebuffer_fetch(const Instruction& instr);
    void read_helper(const Instruction& instr);
    void clock(const Instruction& instr);
    [[nodiscard]] uint32_t sample_count(uint32_t lane, const RegisterRef& ref) const;
    void sample_position(const Instruction& instr);
    void sample_info(const Instruction& instr);
    void handle(const Instruction& instr);

    // machine_texture.cpp
    struct TextureOperands;
    void texture(const Instruction& instr);
    void texture_size(const Instruction& instr);
    void texture_samples(const Instruction& instr);
    void run_quad(const Instruction& instr, const TextureOperands& operands, uint32_t quad);
    void fill_lane(const Instruction& instr,
                   const TextureOperands& operands,
                   uint32_t lane,
                   TextureLane& out) const;
    void fill_lod(const Instruction& instr,
                  const TextureOperands& operands,
                  uint32_t lane,
                  TextureLane& out) const;
    [[nodiscard]] TextureOperands texture_operands(const Instruction& instr) const;
    [[nodiscard]] uint32_t gathered_component(const Instruction& instr,
                                              const TextureOperands& operands,
                                              uint32_t lane) const;
    [[nodiscard]] uint32_t unit(uint32_t lane, const RegisterRef& ref) const;
    [[nodiscard]] Target view_target(const Instruction& instr, unsigned source) const;

    // machine_memory.cpp
    void load(const Instruction& instr);
    void store_memory(const Instruction& instr);
    void atomic(const Instruction& instr);
    void resource_size(const Instruction& instr);
    [[nodiscard]] std::span<uint8_t> memory(uint32_t lane, const RegisterRef& ref);
    [[nodiscard]] uint32_t* counter(uint32_t lane, const RegisterRef& ref);
    [[nodiscard]] uint32_t
    constant_word(uint32_t lane, const RegisterRef& ref, uint64_t word) const;
    [[nodiscard]] ImagePlace image_place(uint32_t lane,
                                         const Instruction& instr,
                                         const RegisterRef& ref,
                                         const Word4& address) const;
    [[nodiscard]] bool is_helper(uint32_t lane) const;

    friend struct HandlerTable;

    const InterpreterProgram& program_;
    Group& group_;
    std::vector<LaneState> lanes_;
    std::vector<uint32_t> running_;  ///< lanes of this step, ascending
    std::vector<uint8_t> is_running_;
    uint32_t pc_ = 0;  ///< the instruction of this step
    uint64_t steps_ = 0;
    uint64_t emission_bytes_ = 0;
    bool over_emission_limit_ = false;
};

/// Handler, and the function it applies if it is generic.
struct OpcodeHandler {
    Machine::Handler run = nullptr;
    Machine::ScalarOp scalar = nullptr;
    Machine::WideOp wide = nullptr;
};

/// The row of an opcode.
const OpcodeHandler& handler_of(Opcode opcode);

/// Functions of the component-wise and replicated opcodes: nullptr for the others.
Machine::ScalarOp scalar_op(Opcode opcode);
/// Functions of the 64-bit opcodes: nullptr for the others.
Machine::WideOp wide_op(Opcode opcode);

}  // namespace valkyr::tgsi
