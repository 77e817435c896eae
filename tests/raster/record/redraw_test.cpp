// Redraw test: a record that reuses the draw before equals a newly made record.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/device/device_impl.hpp"
#include "raster/device/validate.hpp"
#include "raster/record/draw_builder.hpp"
#include "raster/record/kernel_tap.hpp"
#include "raster/record/record_parts.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/random.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <sstream>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

/// Reads constants, the number of the draw and the base vertex.
constexpr char kVertex[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], DRAWID
DCL SV[1], BASEVERTEX
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0][0..3]
DCL TEMP[0]
  0: U2F TEMP[0], SV[0].xxxx
  1: MAD TEMP[0], TEMP[0], CONST[0][1], IN[1]
  2: MOV OUT[1], TEMP[0]
  3: U2F TEMP[0], SV[1].xxxx
  4: MAD OUT[0], TEMP[0], CONST[0][2], IN[0]
  5: END
)";
/// Reads a texture and constants, one of them by an index.
constexpr char kVertexOfPoints[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL CONST[0][0..3]
DCL TEMP[0]
DCL ADDR[0]
  0: TXL TEMP[0], IN[1], SAMP[0], 2D
  1: MAD OUT[1], TEMP[0], CONST[0][1], IN[1]
  2: ARL ADDR[0].x, IN[1].xxxx
  3: ADD OUT[0], IN[0], CONST[0][ADDR[0].x]
  4: END
)";
/// Makes a triangle of each point. Reads a texture, its size, and constants.
constexpr char kGeometry[] = R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL CONST[0][0..3]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 0, 0, 0}
  0: TXL TEMP[0], IN[0][1], SAMP[0], 2D
  1: TXQ TEMP[1], IMM[0].xxxx, SAMP[0], 2D
  2: U2F TEMP[1], TEMP[1]
  3: MAD TEMP[0], TEMP[1].xyxy, CONST[0][1], TEMP[0]
  4: MOV OUT[1], TEMP[0]
  5: MOV OUT[0], IN[0][0]
  6: EMIT IMM[0].xxxx
  7: ADD OUT[0], IN[0][0], CONST[0][0]
  8: EMIT IMM[0].xxxx
  9: ADD OUT[0], IN[0][0], CONST[0][2]
 10: EMIT IMM[0].xxxx
 11: END
)";
/// Reads a texture, constants that a prologue processes, and the size of the texture.
constexpr char kFragment[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL CONST[0][0..3]
DCL TEMP[0..1]
IMM[0] INT32 { 0, 0, 0, 0 }
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: TXQ TEMP[1], IMM[0].xxxx, SAMP[0], 2D
  2: U2F TEMP[1], TEMP[1]
  3: MAD TEMP[0], TEMP[1].xyxy, CONST[0][1], TEMP[0]
  4: ADD OUT[0], TEMP[0], CONST[0][0]
  5: END
)";
/// Reads a constant by an index.
constexpr char kFragmentOfIndex[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..3]
DCL ADDR[0]
  0: ARL ADDR[0].x, IN[0].xxxx
  1: MOV OUT[0], CONST[0][ADDR[0].x]
  2: END
)";
/// The same, but a prologue reads it, once a draw.
constexpr char kFragmentOfUniformIndex[] = R"(FRAG
DCL OUT[0], COLOR
DCL CONST[0][0..3]
DCL ADDR[0]
  0: ARL ADDR[0].x, CONST[0][0].xxxx
  1: MOV OUT[0], CONST[0][ADDR[0].x]
  2: END
)";

/// Passes kernels on, as a debugger does that only looks.
class LookingTap final : public KernelTap {
public:
    KernelRef wrap(const valhall::Program& /*program*/,
                   const exec::VertexKey* /*vertex*/,
                   const exec::FragmentKey* /*fragment*/,
                   KernelRef kernel) override {
        return kernel;
    }
};

