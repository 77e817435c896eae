// Thread simulation: deals recorded pieces of work to any number of workers.
// SPDX-License-Identifier: MIT
#include "app/cli/thread_simulation.hpp"

#include "raster/config.hpp"
#include "raster/support/shared_work.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <functional>
#include <queue>
#include <utility>

namespace valkyr::app {

using raster::SharedWork;
using raster::TimelineEvent;

namespace {

double duration_of(const TimelineEvent& event) {
    return static_cast<double>(event.end_ns - event.begin_ns) * 1e-6;
}

bool lies_in(const TimelineEvent& inner, const TimelineEvent& outer) {
    return inner.begin_ns >= outer.begin_ns && inner.end_ns <= outer.end_ns;
}

/// The events named `name` that lie within `outer`, by time.
std::vector<TimelineEvent> within(const std::vector<TimelineEvent>& events,
                                  std::string_view name,
                                  const TimelineEvent& outer) {
    std::vector<TimelineEvent> found;
    for (const TimelineEvent& event : events)
        if (event.name == name && lies_in(event, outer))
            found.push_back(event);
    std::sort(found.begin(), found.end(), [](const TimelineEvent& a, const TimelineEvent& b) {
        return a.begin_ns < b.begin_ns;
    });
    return found;
}

/// Gives each worker the pieces of its own part of the surface, which has `count` tiles or rows.
void deal_runs(SharedWork& work,
               const std::vector<TimelineEvent>& pieces,
               uint32_t count,
               unsigned threads) {
    work.start(threads);
    const auto all = static_cast<uint32_t>(pieces.size());
    const auto home = [&](uint32_t i) {
        return SharedWork::even_run(static_cast<uint32_t>(pieces[i].number), count, threads);
    };
    for (uint32_t first = 0, end = 0; first < all; first = end) {
        while (end < all && home(end) == home(first))
            ++end;
        work.set_run(home(first), {first, end});
    }
}

/// The time until the last of the workers has ended, in milliseconds.
double time_of(SharedWork& work, const std::vector<TimelineEvent>& pieces, unsigned threads) {
    using Worker = std::pair<double, unsigned>;  // free from this time on
    std::priority_queue<Worker, std::vector<Worker>, std::greater<>> workers;
    for (unsigned i = 0; i < threads; ++i)
        workers.emplace(0, i);
    double last = 0;
    while (!workers.empty()) {
        auto [now, worker] = workers.top();
        workers.pop();
        const SharedWork::Range taken = work.take(worker, 1);
        if (taken.empty())
            continue;
        now += duration_of(pieces[taken.first]);
        last = std::max(last, now);
        workers.emplace(now, worker);
    }
    return last;
}

/// Adds up the phases of a frame.
class Simulation {
public:
    Simulation(const std::vector<TimelineEvent>& events, double wake_ms)
        : events_(events)
        , wake_ms_(wake_ms) {}

    /// Adds a phase whose pieces have the name `piece`; its idle time goes to `idle`.
    void
    add_phase(const TimelineEvent& phase, std::string_view piece, unsigned threads, double& idle) {
        std::vector<TimelineEvent> pieces = within(events_, piece, phase);
        // A worker that has done a piece also takes the next one, which is work of its own.
        for (size_t i = 1; i < pieces.size(); ++i)
            pieces[i - 1].end_ns = pieces[i].begin_ns;
        double sum = 0;
        for (const TimelineEvent& event : pieces)
            sum += duration_of(event);
        SharedWork work;
        if (piece == raster::kTimelineSegment || piece == raster::kTimelineGroups) {
            work.start(1);
            work.set_run(0, {0, static_cast<uint32_t>(pieces.size())});
        } else {
            deal_runs(work, pieces, static_cast<uint32_t>(std::max<uint64_t>(phase.number, 1)),
                      threads);
        }
        const double share = sum / threads;
        frame.work += share;
        idle += time_of(work, pieces, threads) - share;
        frame.passes += duration_of(phase) - sum;
        if (threads > 1 && pieces.size() > 1)
            frame.wakes += wake_ms_;
    }

