// Lowering: walks a TGSI shader and builds the IR. Internal to the lower_tgsi_*.cpp files.
// SPDX-License-Identifier: MIT
//
// Each component of a TGSI register is a variable of ir::Flow. Registers that are indexed
// indirectly live in thread-local storage instead. Inputs and system values are loaded where they
// are first read and cached in variables.
#pragma once

#include "base/result.hpp"
#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "exec/specials.hpp"
#include "tgsi/opcode_table.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/builder.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/compiler/ir/flat_map.hpp"
#include "valhall/compiler/sequences/flow.hpp"
#include "valhall/compiler/sequences/wide.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace valkyr::valhall::lower {

using ir::Builder;
using ir::literal;
using ir::Operand;
using ir::OperandKind;
using ir::select;
using ir::Spec;
using ir::VarId;
using tgsi::Instruction;
using tgsi::Opcode;

/// The instruction that closes what instruction `first` opens; the number of instructions if none
/// does.
uint32_t matching_end(const tgsi::Shader& shader, uint32_t first, Opcode open, Opcode close);

/// Four components; those outside the write mask are unused.
using Vec4 = std::array<Operand, 4>;

class Lowering;

/// The records at both ends of a program. Fragment programs read the records of `outputs`.
struct Layouts {
    const VaryingLayout& outputs;
    const VaryingLayout& inputs;  ///< geometry and tessellation programs only
};

/// The byte of a vertex record where a register of the stage before or behind lies; none if the
/// layout has no slot for it.
std::optional<int32_t>
record_offset(const VaryingLayout& layout, const tgsi::Declaration& declaration, uint32_t index);
/// Loads `count` consecutive words; returns the number of the first value.
uint32_t load_words(Builder& b, Operand address, int32_t offset, unsigned count);
/// Stores up to four consecutive words.
void store_words(Builder& b, Operand address, int32_t offset, std::span<const Operand> words);
/// A pointer that the machine has, as a 64-bit source.
constexpr Operand pointer(exec::Special number) {
    return {number, OperandKind::Special, 0, ir::kDefaultSelector, 0};
}
/// base + (offset << shift); the base is a 64-bit source, the offset a word.
Wide address_sum(Builder& b, Operand base, Operand offset, int32_t shift = 0);
/// Components of source 0 that the destination needs, as a mask.
uint8_t needed_components(const Instruction& inst);

/// Calls f(first, count) for each run of consecutive components in the mask.
template <typename F>
void each_run(unsigned mask, F f) {
    while (mask != 0) {
        const auto first = static_cast<unsigned>(std::countr_zero(mask));
        const auto count = static_cast<unsigned>(std::countr_one(mask >> first));
        f(first, count);
        mask &= mask + (1U << first);
    }
}

/// Stage of the machine that runs the programs; Vertex for stages that it does not have.
exec::Stage stage_of(tgsi::Stage stage);

/// How one TGSI opcode is lowered: a function, and what varies between opcodes that share it.
struct Rule {
    Opcode opcode{};
    void (*lower)(Lowering&, const Instruction&, const Rule&) = nullptr;
    Op op{};        ///< the machine instruction, where one does the work
    uint8_t a = 0;  ///< condition, round mode, ... as the function says
    uint8_t b = 0;
};

// Rules by heading.
std::span<const Rule> float_rules();
std::span<const Rule> transcendental_rules();
std::span<const Rule> integer_rules();
std::span<const Rule> flow_rules();
std::span<const Rule> fragment_rules();
std::span<const Rule> texture_rules();
std::span<const Rule> texture_query_rules();
std::span<const Rule> pack_rules();
std::span<const Rule> int64_rules();
std::span<const Rule> double_rules();
std::span<const Rule> memory_rules();
std::span<const Rule> atomic_rules();
std::span<const Rule> lane_rules();
std::span<const Rule> sample_rules();
std::span<const Rule> geometry_rules();
std::span<const Rule> compute_rules();

constexpr uint8_t raw(auto value) {
    return static_cast<uint8_t>(value);
}

/// Registers of one file that live in thread-local storage, 16 bytes each. Two more slots follow
/// the last one: reads out of range see the first (always 0), writes go to the second.
struct MemoryArray {
    tgsi::File file{};
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t tls_offset = 0;
    uint8_t read = 0xF;  ///< components that any instruction reads
};

