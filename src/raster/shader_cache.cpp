// Text + state -> kernel: parse, verify, link, compile, recompile, and remember.
// SPDX-License-Identifier: MIT
#include "raster/shader_cache.hpp"

#include "jit/recompiler.hpp"
#include "raster/lru_cache.hpp"
#include "tgsi/parser.hpp"
#include "tgsi/verifier.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/compiler/varyings.hpp"
#include "valhall/isa/interpreter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace valkyr::raster {
namespace {

/// Kernels and linked pairs that are kept when no pipeline holds them any more.
constexpr size_t kMaxKernels = 4096;
constexpr size_t kMaxPairs = 512;
/// What a pipeline without a fragment shader runs: no colour, depth from the rasterizer.
constexpr std::string_view kEmptyFragmentShader = "FRAG\n  0: END\n";

static_assert(std::has_unique_object_representations_v<exec::VertexKey> &&
                  std::has_unique_object_representations_v<exec::FragmentKey>,
              "state keys are compared and hashed bytewise");

class ShaderImpl final : public Shader {
public:
    const DeviceTag* owner = nullptr;
    std::string text;
    std::string name;
    tgsi::Shader shader;
};

/// A kernel of either engine.
class CachedKernel final : public KernelHandle {
public:
    explicit CachedKernel(std::unique_ptr<jit::CompiledKernel> compiled)
        : compiled_(std::move(compiled)) {}
    explicit CachedKernel(valhall::Interpreter interpreter)
        : interpreter_(std::move(interpreter)) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        return compiled_ ? compiled_->entry() : interpreter_->kernel();
    }

private:
    std::unique_ptr<jit::CompiledKernel> compiled_;
    std::optional<valhall::Interpreter> interpreter_;
};

/// Makes kernels with the device's engine.
class KernelMaker {
public:
    /// recompiler  null: the interpreter runs everything
    KernelMaker(std::unique_ptr<jit::Recompiler> recompiler, bool strict_nan)
        : recompiler_(std::move(recompiler))
        , strict_nan_(strict_nan) {}

    /// The interpreter gives the same bits where code cannot be made: an instruction that only it
    /// knows, or no executable memory.
    Result<KernelRef> make(const valhall::Program& program, jit::KernelKey key) {
        key.strict_nan = strict_nan_;
        if (recompiler_) {
            jit::RecompileOptions options;
            options.name = program.source_name;
            auto compiled = recompiler_->recompile(program, key, options);
            if (compiled)
                return KernelRef(std::make_shared<CachedKernel>(std::move(*compiled)));
            const Errc code = compiled.error().code;
            if (code != Errc::Unsupported && code != Errc::System)
                return compiled.error();
        }
        VALKYR_TRY(interpreter, valhall::Interpreter::create(program));
        return KernelRef(std::make_shared<CachedKernel>(std::move(interpreter)));
    }

private:
    std::unique_ptr<jit::Recompiler> recompiler_;
    bool strict_nan_ = false;
};

/// Kernels of all programs, least recently used first to go.
struct KernelStore {
    KernelStore(std::unique_ptr<jit::Recompiler> recompiler, bool strict_nan)
        : maker(std::move(recompiler), strict_nan) {}

    KernelMaker maker;
    LruCache<std::string, KernelRef> kernels{kMaxKernels};
    uint64_t next_program = 0;
    uint64_t made = 0;
    uint64_t hits = 0;
};

/// The driver's values for the uniform area (exec::DriverValue).
class DriverValues {
public:
    explicit DriverValues(const FauInputs& inputs)
        : inputs_(inputs)
        , tables_(inputs.context->tables) {}

