// Warp case: keeps one warp at the start of a program and runs it on any engine.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
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

/// A work-group of a compute shader.
struct WorkGroup {
    std::array<uint32_t, 3> block{1, 1, 1};  ///< invocations
    std::array<uint32_t, 3> grid{1, 1, 1};   ///< groups
    uint64_t number = 0;                     ///< in the grid: x first, then y, then z
    uint32_t shared_bytes = 0;
    std::vector<std::span<uint8_t>> buffers;  ///< BUFFER[n]; runs leave them as they were
};

/// "(3,0,0)": the local ID of an invocation, by its number in a group of this size. Empty: there is
/// none.
std::string invocation_name(const std::array<uint32_t, 3>& block, uint32_t number);

/// Copies a program without its prologue, whose results are in the uniform words of draws and
/// dispatches.
std::shared_ptr<const valhall::Program> copy_of(const valhall::Program& program);

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
    BlockMemory memory;
    // Vertex stage: one warp of vertices. Compute stage: only `count`, or a whole work-group.
    std::optional<WorkGroup> work_group;
    std::array<uint32_t, exec::kLanes> vertex_ids{};
    uint32_t instance_id = 0;
    uint32_t count = exec::kLanes;
    uint32_t record_stride = 0;  ///< bytes; 0: as large as the program requires
    // Geometry stage: pairs of a primitive and an invocation, `count` of them.
    std::vector<uint8_t> input_records;
    std::vector<exec::VaryingSlot> input_slots;  ///< of an input record
    uint32_t input_stride = 0;                   ///< bytes
    std::array<std::array<uint32_t, exec::kLanes>, exec::kMaxInputVertices> input_vertices{};
    std::array<uint32_t, exec::kLanes> primitive_ids{};
    std::array<uint32_t, exec::kLanes> invocations{};

    [[nodiscard]] exec::Stage stage() const { return program->info.stage; }
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
