// Shader case: makes a warp from a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#include "app/debug/shader/shader_case.hpp"

#include "app/debug/session/patch_records.hpp"
#include "app/debug/shader/system_values.hpp"
#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
#include "raster/messages/environment.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::debug {

namespace {

using exec::Lanes;

template <typename F>
void for_running(const exec::Warp& warp, F&& f) {
    for (unsigned l = 0; l < exec::kLanes; ++l)
        if ((warp.running >> l & 1) != 0)
            f(l);
}

void no_texture(const exec::Warp& warp,
                const exec::TextureMessage& message,
                const Lanes*,
                Lanes* out) noexcept {
    unsigned count = 0;
    for (unsigned c = 0; c < 4; ++c)
        count += message.write_mask >> c & 1;
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < count; ++c)
            out[c].v[l] = 0;
    });
}

void no_image(const exec::Warp& warp,
              const exec::ImageMessage& message,
              const Lanes&,
              const Lanes&,
              Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < std::max<unsigned>(message.components, 3); ++c)
            out[c].v[l] = 0;
    });
}

void no_store(const exec::Warp&,
              exec::RegisterFormat,
              uint8_t,
              const Lanes&,
              const Lanes&,
              uint32_t,
              const Lanes&,
              const Lanes*) noexcept {}

void no_tile(const exec::Warp& warp,
             const exec::TileMessage& message,
             const Lanes&,
             const Lanes&,
             Lanes* out) noexcept {
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = 0;
    });
}

const exec::Environment& plain_environment() {
    static const exec::Environment environment = [] {
        exec::Environment made{};
        valhall::set_capture_routines(made);
        made.texture = no_texture;
        made.image_load = no_image;
        made.image_address = no_image;
        made.convert_store = no_store;
        made.tile_load = no_tile;
        return made;
    }();
    return environment;
}

/// As plain_environment(), with the rasterizer's textures.
const exec::Environment& textured_environment() {
    static const exec::Environment environment = [] {
        exec::Environment made = plain_environment();
        made.texture = raster::raster_environment().texture;
        return made;
    }();
    return environment;
}

/// Addresses and sizes of the group's buffers, the grid, vertices of a patch, one sample, and what
/// was given as system values; all other values are 0.
uint32_t driver_word(exec::DriverValue value,
                     uint8_t unit,
                     const tgsi::Group& group,
                     const WarpCase& warp,
                     const ShaderTextures* textures) {
    using exec::DriverValue;
    const std::span<uint8_t> buffer =
        unit < group.buffers.size() ? group.buffers[unit] : std::span<uint8_t>();
    const auto address = reinterpret_cast<uint64_t>(buffer.data());
    const std::array<uint32_t, 3> grid = warp.work_group ? warp.work_group->grid : WorkGroup().grid;
    switch (value) {
    case DriverValue::BaseVertex: return warp.base_vertex;
    case DriverValue::BaseInstance: return warp.base_instance;
    case DriverValue::DrawId: return warp.draw_id;
    case DriverValue::TargetHeight: return as_bits(warp.target_height);
    case DriverValue::SampleCount:
    case DriverValue::RasterSamples: return 1;
    case DriverValue::BufferAddressLow: return static_cast<uint32_t>(address);
    case DriverValue::BufferAddressHigh: return static_cast<uint32_t>(address >> 32);
    case DriverValue::BufferSize: return static_cast<uint32_t>(buffer.size());
    case DriverValue::GridSizeX: return grid[0];
    case DriverValue::GridSizeY: return grid[1];
    case DriverValue::GridSizeZ: return grid[2];
    case DriverValue::PatchVertices: return warp.patches ? warp.patches->vertices : 0;
    default: return textures != nullptr ? textures->driver_word(value, unit) : 0;
    }
}

/// The uniform words: the group's constants, and driver_word().
std::vector<uint32_t> uniform_words(const valhall::Program& program,
                                    const tgsi::Group& group,
                                    const WarpCase& warp,
                                    const ShaderTextures* textures,
                                    std::span<const Lanes> prologue) {
    const auto constant = [&](uint32_t buffer, uint32_t word) {
        const bool inside =
            buffer < group.constants.size() && word < group.constants[buffer].size();
        return inside ? group.constants[buffer][word] : 0;
    };
    const auto driver = [&](exec::DriverValue value, uint8_t unit) {
        return driver_word(value, unit, group, warp, textures);
    };
    return valhall::uniform_words(program, {constant, driver, prologue});
}

void bind_tables(WarpCase& m, const tgsi::Group& group) {
    for (const std::span<const uint32_t> words : group.constants)
        m.constant_buffers.push_back(
            {reinterpret_cast<uint8_t*>(const_cast<uint32_t*>(words.data())), words.size() * 4});
    m.constant_buffers.resize(exec::kMaxConstantBuffers);
    m.attributes.resize(exec::kMaxAttributes);
    m.textures.resize(exec::kMaxTextureUnits);
    m.samplers.resize(exec::kMaxTextureUnits);
    m.images.resize(exec::kMaxImages);
    exec::ResourceTables& tables = m.draw.tables;
    tables.constant_buffers = m.constant_buffers.data();
    tables.constant_buffer_count = exec::kMaxConstantBuffers;
    tables.attributes = m.attributes.data();
    tables.attribute_count = exec::kMaxAttributes;
    tables.textures = m.textures.data();
    tables.texture_count = exec::kMaxTextureUnits;
    tables.samplers = m.samplers.data();
    tables.sampler_count = exec::kMaxTextureUnits;
    tables.images = m.images.data();
    tables.image_count = exec::kMaxImages;
}