    [[nodiscard]] uint32_t value(exec::DriverValue value, uint8_t unit) const {
        using exec::DriverValue;
        switch (value) {
        case DriverValue::BaseVertex: return inputs_.base_vertex;
        case DriverValue::BaseInstance: return inputs_.base_instance;
        case DriverValue::DrawId: return inputs_.draw_id;
        case DriverValue::TextureWidth:
        case DriverValue::TextureHeight:
        case DriverValue::TextureDepth:
        case DriverValue::TextureLevels:
        case DriverValue::TextureSamples: return texture(value, unit);
        case DriverValue::BufferAddressLow:
        case DriverValue::BufferAddressHigh:
        case DriverValue::BufferSize:
        case DriverValue::CounterAddressLow:
        case DriverValue::CounterAddressHigh:
        case DriverValue::CounterSize: return 0;  // No shader buffers are bound by this API.
        case DriverValue::ImageWidth: return image(unit).width;
        case DriverValue::ImageHeight: return image(unit).height;
        case DriverValue::ImageDepth: return image(unit).depth;
        case DriverValue::ImageSamples: return image(unit).samples;
        case DriverValue::TargetHeight: return bits(static_cast<float>(inputs_.target_height));
        case DriverValue::SampleCount: return inputs_.sample_count;
        case DriverValue::GridSizeX:
        case DriverValue::GridSizeY:
        case DriverValue::GridSizeZ: return 0;  // Nor is there a compute grid.
        case DriverValue::ViewportScaleX: return bits(inputs_.viewport_scale[0]);
        case DriverValue::ViewportScaleY: return bits(inputs_.viewport_scale[1]);
        }
        return 0;
    }

private:
    static uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

    [[nodiscard]] uint32_t texture(exec::DriverValue value, uint8_t unit) const {
        if (unit >= tables_.texture_count || tables_.textures[unit].level_count == 0)
            return 0;
        const exec::TextureDescriptor& t = tables_.textures[unit];
        const exec::TextureLevel& level = t.levels[t.first_level];
        switch (value) {
        case exec::DriverValue::TextureWidth: return level.width;
        case exec::DriverValue::TextureHeight: return level.height;
        case exec::DriverValue::TextureDepth:
            return t.kind == TextureKind::Tex3D ? level.depth : t.layer_count;
        case exec::DriverValue::TextureLevels: return t.level_count;
        default: return t.samples;
        }
    }

    [[nodiscard]] exec::ImageDescriptor image(uint8_t unit) const {
        return unit < tables_.image_count ? tables_.images[unit] : exec::ImageDescriptor{};
    }

    const FauInputs& inputs_;
    const exec::ResourceTables& tables_;
};

uint32_t constant_word(const FauInputs& inputs, const valhall::FauWord& word) {
    if (word.buffer >= inputs.constants.size())
        return 0;
    const std::vector<uint32_t>& words = inputs.constants[word.buffer];
    return word.value < words.size() ? words[word.value] : 0;
}

/// Fills a uniform area; `prologue` holds the registers that the prologue left.
void fill_words(const valhall::Program& program,
                const FauInputs& inputs,
                const exec::Lanes* prologue,
                uint32_t* fau) {
    const DriverValues driver(inputs);
    for (size_t i = 0; i < program.fau.size(); ++i) {
        const valhall::FauWord& word = program.fau[i];
        switch (word.kind) {
        case valhall::FauKind::Unused: fau[i] = 0; break;
        case valhall::FauKind::Immediate: fau[i] = word.value; break;
        case valhall::FauKind::Constant: fau[i] = constant_word(inputs, word); break;
        case valhall::FauKind::Driver:
            fau[i] = driver.value(static_cast<exec::DriverValue>(word.value), word.buffer);
            break;
        case valhall::FauKind::Prologue:
            fau[i] = prologue != nullptr && word.value < exec::kRegisters
                         ? prologue[word.value].v[0]
                         : 0;
            break;
        }
    }
}

/// A compiled program and its kernels.
class CompiledStage final : public StageProgram {
public:
    /// Compiles the same shader with colour 0 going to so many render targets.
    using Broadcast = std::function<Result<valhall::Program>(uint8_t color_targets)>;

    static Result<StageRef> create(const std::shared_ptr<KernelStore>& store,
                                   valhall::Program program,
                                   Broadcast broadcast) {
        auto stage = std::make_shared<CompiledStage>(store, std::move(program));
        stage->broadcast_ = std::move(broadcast);
        if (stage->program_.prologue) {
            VALKYR_TRY(kernel, store->maker.make(*stage->program_.prologue, {}));
            stage->prologue_ = std::move(kernel);
        }
        return StageRef(std::move(stage));
    }

    CompiledStage(std::shared_ptr<KernelStore> store, valhall::Program program)
        : store_(std::move(store))
        , program_(std::move(program))
        , number_(store_->next_program++) {}

