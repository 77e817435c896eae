// Shader: looks up properties.
// SPDX-License-Identifier: MIT
#include "tgsi/shader.hpp"

namespace valkyr::tgsi {

uint32_t Shader::property(std::string_view name, uint32_t fallback) const {
    for (const Property& entry : properties)
        if (entry.name == name)
            return entry.value;
    return fallback;
}

}  // namespace valkyr::tgsi
