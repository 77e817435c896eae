// Object commands: create, bind and destroy objects and sub-contexts.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"
#include "virgl/state/exhausted.hpp"
#include "virgl/state/query.hpp"

#include <algorithm>
#include <array>

namespace valkyr::virgl {
namespace {

using raster::StateGroup;

std::string handle_text(const Command& command) {
    return std::to_string(command.words[1]);
}

Result<void> expect_words(const Words& words, size_t count) {
    if (words.size() == count)
        return {};
    return malformed(std::to_string(words.size()) + " words instead of " + std::to_string(count));
}

/// Puts an object under the handle in [1].
template <typename T>
void keep(Context& context, const Words& words, T object) {
    context.keep_object(words[1], Object(std::make_shared<T>(std::move(object))));
}

/// Decodes state that is part of pipelines, gives it an id and keeps it.
template <typename T, size_t Size>
Result<void> create_state(Context& context,
                          const Words& words,
                          Result<T> (*decode)(const Words&),
                          size_t id_words) {
    if (Size != 0)
        VALKYR_TRY_VOID(expect_words(words, Size));
    VALKYR_TRY(object, decode(words));
    object.id = context.ids().id(static_cast<char>(Size), words.from(2).first(id_words));
    keep(context, words, std::move(object));
    return {};
}

Result<void> create_blend(Context& context, const Words& words) {
    return create_state<BlendObject, 11>(context, words, decode_blend,
                                         std::min<size_t>(words.size() - 1, 10));
}
Result<void> create_rasterizer(Context& context, const Words& words) {
    return create_state<RasterizerObject, 9>(context, words, decode_rasterizer,
                                             std::min<size_t>(words.size() - 1, 8));
}
Result<void> create_depth_stencil(Context& context, const Words& words) {
    // The id leaves the alpha reference out, which is not part of pipelines.
    return create_state<DepthStencilObject, 5>(context, words, decode_depth_stencil,
                                               std::min<size_t>(words.size() - 1, 3));
}
Result<void> create_elements(Context& context, const Words& words) {
    return create_state<ElementsObject, 0>(context, words, decode_elements, words.size() - 1);
}

Result<void> create_view(Context& context, const Words& words) {
    VALKYR_TRY_VOID(expect_words(words, 6));
    VALKYR_TRY(resource, context.resource(words[2]));
    VALKYR_TRY(view, decode_view(words, resource->desc()));
    ViewObject object;
    object.view = std::move(view);
    object.view.format = resource->viewed_as(object.view.format);
    object.view.texture = resource->texture();
    object.resource = std::move(resource);
    keep(context, words, std::move(object));
    return {};
}

Result<void> create_sampler(Context& context, const Words& words) {
    VALKYR_TRY_VOID(expect_words(words, 9));
    VALKYR_TRY(sampler, decode_sampler(words));
    keep(context, words, std::move(sampler));
    return {};
}

Result<void> create_surface(Context& context, const Words& words) {
    VALKYR_TRY_VOID(expect_words(words, 5));
    VALKYR_TRY(resource, context.resource(words[2]));
    VALKYR_TRY(surface, decode_surface(words, resource->desc()));
    surface.resource = std::move(resource);
    keep(context, words, std::move(surface));
    return {};
}

Result<void> create_query(Context& context, const Words& words) {
    VALKYR_TRY_VOID(expect_words(words, 4));
    VALKYR_TRY(resource, context.resource(words[4]));
    VALKYR_TRY(query, make_query(context.device(), words, std::move(resource)));
    keep(context, words, std::move(query));
    return {};
}

Result<void> create_stream_target(Context& context, const Words& words) {
    VALKYR_TRY_VOID(expect_words(words, 4));
    VALKYR_TRY(resource, context.resource(words[2]));
    StreamTargetObject object;
    if (const raster::BufferRef& buffer = resource->buffer(context.device())) {
        auto target = context.device().create_stream_target({buffer, words[3], words[4]});
        if (context.accept(target ? Result<void>() : target.error(), "stream output target"))
            object.target = *std::move(target);
    }
    object.resource = std::move(resource);
    object.size = words[4];
    keep(context, words, std::move(object));
    return {};
}

/// Makes the shader once its whole text has arrived.
void complete_shader(Context& context, ShaderObject& object) {
    object.text.resize(object.text.find_last_not_of('\0') + 1);
    const PipelineCache::Shader made = context.pipelines().shader(object.text);
    object.id = made.id;
    if (made.is_new)
        context.observer().shader(context.name(), object.text);
    if (made.shader) {
        object.shader = *made.shader;
    } else {
        end_if_exhausted(made.shader.error());
        context.report("shader: " + made.shader.error().format("text"));
    }
    object.chooses_viewport = object.text.find("VIEWPORT_INDEX") != std::string::npos;
    object.images = declared_images(object.text);
    if (object.stage == ShaderStage::Compute)
        object.group_size = declared_group_size(object.text);
    if (object.stage != ShaderStage::Fragment)
        object.text = {};
    context.sub().shader_completed(object);
}

/// Appends the bytes of a chunk, which begin at word `at`.
Result<void> add_text(Context& context, ShaderObject& object, const Words& words, size_t at) {
    const auto chunk = words.from(at);
    const size_t bytes = std::min<size_t>(chunk.size_bytes(), object.missing);
    object.text.append(reinterpret_cast<const char*>(chunk.data()), bytes);
    object.missing -= static_cast<uint32_t>(bytes);
    if (object.missing == 0)
        complete_shader(context, object);
    return {};
}

Result<void> continue_shader(Context& context, const Words& words) {
    const Ref<ShaderObject> object = context.sub().find<ShaderObject>(words[1]);
    const uint32_t offset = words.bits(3, 0, 31);
    if (!object || object->missing == 0 || offset != object->text.size())
        return malformed("a part of shader text at byte " + std::to_string(offset) +
                         " that continues nothing");
    return add_text(context, *object, words, 6);
}

Result<void> create_shader(Context& context, const Words& words) {
    if (words.size() < 5)
        return malformed("no room for the head of a shader");
    VALKYR_TRY(stage, enumerator(words[2], ShaderStage::Compute, "shader stage"));
    if (words.bit(3, 31))
        return continue_shader(context, words);
    ShaderObject object;
    object.stage = stage;
    object.missing = words.bits(3, 0, 31);
    if (object.missing == 0 || object.missing > kMaxShaderTextBytes)
        return malformed("a shader text of " + std::to_string(object.missing) + " bytes");
    object.charge = std::make_unique<Charge>(context.budget());
    VALKYR_TRY_VOID(object.charge->add(uint64_t{2} * object.missing));
    const bool compute = stage == ShaderStage::Compute;
    const uint32_t outputs = compute ? 0 : words[5];
    object.shared_bytes = compute ? words[5] : 0;
    size_t text_at = 6;
    if (outputs != 0) {
        text_at = 10 + 2 * size_t{outputs};
        if (outputs > 64 || words.size() + 1 < text_at)
            return malformed(std::to_string(outputs) + " stream outputs");
        VALKYR_TRY(stream, decode_stream_output(words, outputs));
        object.stream_output = std::move(stream);
        object.stream_id = context.ids().id('S', words.from(6).first(text_at - 6));
    }
    keep(context, words, std::move(object));
    return add_text(context, *context.sub().find<ShaderObject>(words[1]), words, text_at);
}

using Create = Result<void> (*)(Context&, const Words&);
/// Functions that create objects, indexed by ObjectType.
constexpr std::array<Create, 11> kCreate{
    nullptr,        create_blend,    create_rasterizer,   create_depth_stencil,
    create_shader,  create_elements, create_view,         create_sampler,
    create_surface, create_query,    create_stream_target};

/// Binds an object of type T; handle 0 unbinds.
template <typename T>
Result<void> bind(Context& context, const Command& command, Ref<T> PipelineParts::*part) {
    const uint32_t handle = command.words[1];
    Ref<T> object = context.sub().find<T>(handle);
    if (handle != 0 && !object)
        return malformed("no such object " + handle_text(command));
    context.sub().bind(part, std::move(object));
    return {};
}

}  // namespace

Result<void> create_object(Context& context, const Command& command) {
    const auto type = static_cast<size_t>(command.type);
    if (type >= kCreate.size() || kCreate[type] == nullptr)
        return malformed("no object type " + std::to_string(type));
    if (command.words[1] == 0)
        return malformed("an object with handle 0");
    if (context.object_count() >= kMaxObjects)
        return malformed("more than " + std::to_string(kMaxObjects) + " objects");
    return kCreate[type](context, command.words);
}

Result<void> bind_object(Context& context, const Command& command) {
    switch (command.type) {
    case ObjectType::Blend: return bind(context, command, &PipelineParts::blend);
    case ObjectType::Rasterizer: return bind(context, command, &PipelineParts::rasterizer);
    case ObjectType::DepthStencil: {
        const uint32_t handle = command.words[1];
        Ref<DepthStencilObject> object = context.sub().find<DepthStencilObject>(handle);
        if (handle != 0 && !object)
            return malformed("no such object " + handle_text(command));
        context.sub().bind_depth_stencil(std::move(object));
        return {};
    }
    case ObjectType::VertexElements: return bind(context, command, &PipelineParts::elements);
    default:
        return malformed("objects of type " + std::to_string(static_cast<int>(command.type)) +
                         " are not bound");
    }
}

Result<void> destroy_object(Context& context, const Command& command) {
    if (const Ref<QueryObject> query = context.sub().find<QueryObject>(command.words[1]))
        context.forget_answer(query);
    const uint32_t handle = command.words[1];
    if (!context.drop_object(handle))
        return malformed("no such object " + handle_text(command));
    return {};
}

Result<void> bind_shader(Context& context, const Command& command) {
    VALKYR_TRY(stage, enumerator(command.words[2], ShaderStage::Compute, "shader stage"));
    Ref<ShaderObject> shader = context.sub().find<ShaderObject>(command.words[1]);
    if (command.words[1] != 0 && !shader)
        return malformed("no shader " + handle_text(command));
    if (shader && shader->stage != stage)
        return malformed("shader " + handle_text(command) + " is of another stage");
    context.sub().bind_shader(stage, std::move(shader));
    return {};
}

Result<void> set_sub_context(Context& context, const Command& command) {
    return context.select_sub(command.words[1]);
}

Result<void> create_sub_context(Context& context, const Command& command) {
    return context.create_sub(command.words[1]);
}

Result<void> destroy_sub_context(Context& context, const Command& command) {
    context.destroy_sub(command.words[1]);
    return {};
}

}  // namespace valkyr::virgl