/// The whole record as text; owned memory is described by its content.
class Description {
public:
    explicit Description(const DrawRecord& d) {
        add(d.assembly);
        add(*d.shape);
        add(*d.tile);
        add(*d.hidden);
        add("record", d.vertex_kernel.entry, d.vertex_kernel.self, d.per_sample, d.counts_killed);
        add<exec::VertexKey>(*d.vertex, vertex_words);
        if (const GeometryDraw* g = d.geometry) {
            add("geometry", g->kernel.entry, g->kernel.self, g->input_stride);
            add<exec::VertexKey>(*g->context, geometry_words);
        }
        for (unsigned v = 0; v < 2 && d.shape->rasterize; ++v) {
            add("fragment", d.fragment_kernel[v].entry, d.fragment_kernel[v].self);
            add<exec::FragmentKey>(*d.fragment[v], fragment_words);
        }
    }
    [[nodiscard]] std::string text() const { return text_.str(); }

    static inline uint32_t vertex_words = 0;
    static inline uint32_t geometry_words = 0;
    static inline uint32_t fragment_words = 0;

private:
    template <typename T>
    void put(const T& value) {
        if constexpr (std::is_enum_v<T>)
            text_ << ' ' << static_cast<int64_t>(value);
        else if constexpr (std::is_function_v<std::remove_pointer_t<T>>)
            text_ << ' ' << reinterpret_cast<const void*>(value);
        else if constexpr (std::is_pointer_v<T>)
            text_ << ' ' << static_cast<const void*>(value);
        else
            text_ << ' ' << +value;
    }
    template <typename... T>
    void add(const char* name, const T&... values) {
        text_ << name;
        (put(values), ...);
        text_ << '\n';
    }
    void add(const AssemblyState& a) {
        add("indices", a.indices.data, a.indices.count, a.indices.type);
        add("primitive", a.primitive, a.provoking_first, a.first, a.count, a.base_vertex);
        add("instances", a.first_instance, a.instance_count, a.restart, a.restart_index);
    }
    void add(const ShapeState& s) {
        add("shapes", s.drawn, s.point_size, s.point_size_per_vertex, s.whole_point_size,
            s.line_width, s.line_last_pixel, s.smooth, s.coverage_offset, s.rectangular_lines,
            s.fill[0], s.fill[1], s.edge_flag_offset, s.shapes, s.quads, s.merges, s.rasterize);
        add("culling", s.cull_positive, s.cull_negative, s.front_positive, s.multisample,
            s.cover_low, s.cover_high, s.bottom_edge_rule);
        add("stipple", s.line_stipple, s.stipple_pattern, s.stipple_factor);
        add("rectangle", s.rect.x0, s.rect.y0, s.rect.x1, s.rect.y1, s.viewport_count, s.layers,
            s.record_stride);
        add(s.clip);
        for (uint32_t i = 0; i < s.half_count; ++i)
            add("half", s.halves[i].offset, s.halves[i].high_offset);
    }
    void add(const TileState& t) {
        for (uint32_t i = 0; i < t.slot_count; ++i)
            add("slot", t.slots[i].kind, t.slots[i].slot, t.slots[i].offset[0],
                t.slots[i].offset[1]);
        add("depth", t.depth_min, t.depth_max, t.offset.enabled, t.offset.units, t.offset.scale);
        add("samples", t.sample_mask, t.sprite_lower_left);
        for (uint32_t i = 0; t.polygon_stipple != nullptr && i < 4; ++i)
            add("stipple", t.polygon_stipple[i]);
    }
    void add(const HiddenState& h) {
        add("hidden", h.replaces, h.lasting, h.depth_written, h.depth_lowers, h.depth_raises,
            h.depth_cull, h.depth_scale);
    }
    void add(const ClipState& clip) {
        for (unsigned i = 0; i < 3; ++i)
            add("viewport", clip.scale[i], clip.translate[i]);
        add("clip", clip.near_far, clip.halfz, clip.user_count, clip.cull_count, clip.center_shift,
            clip.planes);
        for (unsigned i = 0; i < clip.user_count; ++i)
            add("plane", clip.user[i].offset, clip.user[i].plane, clip.user[i].equation[0],
                clip.user[i].equation[3]);
    }
    template <typename Key>
    void add(const exec::DrawContext& context, uint32_t words) {
        for (uint32_t i = 0; i < words; ++i)
            add("uniform", context.fau[i]);
        for (const uint64_t special : context.special)
            add("special", special);
        add("numbers", context.blend_constant[0], context.blend_constant[3],
            context.blend_constant_unorm8[1], context.stencil_reference[0],
            context.stencil_reference[1], context.watch, context.info, context.environment);
        text_ << "key " << std::string_view(static_cast<const char*>(context.key), sizeof(Key))
              << '\n';
        add(context.tables);
    }
    void add(const exec::ResourceTables& tables) {
        for (uint32_t i = 0; i < tables.attribute_count; ++i) {
            const exec::AttributeDescriptor& a = tables.attributes[i];
            add("attribute", a.address, a.size, a.stride, a.divisor, a.format);
        }
        for (uint32_t i = 0; i < tables.constant_buffer_count; ++i) {
            const exec::BufferDescriptor& b = tables.constant_buffers[i];
            text_ << "constants " << std::string(reinterpret_cast<const char*>(b.address), b.size)
                  << '\n';
        }
        for (uint32_t i = 0; i < tables.texture_count; ++i) {
            const exec::TextureDescriptor& t = tables.textures[i];
            add("texture", t.kind, t.format, t.swizzle[0], t.first_level, t.level_count,
                t.levels[0].data, t.levels[0].width, t.first_layer, t.layer_count);
        }
        for (uint32_t i = 0; i < tables.sampler_count; ++i) {
            const exec::SamplerDescriptor& s = tables.samplers[i];
            add("sampler", s.modes.wrap_s, s.modes.min_filter, s.lod_bias, s.min_lod, s.border[0]);
        }
        add("counts", tables.image_count, tables.vertex_buffer_count);
    }

