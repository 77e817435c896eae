// Measuring: plays a frame until its profile is known.
// SPDX-License-Identifier: MIT
#include "app/profile/measure.hpp"

#include "app/profile/attribute.hpp"
#include "app/profile/profile_device.hpp"
#include "gpu/create_device.hpp"

#include <algorithm>

namespace valkyr::profile {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kWarmFrames = 2;   ///< make kernels and touch memory
constexpr uint64_t kLeastFrames = 3;  ///< that are timed
constexpr double kMostPlaying = 5;    ///< seconds, times least_seconds: traces have long ways

/// A clock and samples for what lies between begin() and end().
class Watch {
public:
    explicit Watch(SampleTimer& timer)
        : timer_(timer) {}
    void begin() {
        start_ = Clock::now();
        timer_.start();
    }
    double end() {
        timer_.stop();
        const double took = std::chrono::duration<double>(Clock::now() - start_).count();
        total_ += took;
        return took;
    }
    [[nodiscard]] double total() const { return total_; }
    [[nodiscard]] bool is_full() const { return timer_.is_full(); }

private:
    SampleTimer& timer_;
    Clock::time_point start_;
    double total_ = 0;
};

raster::DeviceOptions with_tap(raster::DeviceOptions options, raster::KernelTap& tap) {
    options.threads = 1;
    options.kernel_tap = &tap;
    return options;
}

debug::DrawLog::MakeDevice device_maker(raster::DeviceOptions options, Playback& playback) {
    return [options, &playback]() -> Result<std::unique_ptr<raster::Device>> {
        VALKYR_TRY(inside, gpu::create_device(options));
        return std::unique_ptr<raster::Device>(
            std::make_unique<ProfileDevice>(std::move(inside), playback));
    };
}

/// Times of each draw, one for each frame.
struct DrawTimes {
    std::string what;
    std::vector<double> seconds;
    [[nodiscard]] double median() {
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::ranges::nth_element(seconds, middle);
        return *middle;
    }
};

/// Plays the frame for its times.
class Timing {
public:
    Timing(const Request& request, SampleTimer& timer, TimeTap& tap)
        : request_(request)
        , watch_(timer)
        , tap_(tap) {}

    Result<void> run(const debug::Player& play) {
        debug::DrawLog log({}, UINT64_MAX);
        playback_.marks_draws = request_.draws || request_.draw;
        if (!request_.draws)
            playback_.marked = request_.draw;
        playback_.draw_begins = [this](uint32_t draw, const std::string& what) {
            draw_begins(draw, what);
        };
        playback_.draw_ends = [this](uint32_t draw) { draw_ends(draw); };
        log.make_device = device_maker(with_tap(request_.device, tap_), playback_);
        log.frame.begin = [this](bool repeats) { frame_begins(repeats); };
        log.frame.end = [this] { return frame_ends(); };
        log.frame.draws = [this] { return playback_.draws; };
        const auto start = Clock::now();
        do {
            const uint64_t before = attempts_;
            VALKYR_TRY(played, play(log));
            if (attempts_ == before)
                return Error{Errc::InvalidState, {}, "no frame to time"};
            if (lacks_draw())
                return Error{Errc::OutOfRange,
                             {},
                             "no draw " + std::to_string(*request_.draw) + ": the frame has " +
                                 std::to_string(playback_.draws) + ", counted from 0"};
        } while (wants_more() && std::chrono::duration<double>(Clock::now() - start).count() <
                                     kMostPlaying * request_.least_seconds);
        return {};
    }

    [[nodiscard]] uint64_t frames() const { return frames_; }
    [[nodiscard]] double total() const { return watch_.total(); }
    [[nodiscard]] const std::map<std::string, std::string>& texts() const {
        return playback_.texts;
    }
    [[nodiscard]] std::vector<DrawCost> draws() {
        std::vector<DrawCost> costs;
        for (DrawTimes& draw : draws_)
            costs.push_back({draw.what, draw.median()});
        return costs;
    }

private:
    [[nodiscard]] bool lacks_draw() const {
        return request_.draw && *request_.draw >= playback_.draws;
    }
    [[nodiscard]] bool wants_more() const {
        return !watch_.is_full() &&
               (watch_.total() < request_.least_seconds || frames_ < kLeastFrames);
    }
    void frame_begins(bool repeats) {
        playback_.counting = true;
        playback_.draws = 0;
        timed_ = ++attempts_ > kWarmFrames || !repeats;
        if (timed_ && !request_.draw)
            watch_.begin();
    }
    bool frame_ends() {
        if (timed_ && !request_.draw)
            watch_.end();
        playback_.counting = false;
        if (timed_)
            ++frames_;
        return wants_more() && !lacks_draw();
    }
    void draw_begins(uint32_t draw, const std::string& what) {
        if (draws_.size() <= draw && request_.draws)
            draws_.resize(draw + 1);
        if (request_.draws)
            draws_[draw].what = what;
        if (request_.draw == draw && timed_)
            watch_.begin();
        draw_start_ = Clock::now();
    }
    void draw_ends(uint32_t draw) {
        const std::chrono::duration<double> took = Clock::now() - draw_start_;
        if (request_.draw == draw && timed_)
            watch_.end();
        if (request_.draws)
            draws_[draw].seconds.push_back(took.count());
    }

    const Request& request_;
    Watch watch_;
    TimeTap& tap_;
    Playback playback_;
    std::vector<DrawTimes> draws_;
    Clock::time_point draw_start_;
    uint64_t attempts_ = 0;
    uint64_t frames_ = 0;
    bool timed_ = false;
};

/// Plays the frame once by the interpreter, behind the frames that were not timed, either.
Result<void> count_words(const Request& request, const debug::Player& play, CountTap& tap) {
    Playback playback;
    uint64_t attempts = 0;
    bool counted = false;
    playback.marks_draws = request.draw.has_value();
    playback.marked = request.draw;
    playback.draw_begins = [&](uint32_t, const std::string&) { tap.arm(counted); };
    playback.draw_ends = [&](uint32_t) { tap.arm(false); };
    debug::DrawLog log({}, UINT64_MAX);
    log.make_device = device_maker(with_tap(request.device, tap), playback);
    log.frame.begin = [&](bool repeats) {
        playback.counting = true;
        playback.draws = 0;
        counted = ++attempts > kWarmFrames || !repeats;
        tap.arm(counted && !request.draw);
    };
    log.frame.end = [&] {
        playback.counting = false;
        tap.arm(false);
        return !counted;
    };
    log.frame.draws = [&playback] { return playback.draws; };
    VALKYR_TRY(played, play(log));
    if (tap.failed())
        return Error{Errc::OutOfMemory, {}, "no memory to count what the frame executes"};
    return {};
}

}  // namespace

Result<Profile> measure(const Request& request, const debug::Player& play) {
    KernelTable table;
    VALKYR_TRY(timer, SampleTimer::create(request.period));
    TimeTap time_tap(table, *timer);
    Timing timing(request, *timer, time_tap);
    VALKYR_TRY_VOID(timing.run(play));
    CountTap count_tap(table);
    VALKYR_TRY_VOID(count_words(request, play, count_tap));

    Profile profile;
    profile.what = request.what;
    profile.frames = timing.frames();
    profile.seconds = timing.total() / static_cast<double>(std::max<uint64_t>(profile.frames, 1));
    profile.period = std::chrono::duration<double>(request.period).count();
    profile.draws = timing.draws();
    VALKYR_TRY_VOID(
        attribute({table, *timer, time_tap, count_tap, timing.texts(), request.device}, profile));
    return profile;
}

}  // namespace valkyr::profile