/// One register file as variables.
struct FileVars {
    uint32_t count = 0;  ///< registers
    VarId base = 0;      ///< variable of register 0, component x
};
inline constexpr uint32_t kNoRegister = 0xFFFFFFFF;

class Lowering {
public:
    Lowering(const tgsi::Shader& shader,
             const CompileOptions& options,
             const Layouts& layouts,
             ir::Function& function);

    /// Whether every computed index of temporaries and literals is a number, once loops are
    /// unrolled: then no array needs memory. Lowers the shader for that, at least its beginning.
    static bool knows_indexes(const tgsi::Shader& shader,
                              const CompileOptions& options,
                              const Layouts& layouts,
                              const ir::Function& function);
    /// Call before run() if knows_indexes().
    void keep_arrays_in_registers() { arrays_in_registers_ = true; }

    /// Lowers the whole shader. Errors: Unsupported, OutOfRange, Semantic.
    Result<void> run();

    Builder b;
    ir::Flow flow;

    [[nodiscard]] const tgsi::Shader& shader() const { return shader_; }
    [[nodiscard]] const CompileOptions& options() const { return options_; }
    [[nodiscard]] const VaryingLayout& layout() const { return layouts_.outputs; }
    exec::ProgramInfo& info() { return function_.info; }

    // Errors: the first one wins; lowering goes on harmlessly to the end of the instruction.
    void fail(Errc code, std::string text);
    void unsupported(const std::string& what);
    /// unsupported() for an operation that only this stage lacks; names the opcode that asks for
    /// it.
    void unsupported_here(const std::string& what);
    [[nodiscard]] bool failed() const { return error_.has_value(); }

    // Operands of instructions (lower_tgsi_operands.cpp). `channel` is counted before the swizzle.
    /// Source `i` as a float: modifiers stay on the operand as flags.
    Operand src_float(const Instruction& inst, unsigned i, unsigned channel);
    /// Source `i` with modifiers applied by the operand's type: float or two's complement.
    Operand src(const Instruction& inst, unsigned i, unsigned channel);
    /// A variable's value; 0 if it was never written.
    [[nodiscard]] Operand read_variable(VarId var) const {
        const Operand& value = flow.get(var);
        return value.kind == OperandKind::None ? literal(0) : value;
    }
    /// A component of a register.
    Operand read(const tgsi::RegisterRef& reg, unsigned component) {
        // Most operands are temporaries without arrays.
        const auto index = static_cast<uint32_t>(reg.index.value);
        const bool simple = reg.file == tgsi::File::Temporary && !reg.index.indirect &&
                            arrays_.empty() && index < temps_.count;
        return simple ? read_variable(temps_.base + index * 4 + component)
                      : read_other(reg, component);
    }
    /// Writes the components of destination `d` that its mask names; saturates if asked.
    void store(const Instruction& inst, const Vec4& values, unsigned d = 0);
    /// Writes one value to every component of the mask.
    void store_all(const Instruction& inst, Operand value);
    /// The value of `register + constant` of an indirect index.
    Operand index_value(const tgsi::RegisterIndex& index);

    // Uniforms.
    Operand uniform(const FauWord& word);
    Operand constant_word(uint32_t buffer, uint32_t word);
    Operand driver_value(exec::DriverValue value, uint8_t unit = 0);

    // Textures.
    /// Records in ProgramInfo that a texture and a sampler are read.
    void note_texture(const tgsi::RegisterRef& texture, const tgsi::RegisterRef& sampler);
    /// The units that a reference may mean: bit n is unit n. With a computed number: all declared.
    [[nodiscard]] uint32_t units_of(const tgsi::RegisterRef& reg) const;
    /// A driver value of the unit that a reference means.
    Operand unit_value(exec::DriverValue value, const tgsi::RegisterRef& reg);
    [[nodiscard]] const Instruction& current() const { return *current_; }
    /// Where accesses outside of buffers go: bytes of thread-local storage.
    [[nodiscard]] uint32_t redirect_offset() const;
    /// Where private memory lies in thread-local storage.
    [[nodiscard]] uint32_t private_offset() const;
    /// A computed texture unit, limited to the units that exist.
    Operand limited_unit(const tgsi::RegisterIndex& index);

