// Warp case: keeps one warp at the start of a program and runs it on any engine.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"
#include "jit/recompiler.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

/// Memory of the 4x4 block of a fragment warp (layout: exec::FragmentCall).
struct BlockMemory {
    std::array<std::vector<uint8_t>, exec::kMaxRenderTargets> color;  ///< empty: no target
    std::vector<uint32_t> depth;
    std::vector<uint8_t> stencil;
};

/// Memory besides shared memory that a work-group reads and writes.
struct GroupMemory {
    std::string name;  ///< "buffer 0", "patch records"
    std::span<uint8_t> bytes;
};

/// A work-group of a compute shader, or of a tessellation program.
struct WorkGroup {
    std::array<uint32_t, 3> block{1, 1, 1};  ///< invocations
    std::array<uint32_t, 3> grid{1, 1, 1};   ///< groups
    uint64_t number = 0;                     ///< in the grid: x first, then y, then z
    uint32_t shared_bytes = 0;
    std::vector<GroupMemory> buffers;  ///< BUFFER[n], or records; runs leave them as they were

    [[nodiscard]] uint32_t invocations() const { return block[0] * block[1] * block[2]; }
};

/// The number of a table in exec::ComputeCall::records.
constexpr unsigned table_number(exec::ResourceTable table) {
    return static_cast<unsigned>(table) - exec::kFirstRecordTable;
}

/// The patches of a work-group of a tessellation program. Patches, vertices and points are numbered
/// from 0 on within the records.
struct PatchGroup {
    /// By exec::ComputeCall::records; the work-group's `buffers` are these.
    std::array<std::vector<uint8_t>, exec::kRecordTables> records;
    std::array<uint32_t, exec::kRecordTables> strides{};  ///< bytes
    uint32_t vertices = 0;                                ///< of an input patch

    /// A record of a table.
    [[nodiscard]] const uint8_t* record(exec::ResourceTable table, uint32_t number) const {
        const unsigned n = table_number(table);
        return records[n].data() + size_t{strides[n]} * number;
    }
    /// A point of an evaluation program.
    [[nodiscard]] exec::DomainPoint point(uint32_t number) const;
    /// gl_PrimitiveID of a patch.
    [[nodiscard]] uint32_t id(uint32_t patch) const;
};

/// "(3,0,0)": the local ID of an invocation, by its number in a group of this size. Empty: there is
/// none.
std::string invocation_name(const std::array<uint32_t, 3>& block, uint32_t number);

/// Copies a program without its prologue, whose results are in the uniform words of draws and
/// dispatches.
std::shared_ptr<valhall::Program> copy_of(const valhall::Program& program);

/// One warp at the start of a program. It cannot be moved: `draw` points into it.
struct WarpCase {
    WarpCase() = default;
    WarpCase(const WarpCase&) = delete;
    WarpCase& operator=(const WarpCase&) = delete;

    std::shared_ptr<const valhall::Program> program;
    exec::VertexKey vertex_key;
    exec::FragmentKey fragment_key;
    /// Recompiled code may expand messages inline: the environment is the rasterizer's own.
    bool inline_messages = false;

    // The tables of the draw; draw.tables, draw.fau, draw.key and draw.info point here.
    valhall::CapturingDraw draw;
    std::vector<uint32_t> fau;
    std::vector<exec::BufferDescriptor> constant_buffers;
    std::vector<exec::AttributeDescriptor> attributes;
    std::vector<exec::BufferDescriptor> vertex_buffers;
    std::vector<exec::SamplerDescriptor> samplers;
    std::vector<exec::TextureDescriptor> textures;
    std::vector<exec::ImageDescriptor> images;

