// GLSL costs: finds the GLSL of a profile's shaders.
// SPDX-License-Identifier: MIT
#include "app/profile/glsl_costs.hpp"

#include "tgsi/text/parser.hpp"

namespace valkyr::profile {

void add_glsl(Profile& profile, const debug::GlslSources& sources) {
    for (KernelCost& kernel : profile.kernels) {
        if (kernel.text.empty() || kernel.source.is_prologue())
            continue;
        const debug::SourceMatch match = debug::find_source(sources, kernel.text);
        const auto parsed = tgsi::parse(kernel.text);
        if (parsed.ok())
            kernel.glsl = debug::make_glsl_listing(match, parsed.shader);
    }
}

}  // namespace valkyr::profile
