// TGSI reference interpreter: executes a Shader directly, in plain scalar C++.
// SPDX-License-Identifier: MIT
//
// It is the oracle for the compiler and shares no arithmetic with the Valhall side.
// docs/rules/tgsi.md says which results are defined to the bit and which within an error bound.
// Results that tgsi.rst leaves undefined are 0 here.
//
// Invocations run in lockstep. In each step the lanes whose next instruction is the earliest in
// program order (calls counted as inlined) run it together; the others wait. Lanes 4q..4q+3 are a
// quad: bit 0 of the lane number is x, bit 1 is y. Votes, ballots and READ_* work on the running
// lanes among 16w..16w+15.
#pragma once

#include "base/result.hpp"
#include "tgsi/interpreter/texture_units.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace valkyr::tgsi {

/// A vertex that a geometry shader has emitted, or the end of a primitive.
struct Emission {
    bool ends_primitive = false;  ///< ENDPRIM: no outputs
    uint32_t stream = 0;
    std::vector<Word4> outputs;  ///< OUT[i] as they were
};

/// One lane. Registers that the vectors do not have read as 0.
struct Invocation {
    std::vector<Word4> inputs;  ///< IN[i] (one-dimensional)
    std::vector<Word4>
        system_values;               ///< SV[i]; subgroup values and HELPER_INVOCATION are made here
    std::vector<Word4> framebuffer;  ///< FBFETCH of OUT[i]
    bool helper = false;  ///< runs for its neighbours' derivatives; its stores do nothing

    // Results, cleared by run().
    std::vector<Word4> outputs;       ///< OUT[i] (one-dimensional); unwritten components are 0
    std::vector<Emission> emissions;  ///< geometry
    bool killed = false;              ///< KILL, KILL_IF or DEMOTE was executed
};

/// Interpolation away from the declared place: INTERP_*.
class Interpolator {
public:
    virtual ~Interpolator() = default;
    virtual Word4 at_centroid(uint32_t lane, uint32_t input) = 0;
    virtual Word4 at_sample(uint32_t lane, uint32_t input, uint32_t sample) = 0;
    /// x, y: pixels from the pixel centre, float bits.
    virtual Word4 at_offset(uint32_t lane, uint32_t input, uint32_t x, uint32_t y) = 0;

protected:
    Interpolator() = default;
    Interpolator(const Interpolator&) = default;
    Interpolator& operator=(const Interpolator&) = default;
};

/// Lanes that run together, and all that they can reach. A quad of a fragment shader, up to 16
/// vertices, the invocations of a patch or primitive, a workgroup.
struct Group {
    std::vector<Invocation> invocations;

    // Resources by number; missing ones read as 0, stores to them do nothing. Little-endian.
    std::vector<std::span<const uint32_t>> constants;  ///< CONST[b]: words, 4 a register
    std::vector<std::span<uint8_t>> buffers;           ///< BUFFER[b]
    std::vector<std::span<uint32_t>> counters;         ///< HWATOMIC[b]
    std::span<uint8_t> shared;                         ///< MEMORY, SHARED
    std::span<uint8_t> kernel_input;                   ///< MEMORY, INPUT
    std::span<uint8_t> global;                         ///< MEMORY, GLOBAL: from address 0 on
    TextureUnits* textures = nullptr;                  ///< null: textures read as 0
    ImageUnits* images = nullptr;                      ///< null: images read as 0
    Interpolator* interpolator = nullptr;              ///< null: INTERP_* give the plain input
    uint32_t samples = 1;  ///< of the render target: SAMPLE_POS, SAMPLE_INFO

    // Per-vertex registers, shared by the invocations: [vertex][register].
    std::vector<std::vector<Word4>> vertex_inputs;   ///< IN[v][i]: geometry, tessellation
    std::vector<std::vector<Word4>> vertex_outputs;  ///< OUT[v][i]: tessellation control, a result
    std::vector<Word4> patch_outputs;  ///< one-dimensional OUT[i] of tessellation control, a result
};

/// Observes a run before each instruction: for debuggers and their tests.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    /// A component of a register as it is now in one lane.
    using Read = std::function<uint32_t(uint32_t lane, const RegisterRef& reg, unsigned component)>;
    /// `lanes` are about to execute `instr`.
    virtual void
    before(const Instruction& instr, std::span<const uint32_t> lanes, const Read& read) = 0;
};

struct InterpreterLimits {
    uint64_t steps = uint64_t{1} << 26;            ///< instructions of one run(), each lane counted
    uint64_t register_bytes = uint64_t{64} << 20;  ///< registers of a group; emitted vertices
    uint32_t invocations = 2048;
};

struct InterpreterProgram;

/// A shader made ready to run. Holds a copy of the shader; run() may be called from several threads
/// with different groups.
class Interpreter {
public:
    /// errors  Semantic: unbalanced control flow, a call without target or in a circle
    static Result<Interpreter> create(const Shader& shader, const InterpreterLimits& limits = {});

    Interpreter(Interpreter&&) noexcept;
    Interpreter& operator=(Interpreter&&) noexcept;
    ~Interpreter();

    /// Runs every invocation of the group to its end.
    /// errors  OutOfRange: a limit is reached (names the line that ran last)
    [[nodiscard]] Result<void> run(Group& group, StepObserver* observer = nullptr) const;

    [[nodiscard]] const Shader& shader() const;
    /// How many IN, OUT and SV registers are declared (last index + 1).
    [[nodiscard]] uint32_t input_count() const;
    [[nodiscard]] uint32_t output_count() const;
    [[nodiscard]] uint32_t system_value_count() const;

private:
    explicit Interpreter(std::unique_ptr<const InterpreterProgram> program);
    std::unique_ptr<const InterpreterProgram> program_;
};

/// Index of the register with a semantic, or -1 if there is none.
int find_register(const Shader& shader, File file, Semantic semantic, uint32_t semantic_index);

}  // namespace valkyr::tgsi