    std::ostringstream text_;
};

/// State that changes group by group, and both ways to make a record of it.
class Redraws {
public:
    explicit Redraws(KernelTap* tap = nullptr)
        : device_(must(gpu::create_device(options_of(tap))))
        , impl_(static_cast<DeviceImpl&>(*device_)) {
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = desc.height = 64;
        desc.render_target = true;
        state.framebuffer.color = {{must(device_->create_texture(desc))}};
        desc.format = Format::D24_UNORM_S8_UINT;
        state.framebuffer.depth_stencil = {must(device_->create_texture(desc))};
        for (int i = 0; i < kPipelines; ++i)
            pipelines.push_back(pipeline(i));
        desc.render_target = false;
        for (const Format format : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM,
                                    Format::R8_UNORM, Format::R32G32B32A32_FLOAT}) {
            desc.format = format;
            desc.width *= 2;
            textures.push_back(must(device_->create_texture(desc)));
        }
        for (int i = 0; i < 2; ++i) {
            buffers.push_back(must(device_->create_buffer(4096)));
            indices.push_back(must(device_->create_buffer(512)));
        }
        use(0);
        state.vertex_buffers = {{buffers[0]}};
        for (StageResources& stage : state.stages) {
            stage.constants = {std::vector<uint32_t>(16, 1)};
            stage.textures = {{textures[0]}};
            stage.samplers = {SamplerState{}};
        }
        state.viewport = Viewport::over(0, 0, 64, 64);
        info.count = 3;
        must(resolve_targets(state.framebuffer, &impl_, kept_.targets));
    }

    /// The record that reuses the last one, and the newly made one.
    std::pair<std::string, std::string> records(StateGroups changed) {
        versions_.change(changed);
        const std::string kept = record(kept_);
        RecentDraw& recent = static_cast<const PipelineImpl&>(*state.pipeline).recent();
        const RecentDraw before = recent;
        Pass fresh;
        fresh.number = ++fresh_number_;
        fresh.targets = kept_.targets;
        const std::string anew = record(fresh);
        recent = before;
        return {kept, anew};
    }

    /// A record of the pass that goes on from the last one.
    const DrawRecord& redraw(StateGroups changed) {
        versions_.change(changed);
        return build(kept_);
    }

    void use(uint32_t i) { state.pipeline = pipelines[i]; }

    PipelineRef pipeline(int i) {
        PipelineDesc desc;
        desc.vertex = must(device_->create_shader(i == kWithGeometry ? kVertexOfPoints : kVertex));
        desc.primitive = i == kWithGeometry ? Primitive::Points : Primitive::Triangles;
        if (i == kWithGeometry)
            desc.geometry = must(device_->create_shader(kGeometry));
        desc.fragment = must(device_->create_shader(i == 2 ? kFragmentOfIndex : kFragment));
        desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT},
                         {0, 16, i == 2 ? 1U : 0U, Format::R32G32B32A32_FLOAT}};
        desc.strides = {32};
        desc.blend.targets[0].enable = i == 1;
        desc.depth_stencil.depth_test = i != 2;
        desc.depth_stencil.depth_write = i != 2;
        desc.depth_stencil.alpha_test = i == 1;
        desc.depth_stencil.alpha_func = CompareFunc::Greater;
        desc.rasterizer.scissor = i == 1;
        desc.rasterizer.polygon_stipple = i == 2;
        desc.rasterizer.depth_clip = i != 2;
        desc.rasterizer.clip_plane_enable = i == 1 ? 1 : 0;
        return must(device_->create_pipeline(desc));
    }

    static constexpr int kPipelines = 4;
    static constexpr int kWithGeometry = 3;

    /// Makes the state's pipeline one with another fragment shader.
    void use_fragment(const char* text) {
        PipelineDesc desc = static_cast<const PipelineImpl&>(*pipelines[0]).desc();
        desc.fragment = must(device_->create_shader(text));
        state.pipeline = must(device_->create_pipeline(desc));
    }

    TextureRef texture(const TextureDesc& desc) { return must(device_->create_texture(desc)); }

    DrawState state;
    DrawInfo info;
    std::vector<PipelineRef> pipelines;
    std::vector<TextureRef> textures;
    std::vector<BufferRef> buffers, indices;