    [[nodiscard]] const exec::ProgramInfo& info() const noexcept override { return program_.info; }
    [[nodiscard]] uint32_t tls_bytes() const noexcept override {
        return std::max(program_.info.tls_bytes,
                        program_.prologue ? program_.prologue->info.tls_bytes : 0);
    }
    [[nodiscard]] uint32_t fau_words() const noexcept override {
        return static_cast<uint32_t>(program_.fau.size());
    }

    void fill_fau(const FauInputs& inputs, uint32_t* fau) const noexcept override {
        if (!prologue_) {
            fill_words(program_, inputs, nullptr, fau);
            return;
        }
        const valhall::Program& prologue = *program_.prologue;
        std::array<uint32_t, kMaxFauWords> words{};
        fill_words(prologue, inputs, nullptr, words.data());
        exec::DrawContext context = *inputs.context;
        context.fau = words.data();
        context.info = &prologue.info;
        std::array<exec::Lanes, exec::kRegisters> registers{};
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.tls = inputs.tls;
        prologue_->entry()(call);
        fill_words(program_, inputs, registers.data(), fau);
    }

    [[nodiscard]] Result<KernelRef> kernel(const exec::VertexKey& key) const override {
        return find(vertex_recent_, key, {.vertex = &key, .fragment = nullptr});
    }
    [[nodiscard]] Result<KernelRef> kernel(const exec::FragmentKey& key) const override {
        return find(fragment_recent_, key, {.vertex = nullptr, .fragment = &key});
    }

private:
    static constexpr size_t kMaxFauWords = 256;

    /// The keys asked for last: one of each constant_w variant, and a few more.
    template <typename Key>
    struct Recent {
        struct Entry {
            Key key;
            KernelRef kernel;
        };
        std::array<Entry, 4> entries;
        size_t next = 0;
    };

    template <typename Key>
    Result<KernelRef>
    find(Recent<Key>& recent, const Key& key, const jit::KernelKey& request) const {
        for (const auto& entry : recent.entries)
            if (entry.kernel && std::memcmp(&entry.key, &key, sizeof(Key)) == 0) {
                ++store_->hits;
                return entry.kernel;
            }
        std::string name(sizeof(number_) + sizeof(Key), '\0');
        std::memcpy(name.data(), &number_, sizeof(number_));
        std::memcpy(name.data() + sizeof(number_), &key, sizeof(Key));
        KernelRef kernel;
        if (const KernelRef* found = store_->kernels.find(name)) {
            ++store_->hits;
            kernel = *found;
        } else {
            VALKYR_TRY(made, make_kernel(request));
            ++store_->made;
            kernel = std::move(made);
            store_->kernels.insert(std::move(name), kernel);
        }
        recent.entries[recent.next] = {key, kernel};
        recent.next = (recent.next + 1) % recent.entries.size();
        return kernel;
    }

    Result<KernelRef> make_kernel(const jit::KernelKey& request) const {
        const uint8_t targets =
            program_.info.color0_writes_all ? bound_targets(request.fragment) : uint8_t{0};
        if (targets < 2)
            return store_->maker.make(program_, request);
        VALKYR_TRY(program, broadcast_(targets));
        // More BLENDs of the same registers: all that a draw prepares stays as it is.
        if (program.fau != program_.fau || program.info.tls_bytes != program_.info.tls_bytes)
            return Error{Errc::Unsupported,
                         {},
                         "FS_COLOR0_WRITES_ALL_CBUFS changes the uniforms of " +
                             program.source_name};
        return store_->maker.make(program, request);
    }

    /// One more than the highest render target that is bound.
    static uint8_t bound_targets(const exec::FragmentKey* key) {
        uint8_t count = 0;
        for (unsigned i = 0; key != nullptr && i < exec::kMaxRenderTargets; ++i)
            if (key->blend[i].format != Format::None)
                count = static_cast<uint8_t>(i + 1);
        return count;
    }

    std::shared_ptr<KernelStore> store_;  ///< outlives the kernels
    valhall::Program program_;            ///< writes colour 0 to one target
    Broadcast broadcast_;
    uint64_t number_;  ///< names the program in kernel keys
    KernelRef prologue_;
    mutable Recent<exec::VertexKey> vertex_recent_;
    mutable Recent<exec::FragmentKey> fragment_recent_;
};

