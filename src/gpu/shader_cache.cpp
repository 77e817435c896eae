// Shader cache: parses, verifies, links, compiles and recompiles shaders, and keeps the results.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache.hpp"

#include "base/caught_error.hpp"
#include "exec/vertex_record.hpp"
#include "gpu/shader_cache_smooth.hpp"
#include "gpu/shader_cache_stage.hpp"
#include "gpu/shader_cache_stream.hpp"
#include "raster/data/assemble.hpp"
#include "raster/record/smooth_shape.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace valkyr::gpu {
namespace {

/// Linked shaders that are kept when no pipeline holds them any more.
constexpr size_t kMaxPairs = 512;
/// Fragment shader of pipelines that have none: no colour, depth from the rasterizer.
constexpr std::string_view kEmptyFragmentShader = "FRAG\n  0: END\n";

class ShaderImpl final : public Shader {
public:
    const DeviceTag* owner = nullptr;
    std::string text;
    std::string name;
    tgsi::Shader shader;
};
/// A shader to compile: the application's, or one with additions.
using ShaderText = std::shared_ptr<const tgsi::Shader>;

/// The shaders of a pipeline to compile, by DrawStage; null: none.
struct ShaderTexts {
    std::array<ShaderText, kDrawStages> stages;

    ShaderText& at(DrawStage stage) { return stages[static_cast<size_t>(stage)]; }
    /// The shader of the last vertex stage.
    ShaderText& last() {
        if (at(DrawStage::Geometry))
            return at(DrawStage::Geometry);
        return at(DrawStage::TessEvaluation) ? at(DrawStage::TessEvaluation)
                                             : at(DrawStage::Vertex);
    }
};

class ShaderCacheImpl final : public ShaderCache {
public:
    ShaderCacheImpl(std::shared_ptr<KernelCache> cache, const DeviceOptions& options)
        : store_(std::make_shared<KernelStore>(std::move(cache), options.kernel_tap)) {}

    Result<ShaderRef>
    shader(const DeviceTag* owner, std::string_view text, std::string name) override {
        if (text.size() > kMaxShaderBytes)
            return Error{Errc::OutOfRange, {}, "shader text of more than 4 MiB"};
        const Cancellation cancellation(owner->watch.cancelled);
        tgsi::ParseResult parsed = tgsi::parse(text, {}, cancellation);
        if (!parsed.ok())
            return std::move(parsed.errors.front());
        VALKYR_TRY_VOID(cancellation.check());
        if (std::vector<Error> errors = tgsi::verify(parsed.shader); !errors.empty())
            return std::move(errors.front());
        auto made = std::make_shared<ShaderImpl>();
        made->owner = owner;
        made->text = text;
        made->name = std::move(name);
        made->shader = std::move(parsed.shader);
        return ShaderRef(std::move(made));
    }

    Result<LinkedStages> link(const DeviceTag* owner, const PipelineDesc& desc) override {
        VALKYR_TRY(found, find_shaders(owner, desc));
        const SmoothShape smooth = smooth_shape(found.drawn);
        std::string name = name_of(found.shaders) + capture_name(desc.stream_output);
        if (smooth != SmoothShape::None)
            name += smooth == SmoothShape::Lines ? "smooth lines" : "smooth points";
        if (const LinkedStages* linked = pairs_.find(name))
            return *linked;
        PairRef pair = store_->cache().find_pair(name);
        const bool is_new = !pair;
        if (is_new) {
            ShaderTexts texts;
            Names names;
            for (size_t i = 0; i < kDrawStages; ++i) {
                if (found.shaders[i] == nullptr)
                    continue;
                // Each pointer keeps the whole handle of its shader alive.
                texts.stages[i] = {found.handles[i], &found.shaders[i]->shader};
                names[i] = found.shaders[i]->name;
            }
            VALKYR_TRY(made, compile_pair(std::move(texts), names, desc.stream_output, smooth,
                                          Cancellation(owner->watch.cancelled)));
            pair = store_->cache().enter_pair(name, std::move(made));
        }
        LinkedStages stages;
        const auto add = [&](DrawStage stage, const auto& compiled) {
            if (compiled)
                stages.programs[static_cast<size_t>(stage)] =
                    make_compiled_stage(store_, compiled, is_new, owner);
        };
        add(DrawStage::Vertex, pair->vertex);
        add(DrawStage::TessControl, pair->tess_control);
        add(DrawStage::TessEvaluation, pair->tess_evaluation);
        add(DrawStage::Geometry, pair->geometry);
        add(DrawStage::Fragment, pair->fragment);
        stages.coverage_offset = pair->coverage_offset;
        stages.stream = pair->stream;
        pairs_.insert(std::move(name), stages);
        return stages;
    }

