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

std::string ProfileDevice::name_of(const Work& work) const {
    const auto name = names_.find(work.draw->pipeline);
    std::string text = name != names_.end() ? name->second : "draw";
    if (work.info == nullptr)
        return text + ", sizes from a buffer";
    text += " of " + std::to_string(work.info->count);
    if (work.info->instance_count != 1)
        text += ", " + std::to_string(work.info->instance_count) + " times";
    return text;
}

Result<void> ProfileDevice::work(const Work& work, const DoWork& do_work) {
    if (!playback_.counting || work.draw == nullptr)
        return do_work();
    const uint32_t number = playback_.draws++;
    if (!playback_.marks_draws || playback_.marked.value_or(number) != number)
        return do_work();
    VALKYR_TRY_VOID(inner().finish());
    playback_.draw_begins(number, name_of(work));
    Result<void> done = do_work();
    if (done)
        done = inner().finish();
    playback_.draw_ends(number);
    return done;
}

}  // namespace valkyr::profile
