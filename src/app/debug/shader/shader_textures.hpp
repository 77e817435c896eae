// Shader textures: pictures from files, as the textures of a shader text that runs alone.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "base/result.hpp"
#include "exec/abi.hpp"
#include "tgsi/shader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace valkyr::debug {

struct TextureArguments {
    std::vector<std::string> textures;  ///< N=FILE
    std::vector<std::string> samplers;  ///< N=WORD,WORD...
};

/// Adds --texture and --sampler.
void add_texture_arguments(app::Command command, TextureArguments& arguments);

/// Textures of a device of their own: R8G8B8A8_UNORM, one level, row 0 of the picture at the
/// bottom, as OpenGL programs upload pictures.
class ShaderTextures {
public:
    virtual ~ShaderTextures() = default;
    /// kMaxTextureUnits descriptors each; units without a picture are unbound.
    [[nodiscard]] virtual const std::vector<exec::TextureDescriptor>& textures() const = 0;
    [[nodiscard]] virtual const std::vector<exec::SamplerDescriptor>& samplers() const = 0;
    /// The size of a unit's picture; 0, if it has none.
    [[nodiscard]] virtual uint32_t driver_word(exec::DriverValue value, uint8_t unit) const = 0;

    /// Reads the files. Null if there are none.
    /// errors  Syntax, OutOfRange: of an argument, which the text begins with; Semantic: the shader
    ///         declares no such unit, or one that is not 2D; those of the files
    static Result<std::shared_ptr<const ShaderTextures>> load(const TextureArguments& arguments,
                                                              const tgsi::Shader& shader);
};

}  // namespace valkyr::debug