    Result<StageRef> link(const DeviceTag* owner, const ComputePipelineDesc& desc) override {
        VALKYR_TRY(cs, own_shader(owner, desc.shader, tgsi::Stage::Compute, "compute"));
        // The names of other pipelines begin with a number.
        std::string name = "compute " + std::to_string(desc.shared_bytes) + ':' + name_of({&cs, 1});
        if (const StageRef* found = compute_.find(name))
            return *found;
        PairRef pair = store_->cache().find_pair(name);
        const bool is_new = !pair;
        if (is_new) {
            VALKYR_TRY(made,
                       compile_compute({desc.shader, &cs->shader}, cs->name, desc.shared_bytes,
                                       Cancellation(owner->watch.cancelled)));
            pair = store_->cache().enter_pair(name, std::move(made));
        }
        StageRef stage = make_compiled_stage(store_, pair->compute, is_new, owner);
        compute_.insert(std::move(name), stage);
        return stage;
    }

    void take_statistics(Statistics& statistics) override { store_->take_statistics(statistics); }

private:
    /// The shaders of a pipeline by DrawStage, null where there is none, with their handles.
    struct FoundShaders {
        std::array<const ShaderImpl*, kDrawStages> shaders{};
        std::array<ShaderRef, kDrawStages> handles{};
        PipelineDesc drawn;  ///< its primitive is what is drawn
    };

    /// errors  InvalidState: shaders of other devices or stages, or that do not fit together
    Result<FoundShaders> find_shaders(const DeviceTag* owner, const PipelineDesc& desc) {
        FoundShaders found;
        found.drawn = desc;
        const auto take = [&](DrawStage place, const ShaderRef& shader, tgsi::Stage stage,
                              const char* what) -> Result<void> {
            VALKYR_TRY(own, own_shader(owner, shader, stage, what));
            found.shaders[static_cast<size_t>(place)] = own;
            found.handles[static_cast<size_t>(place)] = shader;
            return {};
        };
        VALKYR_TRY_VOID(take(DrawStage::Vertex, desc.vertex, tgsi::Stage::Vertex, "vertex"));
        if (desc.tess_control)
            VALKYR_TRY_VOID(take(DrawStage::TessControl, desc.tess_control, tgsi::Stage::TessCtrl,
                                 "tessellation control"));
        if (desc.tess_evaluation) {
            VALKYR_TRY_VOID(take(DrawStage::TessEvaluation, desc.tess_evaluation,
                                 tgsi::Stage::TessEval, "tessellation evaluation"));
            const auto* own = found.shaders[static_cast<size_t>(DrawStage::TessEvaluation)];
            VALKYR_TRY(facts, valhall::tessellation_info(own->shader));
            found.drawn.primitive = list_of(facts);
        }
        if (desc.geometry) {
            VALKYR_TRY_VOID(
                take(DrawStage::Geometry, desc.geometry, tgsi::Stage::Geometry, "geometry"));
            const auto* own = found.shaders[static_cast<size_t>(DrawStage::Geometry)];
            VALKYR_TRY(facts, valhall::geometry_info(own->shader));
            if (!feeds(found.drawn.primitive, facts.input))
                return Error{
                    Errc::InvalidState, {}, "pipeline: the geometry shader takes other primitives"};
            found.drawn.primitive = list_of(facts.output);
        }
        if (!desc.fragment && !empty_fragment_) {
            VALKYR_TRY(made, shader(owner, kEmptyFragmentShader, "empty"));
            empty_fragment_ = std::move(made);
        }
        VALKYR_TRY_VOID(take(DrawStage::Fragment, desc.fragment ? desc.fragment : empty_fragment_,
                             tgsi::Stage::Fragment, "fragment"));
        return found;
    }

    static Result<const ShaderImpl*> own_shader(const DeviceTag* owner,
                                                const ShaderRef& shader,
                                                tgsi::Stage stage,
                                                const std::string& what) {
        const auto* own = dynamic_cast<const ShaderImpl*>(shader.get());
        if (own == nullptr || own->owner != owner)
            return Error{Errc::InvalidState, {}, "pipeline: no " + what + " shader of this device"};
        if (own->shader.stage != stage)
            return Error{
                Errc::InvalidState, {}, "pipeline: the " + what + " shader is of another stage"};
        return own;
    }