private:
    static DeviceOptions options_of(KernelTap* tap) {
        DeviceOptions options;
        options.kernel_tap = tap;
        return options;
    }
    const DrawRecord& build(Pass& pass) {
        BuildContext context;
        context.pass = &pass;
        context.owner = &impl_;
        context.watch = &impl_.watch;
        context.versions = &versions_;
        return *must(build_draw(context, state, info));
    }
    std::string record(Pass& pass) {
        const DrawRecord& draw = build(pass);
        const auto& pipeline = static_cast<const PipelineImpl&>(*state.pipeline);
        Description::vertex_words = pipeline.vertex().fau_words();
        if (pipeline.geometry() != nullptr)
            Description::geometry_words = pipeline.geometry()->fau_words();
        Description::fragment_words = pipeline.fragment()->fau_words();
        return Description(draw).text();
    }

    std::unique_ptr<Device> device_;
    DeviceImpl& impl_;
    Pass kept_;
    StateVersions versions_;
    uint64_t fresh_number_ = 1000;
};

struct Change {
    std::string name;
    StateGroups groups;
    std::function<void(Redraws&, Random&)> make;
};

std::vector<Change> changes() {
    using G = StateGroup;
    const auto number = [](Random& r) { return static_cast<float>(r.below(1000)) / 1000; };
    return {
        {"nothing", {}, [](Redraws&, Random&) {}},
        {"pipeline", G::Pipeline,
         [](Redraws& t, Random& r) { t.use(r.below(Redraws::kPipelines)); }},
        {"a pipeline in the place of one that ends", G::Pipeline,
         [](Redraws& t, Random& r) {
             const uint32_t i = r.below(3);
             t.pipelines[i] = nullptr;
             t.state.pipeline = nullptr;
             t.pipelines[i] = t.pipeline(static_cast<int>(r.below(3)));
             t.use(i);
         }},
        {"vertex buffers", G::VertexBuffers,
         [](Redraws& t, Random& r) {
             t.state.vertex_buffers = {{t.buffers[r.below(2)], 4 * r.below(20)}};
         }},
        {"index buffer", G::IndexBuffer,
         [](Redraws& t, Random& r) {
             t.state.index_type = r.one_in(2) ? IndexType::None : IndexType::U16;
             t.state.index_buffer = {t.indices[r.below(2)], 2 * r.below(20)};
         }},
        {"viewports", G::Viewports,
         [=](Redraws& t, Random& r) {
             t.state.viewport = {{30 + number(r), 20, 0.5F}, {31, 32 + number(r), 0.5F}};
             t.state.scissor = {0, 0, 1 + static_cast<int32_t>(r.below(64)), 40};
         }},
        {"numbers", G::Numbers,
         [=](Redraws& t, Random& r) {
             t.state.blend_color = {number(r), number(r), 2, number(r)};
             t.state.stencil_reference = {static_cast<uint8_t>(r.below(256)), 1};
             t.state.alpha_reference = number(r);
             t.state.polygon_stipple.fill(r.next32());
             t.state.clip_planes[0] = {number(r), 0, 0, number(r)};
         }},
        {"vertex constants", G::VertexConstants,
         [](Redraws& t, Random& r) {
             t.state.vertex().constants[0].assign(16, r.below(1U << 30));
         }},
        {"geometry constants", G::GeometryConstants,
         [](Redraws& t, Random& r) {
             t.state.geometry().constants[0].assign(16, r.below(1U << 30));
         }},
        {"fragment constants", G::FragmentConstants,
         [](Redraws& t, Random& r) {
             t.state.fragment().constants[0].assign(r.below(17), r.below(1U << 30));
         }},
        {"vertex textures", G::VertexUnits,
         [](Redraws& t, Random& r) { t.state.vertex().textures = {{t.textures[r.below(4)]}}; }},
        {"geometry textures", G::GeometryUnits,
         [](Redraws& t, Random& r) { t.state.geometry().textures = {{t.textures[r.below(4)]}}; }},
        {"vertex and geometry samplers", G::VertexUnits | G::GeometryUnits,
         [](Redraws& t, Random& r) {
             t.state.vertex().samplers[0].min_lod = static_cast<float>(r.below(3));
             t.state.geometry().samplers[0].min_lod = static_cast<float>(r.below(3));
         }},
        {"fragment textures", G::FragmentUnits,
         [](Redraws& t, Random& r) { t.state.fragment().textures = {{t.textures[r.below(4)]}}; }},
        {"a texture in the place of one that ends",
         G::VertexUnits | G::GeometryUnits | G::FragmentUnits,
         [](Redraws& t, Random& r) {
             TextureDesc desc = t.textures[1]->desc();
             desc.width = 1 + r.below(40);
             for (StageResources& stage : t.state.stages)
                 stage.textures = {{t.textures[0]}};
             t.textures[1] = nullptr;
             t.textures[1] = t.texture(desc);
             t.state.fragment().textures = {{t.textures[1]}};
         }},
        {"fragment samplers", G::FragmentUnits,
         [](Redraws& t, Random& r) {
             t.state.fragment().samplers[0].wrap_s = r.one_in(2) ? Wrap::Repeat : Wrap::ClampToEdge;
             t.state.fragment().samplers[0].lod_bias = static_cast<float>(r.below(3));
         }},
        {"the numbers of the draw",
         {},
         [](Redraws& t, Random& r) {
             t.info.first = r.below(9);
             t.info.count = 3 * r.below(9) + 3;
             t.info.base_vertex = static_cast<int32_t>(r.below(5));
             t.info.first_instance = r.below(3);
             t.info.instance_count = 1 + r.below(3);
             t.info.draw_id = r.below(4);
             t.info.primitive_restart = r.one_in(2);
         }},
    };
}

}  // namespace

