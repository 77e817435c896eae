// Warp case: keeps one warp at the start of a program and runs it on any engine.
// SPDX-License-Identifier: MIT
#include "app/debug/session/warp_case.hpp"

#include "base/bits.hpp"
#include "exec/work_groups.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace valkyr::debug {

namespace {

constexpr size_t kTlsAlignment = 64;

/// Shared memory is aligned to its rows.
struct alignas(16) Row {
    uint8_t bytes[16];
};

/// Copies of the memory that a run writes.
struct Memory {
    BlockMemory block;
    std::vector<uint8_t> own_records;
    std::vector<uint8_t>* records = &own_records;
    std::vector<exec::Lanes> registers;
    std::vector<exec::WarpContext> contexts;  ///< a warp of a work-group each
    std::vector<Row> shared;
    std::vector<std::vector<uint8_t>> buffers;  ///< of a work-group, before the run
    std::vector<uint8_t> tls;
    uint64_t samples_passed = 0;
};

template <typename T>
ResultPart part(std::string name, uint32_t lane_bytes, std::span<const T> data) {
    ResultPart made{std::move(name), lane_bytes, std::vector<uint8_t>(data.size_bytes())};
    if (!data.empty())
        std::memcpy(made.bytes.data(), data.data(), data.size_bytes());
    return made;
}

void run_fragment(const WarpCase& warp,
                  const exec::DrawContext* draw,
                  const Engine& engine,
                  uint64_t tls,
                  Memory& memory) {
    const exec::BlockRef block{0, warp.mask};
    exec::FragmentCall call;
    call.draw = draw;
    call.primitive = &warp.primitive;
    call.blocks = &block;
    call.block_count = 1;
    call.tile_x = warp.x;
    call.tile_y = warp.y;
    call.sample_masks = warp.sample_masks.empty() ? nullptr : warp.sample_masks.data();
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i)
        if (!memory.block.color[i].empty())
            call.color[i] = memory.block.color[i].data();
    call.depth = memory.block.depth.empty() ? nullptr : memory.block.depth.data();
    call.stencil = memory.block.stencil.empty() ? nullptr : memory.block.stencil.data();
    call.tls = tls;
    engine(&call);
    memory.samples_passed = call.samples_passed;
}

void run_vertex(const WarpCase& warp,
                const exec::DrawContext* draw,
                const Engine& engine,
                uint64_t tls,
                Memory& memory) {
    const uint32_t stride = warp.stride();
    memory.records->assign(size_t{stride} * exec::kLanes, 0);
    exec::VertexCall call;
    call.draw = draw;
    call.vertex_ids = warp.vertex_ids.data();
    call.records = memory.records->data();
    call.record_stride = stride;
    call.count = warp.count;
    call.instance_id = warp.instance_id;
    call.tls = tls;
    engine(&call);
}

void run_geometry(const WarpCase& warp,
                  const exec::DrawContext* draw,
                  const Engine& engine,
                  uint64_t tls,
                  Memory& memory) {
    const uint32_t stride = warp.stride();
    memory.records->assign(size_t{stride} * warp.lane_records() * exec::kLanes, 0);
    exec::GeometryCall call;
    call.out.draw = draw;
    call.out.records = memory.records->data();
    call.out.record_stride = stride;
    call.out.count = warp.count;
    call.out.tls = tls;
    for (size_t v = 0; v < warp.input_vertices.size(); ++v)
        call.vertices[v] = warp.input_vertices[v].data();
    call.primitive_ids = warp.primitive_ids.data();
    call.invocations = warp.invocations.data();
    // Programs without a shader text read one record of zeros for every vertex.
    static constexpr std::array<uint8_t, exec::record_stride(exec::kMaxVaryingSlots)> kZeros{};
    const bool has_inputs = !warp.input_records.empty();
    call.inputs = has_inputs ? warp.input_records.data() : kZeros.data();
    call.input_stride = has_inputs ? warp.input_stride : 0;
    engine(&call);
}