    // Fragment stage.
    exec::PrimitiveSetup primitive;
    std::vector<exec::SlotPlanes> planes;
    uint16_t mask = 0xFFFF;              ///< covered pixels of the block
    std::vector<uint16_t> sample_masks;  ///< a mask a sample if there are several; else empty
    int32_t x = 0;                       ///< window pixel of lane 0
    int32_t y = 0;
    uint32_t layer = 0;  ///< of the framebuffer
    BlockMemory memory;
    // Vertex stage: one warp of vertices. Compute stage: only `count`, or a whole work-group.
    std::optional<WorkGroup> work_group;
    std::optional<PatchGroup> patches;  ///< of a work-group of a tessellation program
    std::array<uint32_t, exec::kLanes> vertex_ids{};
    uint32_t instance_id = 0;
    // Shader texts: uniforms that the driver makes.
    uint32_t base_vertex = 0;
    uint32_t base_instance = 0;
    uint32_t draw_id = 0;
    float target_height = 0;  ///< pixels
    uint32_t count = exec::kLanes;
    uint32_t record_stride = 0;  ///< bytes; 0: as large as the program requires
    // Geometry stage: pairs of a primitive and an invocation, `count` of them.
    std::vector<uint8_t> input_records;
    std::vector<exec::VaryingSlot> input_slots;   ///< of an input record
    std::vector<exec::VaryingSlot> output_slots;  ///< tessellation control: of a vertex record
    uint32_t input_stride = 0;                    ///< bytes
    std::array<std::array<uint32_t, exec::kLanes>, exec::kMaxInputVertices> input_vertices{};
    std::array<uint32_t, exec::kLanes> primitive_ids{};
    std::array<uint32_t, exec::kLanes> invocations{};

    [[nodiscard]] exec::Stage stage() const { return program->info.stage; }
    /// Tessellation programs: whether it is a control program.
    [[nodiscard]] bool is_control() const { return program->info.patch.vertices != 0; }
    /// Tessellation programs: the number of an invocation's patch in the records.
    [[nodiscard]] uint32_t patch_of(uint32_t invocation) const;
    [[nodiscard]] jit::KernelKey key() const;
    [[nodiscard]] unsigned samples() const;
    /// Warps of the work-group; 1 without one.
    [[nodiscard]] uint32_t warps() const;
    /// Bytes of a vertex record.
    [[nodiscard]] uint32_t stride() const;
    /// Vertex records that a lane may write.
    [[nodiscard]] uint32_t lane_records() const;
};

/// One part of the memory that a run left behind.
struct ResultPart {
    std::string name;     ///< "colour 0", "depth", "records"
    uint32_t lane_bytes;  ///< bytes per lane; the sequence of lanes may repeat. 0: of all lanes
    std::vector<uint8_t> bytes;
    friend bool operator==(const ResultPart&, const ResultPart&) = default;
};

struct WarpResult {
    std::vector<ResultPart> parts;  ///< work-group: shared memory, then its buffers in order
    std::vector<uint8_t> tls;       ///< thread-local storage (exec/thread_storage.hpp)
    valhall::CapturingDraw draw;    ///< with the messages, if its capture routines ran
};

/// The word at a multiple of 4; bytes that are not inside are 0.
uint32_t word_at(std::span<const uint8_t> bytes, size_t offset);
/// "0.25,0.5": the coordinates of a point of a patch.
std::string point_name(const exec::DomainPoint& point);

/// Calls an engine with the call struct of the program's stage.
using Engine = std::function<void(void* call)>;

/// Memory of a run.
struct RunMemory {
    std::span<uint8_t> tls;  ///< of all warps, one after another
    std::span<uint8_t> shared;
};

struct RunOptions {
    /// A program to run instead of the case's own, such as a part of it.
    const valhall::Program* program = nullptr;
    uint8_t tls_fill = 0;
    /// Memory for vertex records. Runs that share it see equal addresses. Null: memory of its own.
    std::vector<uint8_t>* records = nullptr;
    /// Called with the run's draw and memory; returns the draw that the call gets instead.
    std::function<const exec::DrawContext*(const exec::DrawContext&, const RunMemory&)> wrap;
};

/// Runs the warp from its beginning on fresh copies of its memory.
WarpResult run_warp(const WarpCase& warp, const Engine& engine, const RunOptions& options = {});

/// The interpreter as an engine. The interpreter and `faults` must outlive it.
Engine interpreter_engine(const valhall::Interpreter& interpreter,
                          exec::Stage stage,
                          std::vector<valhall::RunFault>* faults);
/// A kernel as an engine.
Engine kernel_engine(exec::Kernel kernel);

}  // namespace valkyr::debug
