// Headless demo: draws frames of an exhibit into picture files, without a window.
// SPDX-License-Identifier: MIT
#include "app/demo/headless.hpp"

#include "app/cli/interpreter_note.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/cli/statistics_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace valkyr::app {

std::string frame_path(const std::string& pattern, uint32_t frame) {
    for (size_t begin = pattern.find('%'); begin != std::string::npos;
         begin = pattern.find('%', begin + 1)) {
        size_t end = begin + 1;
        size_t width = 0;
        while (end < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[end])) != 0)
            width = std::min<size_t>(10 * width + static_cast<size_t>(pattern[end++] - '0'), 20);
        if (end == pattern.size() || pattern[end] != 'd')
            continue;
        std::string number = std::to_string(frame);
        const char fill = pattern[begin + 1] == '0' ? '0' : ' ';
        number.insert(0, width - std::min(width, number.size()), fill);
        return pattern.substr(0, begin) + number + pattern.substr(end + 1);
    }
    return pattern;
}

Result<void>
run_headless(const Exhibit& exhibit, const DrawMode& mode, const HeadlessOptions& options) {
    VALKYR_TRY(target, DemoTarget::create(exhibit, mode));
    const bool every = frame_path(options.output, 0) != options.output;
    double total_ms = 0;
    std::string note;
    {
        ProgressBar progress(progress_on_stderr());
        for (uint32_t i = 0; i < options.frames; ++i) {
            const uint32_t frame = options.first + i;
            progress.show("drawing", i, options.frames);
            if (mode.trap != nullptr)
                mode.trap->start_picture(frame);
            if (mode.log != nullptr)
                mode.log->work.start_picture(frame);
            VALKYR_TRY_VOID(target->render(frame * kSecondsPerFrame, options.view));
            total_ms += target->figures().frame_ms;
            if (note.empty())
                note = interpreter_note(target->figures().statistics);
            if (every || i + 1 == options.frames)
                VALKYR_TRY_VOID(
                    examples::write_image(frame_path(options.output, frame), target->image()));
        }
    }
    if (!note.empty())
        std::fprintf(stderr, "note: %s\n", note.c_str());
    std::printf("%s: %ux%u, %u frame%s, %.2f ms a frame\n", options.output.c_str(),
                target->image().width, target->image().height, options.frames,
                options.frames == 1 ? "" : "s", total_ms / options.frames);
    if (options.stats)
        std::fputs(statistics_text(target->figures().statistics, uint64_t{mode.width} * mode.height)
                       .c_str(),
                   stdout);
    return {};
}

}  // namespace valkyr::app
