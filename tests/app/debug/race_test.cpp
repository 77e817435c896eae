// Race test: races on shared memory are found, each exactly, and nothing else is called a race.
// SPDX-License-Identifier: MIT
#include "app/debug/session/race_run.hpp"
#include "app/debug/session/race_tap.hpp"
#include "gpu/create_device.hpp"
#include "tests/app/debug/support.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_groups.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

using Kind = valhall::LaneAccess::Kind;

struct Made {
    Kind kind;
    uint32_t invocation, phase, first, bytes;
};

bool finds_race(const std::vector<Made>& accesses) {
    RaceCheck check;
    for (const Made& a : accesses)
        check.note({a.kind, a.invocation, 0, 0}, a.phase, a.first, a.bytes);
    return !check.races().empty();
}

bool race(const Made& a, const Made& b) {
    const bool overlap = a.first < b.first + b.bytes && b.first < a.first + a.bytes;
    const bool writes = a.kind != Kind::Read || b.kind != Kind::Read;
    const bool atomics = a.kind == Kind::Atomic && b.kind == Kind::Atomic;
    return overlap && a.phase == b.phase && a.invocation != b.invocation && writes && !atomics;
}

constexpr uint32_t kInvocations = 40;
constexpr uint32_t kSharedBytes = 1024;

/// A shader of 40 invocations; TEMP[0].x is four times the number of the invocation, TEMP[0].y the
/// number.
std::string text_of(const std::string& body) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 40\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
           "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\n"
           "DCL BUFFER[0]\nDCL TEMP[0..4]\nIMM[0] UINT32 {0, 4, 40, 3}\n"
           "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nMOV TEMP[0].y, SV[0].xxxx\n" +
           body + "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";
}

RaceRun run_body(const std::string& body) {
    WorkGroup place;
    place.shared_bytes = kSharedBytes;
    const auto session =
        make_group_session(text_of(body), place, {std::vector<uint32_t>(kInvocations)});
    auto run = run_race_check(*session->warp, 10000);
    REQUIRE(run.has_value());
    CHECK(run->faults.empty());
    return std::move(*run);
}
size_t races_of(const std::string& body) {
    return run_body(body).races.size();
}

/// Loads a word that another invocation stores.
constexpr const char* kLoadOther = "UADD TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                   "AND TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz\n"
                                   "LOAD TEMP[1].x, MEMORY[0], TEMP[2].xxxx\n";
constexpr const char* kStoreOwn = "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n";

/// The buffer after two dispatches of the body by a device.
/// tap  null: none
std::vector<uint32_t> dispatched(const std::string& body, RaceTap* tap) {
    raster::DeviceOptions options;
    options.threads = 2;
    options.kernel_tap = tap;
    const auto device = gpu::create_device(options);
    REQUIRE(device.has_value());
    const auto shader = (*device)->create_shader(text_of(body), "racing");
    REQUIRE(shader.has_value());
    const auto pipeline = (*device)->create_compute_pipeline({*shader, kSharedBytes});
    const auto buffer = (*device)->create_buffer(kInvocations * sizeof(uint32_t));
    REQUIRE((pipeline.has_value() && buffer.has_value()));
    raster::DispatchState state;
    state.pipeline = *pipeline;
    state.resources.storage = {{*buffer}};
    for (const uint32_t groups : {7, 1})
        CHECK((*device)->dispatch(state, {groups, 1, 1}).has_value());
    std::vector<uint32_t> words(kInvocations);
    CHECK((*device)->read_buffer(*buffer, 0, std::as_writable_bytes(std::span(words))).has_value());
    return words;
}

}  // namespace

TEST_CASE("accesses race if they share a byte and a phase, one writes, and not both are atomics") {
    const auto pair = [](Kind a, Kind b, Made second = {Kind::Read, 1, 0, 0, 4}) {
        second.kind = b;
        return finds_race({{a, 0, 0, 0, 4}, second});
    };
    CHECK(pair(Kind::Write, Kind::Read));
    CHECK(pair(Kind::Read, Kind::Write));
    CHECK(pair(Kind::Write, Kind::Write));
    CHECK(pair(Kind::Atomic, Kind::Read));
    CHECK(pair(Kind::Read, Kind::Atomic));
    CHECK(pair(Kind::Write, Kind::Atomic));
    CHECK_FALSE(pair(Kind::Read, Kind::Read));
    CHECK_FALSE(pair(Kind::Atomic, Kind::Atomic));
    CHECK_FALSE(pair(Kind::Write, Kind::Write, {Kind::Write, 0, 0, 0, 4}));  // one invocation
    CHECK_FALSE(pair(Kind::Write, Kind::Write, {Kind::Write, 1, 1, 0, 4}));  // another phase
    CHECK_FALSE(pair(Kind::Write, Kind::Write, {Kind::Write, 1, 0, 4, 4}));  // another word
}

