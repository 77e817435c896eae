// Index test: compares indices that are read together with those read one by one.
// SPDX-License-Identifier: MIT
#include "raster/data/index_source.hpp"
#include "raster/data/runs.hpp"

#include <array>
#include <doctest/doctest.h>
#include <vector>

namespace valkyr::raster::test {
namespace {

constexpr uint64_t kCount = 11;
constexpr std::array<IndexType, 4> kTypes{IndexType::None, IndexType::U8, IndexType::U16,
                                          IndexType::U32};

std::vector<uint8_t> bytes() {
    std::vector<uint8_t> bytes(kCount * sizeof(uint32_t) + 1);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<uint8_t>(97 * i + 3);
    return bytes;
}

}  // namespace

TEST_CASE("indices that are read together are those read one by one, also beyond the buffer") {
    const std::vector<uint8_t> data = bytes();
    for (const IndexType type : kTypes)
        for (const uint64_t first : {uint64_t{0}, uint64_t{4}, kCount, UINT64_MAX - 20})
            for (const size_t size : {size_t{0}, size_t{1}, size_t{7}, size_t{20}}) {
                CAPTURE(static_cast<int>(type));
                CAPTURE(first);
                CAPTURE(size);
                const IndexSource source{data.data() + 1, kCount, type};  // at an odd address
                std::vector<uint32_t> expected;
                for (size_t i = 0; i < size; ++i)
                    expected.push_back(fetch_index(source, first + i));
                std::vector<uint32_t> read(size, 0xCCCCCCCC);
                fetch_indices(source, first, read);
                CHECK(read == expected);
            }
    std::vector<uint32_t> read(3, 1);
    fetch_indices({nullptr, 0, IndexType::U32}, 5, read);
    CHECK(read == std::vector<uint32_t>(3, 0));
}

TEST_CASE("vertices of elements that are listed together are those of each element") {
    const std::vector<uint8_t> data = bytes();
    for (const IndexType type : kTypes) {
        AssemblyState assembly;
        assembly.first = 3;
        assembly.base_vertex = -7;
        if (type != IndexType::None)
            assembly.indices = {data.data(), kCount, type};
        std::vector<uint32_t> ids(12);
        element_vertices(assembly, 2, ids);
        for (uint32_t i = 0; i < ids.size(); ++i)
            CHECK(ids[i] == element_vertex(assembly, 2 + i));
    }
}

}  // namespace valkyr::raster::test
