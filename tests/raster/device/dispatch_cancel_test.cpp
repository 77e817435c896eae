// Dispatch cancel test: endless work-groups and the largest grids are given up with a message.
// SPDX-License-Identifier: MIT
#include "tests/raster/device/compute_bench.hpp"

namespace valkyr::raster::test {

namespace {

/// Groups that write 1 and then do the body for ever.
std::string endless(const std::string& body = "") {
    return compute({20, 1, 1}, "DCL BUFFER[0]\nIMM[1] UINT32 {16, 0, 0, 0}\n",
                   "STORE BUFFER[0].x, TEMP[1].wwww, IMM[0].zzzz\nMOV TEMP[2], IMM[0]\nBGNLOOP\n" +
                       body +
                       "UADD TEMP[2], TEMP[2], IMM[0]\nUIF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\n");
}

/// Lanes that loop alone, that meet at barriers in each round, and a warp that never comes to the
/// barrier at which the other one waits.
std::vector<std::string> endless_texts() {
    return {endless(), endless("MEMBAR IMM[0].yyyy\nBARRIER\n"),
            endless("USLT TEMP[3].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[3].xxxx\nBARRIER\nENDIF\n")};
}

/// Checks that the last dispatch was given up for this reason, and that the device goes on.
void check_given_up(ComputeBench& bench, const char* reason) {
    const auto finished = bench.device->finish();
    REQUIRE(!finished.has_value());
    CHECK(finished.error().code == Errc::InvalidState);
    CHECK(finished.error().text.find(reason) != std::string::npos);
    must(bench.device->finish());
    const BufferRef buffer = bench.words(20 * 4);
    bench.state.resources.storage = {{buffer}};
    bench.shader(
        compute({20, 1, 1}, "DCL BUFFER[0]\n", "STORE BUFFER[0].x, TEMP[1].wwww, IMM[0].wwww\n"));
    bench.run({4, 1, 1});
    must(bench.device->finish());
    CHECK(bench.read(buffer) == Words(20 * 4, 2));
}

}  // namespace

TEST_CASE("a dispatch that loops for ever is ended and reported, and the device goes on") {
    for (const Machine& machine : kMachines)
        for (const std::string& text : endless_texts())
            for (const bool budget : {false, true}) {
                CAPTURE(text);
                CAPTURE(budget);
                DeviceOptions options;
                options.draw_budget_ms = budget ? 20 : 0;
                options.loop_limit = budget ? 0 : 70000;
                ComputeBench bench(machine, options);
                bench.state.resources.storage = {{bench.words(20 * 4)}};
                bench.shader(text);
                bench.run({4, 1, 1});
                check_given_up(bench, budget ? "a draw, dispatch or copy took more than 20 ms"
                                             : "70000 times");
            }
}

TEST_CASE("the largest grid is given up when it is out of time, also one whose size a buffer has") {
    for (const Machine& machine : kMachines)
        for (const bool indirect : {false, true}) {
            DeviceOptions options;
            options.draw_budget_ms = 20;
            ComputeBench bench(machine, options);
            bench.state.resources.storage = {{bench.words(1)}};
            bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\n",
                                 "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n"));
            if (indirect)
                must(bench.device->dispatch_indirect(bench.state,
                                                     bench.words({65535, 65535, 65535}), 0));
            else
                bench.run({65535, 65535, 65535});
            check_given_up(bench, "a draw, dispatch or copy took more than 20 ms");
        }
}

TEST_CASE("a cancelled device runs no dispatch") {
    ComputeBench bench(kMachines[3]);
    bench.shader(endless());
    bench.state.resources.storage = {{bench.words(20)}};
    const BufferRef sizes = bench.words({1, 1, 1});
    bench.device->cancel();
    bench.run({1, 1, 1});
    must(bench.device->dispatch_indirect(bench.state, sizes, 0));
    CHECK(bench.device->take_statistics().dispatches == 0);
}

}  // namespace valkyr::raster::test
