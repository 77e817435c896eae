// Pipelines: makes shaders and pipelines, and finds them again by text or by ids of parts.
// SPDX-License-Identifier: MIT
#include "virgl/state/pipelines.hpp"

#include "virgl/observe/stopwatch.hpp"
#include "virgl/state/shader_text.hpp"

#include <algorithm>

namespace valkyr::virgl {
namespace {

constexpr size_t kMostShaders = 4096;
constexpr size_t kMostPipelines = 4096;

}  // namespace

PipelineCache::Shader PipelineCache::shader(const std::string& text) {
    if (const auto found = shaders_.find(text); found != shaders_.end()) {
        ++figures_.shader_text_hits;
        const Shader& known = found->second;
        return {known.shader, known.id, false};
    }
    const Stopwatch watch(figures_.shader_ns, device_.options().timeline, "parse shader");
    if (shaders_.size() >= kMostShaders)
        shaders_.clear();
    ++figures_.shader_texts;
    const uint64_t id = next_shader_++;
    std::string taken = with_generic_patches(without_coord_origin(text));
    if (taken.find(".zw, TEMP[") != std::string::npos)
        taken = with_double_sources(taken);
    if (declared_images(text).mask != 0)
        taken = with_image_targets(taken);
    Shader made{device_.create_shader(taken, "shader " + std::to_string(id)), id, true};
    shaders_.emplace(text, made);
    return made;
}

size_t PipelineCache::Hash::operator()(const Key& key) const noexcept {
    uint64_t hash = key.primitive * 4 + key.switches;
    const auto mix = [&hash](uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    };
    for (const uint64_t id : key.ids)
        mix(id);
    for (size_t i = 0; i < key.strides.size(); i += 2)
        mix(uint64_t{key.strides[i]} << 32 | key.strides[i + 1]);
    return hash;
}

PipelineCache::Key PipelineCache::key_of(const PipelineParts& parts) {
    const auto id = [](const auto& part) { return part ? part->id : 0; };
    Key key;
    const Ref<ShaderObject>& last = parts.last_vertex_stage();
    const uint64_t control = parts.tess_evaluation ? id(parts.tess_control) : 0;
    const uint64_t stream = parts.captures && last ? last->stream_id : 0;
    key.ids = {id(parts.vertex),          control,
               id(parts.tess_evaluation), id(parts.geometry),
               id(parts.fragment),        id(parts.elements),
               id(parts.blend),           id(parts.depth_stencil),
               id(parts.rasterizer),      stream};
    key.primitive = static_cast<uint32_t>(parts.primitive);
    key.switches = (parts.captures ? 1U : 0U) | (parts.sample_shading ? 2U : 0U);
    if (parts.elements)
        std::copy_n(parts.strides.begin(), parts.elements->buffers, key.strides.begin());
    return key;
}

const Result<raster::PipelineRef>& PipelineCache::pipeline(const PipelineParts& parts) {
    const Key key = key_of(parts);
    if (const auto found = pipelines_.find(key); found != pipelines_.end())
        return found->second;
    const Stopwatch watch(figures_.pipeline_ns, device_.options().timeline, "compile pipeline");
    if (pipelines_.size() >= kMostPipelines)
        pipelines_.clear();
    ++figures_.pipelines;
    return pipelines_.emplace(key, make(parts)).first->second;
}

const Result<raster::ComputePipelineRef>&
PipelineCache::compute_pipeline(const ShaderObject& shader) {
    const std::pair key(shader.id, shader.shared_bytes);
    if (const auto found = compute_pipelines_.find(key); found != compute_pipelines_.end())
        return found->second;
    const Stopwatch watch(figures_.pipeline_ns, device_.options().timeline, "compile pipeline");
    if (compute_pipelines_.size() >= kMostPipelines)
        compute_pipelines_.clear();
    ++figures_.pipelines;
    return compute_pipelines_
        .emplace(key, device_.create_compute_pipeline({shader.shader, shader.shared_bytes}))
        .first->second;
}

Result<raster::ShaderRef> PipelineCache::fragment_of(const PipelineParts& parts) {
    if (!parts.sample_shading || !parts.rasterizer || !parts.rasterizer->interpolates_at_samples)
        return parts.fragment->shader;
    return shader(with_sampled_inputs(parts.fragment->text)).shader;
}

namespace {

/// Sets a member of the description to a shader; an absent one leaves it.
/// errors  InvalidState: the device has refused the shader
Result<void> take_shader(raster::ShaderRef& to, const Ref<ShaderObject>& part, const char* name) {
    if (part && !part->shader)
        return Error{Errc::InvalidState, {}, std::string("the ") + name + " shader was refused"};
    if (part)
        to = part->shader;
    return {};
}

}  // namespace

Result<raster::PipelineRef> PipelineCache::make(const PipelineParts& parts) {
    raster::PipelineDesc desc;
    if (!parts.vertex || !parts.vertex->shader)
        return Error{Errc::InvalidState, {}, "no vertex shader"};
    desc.vertex = parts.vertex->shader;
    VALKYR_TRY_VOID(
        take_shader(desc.tess_evaluation, parts.tess_evaluation, "tessellation evaluation"));
    if (parts.tess_evaluation)
        VALKYR_TRY_VOID(take_shader(desc.tess_control, parts.tess_control, "tessellation control"));
    VALKYR_TRY_VOID(take_shader(desc.geometry, parts.geometry, "geometry"));
    if (parts.fragment && !parts.fragment->shader)
        return Error{Errc::InvalidState, {}, "the fragment shader was refused"};
    if (parts.fragment) {
        VALKYR_TRY(fragment, fragment_of(parts));
        desc.fragment = std::move(fragment);
    }
    if (parts.elements) {
        desc.elements = parts.elements->elements;
        desc.strides.assign(parts.strides.begin(), parts.strides.begin() + parts.elements->buffers);
    }
    if (parts.blend)
        desc.blend = parts.blend->state;
    if (parts.depth_stencil)
        desc.depth_stencil = parts.depth_stencil->state;
    if (parts.rasterizer)
        desc.rasterizer = parts.rasterizer->state;
    desc.rasterizer.sample_shading = parts.sample_shading;
    if (parts.captures)
        desc.stream_output = parts.last_vertex_stage()->stream_output;
    desc.primitive = parts.primitive;
    auto made = device_.create_pipeline(desc);
    if (made || desc.elements.size() >= kMaxSlots)
        return made;
    // The shader may read more attributes than there are elements. Retry with the missing ones read
    // from a slot without a buffer.
    desc.strides.resize(kMaxSlots);
    desc.elements.resize(kMaxSlots, {kMaxSlots - 1, 0, 0, raster::Format::R32G32B32A32_FLOAT});
    auto padded = device_.create_pipeline(desc);
    return padded ? std::move(padded) : std::move(made);
}

}  // namespace valkyr::virgl