void run_compute(const WarpCase& warp,
                 const exec::DrawContext* draw,
                 const Engine& engine,
                 uint64_t tls,
                 Memory& memory) {
    memory.registers.assign(exec::kRegisters, exec::Lanes{});
    exec::ComputeCall call;
    call.draw = draw;
    call.registers = memory.registers.data();
    call.block[0] = warp.count;
    call.tls = tls;
    if (warp.work_group) {
        const WorkGroup& group = *warp.work_group;
        std::ranges::copy(group.block, call.block);
        std::ranges::copy(group.grid, call.grid);
        call.first_group = group.number;
        call.shared_bytes = group.shared_bytes;
        memory.contexts.resize(warp.warps());
        call.shared = reinterpret_cast<uint8_t*>(memory.shared.data());
        call.contexts = memory.contexts.data();
        for (unsigned table = 0; warp.patches && table < exec::kRecordTables; ++table)
            call.records[table] = {group.buffers[table].bytes.data(), warp.patches->strides[table]};
    }
    engine(&call);
}

/// Takes memory for a work-group and copies its buffers.
void start_group(const WorkGroup& group, Memory& memory) {
    memory.shared.resize((group.shared_bytes + sizeof(Row) - 1) / sizeof(Row));
    for (const GroupMemory& buffer : group.buffers)
        memory.buffers.emplace_back(buffer.bytes.begin(), buffer.bytes.end());
}

std::span<uint8_t> shared_bytes(const WarpCase& warp, Memory& memory) {
    const uint32_t bytes = warp.work_group ? warp.work_group->shared_bytes : 0;
    return {reinterpret_cast<uint8_t*>(memory.shared.data()), bytes};
}

/// Takes what the group left in its memory, and gives the buffers their old contents again.
std::vector<ResultPart> end_group(const WarpCase& warp, Memory& memory) {
    std::vector<ResultPart> parts;
    parts.push_back(part<uint8_t>("shared memory", 0, shared_bytes(warp, memory)));
    for (size_t n = 0; n < memory.buffers.size(); ++n) {
        const GroupMemory& buffer = warp.work_group->buffers[n];
        parts.push_back(part<uint8_t>(buffer.name, 0, buffer.bytes));
        std::ranges::copy(memory.buffers[n], buffer.bytes.begin());
    }
    return parts;
}

std::vector<ResultPart>
results(const WarpCase& warp, const valhall::CapturingDraw& draw, Memory& memory) {
    if (warp.work_group)
        return end_group(warp, memory);
    std::vector<ResultPart> parts;
    const bool geometry = warp.stage() == exec::Stage::Geometry;
    if (warp.stage() == exec::Stage::Vertex || geometry) {
        const uint32_t stride = warp.stride() * warp.lane_records();
        parts.push_back(part<uint8_t>(
            geometry ? "emitted records" : "vertex record", stride,
            std::span(*memory.records).first(size_t{stride} * std::min(warp.count, exec::kLanes))));
        return parts;
    }
    if (warp.stage() == exec::Stage::Compute)
        return parts;  // without a work-group there are no results to compare
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i) {
        const std::vector<uint8_t>& bytes = memory.block.color[i];
        if (!bytes.empty())
            parts.push_back(part<uint8_t>(
                "colour " + std::to_string(i),
                static_cast<uint32_t>(bytes.size() / (size_t{exec::kLanes} * warp.samples())),
                bytes));
        if ((warp.program->info.color_outputs >> i & 1) != 0 && bytes.empty())
            parts.push_back(part<valhall::RegisterLanes>("output colour " + std::to_string(i), 16,
                                                         std::span(&draw.color[i], 1)));
    }
    parts.push_back(part<uint32_t>("depth", 4, memory.block.depth));
    parts.push_back(part<uint8_t>("stencil", 1, memory.block.stencil));
    parts.push_back(part<uint32_t>("coverage", 4, draw.coverage));
    parts.push_back(part<uint32_t>("written depth", 4, draw.depth));
    parts.push_back(part<uint32_t>("written stencil", 4, draw.stencil));
    parts.push_back(part<uint64_t>("samples passed", 8, std::span(&memory.samples_passed, 1)));
    std::erase_if(parts, [](const ResultPart& p) { return p.bytes.empty(); });
    return parts;
}

}  // namespace

uint32_t word_at(std::span<const uint8_t> bytes, size_t offset) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, std::min(sizeof word, bytes.size() - offset));
    return word;
}

std::shared_ptr<valhall::Program> copy_of(const valhall::Program& program) {
    auto copy = std::make_shared<valhall::Program>();
    copy->info = program.info;
    copy->words = program.words;
    copy->fau = program.fau;
    copy->source_lines = program.source_lines;
    copy->source_name = program.source_name;
    return copy;
}

std::string invocation_name(const std::array<uint32_t, 3>& block, uint32_t number) {
    if (number >= block[0] * block[1] * block[2])
        return {};
    const uint32_t sizes[3] = {block[0], block[1], block[2]};
    const std::array<uint32_t, 3> id = exec::place_of(number, sizes);
    return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) +
           ")";
}