TEST_CASE("whatever changed since, a record that goes on is the one that is made anew") {
    for (const int pipeline : {0, Redraws::kWithGeometry})
        for (const Change& change : changes()) {
            CAPTURE(pipeline);
            CAPTURE(change.name);
            Redraws redraws;
            redraws.use(static_cast<uint32_t>(pipeline));
            Random random(1);
            auto first = redraws.records(StateGroups::all());
            CHECK(first.first == first.second);
            for (int i = 0; i < 8; ++i) {
                change.make(redraws, random);
                const auto [kept, anew] = redraws.records(change.groups);
                CHECK(kept == anew);
            }
        }
}

TEST_CASE("records that go on are right after any sequence of changes") {
    const std::vector<Change> all = changes();
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        CAPTURE(seed);
        Redraws redraws;
        Random random(seed);
        StateGroups changed = StateGroups::all();
        for (int i = 0; i < 200; ++i) {
            for (uint32_t n = random.below(4); n > 0; --n) {
                const Change& change = all[random.below(static_cast<uint32_t>(all.size()))];
                change.make(redraws, random);
                changed |= change.groups;
            }
            const auto [kept, anew] = redraws.records(changed);
            CHECK(kept == anew);
            changed = {};
        }
    }
}

TEST_CASE("a record shares the parts whose groups did not change") {
    Redraws redraws;
    const DrawRecord* last = &redraws.redraw(StateGroups::all());
    for (size_t g = 0; g < kStateGroups; ++g) {
        CAPTURE(g);
        const auto group = static_cast<StateGroup>(g);
        const DrawRecord& draw = redraws.redraw(group);
        const auto stale = [&](RecordPart part) { return depends_on(part).has(group); };
        CHECK((draw.shape != last->shape) == stale(RecordPart::Shape));
        CHECK((draw.tile != last->tile) == stale(RecordPart::Tile));
        CHECK((draw.hidden != last->hidden) == stale(RecordPart::Hidden));
        last = &draw;
    }
}