    /// Record offset of GENERIC[index]; 0 if there is none.
    static uint16_t generic_offset(const valhall::VaryingLayout& layout, uint8_t index) {
        for (size_t s = 0; s < layout.slots.size(); ++s)
            if (layout.slots[s].name == exec::VaryingName::Generic &&
                layout.slots[s].index == index)
                return static_cast<uint16_t>(exec::varying_offset(s));
        return 0;
    }

    /// The texts, each behind its length, which keeps them apart.
    static std::string name_of(std::span<const ShaderImpl* const> shaders) {
        std::string name;
        for (const ShaderImpl* shader : shaders)
            name +=
                shader == nullptr ? "0:" : std::to_string(shader->text.size()) + ':' + shader->text;
        return name;
    }

    using Names = std::array<std::string, kDrawStages>;  ///< of the shaders, by DrawStage

    Result<PairRef> compile_pair(ShaderTexts texts,
                                 const Names& names,
                                 const StreamOutputState& stream,
                                 SmoothShape smooth,
                                 Cancellation cancellation) {
        ShaderText& fragment = texts.at(DrawStage::Fragment);
        uint8_t generic = 0;
        if (smooth != SmoothShape::None) {
            VALKYR_TRY(extended, add_coverage(*texts.last(), *fragment, smooth));
            generic = extended.generic;
            texts.last() = std::make_shared<const tgsi::Shader>(std::move(extended.vertex));
            fragment = std::make_shared<const tgsi::Shader>(std::move(extended.fragment));
        }
        VALKYR_TRY(drawn, valhall::link_varyings(*texts.last(), *fragment));
        auto made = std::make_shared<CompiledPair>();
        VALKYR_TRY(sources, capture(*texts.last(), stream, drawn));
        made->stream = std::move(sources);
        if (smooth != SmoothShape::None)
            made->coverage_offset = generic_offset(drawn, generic);
        StageOptions options{&names, drawn, {}, 0, cancellation};
        VALKYR_TRY(compiled_fragment, compile(texts, DrawStage::Fragment, options));
        made->fragment = std::move(compiled_fragment);
        VALKYR_TRY_VOID(compile_vertex_stages(texts, options, *made));
        return PairRef(std::move(made));
    }

    /// Options of a stage of a pipeline: the layouts of the records at both of its ends.
    struct StageOptions {
        const Names* names;
        valhall::VaryingLayout outputs;
        valhall::VaryingLayout inputs;
        uint32_t patch_vertices;
        Cancellation cancellation;
    };

    /// Compiles the stages before the fragment stage, from the last to the first: each writes the
    /// records that the next one reads.
    Result<void>
    compile_vertex_stages(ShaderTexts& texts, StageOptions options, CompiledPair& made) {
        const ShaderText& vertex = texts.at(DrawStage::Vertex);
        const ShaderText& control = texts.at(DrawStage::TessControl);
        const ShaderText& evaluation = texts.at(DrawStage::TessEvaluation);
        if (const ShaderText& geometry = texts.at(DrawStage::Geometry)) {
            VALKYR_TRY(between,
                       valhall::link_varyings(evaluation ? *evaluation : *vertex, *geometry));
            options.inputs = std::move(between);
            VALKYR_TRY(compiled, compile(texts, DrawStage::Geometry, options));
            made.geometry = std::move(compiled);
            options.outputs = options.inputs;
        }
        if (evaluation) {
            VALKYR_TRY(between, valhall::link_varyings(control ? *control : *vertex, *evaluation));
            options.inputs = std::move(between);
            if (control)
                options.patch_vertices = control->property("TCS_VERTICES_OUT", 0);
            VALKYR_TRY(compiled, compile(texts, DrawStage::TessEvaluation, options));
            made.tess_evaluation = std::move(compiled);
            options.outputs = options.inputs;
        }
        if (control) {
            VALKYR_TRY_VOID(valhall::add_outputs_read_back(options.outputs, *control));
            VALKYR_TRY(between, valhall::link_varyings(*vertex, *control));
            options.inputs = std::move(between);
            VALKYR_TRY(compiled, compile(texts, DrawStage::TessControl, options));
            made.tess_control = std::move(compiled);
            options.outputs = options.inputs;
        }
        VALKYR_TRY(compiled, compile(texts, DrawStage::Vertex, options));
        made.vertex = std::move(compiled);
        return {};
    }

    Result<PairRef> compile_compute(ShaderText shader,
                                    const std::string& shader_name,
                                    uint32_t shared_bytes,
                                    Cancellation cancellation) {
        auto made = std::make_shared<CompiledPair>();
        VALKYR_TRY(compute, compile(shader, shader_name, {}, {}, cancellation, {shared_bytes, 0}));
        if (compute->program.info.compute.block[0] == 0)
            return Error{Errc::Unsupported,
                         {},
                         "compute pipeline: a shader without CS_FIXED_BLOCK_WIDTH, "
                         "CS_FIXED_BLOCK_HEIGHT and CS_FIXED_BLOCK_DEPTH"};
        made->compute = std::move(compute);
        return PairRef(std::move(made));
    }