/// What tells captures apart in names of linked pairs.
std::string capture_name(const StreamOutputState& stream) {
    std::string name;
    for (const StreamOutputElement& e : stream.elements)
        for (const unsigned number :
             {unsigned{e.output}, unsigned{e.first_component}, unsigned{e.components},
              unsigned{e.buffer}, unsigned{e.offset_words}})
            name += std::to_string(number) + ',';
    for (const uint32_t words : stream.stride_words)
        name += std::to_string(words) + ';';
    return stream.elements.empty() ? std::string() : name;
}

/// Record offset of the varying slot of an output, which is added if there is none yet.
Result<uint32_t> captured_slot(const tgsi::Declaration& declaration,
                               uint32_t output,
                               valhall::VaryingLayout& layout) {
    const auto name = valhall::lower::varying_name(declaration.semantic);
    const uint32_t index = declaration.semantic_index + (output - declaration.first);
    if (!name || index > 0xFF)
        return Error{Errc::Unsupported, declaration.pos, "stream output of this output"};
    for (size_t s = 0; s < layout.slots.size(); ++s)
        if (layout.slots[s].name == *name && layout.slots[s].index == index)
            return static_cast<uint32_t>(exec::kRecordVaryings + 16 * s);
    if (layout.slots.size() == exec::kMaxVaryingSlots)
        return Error{Errc::OutOfRange, declaration.pos, "too many varyings and captured outputs"};
    // Nothing reads it in the fragment stage.
    layout.slots.push_back(
        {*name, static_cast<uint8_t>(index), exec::Interpolation::Flat, 0, true});
    return static_cast<uint32_t>(exec::kRecordVaryings + 16 * (layout.slots.size() - 1));
}

/// Where a captured output lies in the vertex record.
Result<StreamSource> captured(const tgsi::Shader& vertex,
                              const StreamOutputElement& element,
                              valhall::VaryingLayout& layout) {
    constexpr uint32_t kPointSizeOffset = 16;
    const auto declared = [&](const tgsi::Declaration& d) {
        return d.file == tgsi::File::Output && d.has_semantic && element.output >= d.first &&
               element.output <= d.last;
    };
    const auto found =
        std::find_if(vertex.declarations.begin(), vertex.declarations.end(), declared);
    if (found == vertex.declarations.end())
        return Error{Errc::InvalidState,
                     {},
                     "stream output: the vertex shader has no OUT[" +
                         std::to_string(element.output) + "]"};
    StreamSource source;
    source.components = element.components;
    source.buffer = element.buffer;
    source.offset_words = element.offset_words;
    if (found->semantic == tgsi::Semantic::Position) {
        source.record_offset = 0;
    } else if (found->semantic == tgsi::Semantic::PSize) {
        if (element.first_component != 0 || element.components != 1)
            return Error{Errc::InvalidState, found->pos, "stream output: PSIZE is one number"};
        source.record_offset = kPointSizeOffset;
    } else {
        VALKYR_TRY(offset, captured_slot(*found, element.output, layout));
        source.record_offset = offset;
    }
    source.record_offset += 4U * element.first_component;
    return source;
}

/// Gives every captured output a place in the record.
Result<StreamLayout> capture(const tgsi::Shader& vertex,
                             const StreamOutputState& stream,
                             valhall::VaryingLayout& layout) {
    StreamLayout result;
    result.stride_words = stream.stride_words;
    for (const StreamOutputElement& element : stream.elements) {
        VALKYR_TRY(source, captured(vertex, element, layout));
        result.sources.push_back(source);
    }
    return result;
}

class ShaderCacheImpl final : public ShaderCache {
public:
    ShaderCacheImpl(std::unique_ptr<jit::Recompiler> recompiler, bool strict_nan)
        : store_(std::make_shared<KernelStore>(std::move(recompiler), strict_nan)) {}

    Result<ShaderRef>
    shader(const DeviceTag* owner, std::string_view text, std::string name) override {
        if (text.size() > kMaxShaderBytes)
            return Error{Errc::OutOfRange, {}, "shader text of more than 4 MiB"};
        tgsi::ParseResult parsed = tgsi::parse(text);
        if (!parsed.ok())
            return std::move(parsed.errors.front());
        if (std::vector<Error> errors = tgsi::verify(parsed.shader); !errors.empty())
            return std::move(errors.front());
        auto made = std::make_shared<ShaderImpl>();
        made->owner = owner;
        made->text = text;
        made->name = std::move(name);
        made->shader = std::move(parsed.shader);
        return ShaderRef(std::move(made));
    }

