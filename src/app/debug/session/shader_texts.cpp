// Shader texts: remember what the shaders and pipelines of a device were made from.
// SPDX-License-Identifier: MIT
#include "app/debug/session/shader_texts.hpp"

#include <utility>

namespace valkyr::debug {

using namespace raster;

void ShaderTexts::add(const ShaderRef& shader, std::string name, std::string_view text) {
    texts_[shader] =
        std::make_shared<const ShaderText>(ShaderText{std::move(name), std::string(text)});
}

std::shared_ptr<const ShaderText> ShaderTexts::of(const ShaderRef& shader) const {
    static constexpr std::string_view kEmptyFragment = "FRAG\n  0: END\n";
    const auto found = texts_.find(shader);
    return found != texts_.end() ? found->second
                                 : std::make_shared<const ShaderText>(
                                       ShaderText{"empty", std::string(kEmptyFragment)});
}

const PipelineDesc& ShaderTexts::desc_of(const PipelineRef& pipeline) const {
    static const PipelineDesc kNone;
    const auto found = descs_.find(pipeline);
    return found != descs_.end() ? found->second : kNone;
}

StageTexts ShaderTexts::of(const PipelineRef& pipeline) const {
    const PipelineDesc& desc = desc_of(pipeline);
    const ShaderRef* const shaders[] = {&desc.vertex, &desc.tess_control, &desc.tess_evaluation,
                                        &desc.geometry, &desc.fragment};
    StageTexts texts;
    for (const DrawStage stage : kAllDrawStages) {
        const auto n = static_cast<size_t>(stage);
        const bool needed = stage == DrawStage::Vertex || stage == DrawStage::Fragment;
        if (needed || *shaders[n])
            texts[n] = of(*shaders[n]);
    }
    return texts;
}

}  // namespace valkyr::debug