    // Inputs (lower_tgsi_inputs.cpp, lower_tgsi_system_values.cpp).
    Operand load_input(uint32_t index, unsigned component);
    Operand load_system_value(uint32_t index, unsigned component);
    /// Loads the components of a fragment input again, at another place.
    Vec4 load_varying(uint32_t index, uint8_t mask, SampleMode mode, Operand position);
    [[nodiscard]] const tgsi::Declaration* declaration_of(tgsi::File file, uint32_t index) const;
    /// Difference between neighbours of the quad along an axis: 1 = x, 2 = y.
    Operand quad_derivative(Operand x, unsigned axis);
    /// ~0 in lanes that were started as helpers.
    Operand helper_invocation();
    Operand sample_id();
    /// gl_SampleID: 0 if rasterization does not tell samples apart.
    Operand seen_sample();
    /// gl_PrimitiveID of fragments.
    Operand primitive_id();
    /// Register r48..r63 as it was at the start; only those emit_preloads() lists.
    [[nodiscard]] Operand preload(uint8_t reg) const {
        return preloads_[reg - exec::kHighRegister];
    }
    /// Variables for sequences that need loops, 0..kScratch-1.
    static constexpr unsigned kScratch = 18;
    /// ~0 in lanes that were demoted; kept where READ_HELPER asks for it.
    static constexpr unsigned kDemotedScratch = 15;
    /// Geometry programs: vertices that the lane has emitted, at most GS_MAX_OUTPUT_VERTICES.
    static constexpr unsigned kEmittedScratch = 16;
    /// Geometry programs: bit s is set if the next vertex of stream s begins a strip.
    static constexpr unsigned kBeginsScratch = 17;
    /// Discarded lanes are helpers from now on: `condition` ~0 or 0.
    void note_discard(Operand condition);
    [[nodiscard]] VarId scratch(unsigned i) const { return scratch_ + i; }
    /// A component of an output as it is now.
    [[nodiscard]] Operand output(uint32_t index, unsigned component);

    // Geometry programs (lower_tgsi_geometry.cpp).
    void emit_vertex(const Instruction& inst);
    void end_primitive(const Instruction& inst);

    // Control flow (lower_tgsi_flow.cpp).
    void lower_range(uint32_t first, uint32_t end);
    /// Lowers the loop from BGNLOOP `first` to ENDLOOP `end` round by round, if their number is
    /// known and small; false: nothing was done.
    bool unroll(uint32_t first, uint32_t end);
    /// Variables written by instructions [first, end), subroutines included.
    std::vector<VarId> written_vars(uint32_t first, uint32_t end);
    /// Loads the inputs that [first, end) reads, so that a loop does not load them every time.
    void load_inputs_before(uint32_t first, uint32_t end);
    [[nodiscard]] uint32_t position() const { return position_; }
    [[nodiscard]] bool legacy_math() const { return legacy_math_; }
    void call(uint32_t bgnsub);
    /// A 0/~0 boolean: `x` compared with 0 unless it is one already.
    Operand bool_from_uint(Operand x);

private:
    friend class LoopRounds;

    // Numbers that are known now (lower_tgsi_numbers.cpp).
    [[nodiscard]] std::optional<uint32_t> known_number(const tgsi::Src& src,
                                                       unsigned channel) const;
    /// Stores the results of an integer instruction whose sources are all numbers; false: it is
    /// none.
    bool store_numbers(const Instruction& inst);

    // Set-up (lower_tgsi_declarations.cpp).
    void read_properties();
    void assign_memory_arrays();
    struct RegisterRange {
        uint32_t first = kNoRegister;
        uint32_t last = 0;
    };
    [[nodiscard]] RegisterRange indexed_range(const tgsi::RegisterRef& reg) const;
    void note_array_reads();
    void add_memory_array(const tgsi::RegisterRef& reg);
    [[nodiscard]] uint32_t cached_input_vertices() const;
    void assign_variables();
    void find_used_inputs();
    /// Mask of the components of source i that the instruction may read.
    [[nodiscard]] static unsigned read_components(const Instruction& inst, unsigned i);
    void note_used_inputs(const Instruction& inst);
    void emit_preloads();
    void clear_memory_arrays();
    void reserve_memory();
    void clear_private_memory();

