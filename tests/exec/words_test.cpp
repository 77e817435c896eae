// Word tests: check the words that the contract packs, bit by bit, against docs/rules/isa-notes.md.
// SPDX-License-Identifier: MIT
#include "exec/abi.hpp"

#include <doctest/doctest.h>

using namespace valkyr::exec;

TEST_CASE("handles: the table in bits 31..24, narrow ones in 16 bits") {
    CHECK(make_handle(ResourceTable::Textures, 7) == (4U << 24 | 7));
    CHECK(table_of(5U << 24 | 0x123456) == ResourceTable::Images);
    CHECK(index_of(5U << 24 | 0x123456) == 0x123456);
    CHECK(make_narrow_handle(ResourceTable::Samplers, 0x7FF) == (3U << 11 | 0x7FF));
    CHECK(widen_narrow_handle(4U << 11 | 9) == (4U << 24 | 9));
}

TEST_CASE("handles: other tables and indices past the end name nothing") {
    constexpr BufferDescriptor kBuffers[2] = {{nullptr, 1}, {nullptr, 2}};
    ResourceTables tables;
    tables.vertex_buffers = kBuffers;
    tables.vertex_buffer_count = 2;
    CHECK(buffers_of(tables, ResourceTable::VertexBuffers).size() == 2);
    CHECK(buffers_of(tables, ResourceTable::ConstantBuffers).empty());
    CHECK(buffers_of(tables, ResourceTable::Textures).empty());
    const auto find = [&](uint32_t handle) {
        return find_descriptor(kBuffers, 2, handle, ResourceTable::VertexBuffers);
    };
    CHECK(find(2U << 24 | 1) == kBuffers + 1);
    CHECK(find(2U << 24 | 2) == nullptr);
    CHECK(find(1) == nullptr);
}

TEST_CASE("the ATEST datum") {
    const uint64_t word = pack(AtestDatum{.alpha_to_coverage = true,
                                          .late_test = true,
                                          .alpha_to_one = true,
                                          .samples = 16,
                                          .alpha_func = CompareFunc::GreaterEqual,
                                          .alpha_reference = 1});
    CHECK(word == (uint64_t{0x3F800000} << 32 | 6U << 16 | 16U << 8 | 7));
    const AtestDatum datum = unpack_atest_datum(word);
    CHECK(datum.alpha_to_coverage);
    CHECK(datum.late_test);
    CHECK(datum.alpha_to_one);
    CHECK(datum.samples == 16);
    CHECK(datum.alpha_func == CompareFunc::GreaterEqual);
    CHECK(datum.alpha_reference == 1);
}

TEST_CASE("the blend descriptor") {
    const uint64_t word = pack(BlendDescriptor{.mode = BlendMode::FixedFunction, .target = 5});
    CHECK((word & 0xFFFFFFFF) == (5U << 16 | 3U << 3 | 2));
    CHECK(blend_mode(word) == BlendMode::FixedFunction);
    CHECK(blend_target(word) == 5);
}

TEST_CASE("vertex records and entry registers") {
    CHECK(record_stride(0) == 32);
    CHECK(varying_offset(3) == 80);
    CHECK(entry_registers(Stage::Vertex) == (7ULL << 59));
    CHECK(entry_registers(Stage::Fragment) == (31ULL << 57));
    CHECK(entry_registers(Stage::Compute) == (255ULL << 55));
    for (const Stage stage : {Stage::Vertex, Stage::Fragment, Stage::Compute, Stage::Blend})
        CHECK((lane_entry_registers(stage) & ~entry_registers(stage)) == 0);
}