std::string point_name(const exec::DomainPoint& point) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g,%.6g", static_cast<double>(point.u),
                  static_cast<double>(point.v));
    return text;
}

exec::DomainPoint PatchGroup::point(uint32_t number) const {
    exec::DomainPoint made;
    std::memcpy(&made, record(exec::ResourceTable::DomainPoints, number), sizeof made);
    return made;
}

uint32_t PatchGroup::id(uint32_t patch) const {
    exec::PatchRecord made;
    std::memcpy(&made, record(exec::ResourceTable::PatchRecords, patch), sizeof made);
    return made.id;
}

uint32_t WarpCase::patch_of(uint32_t invocation) const {
    return is_control() ? invocation / program->info.patch.vertices
                        : patches->point(invocation).patch;
}

jit::KernelKey WarpCase::key() const {
    const bool vertices =
        stage() == exec::Stage::Vertex || stage() == exec::Stage::Geometry || patches;
    return {.vertex = vertices ? &vertex_key : nullptr,
            .fragment = stage() == exec::Stage::Fragment ? &fragment_key : nullptr,
            .strict_nan = true};
}

uint32_t WarpCase::warps() const {
    if (!work_group)
        return 1;
    return exec::warps_of(work_group->invocations());
}

unsigned WarpCase::samples() const {
    return std::clamp<unsigned>(fragment_key.samples, 1, exec::kMaxSamples);
}

uint32_t WarpCase::stride() const {
    return record_stride != 0 ? record_stride
                              : exec::record_stride(program->info.varying_slot_count);
}

uint32_t WarpCase::lane_records() const {
    return stage() == exec::Stage::Geometry
               ? exec::emission_records(program->info.geometry.max_vertices)
               : 1;
}

WarpResult run_warp(const WarpCase& warp, const Engine& engine, const RunOptions& options) {
    const valhall::Program& program = options.program ? *options.program : *warp.program;
    const size_t tls_bytes = size_t{program.info.tls_bytes} * exec::kLanes * warp.warps();
    Memory memory;
    memory.block = warp.memory;
    if (warp.work_group)
        start_group(*warp.work_group, memory);
    if (options.records != nullptr)
        memory.records = options.records;
    memory.tls.assign(tls_bytes + 2 * kTlsAlignment, options.tls_fill);
    const auto base = reinterpret_cast<uint64_t>(memory.tls.data());
    const uint64_t tls = align_up(base, uint64_t{kTlsAlignment});
    const std::span<uint8_t> lanes = std::span(memory.tls).subspan(tls - base, tls_bytes);

    WarpResult result;
    result.draw = warp.draw;
    result.draw.info = &program.info;
    const exec::DrawContext* draw =
        options.wrap ? options.wrap(result.draw, {lanes, shared_bytes(warp, memory)})
                     : &result.draw;
    switch (warp.stage()) {
    case exec::Stage::Vertex: run_vertex(warp, draw, engine, tls, memory); break;
    case exec::Stage::Geometry: run_geometry(warp, draw, engine, tls, memory); break;
    case exec::Stage::Fragment:
    case exec::Stage::Blend: run_fragment(warp, draw, engine, tls, memory); break;
    case exec::Stage::Compute: run_compute(warp, draw, engine, tls, memory); break;
    }
    result.parts = results(warp, result.draw, memory);
    result.tls.assign(lanes.begin(), lanes.end());
    return result;
}

Engine interpreter_engine(const valhall::Interpreter& interpreter,
                          exec::Stage stage,
                          std::vector<valhall::RunFault>* faults) {
    return [&interpreter, stage, faults](void* call) {
        switch (stage) {
        case exec::Stage::Vertex:
            return interpreter.run(*static_cast<exec::VertexCall*>(call), faults);
        case exec::Stage::Geometry:
            return interpreter.run(*static_cast<exec::GeometryCall*>(call), faults);
        case exec::Stage::Fragment:
        case exec::Stage::Blend:
            return interpreter.run(*static_cast<exec::FragmentCall*>(call), faults);
        case exec::Stage::Compute:
            return interpreter.run(*static_cast<exec::ComputeCall*>(call), faults);
        }
    };
}

Engine kernel_engine(exec::Kernel kernel) {
    return [kernel](void* call) { kernel.entry(kernel.self, call); };
}

}  // namespace valkyr::debug