    // Thread-local arrays and indirect constants (lower_tgsi_indirect.cpp).
    Operand read_indirect(const tgsi::RegisterRef& reg, unsigned component);
    Operand read_constant_indirect(const tgsi::RegisterRef& reg, unsigned component);
    [[nodiscard]] uint8_t constant_components(const tgsi::RegisterRef& reg,
                                              unsigned component) const;
    /// The computed part of an index, literal 0 if there is none.
    Operand index_register(const tgsi::RegisterIndex& index);
    void write_memory(const tgsi::Dst& dst, const Vec4& values);
    /// The array that holds a register, or null.
    [[nodiscard]] const MemoryArray* array_of(tgsi::File file, uint32_t index) const;
    /// A 64-bit source and a byte offset, for LOAD and STORE.
    struct TlsAddress {
        Operand base;
        int32_t offset = 0;
    };
    TlsAddress tls_address(const tgsi::RegisterRef& reg, bool writes);
    /// Whether registers with this computed index are variables (keep_arrays_in_registers()).
    [[nodiscard]] bool stays_in_registers(const tgsi::RegisterRef& reg) const;
    /// The register that a computed index names; none if it is outside of the array. Fails if the
    /// index is no number.
    std::optional<tgsi::RegisterRef> named_register(const tgsi::RegisterRef& reg);

    Operand read_other(const tgsi::RegisterRef& reg, unsigned component);
    /// Attributes what the builder makes from now on to this instruction.
    void set_place(const Instruction& inst);
    void describe_registers();
    void lower_one(const Instruction& inst);
    void write_register(const tgsi::Dst& dst, const Vec4& values);
    void collect_written(uint32_t first, uint32_t end);
    /// Adds the components of a register.
    void add_written(VarId base, unsigned mask);
    /// Whether callers can give inputs to programs of this stage.
    [[nodiscard]] bool reads_inputs() const {
        return shader_.stage == tgsi::Stage::Vertex || shader_.stage == tgsi::Stage::Fragment;
    }
    void load_input_now(uint32_t index);
    bool load_special_input(const tgsi::Declaration& declaration, uint8_t used, Vec4& values);
    Operand subgroup_value(tgsi::Semantic semantic, unsigned component);
    Operand compute_value(tgsi::Semantic semantic, unsigned component);
    Operand make_system_value(const tgsi::Declaration& declaration, unsigned component);
    /// POSITION as a fragment reads it: x, y with origin and pixel centre as declared, z, 1/w.
    Operand window_coordinate(unsigned component);
    void load_attribute(uint32_t index);
    void load_fragment_input(uint32_t index);
    FileVars* vars_of(tgsi::File file);

    void note_clip_distances();
    void finish();
    /// The address of a vertex record, as a pair.
    Operand record_address(exec::ResourceTable table, Operand number);
    /// Writes the outputs as they are now to the vertex record at an address.
    void store_record(Operand address);
    void store_word(Operand address, Operand word, int32_t offset);
    void read_geometry_properties();
    void read_compute_properties();
    void begin_geometry();
    void finish_geometry();
    void load_vertex_input(uint32_t index);
    Operand read_vertex_input(const tgsi::RegisterRef& reg, unsigned component);
    Operand computed_vertex_input(const tgsi::RegisterRef& reg, unsigned component);
    /// Whether registers of the file lie in records, so that indexing needs no array.
    [[nodiscard]] bool lies_in_records(tgsi::File file) const;
    /// Number of the record that the lane's emission `number` goes to.
    Operand emission_element(Operand number);
    std::optional<unsigned> stream_of(const Instruction& inst);
    /// The variable's register of an input: IN[v][k] of geometry programs is v * registers + k;
    /// none if it is computed.
    [[nodiscard]] std::optional<uint32_t> input_number(const tgsi::RegisterRef& reg) const;
    // Tessellation programs, and registers in records (lower_tgsi_patch.cpp).
    [[nodiscard]] bool is_patch_stage() const;
    /// Registers of a file whose places follow each other.
    struct PlaceRun {
        const tgsi::Declaration* declaration = nullptr;  ///< of the constant part; null: none
        bool exists = false;                             ///< false: no record has a place for it
        uint32_t first = 0;
        uint32_t last = 0;
        int32_t offset = 0;  ///< byte of the record where `first` lies
    };
    [[nodiscard]] PlaceRun place_run(const tgsi::RegisterRef& reg) const;
    void read_control_properties();
    void read_evaluation_properties();
    void note_patch_slots();
    void begin_patch();
    Operand indexed_address(const tgsi::RegisterRef& reg,
                            const PlaceRun& run,
                            Operand address,
                            Operand& inside);
    Operand vertex_address(const tgsi::RegisterRef& reg, Operand& inside);
    Vec4 load_patch_register(const tgsi::RegisterRef& reg, unsigned wanted);
    void load_patch_input(uint32_t index);
    Operand read_patch_register(const tgsi::RegisterRef& reg, unsigned component);
    void store_patch_register(const tgsi::Dst& dst, const Vec4& values);
    Operand patch_value(tgsi::Semantic semantic, unsigned component);
    void finish_evaluation();