    Result<LinkedStages> link(const DeviceTag* owner,
                              const ShaderRef& vertex,
                              const ShaderRef& fragment,
                              const StreamOutputState& stream) override {
        VALKYR_TRY(vs, own_shader(owner, vertex, tgsi::Stage::Vertex, "vertex"));
        if (!fragment && !empty_fragment_) {
            VALKYR_TRY(made, shader(owner, kEmptyFragmentShader, "empty"));
            empty_fragment_ = std::move(made);
        }
        const ShaderRef& chosen = fragment ? fragment : empty_fragment_;
        VALKYR_TRY(fs, own_shader(owner, chosen, tgsi::Stage::Fragment, "fragment"));
        // The length keeps the two texts apart.
        std::string name =
            std::to_string(vs->text.size()) + ':' + vs->text + fs->text + capture_name(stream);
        if (const LinkedStages* found = pairs_.find(name))
            return *found;
        VALKYR_TRY(layout, valhall::link_varyings(vs->shader, fs->shader));
        LinkedStages stages;
        VALKYR_TRY(sources, capture(vs->shader, stream, layout));
        stages.stream = std::move(sources);
        VALKYR_TRY(vertex_stage, compile(vertex, *vs, layout));
        VALKYR_TRY(fragment_stage, compile(chosen, *fs, layout));
        stages.vertex = std::move(vertex_stage);
        stages.fragment = std::move(fragment_stage);
        pairs_.insert(std::move(name), stages);
        return stages;
    }

    void take_statistics(Statistics& statistics) override {
        statistics.kernels_compiled += std::exchange(store_->made, 0);
        statistics.kernel_cache_hits += std::exchange(store_->hits, 0);
    }

private:
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

    /// `reference` keeps the shader alive for variants.
    Result<StageRef> compile(const ShaderRef& reference,
                             const ShaderImpl& shader,
                             const valhall::VaryingLayout& layout) {
        const auto variant = [reference, &shader,
                              layout](uint8_t color_targets) -> Result<valhall::Program> {
            valhall::CompileOptions options;
            options.varyings = &layout;
            options.color_targets = color_targets;
            VALKYR_TRY(program, valhall::compile(shader.shader, options));
            program.source_name = shader.name;
            return program;
        };
        VALKYR_TRY(program, variant(1));
        return CompiledStage::create(store_, std::move(program), variant);
    }

    std::shared_ptr<KernelStore> store_;
    LruCache<std::string, LinkedStages> pairs_{kMaxPairs};
    ShaderRef empty_fragment_;
};

/// The recompiler that the options ask for; null where the interpreter runs everything: by choice,
/// or on a host without a recompiler (slowly and identically).
#if VALKYR_HAS_RECOMPILER
jit::HostLevel wanted_level(Host host) {
    switch (host) {
    case Host::Auto: break;
    case Host::Avx2: return jit::HostLevel::Avx2;
    case Host::Avx512: return jit::HostLevel::Avx512;
    case Host::Neon: return jit::HostLevel::Neon;
    }
    return jit::best_host_level();
}

Result<std::unique_ptr<jit::Recompiler>> make_recompiler(const DeviceOptions& options) {
    if (options.engine != Engine::Jit)
        return std::unique_ptr<jit::Recompiler>();
    const jit::HostLevel level = wanted_level(options.host);
    if (level == jit::HostLevel::None)
        return std::unique_ptr<jit::Recompiler>();
    auto recompiler = jit::Recompiler::create(level, {.perf_map = options.perf_map});
    // Who names a level wants that one; otherwise a system that denies executable memory is like a
    // host without a recompiler.
    if (!recompiler && options.host == Host::Auto)
        return std::unique_ptr<jit::Recompiler>();
    return recompiler;
}
#else
Result<std::unique_ptr<jit::Recompiler>> make_recompiler(const DeviceOptions& /*options*/) {
    return std::unique_ptr<jit::Recompiler>();
}
#endif

}  // namespace

Result<std::unique_ptr<ShaderCache>> ShaderCache::create(const DeviceOptions& options) {
    VALKYR_TRY(recompiler, make_recompiler(options));
    return std::unique_ptr<ShaderCache>(
        std::make_unique<ShaderCacheImpl>(std::move(recompiler), options.strict_nan));
}

}  // namespace valkyr::raster
