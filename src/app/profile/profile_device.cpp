// Profile device: notes shader texts and marks the draws of a profiled frame.
// SPDX-License-Identifier: MIT
#include "app/profile/profile_device.hpp"

#include "app/conform/names.hpp"

#include <algorithm>

namespace valkyr::profile {

using namespace raster;

Result<ShaderRef> ProfileDevice::create_shader(std::string_view tgsi_text, std::string name) {
    const std::string wanted = name;
    for (unsigned copy = 2;; ++copy) {
        const auto [place, is_new] = playback_.texts.try_emplace(name, tgsi_text);
        if (is_new || place->second == tgsi_text)
            break;
        name = wanted + " (" + std::to_string(copy) + ")";
    }
    return inner().create_shader(tgsi_text, std::move(name));
}

Result<PipelineRef> ProfileDevice::create_pipeline(const PipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_pipeline(desc));
    std::string name(conform::names_of<Primitive>()[static_cast<size_t>(desc.primitive)]);
    std::ranges::replace(name, '_', ' ');
    names_[pipeline] = std::move(name);
    return pipeline;
}

template <typename Command>
Result<void>
ProfileDevice::counted(const DrawState& state, const std::string& size, Command&& command) {
    if (!playback_.counting)
        return command();
    const uint32_t number = playback_.draws++;
    const bool marks = playback_.marks_draws && playback_.marked.value_or(number) == number;
    if (!marks)
        return command();
    VALKYR_TRY_VOID(inner().finish());
    const auto name = names_.find(state.pipeline);
    playback_.draw_begins(number, (name != names_.end() ? name->second : "draw") + size);
    Result<void> done = command();
    if (done)
        done = inner().finish();
    playback_.draw_ends(number);
    return done;
}

Result<void> ProfileDevice::draw(const DrawState& state, const DrawInfo& info) {
    std::string size = " of " + std::to_string(info.count);
    if (info.instance_count != 1)
        size += ", " + std::to_string(info.instance_count) + " times";
    return counted(state, size, [&] { return inner().draw(state, info); });
}

Result<void> ProfileDevice::draw_indirect(const DrawState& state, const IndirectInfo& info) {
    return counted(state, ", sizes from a buffer",
                   [&] { return inner().draw_indirect(state, info); });
}

}  // namespace valkyr::profile