    void add_pass(const TimelineEvent& pass) {
        const auto threads = static_cast<unsigned>(pass.number);
        double phases = 0;
        for (const TimelineEvent& phase : within(events_, raster::kTimelineFront, pass)) {
            add_phase(phase, raster::kTimelineSegment, threads, frame.front_idle);
            phases += duration_of(phase);
        }
        for (const TimelineEvent& phase : within(events_, raster::kTimelineTiles, pass)) {
            add_phase(phase, raster::kTimelineTile, threads, frame.tile_idle);
            phases += duration_of(phase);
        }
        frame.passes += duration_of(pass) - phases;
    }

    SimulatedFrame frame;

private:
    const std::vector<TimelineEvent>& events_;
    double wake_ms_;
};

}  // namespace

double SimulatedFrame::total() const {
    return outside + passes + wakes + work + front_idle + tile_idle + row_idle + group_idle;
}

SimulatedFrame& SimulatedFrame::operator+=(const SimulatedFrame& other) {
    for (const auto part :
         {&SimulatedFrame::outside, &SimulatedFrame::passes, &SimulatedFrame::wakes,
          &SimulatedFrame::work, &SimulatedFrame::front_idle, &SimulatedFrame::tile_idle,
          &SimulatedFrame::row_idle, &SimulatedFrame::group_idle})
        this->*part += other.*part;
    return *this;
}

SimulatedFrame simulate_threads(const raster::Timeline& timeline,
                                uint64_t begin_ns,
                                uint64_t end_ns,
                                unsigned threads,
                                double wake_ms) {
    const std::vector<TimelineEvent>& events = timeline.events().at(0);
    const TimelineEvent whole{"frame", begin_ns, end_ns, 0};
    Simulation simulation(events, wake_ms);
    double inside = 0;
    for (const TimelineEvent& pass : within(events, raster::kTimelinePass, whole)) {
        simulation.add_pass(pass);
        inside += duration_of(pass);
    }
    for (const TimelineEvent& transfer : within(events, raster::kTimelineTransfer, whole)) {
        simulation.add_phase(transfer, raster::kTimelineRows, threads, simulation.frame.row_idle);
        inside += duration_of(transfer);
    }
    for (const TimelineEvent& dispatch : within(events, raster::kTimelineDispatch, whole)) {
        simulation.add_phase(dispatch, raster::kTimelineGroups, threads,
                             simulation.frame.group_idle);
        inside += duration_of(dispatch);
    }
    simulation.frame.outside = duration_of(whole) - inside;
    return simulation.frame;
}

Result<std::vector<unsigned>> parse_thread_counts(std::string_view text) {
    std::vector<unsigned> counts;
    for (const char* at = text.data(); at <= text.data() + text.size(); ++at) {
        unsigned count = 0;
        const auto [end, error] = std::from_chars(at, text.data() + text.size(), count);
        const bool more = end != text.data() + text.size();
        if (error == std::errc::invalid_argument || (more && *end != ','))
            return Error{Errc::Syntax, {}, "not numbers with commas between them"};
        if (error != std::errc() || count < 1 || count > raster::kMaxThreads)
            return Error{Errc::OutOfRange, {}, fmt::format("not 1 to {}", raster::kMaxThreads)};
        counts.push_back(count);
        at = end;
    }
    return counts;
}

std::string simulation_header() {
    return fmt::format("{:>8} {:>10} {:>9}   {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
                       "threads", "ms", "speed-up", "work", "record", "passes", "wakes", "front",
                       "tiles", "rows", "groups");
}

std::string simulation_row(unsigned threads, const SimulatedFrame& frame, double one_thread_ms) {
    const double total = frame.total();
    const auto percent = [total](double part) { return 100 * part / total; };
    return fmt::format(
        "{:>8} {:>10.3f} {:>9.2f}   {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>6.1f}% "
        "{:>6.1f}% {:>6.1f}%\n",
        threads, total, one_thread_ms / total, percent(frame.work), percent(frame.outside),
        percent(frame.passes), percent(frame.wakes), percent(frame.front_idle),
        percent(frame.tile_idle), percent(frame.row_idle), percent(frame.group_idle));
}

}  // namespace valkyr::app
