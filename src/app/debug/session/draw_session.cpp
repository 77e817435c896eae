// Draw session: finds a pixel, vertex, primitive or patch among the draws of a scene or trace.
// SPDX-License-Identifier: MIT
#include "app/debug/session/draw_session.hpp"

#include "app/conform/names.hpp"
#include "app/debug/session/program_source.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

using raster::DrawStage;

constexpr uint64_t kAllDraws = 0xFFFFFFFE;

/// The description of a warp that was found.
struct Found {
    uint32_t draw = 0;
    uint32_t number = 0;  ///< among the draw's hits
    bool runs = false;    ///< the lane got as far as the shader
    std::string fate;
    std::string line;
};

/// The hits and draws of a whole playback.
struct Survey {
    std::vector<Found> found;
    std::vector<LoggedDraw> draws;
};

/// Whether no DISCARD took the lane of a fragment program that wrote no colour. ATEST and ZS_EMIT
/// tell it by the lanes that live; a program with a DISCARD sends one of them for every lane that
/// it keeps.
bool kept(const Hit& hit, const std::vector<Message>& messages) {
    for (const Message& message : messages)
        if ((message.kind == MessageKind::Atest || message.kind == MessageKind::ZsEmit) &&
            (message.lanes >> hit.lane & 1) != 0)
            return (message.live >> hit.lane & 1) != 0;
    return !hit.warp->program->info.uses_discard;
}

/// How the lane ended.
std::string fate(const Hit& hit, uint32_t sample) {
    const auto recording = Recording::make(*hit.warp, {.sample = sample});
    if (!recording)
        return recording.error().code == Errc::InvalidState ? "rejected before shading"
                                                            : recording.error().text;
    if (hit.warp->stage() != exec::Stage::Fragment)
        return "shaded";
    if ((recording->start().live >> hit.lane & 1) == 0)
        return "rejected before shading";
    for (const Message& message : recording->messages())
        if (message.has_coverage && message.kind != MessageKind::EarlyZs &&
            message.coverage_after.v[hit.lane] == 0 && (message.lanes >> hit.lane & 1) != 0)
            return "taken away by " + std::string(message_name(message.kind));
    for (const Message& message : recording->messages())
        if (message.kind == MessageKind::Blend && (message.lanes >> hit.lane & 1) != 0)
            return "written";
    return kept(hit, recording->messages()) ? "written, no colour" : "discarded";
}

std::string describe_hit(const Hit& hit, const std::string& what) {
    const WarpCase& warp = *hit.warp;
    std::string text = "draw " + std::to_string(hit.draw) + ", ";
    if (warp.stage() == exec::Stage::Vertex)
        return text + "instance " + std::to_string(warp.instance_id) + ": " + what;
    if (warp.stage() == exec::Stage::Geometry)
        return text + "invocation " + std::to_string(warp.invocations[hit.lane]) + ": " + what;
    if (warp.patches && warp.is_control())
        return text + "control shader: " + what;
    if (warp.patches)
        return text + "evaluation shader, from point " + point_name(warp.patches->point(hit.lane)) +
               ": " + what;
    return text + "primitive " + std::to_string(warp.primitive.primitive_id) +
           ((warp.primitive.flags & 1) != 0 ? ", back" : ", front") + " facing: " + what;
}

Result<Survey> survey(const DrawRequest& request, const Player& play) {
    Survey all;
    const auto judge = [&](DrawLog& log) {
        uint32_t number = 0;
        for (const Hit& hit : log.capture.hits()) {
            const std::string what = fate(hit, request.sample);
            const std::string choice =
                " (--draw " + std::to_string(hit.draw) + " --hit " + std::to_string(number) + ")";
            all.found.push_back({hit.draw, number++, what != "rejected before shading", what,
                                 describe_hit(hit, what) + choice});
        }
        log.capture.hits().clear();
    };
    DrawLog log(request.target, request.draw.value_or(kAllDraws), judge);
    VALKYR_TRY(played, play(log));
    all.draws = std::move(log.draws);
    for (LoggedDraw& draw : all.draws)
        draw.state = {};  // releases resources: the devices end with this function
    return all;
}

std::string target_name(const Target& target) {
    if (target.pixel)
        return "pixel " + std::to_string(target.pixel->first) + "," +
               std::to_string(target.pixel->second);
    if (target.primitive)
        return "primitive " + std::to_string(*target.primitive);
    if (target.patch)
        return "patch " + std::to_string(*target.patch);
    return "vertex " + std::to_string(*target.vertex);
}

Error nothing_found(const DrawRequest& request, const std::vector<LoggedDraw>& draws) {
    const std::string where =
        request.draw ? "draw " + std::to_string(*request.draw) : std::string("no draw");
    const std::string what = target_name(request.target);
    if (!request.target.pixel)
        return {Errc::InvalidState,
                {},
                where + (request.draw ? " does not shade " : " shades ") + what};
    const auto outside = [&](const LoggedDraw& draw) {
        return request.target.pixel->first >= static_cast<int32_t>(draw.width) ||
               request.target.pixel->second >= static_cast<int32_t>(draw.height);
    };
    if (std::ranges::all_of(draws, outside) && !draws.empty())
        return {Errc::OutOfRange,
                {},
                what + " is outside of the framebuffer, " + std::to_string(draws.back().width) +
                    "x" + std::to_string(draws.back().height) + " pixels"};
    return {Errc::InvalidState,
            {},
            where +
                (request.draw ? " does not cover "
                              : " of " + std::to_string(draws.size()) + " covers ") +
                what};
}

