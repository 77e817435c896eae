// Lowering: properties and declarations, registers as variables, used inputs, preloads.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <algorithm>

namespace valkyr::valhall::lower {
namespace {

/// Thread-local bytes that arrays may take: the signed 16-bit offset of LOAD and STORE reaches
/// them.
constexpr uint32_t kMaxArrayBytes = 0x7000;

bool has_registers(tgsi::File file) {
    switch (file) {
    case tgsi::File::Temporary:
    case tgsi::File::Input:
    case tgsi::File::Output:
    case tgsi::File::Immediate: return true;
    default: return false;
    }
}

/// Calls f(register) for each register operand of an instruction.
template <typename F>
void for_each_register(const Instruction& inst, F&& f) {
    for (unsigned i = 0; i < inst.dst_count; ++i)
        f(inst.dst[i].reg);
    for (unsigned i = 0; i < inst.src_count; ++i)
        f(inst.src[i].reg);
}

/// Whether a declaration asks for one invocation a sample (GL 4.6 section 14.3.1.1:
/// sample-qualified inputs, gl_SampleID and gl_SamplePosition).
bool asks_for_samples(const tgsi::Declaration& declaration) {
    if (declaration.file == tgsi::File::Input)
        return declaration.location == tgsi::Location::Sample;
    return declaration.file == tgsi::File::SystemValue &&
           (declaration.semantic == tgsi::Semantic::SampleId ||
            declaration.semantic == tgsi::Semantic::SamplePos);
}

}  // namespace

void Lowering::read_properties() {
    origin_lower_left_ = shader_.property("FS_COORD_ORIGIN", 0) != 0;
    pixel_center_integer_ = shader_.property("FS_COORD_PIXEL_CENTER", 0) != 0;
    legacy_math_ = shader_.property("LEGACY_MATH_RULES", 0) != 0;
    const auto has_opcode = [&](Opcode opcode) {
        return std::ranges::any_of(shader_.instructions, [opcode](const Instruction& inst) {
            return inst.opcode == opcode;
        });
    };
    reads_helper_ = has_opcode(Opcode::READ_HELPER);
    fetches_tile_ = has_opcode(Opcode::FBFETCH);
    info().per_sample =
        shader_.stage == tgsi::Stage::Fragment &&
        std::any_of(shader_.declarations.begin(), shader_.declarations.end(), asks_for_samples);
    info().color0_writes_all = shader_.property("FS_COLOR0_WRITES_ALL_CBUFS", 0) != 0;
    info().early_fragment_tests = shader_.property("FS_EARLY_DEPTH_STENCIL", 0) != 0;
    if (shader_.stage == tgsi::Stage::Geometry)
        read_geometry_properties();
    if (shader_.stage == tgsi::Stage::Compute)
        read_compute_properties();
    if (shader_.stage == tgsi::Stage::TessCtrl)
        read_control_properties();
    if (shader_.stage == tgsi::Stage::TessEval)
        read_evaluation_properties();
    info().window_space_position = shader_.property("VS_WINDOW_SPACE_POSITION", 0) != 0;
}

bool Lowering::lies_in_records(tgsi::File file) const {
    if (file == tgsi::File::Input)
        return shader_.stage == tgsi::Stage::Geometry || is_patch_stage();
    return file == tgsi::File::Output && shader_.stage == tgsi::Stage::TessCtrl;
}

/// Gives thread-local storage to every array, or whole file, that is indexed indirectly.
void Lowering::assign_memory_arrays() {
    for (const Instruction& inst : shader_.instructions) {
        for_each_register(inst, [&](const tgsi::RegisterRef& reg) {
            if (!reg.index.indirect || !has_registers(reg.file))
                return;
            if (lies_in_records(reg.file) || stays_in_registers(reg))
                return;
            current_ = &inst;
            if (reg.file == tgsi::File::Input && !reads_inputs())
                unsupported_here("reading inputs");
            add_memory_array(reg);
        });
    }
    current_ = nullptr;
    note_array_reads();
    uint32_t bytes = 0;
    for (MemoryArray& array : arrays_) {
        array.tls_offset = bytes;
        bytes += (array.count + 2) * 16;
        if (bytes > kMaxArrayBytes) {
            fail(Errc::OutOfRange, "indirectly indexed registers take more than " +
                                       std::to_string(kMaxArrayBytes) + " bytes");
            return;
        }
    }
    function_.tls_bytes = bytes;
}

/// Notes which components of temporaries in memory are read. With a log of values, all are.
void Lowering::note_array_reads() {
    for (MemoryArray& array : arrays_)
        if (array.file == tgsi::File::Temporary && function_.log == nullptr)
            array.read = 0;
    const auto note = [&](tgsi::File file, uint32_t index, unsigned components) {
        for (MemoryArray& array : arrays_)
            if (array.file == file && index - array.first < array.count)
                array.read |= static_cast<uint8_t>(components);
    };
    for (const Instruction& inst : shader_.instructions) {
        for_each_register(inst, [&](const tgsi::RegisterRef& reg) {
            for (const tgsi::RegisterIndex& index : {reg.index, reg.outer})
                if (index.indirect)
                    note(index.by.file, index.by.index, 0xF);
        });
        for (unsigned i = 0; i < inst.src_count; ++i) {
            const tgsi::RegisterRef& reg = inst.src[i].reg;
            note(reg.file,
                 reg.index.indirect ? indexed_range(reg).first
                                    : static_cast<uint32_t>(reg.index.value),
                 read_components(inst, i));
        }
        for (unsigned i = 0; i < inst.offset_count; ++i)
            note(inst.offsets[i].file, static_cast<uint32_t>(inst.offsets[i].index), 0xF);
    }
}

/// The registers that `reg` may index: its array, or without an array id all of the file.
Lowering::RegisterRange Lowering::indexed_range(const tgsi::RegisterRef& reg) const {
    RegisterRange range;
    if (reg.file == tgsi::File::Immediate && !shader_.immediates.empty())
        range = {0, static_cast<uint32_t>(shader_.immediates.size()) - 1};
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file != reg.file ||
            (reg.array_id != 0 && declaration.array_id != reg.array_id))
            continue;
        range.first = std::min(range.first, declaration.first);
        range.last = std::max(range.last, declaration.last);
    }
    return range;
}