TEST_CASE("different bytes of one word do not race") {
    CHECK_FALSE(finds_race({{Kind::Write, 0, 0, 0, 1}, {Kind::Write, 1, 0, 1, 1}}));
    CHECK_FALSE(finds_race({{Kind::Write, 0, 0, 0, 2}, {Kind::Read, 1, 0, 2, 2}}));
    CHECK(finds_race({{Kind::Write, 0, 0, 0, 2}, {Kind::Read, 1, 0, 1, 2}}));
    CHECK(finds_race({{Kind::Write, 0, 0, 3, 1}, {Kind::Read, 1, 0, 0, 4}}));
}

TEST_CASE("a race is found exactly if some pair of accesses races") {
    unsigned with = 0;
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        Random random(seed);
        std::vector<Made> accesses;
        const uint32_t bytes = 8 << random.below(6);
        for (uint32_t n = 2 + random.below(12), phase = 0; n != 0; --n) {
            phase += random.one_in(4) ? 1 : 0;
            accesses.push_back({static_cast<Kind>(random.below(3)), random.below(5), phase,
                                random.below(bytes), 1 + random.below(4)});
        }
        bool expected = false;
        for (const Made& a : accesses)
            for (const Made& b : accesses)
                expected |= race(a, b);
        with += expected ? 1 : 0;
        REQUIRE_MESSAGE(finds_race(accesses) == expected, "seed ", seed);
    }
    CHECK(with > 500);
    CHECK(with < 2500);
}

TEST_CASE("a barrier between a store and the load of another invocation orders them") {
    CHECK(races_of(std::string(kStoreOwn) + kLoadOther) == 1);
    CHECK(races_of(std::string(kStoreOwn) + "BARRIER\n" + kLoadOther) == 0);
    // Without a second barrier the next store races with the load.
    const std::string ordered = std::string(kStoreOwn) + "BARRIER\n" + kLoadOther;
    CHECK(races_of(ordered + kStoreOwn) == 1);
    CHECK(races_of(ordered + "BARRIER\n" + kStoreOwn) == 0);
}

TEST_CASE("invocations of one warp race, and an invocation does not race with itself") {
    CHECK(races_of("STORE MEMORY[0].x, IMM[0].xxxx, TEMP[0].yyyy\n") == 1);
    CHECK(races_of(std::string(kStoreOwn) + "LOAD TEMP[1].x, MEMORY[0], TEMP[0].xxxx\n" +
                   kStoreOwn) == 0);
}

TEST_CASE("atomics race with plain accesses, but not with atomics") {
    const std::string atomic = "ATOMUADD TEMP[1].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy\n";
    const std::string load = "LOAD TEMP[3].x, MEMORY[0], IMM[0].xxxx\n"
                             "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\n";
    CHECK(races_of(atomic + atomic) == 0);
    CHECK(races_of(atomic + load) == 1);
    CHECK(races_of(atomic + "BARRIER\n" + load) == 0);
}

TEST_CASE("rounds of a loop are ordered by its barriers") {
    const std::string counted =
        "MOV TEMP[4].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[4].y, TEMP[4].xxxx, IMM[0].zzzz\n"
        "UIF TEMP[4].yyyy\nBRK\nENDIF\n";
    const std::string next = "UADD TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy\nENDLOOP\n";
    CHECK(races_of(counted + kStoreOwn + "BARRIER\n" + kLoadOther + next) == 1);
    CHECK(races_of(counted + kStoreOwn + "BARRIER\n" + kLoadOther + "BARRIER\n" + next) == 0);
}

TEST_CASE("random programs that have no races are not said to have some") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        const RandomGroups groups = random_groups([&](uint32_t n) { return random.below(n); });
        WorkGroup place;
        place.grid = groups.grid;
        place.shared_bytes = groups.shared_bytes;
        const auto session = make_group_session(groups.text, place, {std::vector<uint32_t>(1), {}});
        const auto run = run_race_check(*session->warp, 1 << 20);
        REQUIRE(run.has_value());
        CHECK(run->faults.empty());
        CHECK_MESSAGE(run->races.empty(), "seed ", seed, "\n", groups.text,
                      races_text(run->races, *session->warp, "seed", false));
    }
}

TEST_CASE("a race names its byte and two invocations, and counts the accesses like it") {
    const RaceRun run = run_body(std::string(kStoreOwn) + kLoadOther);
    REQUIRE(run.races.size() == 1);
    const Race& found = run.races[0];
    CHECK(found.byte % 4 == 0);
    CHECK(found.first.invocation != found.second.invocation);
    CHECK(found.times > 1);
}

TEST_CASE("a device with a race tap computes what others do, and names each race once") {
    for (const bool races : {false, true}) {
        const std::string body = std::string(kStoreOwn) + (races ? "" : "BARRIER\n") + kLoadOther;
        std::string text;
        RaceTap tap([&text](const std::string& race) { text += race; });
        CHECK(dispatched(body, &tap) == dispatched(body, nullptr));
        CHECK(tap.pairs() == (races ? 1 : 0));
        CHECK_FALSE(tap.exhausted());
        CHECK(text.empty() == !races);
        if (races) {
            CHECK(text.starts_with("race on shared memory in racing, group ("));
            CHECK(text.find("writes: racing:") != std::string::npos);
            CHECK(text.find("reads: racing:") != std::string::npos);
            CHECK(text.find("race on", 1) == std::string::npos);
        }
    }
}
