// Trace session: plays recorded OpenGL programs for the debugger.
// SPDX-License-Identifier: MIT
#include "app/debug/session/trace_session.hpp"

#include "app/cli/glsl_file.hpp"
#include "app/debug/session/counting_device.hpp"
#include "virgl/capture/replay.hpp"

namespace valkyr::debug {

namespace {

/// Drops the clients' messages: they were printed when the trace was recorded.
class Silent final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view /*line*/) override {}
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    [[nodiscard]] bool wants_frame(uint64_t /*number*/) override { return false; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& /*pixels*/) override {}
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
};

/// A replay that has stopped; its devices hold the resources that the draw read.
struct Stage {
    Stage(std::shared_ptr<const virgl::Trace> of_trace, virgl::Replay::DeviceMaker make_device)
        : trace(std::move(of_trace))
        , replay(*trace, std::move(make_device), observer) {}

    std::shared_ptr<const virgl::Trace> trace;
    Silent observer;
    virgl::Replay replay;
};

Result<std::shared_ptr<void>> play(const std::shared_ptr<const virgl::Trace>& trace,
                                   uint64_t frame,
                                   const virgl::TraceIndex* index,
                                   DrawLog& log) {
    auto stage = std::make_shared<Stage>(trace, [&log] { return CountingDevice::create(log); });
    log.name_texture = [&replay = stage->replay](const raster::Texture& texture, uint32_t number) {
        return replay.name_of(texture).value_or("texture " + std::to_string(number));
    };
    log.counting = false;
    if (index != nullptr)
        VALKYR_TRY_VOID(index->seek(stage->replay, frame));
    bool more = true;
    while (more && stage->replay.frames() < frame && !log.stopped()) {
        if (!log.counting && stage->replay.frames() + 1 == frame) {
            log.counting = true;
            log.frame_begins(false);
        }
        VALKYR_TRY(next, stage->replay.step());
        more = next;
    }
    if (log.counting)
        (void)log.frame_ends();  // a replay cannot go back
    log.name_texture = nullptr;
    const uint64_t shown = stage->replay.frames();
    log.shown = shown >= frame;
    if (shown < frame && (shown + 1 < frame || !log.has_draws()))
        return Error{Errc::OutOfRange,
                     {},
                     "no frame " + std::to_string(frame) + "; the trace has " +
                         std::to_string(shown)};
    return std::shared_ptr<void>(std::move(stage));
}

}  // namespace

bool is_trace(std::string_view name) {
    return name.ends_with(".trace");
}

std::shared_ptr<const GlslSources> glsl_of(const virgl::Trace& trace) {
    auto sources = std::make_shared<GlslSources>();
    for (const virgl::TraceChunk& chunk : trace.chunks()) {
        if (chunk.kind != virgl::ChunkKind::Glsl)
            continue;
        const virgl::GlslText text = chunk.glsl();
        sources->push_back({text.program, std::string(app::glsl_stages()[text.stage].processor),
                            std::string(text.glsl), std::string(text.tgsi),
                            std::string(text.names)});
    }
    return sources->empty() ? nullptr : std::move(sources);
}

Result<uint64_t> count_frames(const virgl::Trace& trace) {
    Silent observer;
    virgl::Replay replay(trace, raster::DeviceOptions{}, observer);
    VALKYR_TRY_VOID(replay.run());
    return replay.frames();
}

Player trace_player(std::shared_ptr<const virgl::Trace> trace,
                    uint64_t frame,
                    std::shared_ptr<const virgl::TraceIndex> index) {
    return [trace = std::move(trace), frame, index = std::move(index)](DrawLog& log) {
        return play(trace, frame, index.get(), log);
    };
}

}  // namespace valkyr::debug
