// Fuzz compute: makes random dispatches, legal and not, with buffers and images of draws.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/raster/native_scene.hpp"
#include "tests/raster/record/state_fuzz_state.hpp"

#include <array>
#include <string>
#include <vector>

namespace valkyr::raster::test {

/// Shaders of 24 invocations whose results do not depend on the order of groups, even if their
/// buffers overlap: what they write by STORE, they do not read.
inline constexpr const char* kComputeBodies[] = {
    // Counts in both buffers.
    R"(DCL BUFFER[0..1]
ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].zzzz, IMM[0].xxxx
ATOMUADD TEMP[1].x, BUFFER[1], TEMP[0].zzzz, TEMP[0].xxxx
)",
    // Turns the numbers of a group round in shared memory.
    R"(DCL BUFFER[0..1]
DCL MEMORY[0], SHARED
STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].zzzz
MEMBAR IMM[0].zzzz
BARRIER
UADD TEMP[1].x, IMM[1].xxxx, -TEMP[0].yyyy
LOAD TEMP[2].x, MEMORY[0], TEMP[1].xxxx
STORE BUFFER[0].x, TEMP[0].zzzz, TEMP[2].xxxx
)",
    // Stores texels, some of them outside.
    R"(DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR
MOV TEMP[1].x, TEMP[0].xxxx
MOV TEMP[1].y, SV[1].xxxx
UMAD TEMP[2].x, SV[1].xxxx, IMM[0].wwww, TEMP[0].xxxx
STORE IMAGE[0].x, TEMP[1], TEMP[2], 2D, PIPE_FORMAT_R32_UINT
)",
    // Takes a constant, and loops as often as the group's number says, with barriers.
    R"(DCL BUFFER[0..1]
DCL CONST[0][0]
DCL MEMORY[0], SHARED
MOV TEMP[1].x, SV[1].xxxx
BGNLOOP
UIF TEMP[1].xxxx
ELSE
BRK
ENDIF
UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy
ATOMUADD TEMP[2].x, MEMORY[0], IMM[0].zzzz, CONST[0][0].xxxx
BARRIER
ENDLOOP
LOAD TEMP[2].x, MEMORY[0], IMM[0].zzzz
ATOMUMAX TEMP[1].x, BUFFER[1], TEMP[0].zzzz, TEMP[2].xxxx
)",
};

/// A body as a whole text. TEMP[0]: number in the group, its bytes, bytes of the number in a grid
/// of one dimension.
inline std::string compute_text(const std::string& body) {
    const size_t code = body.rfind("DCL");
    const size_t begin = body.find('\n', code) + 1;
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 24\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
           "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
           "DCL TEMP[0..2]\nIMM[0] UINT32 {1, 4, 0, 24}\nIMM[1] UINT32 {92, 4294967295, 0, 0}\n" +
           body.substr(0, begin) +
           "MOV TEMP[0].x, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
           "UMAD TEMP[0].z, SV[1].xxxx, IMM[0].wwww, TEMP[0].xxxx\n"
           "UMUL TEMP[0].z, TEMP[0].zzzz, IMM[0].yyyy\n" +
           body.substr(begin) + "END\n";
}

/// Random dispatches of the compute shaders.
class RandomDispatches {
public:
    RandomDispatches(Device& device, RandomState& random)
        : device_(device)
        , random_(random) {
        for (const char* body : kComputeBodies)
            shaders_.push_back(must(device.create_shader(compute_text(body), "cs")));
        for (int i = 0; i < 4; ++i) {
            const std::array<uint32_t, 3> sizes{side(), side(), side()};
            sizes_.push_back(
                must(device.create_buffer(sizeof sizes, std::as_bytes(std::span(sizes)))));
        }
    }

    /// ranges, images  candidates, of which the dispatch writes to two and one
    Result<void> dispatch(const std::array<BufferRange, 2>& ranges, const ImageView& image) {
        DispatchState state;
        const auto made = device_.create_compute_pipeline(
            {random_.pick(shaders_), random_.chance(3) ? 4 * number(30) : 24 * 4});
        if (!made)
            return made.error();
        state.pipeline = random_.chance(60) ? nullptr : *made;
        state.resources.storage.assign(ranges.begin(), ranges.end());
        state.resources.images = {image};
        state.resources.constants = {std::vector<uint32_t>(number(5), 3)};
        if (random_.chance(4))
            return device_.dispatch_indirect(state, random_.pick(sizes_),
                                             random_.chance(20) ? number(16) : 0);
        return device_.dispatch(state, {side(), side(), side()});
    }

private:
    uint32_t number(uint32_t limit) { return random_.word() % limit; }
    /// Mostly one to three groups.
    uint32_t side() {
        constexpr uint32_t kOdd[] = {0, 65536, 0x80000000, 0xFFFFFFFF};
        return random_.chance(40) ? kOdd[number(4)] : 1 + number(3);
    }

    Device& device_;
    RandomState& random_;
    std::vector<ShaderRef> shaders_;
    std::vector<BufferRef> sizes_;  ///< of grids
};

}  // namespace valkyr::raster::test
