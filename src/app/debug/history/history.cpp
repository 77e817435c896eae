// History: finds the texture that is shown, and plays again to watch a pixel of it.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history.hpp"

#include "app/conform/picture.hpp"
#include "app/debug/history/history_device.hpp"
#include "app/debug/history/named_spot.hpp"
#include "app/debug/session/counting_device.hpp"

namespace valkyr::debug {

namespace {

constexpr uint64_t kAllDraws = 0xFFFFFFFE;

/// Columns of the picture that show a surface: one that is not shown directly appears again for
/// every three bytes of a texel (app/conform/picture.hpp).
uint32_t columns(const ReadSurface& surface) {
    if (conform::is_shown_directly(surface.format))
        return surface.width;
    const uint32_t bytes = exec::format_info(surface.format).block_bytes;
    return surface.width * (1 + (bytes + 2) / 3);
}

std::string pixel_name(const HistoryRequest& request) {
    return "pixel " + std::to_string(request.pixel.first) + "," +
           std::to_string(request.pixel.second);
}

/// The texel that a pixel of the picture shows.
Result<Spot> shown_spot(const HistoryRequest& request, std::vector<ReadSurface> reads) {
    if (reads.empty())
        return Error{Errc::InvalidState, {}, request.what + " shows nothing"};
    if (request.last_read_is_shown)
        reads.erase(reads.begin(), reads.end() - 1);
    uint32_t x = request.pixel.first;
    uint32_t width = 0;
    uint32_t height = 0;
    for (const ReadSurface& surface : reads) {
        const uint32_t wide = request.last_read_is_shown ? surface.width : columns(surface);
        if (x < wide && request.pixel.second < surface.height) {
            Spot spot = surface.corner;
            spot.x = x % surface.width;
            spot.y = request.pixel.second;
            return spot;
        }
        // Beyond this surface; a picture may have shorter and longer ones.
        x = x < wide ? UINT32_MAX : x - wide;
        width += wide;
        height = std::max(height, surface.height);
    }
    return Error{Errc::OutOfRange,
                 {},
                 pixel_name(request) + " is outside of the picture, " + std::to_string(width) +
                     "x" + std::to_string(height) + " pixels"};
}

/// Plays, with a HistoryDevice around every device.
Result<void> play_watched(HistoryLog& log, const Player& play) {
    log.draws.make_device = [&log]() -> Result<std::unique_ptr<raster::Device>> {
        VALKYR_TRY(counting, CountingDevice::make(log.draws));
        return std::unique_ptr<raster::Device>(
            std::make_unique<HistoryDevice>(std::move(counting), log));
    };
    VALKYR_TRY(played, play(log.draws));
    if (log.error)
        return *log.error;
    return {};
}

/// Plays and watches a texel up to a command.
Result<History> watch(const HistoryRequest& request,
                      const Player& play,
                      const Spot& spot,
                      uint32_t until = UINT32_MAX) {
    Target target;
    target.pixel = {static_cast<int32_t>(spot.x), static_cast<int32_t>(spot.y)};
    DrawLog draws(target, kAllDraws);
    HistoryLog log(draws);
    log.target = spot;
    log.until = until;
    VALKYR_TRY_VOID(play_watched(log, play));
    History history = std::move(log.history);
    if (history.entries.empty())
        return Error{Errc::InvalidState, {}, request.what + " drew something else the second time"};
    history.what = request.what;
    history.command = request.command;
    history.whole = request.whole;
    history.spot = spot;
    return history;
}

/// The sources of the values that an entry brought into the texel.
std::vector<Source*> sources_of(Entry& entry) {
    std::vector<Source*> sources;
    if (entry.source)
        sources.push_back(&*entry.source);
    if (entry.fragment && entry.fragment->written != 0)
        for (TexelRead& read : entry.fragment->reads)
            if (read.source)
                sources.push_back(&*read.source);
    return sources;
}

/// Plays for each source of the history, from its end, and `levels` textures back.
/// left  the number of sources that may still be played
Result<void> follow(const HistoryRequest& request,
                    const Player& play,
                    uint32_t levels,
                    uint32_t& left,
                    History& history) {
    if (levels == 0)
        return {};
    for (auto entry = history.entries.rbegin(); entry != history.entries.rend(); ++entry) {
        for (Source* source : sources_of(*entry)) {
            if (left == 0) {
                ++history.not_followed;
                continue;
            }
            --left;
            VALKYR_TRY(found, watch(request, play, source->spot, entry->command));
            VALKYR_TRY_VOID(follow(request, play, levels - 1, left, found));
            source->history = std::make_shared<const History>(std::move(found));
        }
    }
    return {};
}

}  // namespace

bool Entry::writes() const {
    if (kind == EntryKind::Start || before != after)
        return before != after;
    if (fragment)
        return fragment->written != 0 && !fragment->colors.empty() &&
               fragment->blend.write_mask != 0;
    return !beside_alone;
}

size_t History::writer() const {
    size_t number = entries.size() - 1;
    while (number > 0 && !entries[number].writes())
        --number;
    return number;
}

Result<History> pixel_history(const HistoryRequest& request, const Player& play) {
    DrawLog finding(Target{}, kAllDraws);
    HistoryLog found(finding);
    VALKYR_TRY_VOID(play_watched(found, play));
    if (!finding.shown)
        return Error{Errc::InvalidState, {}, request.what + ": the trace ends before it is shown"};
    VALKYR_TRY(spot, request.resource.empty() ? shown_spot(request, std::move(found.reads))
                                              : named_spot(request, found.known));
    VALKYR_TRY(history, watch(request, play, spot));
    uint32_t left = kMostFollowed;
    VALKYR_TRY_VOID(follow(request, play, request.follow, left, history));
    return history;
}

}  // namespace valkyr::debug
