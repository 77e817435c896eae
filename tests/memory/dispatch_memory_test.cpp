// Dispatch memory test: refuses memory to compute pipelines and dispatches; later ones run.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/memory/sweep.hpp"

#include <array>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

namespace valkyr::test {
namespace {

using namespace raster;

/// Groups of several warps with shared memory, indexed registers, a constant and a BARRIER: number
/// n of the grid stores n and the constant.
constexpr std::string_view kShader = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL CONST[0][0]
DCL BUFFER[0]
DCL MEMORY[0], SHARED
DCL ADDR[0]
DCL TEMP[0..1]
DCL TEMP[2..5], ARRAY(1), LOCAL
IMM[0] UINT32 {4, 40, 3, 0}
UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx
UMUL TEMP[0].y, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].xxxx
BARRIER
LOAD TEMP[0].x, MEMORY[0], TEMP[0].yyyy
AND TEMP[0].z, TEMP[0].xxxx, IMM[0].zzzz
UARL ADDR[0].x, TEMP[0].zzzz
UADD TEMP[ADDR[0].x+2](1).x, TEMP[0].xxxx, CONST[0][0].xxxx
UMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx
STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[ADDR[0].x+2](1).xxxx
END
)";
constexpr uint32_t kFirst = 100;
using Numbers = std::array<uint32_t, size_t{40} * 7>;

Result<void> fill(Device& device, Numbers& numbers) try {
    VALKYR_TRY(shader, device.create_shader(kShader, "cs"));
    VALKYR_TRY(buffer, device.create_buffer(sizeof(Numbers)));
    DispatchState state;
    VALKYR_TRY(pipeline, device.create_compute_pipeline({shader, 160}));
    state.pipeline = std::move(pipeline);
    state.resources.constants = {{kFirst}};
    state.resources.storage = {{buffer}};
    VALKYR_TRY_VOID(device.dispatch(state, {7, 1, 1}));
    return device.read_buffer(buffer, 0, std::as_writable_bytes(std::span(numbers)));
} catch (const std::bad_alloc&) {
    return Error{Errc::OutOfMemory, {}, "the test's own"};
}

}  // namespace

TEST_CASE("a dispatch that memory runs out for is refused, and the next one is right") {
    Numbers expected{};
    std::iota(expected.begin(), expected.end(), kFirst);
    for (const Engine engine : {Engine::Jit, Engine::Valhall})
        for (const unsigned threads : {1U, 3U}) {
            CAPTURE(threads);
            sweep_memory(60, [&](uint64_t first, uint64_t count) {
                DeviceOptions options;
                options.engine = engine;
                options.threads = threads;
                auto device = gpu::create_device(options);
                REQUIRE(device.has_value());
                Numbers numbers{};
                std::optional<Result<void>> done;
                uint64_t requests = 0;
                {
                    const FailingMemory failing(first, count);
                    done.emplace(fill(**device, numbers));
                    requests = FailingMemory::requests();
                }
                if (*done)
                    CHECK(numbers == expected);
                else
                    CHECK(done->error().code == Errc::OutOfMemory);
                CHECK((*done || first != UINT64_MAX));
                numbers = {};
                const auto again = fill(**device, numbers);
                CHECK_MESSAGE(again.has_value(), again.error().text);
                CHECK(numbers == expected);
                return requests;
            });
        }
}

}  // namespace valkyr::test