/// Adds the registers that `reg` may index; overlapping arrays become one.
void Lowering::add_memory_array(const tgsi::RegisterRef& reg) {
    RegisterRange range = indexed_range(reg);
    if (range.first == kNoRegister) {
        fail(Errc::Semantic, "an indirectly indexed array is not declared");
        return;
    }
    for (size_t i = 0; i < arrays_.size();) {
        const MemoryArray& other = arrays_[i];
        const uint32_t other_last = other.first + other.count - 1;
        if (other.file != reg.file || other.first > range.last || range.first > other_last) {
            ++i;
            continue;
        }
        if (other.first <= range.first && range.last <= other_last)
            return;
        range = {std::min(range.first, other.first), std::max(range.last, other_last)};
        arrays_.erase(arrays_.begin() + static_cast<ptrdiff_t>(i));
        i = 0;
    }
    arrays_.push_back({reg.file, range.first, range.last - range.first + 1});
}

/// Vertices whose inputs are loaded once: those of the primitive, or of a patch those that the
/// program names by constants.
uint32_t Lowering::cached_input_vertices() const {
    if (shader_.stage == tgsi::Stage::Geometry)
        return exec::vertices_of(function_.info.geometry.input);
    int32_t last = 0;
    if (is_patch_stage())
        for (const Instruction& inst : shader_.instructions)
            for_each_register(inst, [&](const tgsi::RegisterRef& reg) {
                if (reg.file == tgsi::File::Input && reg.has_outer && !reg.outer.indirect)
                    last = std::max(last, reg.outer.value);
            });
    constexpr auto kLast = static_cast<int32_t>(exec::kMaxPatchVertices - 1);
    return static_cast<uint32_t>(std::min(last, kLast)) + 1;
}