/// Copies the inputs of the group's invocations, by register.
void bind_inputs(WarpCase& m, const tgsi::Group& group) {
    for (uint32_t l = 0; l < m.count; ++l) {
        const auto& values = group.invocations[l].inputs;
        m.draw.inputs.resize(std::max(m.draw.inputs.size(), values.size()));
        for (size_t i = 0; i < values.size(); ++i)
            m.draw.inputs[i][l] = values[i];
        m.vertex_ids[l] = l;
    }
    m.mask = static_cast<uint16_t>((1U << m.count) - 1);
    m.draw.vertex_ids = m.vertex_ids;
}

/// Geometry programs: fills the records of the primitive's vertices; missing values are zero.
Result<void> bind_vertices(WarpCase& m, const tgsi::Shader& shader, const tgsi::Group& group) {
    VALKYR_TRY(layout, valhall::input_varyings(shader));
    m.input_slots = std::move(layout.slots);
    m.input_stride = exec::record_stride(static_cast<uint32_t>(m.input_slots.size()));
    m.input_records.assign(size_t{m.input_stride} * exec::kMaxInputVertices, 0);
    for (uint32_t v = 0; v < exec::kMaxInputVertices; ++v) {
        m.input_vertices[v].fill(v);
        if (v >= group.vertex_inputs.size())
            continue;
        const auto& values = group.vertex_inputs[v];
        uint8_t* const record = m.input_records.data() + size_t{m.input_stride} * v;
        valhall::for_each_register(
            shader, tgsi::File::Input,
            [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t /*index*/) {
                const auto place = valhall::record_place(m.input_slots, declaration, i);
                if (place && i < values.size())
                    std::memcpy(record + place->offset, values[i].data(), place->bytes);
            });
    }
    const auto number = [&](const auto& values, uint32_t i) {
        return i < values.size() ? values[i][0] : 0;
    };
    for (uint32_t l = 0; l < m.count; ++l) {
        const tgsi::Invocation& lane = group.invocations[l];
        for (const tgsi::Declaration& d : shader.declarations) {
            if (d.file == tgsi::File::Input && d.semantic == tgsi::Semantic::PrimId)
                m.primitive_ids[l] = number(lane.inputs, d.first);
            if (d.file == tgsi::File::SystemValue && d.semantic == tgsi::Semantic::InvocationId)
                m.invocations[l] = number(lane.system_values, d.first);
        }
    }
    return {};
}

Result<void> fill_uniforms(WarpCase& m,
                           const tgsi::Group& group,
                           const ShaderTextures* textures,
                           const RunPrologue& run) {
    std::vector<Lanes> registers(exec::kRegisters);
    if (m.program->prologue) {
        const valhall::Program& prologue = *m.program->prologue;
        const std::vector<uint32_t> words = uniform_words(prologue, group, m, textures, {});
        std::vector<uint8_t> tls(size_t{exec::kLanes} * prologue.info.tls_bytes + 64);
        exec::DrawContext context = m.draw;
        context.fau = words.data();
        context.info = &prologue.info;
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.tls = align_up(reinterpret_cast<uint64_t>(tls.data()), uint64_t{64});
        VALKYR_TRY_VOID(run(prologue, call));
    }
    m.fau = uniform_words(*m.program, group, m, textures, registers);
    m.draw.fau = m.fau.data();
    return {};
}

}  // namespace

Result<std::unique_ptr<WarpCase>> make_shader_case(const tgsi::Shader& shader,
                                                   std::shared_ptr<const valhall::Program> program,
                                                   const tgsi::Group& group,
                                                   const RunPrologue& run_prologue,
                                                   const WorkGroup* work_group,
                                                   const ShaderTextures* textures) {
    const bool control = shader.stage == tgsi::Stage::TessCtrl;
    if (work_group == nullptr && !control && group.invocations.size() > exec::kLanes)
        return Error{Errc::Unsupported, {}, "more than 16 lanes"};
    auto made = std::make_unique<WarpCase>();
    WarpCase& m = *made;
    m.program = std::move(program);
    m.count = static_cast<uint32_t>(std::min<size_t>(group.invocations.size(), exec::kLanes));
    if (work_group != nullptr) {
        m.work_group = *work_group;
        for (size_t n = 0; n < group.buffers.size(); ++n)
            m.work_group->buffers.push_back({"buffer " + std::to_string(n), group.buffers[n]});
    }
    bind_tables(m, group);
    if (textures != nullptr) {
        std::ranges::copy(textures->textures(), m.textures.begin());
        std::ranges::copy(textures->samplers(), m.samplers.begin());
    }
    bind_inputs(m, group);
    if (m.stage() == exec::Stage::Vertex || m.stage() == exec::Stage::Fragment)
        VALKYR_TRY_VOID(bind_system_values(m, shader, group));
    if (m.stage() == exec::Stage::Geometry)
        VALKYR_TRY_VOID(bind_vertices(m, shader, group));
    if (control || shader.stage == tgsi::Stage::TessEval)
        VALKYR_TRY_VOID(fill_patch(m, shader, group));
    valhall::bind_program(m.draw, shader, *m.program);
    m.draw.environment = textures != nullptr ? &textured_environment() : &plain_environment();
    const void* vertex_key = &m.vertex_key;
    m.draw.key = m.stage() == exec::Stage::Fragment ? &m.fragment_key : vertex_key;
    VALKYR_TRY_VOID(fill_uniforms(m, group, textures, run_prologue));
    return made;
}

}  // namespace valkyr::debug