/// The warp to debug.
Result<Found> choose(const DrawRequest& request, const Survey& all) {
    if (request.draw && *request.draw >= all.draws.size())
        return Error{Errc::OutOfRange,
                     {},
                     "no draw " + std::to_string(*request.draw) + ": the " + request.whole +
                         " has " + std::to_string(all.draws.size()) + ", counted from 0"};
    const Found* chosen = nullptr;
    for (const Found& found : all.found) {
        const bool fits = (!request.draw || found.draw == *request.draw) &&
                          (!request.hit || found.number == *request.hit);
        if (fits && (found.runs || chosen == nullptr))
            chosen = &found;
    }
    if (chosen != nullptr)
        return *chosen;
    if (request.hit && !all.found.empty()) {
        std::string text = "no hit " + std::to_string(*request.hit) + "; there are:";
        for (const Found& found : all.found)
            text += "\n  " + found.line;
        return Error{Errc::OutOfRange, {}, std::move(text)};
    }
    return nothing_found(request, all.draws);
}

/// Adds what the warp's program was made from: text, constants, listings, places of registers.
void add_texts(Session& session, const LoggedDraw& draw, const DrawRequest& request) {
    const DrawStage stage = stage_of(session.warp->program->info);
    ProgramSource source = source_of(draw.shaders, *session.warp->program);
    session.shader = std::move(source.shader);
    session.info = std::move(source.info);
    session.warp->input_slots = std::move(source.input_slots);
    session.warp->output_slots = std::move(source.output_slots);
    const ShaderText& text = *draw.shaders[static_cast<size_t>(stage)];
    session.constants = draw.state.stage(stage).constants;
    session.title += ": " + text.name;
    session.listing = make_listing(*session.warp, text.name, text.text, request.level);
    if (request.glsl)
        session.listing.glsl =
            make_glsl_listing(find_source(*request.glsl, text.text), *session.shader);
}

/// Owns the log and the played objects, and destroys these before the log, whose capture they use.
struct Keeper {
    std::unique_ptr<DrawLog> log;
    std::shared_ptr<void> played;
    Keeper() = default;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    ~Keeper() { log->draws.clear(); }
};

/// "draw 3: triangle_strip of 33, 300x300, shader 1, shader 2".
std::string describe_draw(const LoggedDraw& draw, size_t number) {
    std::string name(conform::names_of<raster::Primitive>()[static_cast<size_t>(draw.primitive)]);
    std::ranges::replace(name, '_', ' ');
    std::string text = "draw " + std::to_string(number) + ": " + name;
    if (draw.vertices != 0)
        text += " of " + std::to_string(draw.vertices);
    if (draw.instances != 1)
        text += ", " + std::to_string(draw.instances) + " times";
    if (draw.primitive == raster::Primitive::Patches)
        text += ", " + std::to_string(draw.patch_vertices) + " each";
    text += ", onto " + std::to_string(draw.width) + "x" + std::to_string(draw.height);
    for (const std::shared_ptr<const ShaderText>& shader : draw.shaders)
        if (shader)
            text += ", " + shader->name;
    return text;
}

/// ": has pixel 3,4 2 times, the last written", or nothing.
std::string describe_hits(const DrawRequest& request, const Survey& all, size_t draw) {
    const auto is_of = [draw](const Found& found) { return found.draw == draw; };
    const auto count = std::ranges::count_if(all.found, is_of);
    if (count == 0)
        return "";
    const auto last = std::find_if(all.found.rbegin(), all.found.rend(), is_of);
    const std::string has = ": has " + target_name(request.target);
    return has + (count == 1 ? ": " : " " + std::to_string(count) + " times, the last ") +
           last->fate;
}

}  // namespace

Result<std::shared_ptr<const Session>> open_draw(const DrawRequest& request, const Player& play) {
    VALKYR_TRY(all, survey(request, play));
    VALKYR_TRY(choice, choose(request, all));
    // Play again, only up to the draw: textures keep the content that the draw read.
    auto keeper = std::make_shared<Keeper>();
    keeper->log = std::make_unique<DrawLog>(request.target, choice.draw, [&](DrawLog& log) {
        if (log.draws.size() <= choice.draw)
            log.capture.hits().clear();
    });
    VALKYR_TRY(played, play(*keeper->log));
    keeper->played = std::move(played);
    std::vector<Hit>& hits = keeper->log->capture.hits();
    if (choice.number >= hits.size())
        return Error{Errc::InvalidState,
                     {},
                     "the " + request.whole + " drew something else the second time"};
    auto session = std::make_shared<Session>();
    for (Found& found : all.found)
        session->hits.push_back(std::move(found.line));
    session->title = request.what + ", draw " + std::to_string(choice.draw) + ", " +
                     target_name(request.target) + ", hit " + std::to_string(choice.number) +
                     " of " + std::to_string(hits.size());
    session->lane = hits[choice.number].lane;
    session->warp = std::move(hits[choice.number].warp);
    hits.clear();
    add_texts(*session, keeper->log->draws[choice.draw], request);
    session->keeper = std::move(keeper);
    return std::shared_ptr<const Session>(std::move(session));
}

Result<std::vector<std::string>> list_draws(const DrawRequest& request, const Player& play) {
    VALKYR_TRY(all, survey(request, play));
    std::vector<std::string> lines;
    for (size_t i = 0; i < all.draws.size(); ++i)
        lines.push_back(describe_draw(all.draws[i], i) + describe_hits(request, all, i));
    return lines;
}

}  // namespace valkyr::debug