TEST_CASE("programs that read constants by an index have the table of them") {
    LookingTap tap;
    for (KernelTap* const used :
         {static_cast<KernelTap*>(nullptr), static_cast<KernelTap*>(&tap)}) {
        CAPTURE(used != nullptr);
        Redraws redraws(used);
        const auto tables = [&](const char* fragment) {
            redraws.use_fragment(fragment);
            const DrawRecord& draw = redraws.redraw(StateGroups::all());
            return draw.fragment[0]->tables.constant_buffer_count;
        };
        // A debugger shows constants that no program reads.
        CHECK(tables(kFragment) == (used != nullptr ? 1 : 0));
        CHECK(tables(kFragmentOfIndex) == 1);
        CHECK(tables(kFragmentOfUniformIndex) == 1);
    }
}

TEST_CASE("versions tell groups apart that changed since") {
    StateVersions versions;
    const uint32_t before = versions.now();
    CHECK(versions.since(before).empty());
    versions.change(StateGroups());
    CHECK(versions.since(before).empty());
    versions.change(StateGroup::Viewports);
    CHECK(versions.since(before) == StateGroup::Viewports);
    const uint32_t later = versions.now();
    versions.change(StateGroup::Pipeline | StateGroup::FragmentUnits);
    CHECK(versions.since(later) == (StateGroup::Pipeline | StateGroup::FragmentUnits));
    versions.change(StateGroup::Pipeline);
    CHECK(versions.since(later) == (StateGroup::Pipeline | StateGroup::FragmentUnits));
    CHECK(versions.since(before) ==
          (StateGroup::Pipeline | StateGroup::FragmentUnits | StateGroup::Viewports));
    versions.change(StateGroups::all());
    CHECK(versions.since(later) == StateGroups::all());
}

}  // namespace valkyr::raster::test