    Result<ProgramRef> compile(ShaderTexts& texts, DrawStage stage, const StageOptions& options) {
        return compile(texts.at(stage), (*options.names)[static_cast<size_t>(stage)],
                       options.outputs, options.inputs, options.cancellation,
                       {0, options.patch_vertices});
    }

    /// Numbers that the text does not say: members of valhall::CompileOptions.
    struct Sizes {
        uint32_t shared_bytes = 0;
        uint32_t patch_vertices = 0;
    };

    /// The program keeps the shader, from which it compiles variants for more render targets.
    /// inputs  the records that a geometry or tessellation shader reads
    Result<ProgramRef> compile(const ShaderText& shader,
                               const std::string& shader_name,
                               const valhall::VaryingLayout& layout,
                               const valhall::VaryingLayout& inputs,
                               Cancellation cancellation,
                               Sizes sizes) {
        const auto variant = [shader, shader_name, layout, inputs,
                              sizes](uint8_t color_targets,
                                     Cancellation cancelled) -> Result<valhall::Program> {
            valhall::CompileOptions options;
            options.cancellation = cancelled;
            options.varyings = &layout;
            options.input_varyings = &inputs;
            options.color_targets = color_targets;
            options.shared_bytes = sizes.shared_bytes;
            options.patch_vertices = sizes.patch_vertices;
            VALKYR_TRY(program, valhall::compile(*shader, options));
            program.source_name = shader_name;
            if (program.prologue)
                program.prologue->source_name = shader_name;
            return program;
        };
        auto made = std::make_shared<CompiledProgram>();
        VALKYR_TRY(program, variant(1, cancellation));
        made->program = std::move(program);
        if (made->program.prologue) {
            VALKYR_TRY(prologue, store_->cache().make(*made->program.prologue, {}, cancellation));
            made->prologue = std::move(prologue);
        }
        made->broadcast = variant;
        made->number = store_->cache().next_program();
        return ProgramRef(std::move(made));
    }

    std::shared_ptr<KernelStore> store_;
    LruCache<std::string, LinkedStages> pairs_{kMaxPairs};
    LruCache<std::string, StageRef> compute_{kMaxPairs};
    ShaderRef empty_fragment_;
};

jit::HostLevel wanted_level(Host host) {
    switch (host) {
    case Host::Auto: break;
    case Host::Avx2: return jit::HostLevel::Avx2;
    case Host::Avx512: return jit::HostLevel::Avx512;
    case Host::Neon: return jit::HostLevel::Neon;
    }
    return jit::best_host_level();
}

/// The recompiler that the options ask for; null where the interpreter runs everything: by choice,
/// or on a host without a recompiler (slowly and identically).
Result<DeviceRecompiler> make_recompiler(const DeviceOptions& options) {
    if (options.engine != Engine::Jit)
        return DeviceRecompiler{};
    const jit::HostLevel level = wanted_level(options.host);
    if (level == jit::HostLevel::None)
        return DeviceRecompiler{nullptr, "this processor has no level of recompiled code"};
    auto recompiler = jit::Recompiler::create(
        level, {.perf_map = options.perf_map, .gather_method = options.gather_method});
    // An explicit level must not fall back. With Auto, missing executable memory selects the
    // interpreter.
    if (recompiler)
        return DeviceRecompiler{std::move(*recompiler), {}};
    if (options.host != Host::Auto || recompiler.error().code == Errc::OutOfMemory)
        return recompiler.error();
    return DeviceRecompiler{nullptr, recompiler.error().text};
}

}  // namespace

Result<std::shared_ptr<KernelCache>> make_kernel_cache(const DeviceOptions& options) try {
    VALKYR_TRY(recompiler, make_recompiler(options));
    return std::make_shared<KernelCache>(std::move(recompiler), options);
} catch (...) {
    return caught_error();
}

Result<std::unique_ptr<ShaderCache>> make_shader_cache(const DeviceOptions& options,
                                                       std::shared_ptr<KernelCache> shared) {
    if (!shared || !shared->serves(options)) {
        VALKYR_TRY(own, make_kernel_cache(options));
        shared = std::move(own);
    }
    return std::unique_ptr<ShaderCache>(
        std::make_unique<ShaderCacheImpl>(std::move(shared), options));
}

}  // namespace valkyr::gpu
