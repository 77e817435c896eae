// Eval textures: lets the TGSI interpreter sample the pictures of `valkyr eval`.
// SPDX-License-Identifier: MIT
//
// Each request becomes a shader of one texture instruction, which is compiled and interpreted: so
// samples have the same bits on all engines. The interpreter's arithmetic stays its own.
#pragma once

#include "app/debug/shader/shader_textures.hpp"
#include "base/result.hpp"
#include "tgsi/interpreter/texture_units.hpp"
#include "tgsi/shader.hpp"

#include <map>
#include <memory>
#include <string>

namespace valkyr::app {

class EvalTextures final : public tgsi::TextureUnits {
public:
    /// Both must outlive the object.
    EvalTextures(const debug::ShaderTextures& textures, const tgsi::Shader& shader)
        : textures_(textures)
        , shader_(shader) {}

    std::array<tgsi::Word4, 4> sample(const tgsi::TextureRequest& request) override;
    tgsi::TextureSize size(uint32_t texture, uint32_t level) override;

    /// The first error of a request, whose results are 0.
    [[nodiscard]] const Result<void>& outcome() const { return outcome_; }

private:
    [[nodiscard]] std::string text_for(const tgsi::TextureRequest& request) const;
    Result<const tgsi::Shader*> shader_for(const tgsi::TextureRequest& request);
    Result<std::array<tgsi::Word4, 4>> run(const tgsi::TextureRequest& request);

    const debug::ShaderTextures& textures_;
    const tgsi::Shader& shader_;
    std::map<std::string, std::unique_ptr<const tgsi::Shader>> shaders_;  ///< by text
    Result<void> outcome_;
};

}  // namespace valkyr::app