void Lowering::assign_variables() {
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (FileVars* vars = vars_of(declaration.file))
            vars->count = std::max(vars->count, declaration.last + 1);
    }
    input_registers_ = inputs_.count;
    input_vertices_ = cached_input_vertices();
    inputs_.count *= input_vertices_;
    uint32_t next = kScratch;
    for (FileVars* vars : {&temps_, &outputs_, &addresses_, &inputs_, &system_values_}) {
        vars->base = next;
        next += vars->count * 4;
    }
    flow.set_variables(next, inputs_.base);
    written_stamp_.assign(next, 0);
}

FileVars* Lowering::vars_of(tgsi::File file) {
    switch (file) {
    case tgsi::File::Temporary: return &temps_;
    case tgsi::File::Output: return &outputs_;
    case tgsi::File::Address: return &addresses_;
    case tgsi::File::Input: return &inputs_;
    case tgsi::File::SystemValue: return &system_values_;
    default: return nullptr;
    }
}

const tgsi::Declaration* Lowering::declaration_of(tgsi::File file, uint32_t index) const {
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file == file && declaration.first <= index && index <= declaration.last)
            return &declaration;
    }
    return nullptr;
}

void Lowering::find_used_inputs() {
    input_used_.assign(inputs_.count, 0);
    for (const Instruction& inst : shader_.instructions)
        note_used_inputs(inst);
}

unsigned Lowering::read_components(const Instruction& inst, unsigned i) {
    const bool by_component =
        tgsi::opcode_info(inst.opcode).channels == tgsi::ChannelRule::Component;
    const unsigned channels = by_component ? inst.dst[0].write_mask : 0xF;
    unsigned mask = 0;
    for (unsigned c = 0; c < 4; ++c) {
        if ((channels >> c & 1) != 0)
            mask |= 1U << inst.src[i].swizzle[c];
    }
    return mask;
}

void Lowering::note_used_inputs(const Instruction& inst) {
    for (unsigned i = 0; i < inst.src_count; ++i) {
        const tgsi::RegisterRef& reg = inst.src[i].reg;
        if (reg.file != tgsi::File::Input)
            continue;
        const std::optional<uint32_t> number = input_number(reg);
        if (reg.index.indirect && !lies_in_records(tgsi::File::Input))
            std::fill(input_used_.begin(), input_used_.end(), uint8_t{0xF});
        else if (number && *number < input_used_.size())
            input_used_[*number] |= static_cast<uint8_t>(read_components(inst, i));
    }
}

/// The registers that the machine fills before a program starts (exec/entry_registers.hpp). Unused
/// ones are removed as dead code, but for r60 and r61 of fragments.
void Lowering::emit_preloads() {
    unsigned first = exec::kPrimitiveIdRegister;
    unsigned last = exec::kSampleRegister;
    if (shader_.stage == tgsi::Stage::Geometry) {
        first = exec::kInputRecordRegister;
        last = exec::kRecordNumberRegister;
    }
    if (shader_.stage == tgsi::Stage::Vertex) {
        first = exec::kRecordNumberRegister;
        last = exec::kInstanceIdRegister;
    } else if (info().stage == exec::Stage::Compute) {
        first = exec::kLocalIdRegister;
        last = exec::kWorkgroupIdRegister + 2;
    }
    for (unsigned reg = first; reg <= last; ++reg)
        preloads_[reg - exec::kHighRegister] = b.preload(static_cast<uint8_t>(reg));
    if (shader_.stage == tgsi::Stage::Fragment)
        function_.reserved |= exec::register_bits(exec::kCoverageRegister) |
                              exec::register_bits(exec::kSampleRegister);
}

}  // namespace valkyr::valhall::lower