    void finish_vertex();
    void finish_fragment();
    Operand emit_tests(Operand alpha, Operand depth, Operand stencil, Operand sample_mask);
    void emit_second_source(const Vec4& color);
    void emit_blend(unsigned target, const Vec4& color, Operand coverage, bool last);

    const tgsi::Shader& shader_;
    const CompileOptions& options_;
    Layouts layouts_;
    ir::Function& function_;
    std::optional<Error> error_;
    const Instruction* current_ = nullptr;
    uint32_t position_ = 0;  ///< index of the instruction being lowered
    uint32_t call_depth_ = 0;
    uint32_t call_count_ = 0;

    FileVars temps_, outputs_, addresses_, inputs_, system_values_;
    VarId scratch_ = 0;
    std::vector<MemoryArray> arrays_;
    bool arrays_in_registers_ = false;
    /// The constant that was read last with a computed index, and its components so far.
    struct ConstantPlace {
        ir::BlockId block = ir::kNone;
        Operand index;
        int32_t index_offset = 0;
        Operand buffer;
        int32_t buffer_offset = 0;
        friend bool operator==(const ConstantPlace&, const ConstantPlace&) = default;
    };
    ConstantPlace last_place_;
    Vec4 last_constant_{};
    uint32_t input_registers_ = 0;  ///< of one vertex
    uint32_t input_vertices_ = 1;   ///< whose inputs are cached in variables
    /// The lane of a tessellation program.
    struct PatchLane {
        Operand invocation;  ///< evaluation programs: number of the point
        Operand number;      ///< of the patch
        Operand address;     ///< of the patch record
        Operand vertices;    ///< of the input patch
        Operand first_input;
        std::array<Operand, 3> coordinate{};
    };
    PatchLane patch_;
    /// The register that the instruction at hand read with load_patch_register().
    std::optional<tgsi::RegisterRef> last_patch_register_;
    Vec4 last_patch_values_{};
    std::array<Operand, exec::kMaxInputVertices> input_addresses_{};
    std::vector<uint8_t> input_used_;  ///< component mask by input register
    std::array<Operand, 16> preloads_{};
    FlatMap uniform_ids_;
    std::vector<uint32_t> written_stamp_;
    std::vector<uint32_t> call_stamp_;
    std::vector<VarId> written_;
    uint32_t written_now_ = 0;

    // Properties.
    bool origin_lower_left_ = false;
    bool pixel_center_integer_ = false;
    bool legacy_math_ = false;
    bool reads_helper_ = false;
    bool fetches_tile_ = false;
};

/// Calls f(channel) for each component of the write mask and stores the results.
template <typename F>
void by_component(Lowering& l, const Instruction& inst, F&& f) {
    Vec4 values{};
    for (unsigned c = 0; c < 4; ++c) {
        if ((inst.dst[0].write_mask >> c & 1) != 0)
            values[c] = f(c);
    }
    l.store(inst, values);
}

}  // namespace valkyr::valhall::lower
