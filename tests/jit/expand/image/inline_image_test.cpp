// Inline image test: LD_TEX, LEA_TEX and ST_CVT agree with the interpreter and the routines.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "raster/record/state_keys.hpp"
#include "tests/jit/harness.hpp"
#include "tests/jit/message_run.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

struct KindCase {
    TextureKind kind;
    bool has_y, has_slices;
    unsigned samples;
};
constexpr KindCase kKinds[] = {
    {TextureKind::Buffer, false, false, 1},     {TextureKind::Tex1D, false, false, 1},
    {TextureKind::Tex2D, true, false, 1},       {TextureKind::Tex3D, true, true, 1},
    {TextureKind::Cube, true, true, 1},         {TextureKind::Rect, true, false, 1},
    {TextureKind::Tex1DArray, false, true, 1},  {TextureKind::Tex2DArray, true, true, 1},
    {TextureKind::CubeArray, true, true, 1},    {TextureKind::Tex2DMs, true, false, 4},
    {TextureKind::Tex2DMsArray, true, true, 2},
};

/// Formats of OpenGL's image units, and further ones that the rasterizer supports.
constexpr Format kFormats[] = {
    Format::R32G32B32A32_FLOAT,
    Format::R16G16B16A16_FLOAT,
    Format::R32G32_FLOAT,
    Format::R16G16_FLOAT,
    Format::R11G11B10_FLOAT,
    Format::R32_FLOAT,
    Format::R16_FLOAT,
    Format::R32G32B32A32_UINT,
    Format::R16G16B16A16_UINT,
    Format::R10G10B10A2_UINT,
    Format::R8G8B8A8_UINT,
    Format::R32G32_UINT,
    Format::R16G16_UINT,
    Format::R8G8_UINT,
    Format::R32_UINT,
    Format::R16_UINT,
    Format::R8_UINT,
    Format::R32G32B32A32_SINT,
    Format::R16G16B16A16_SINT,
    Format::R8G8B8A8_SINT,
    Format::R32G32_SINT,
    Format::R16G16_SINT,
    Format::R8G8_SINT,
    Format::R32_SINT,
    Format::R16_SINT,
    Format::R8_SINT,
    Format::R16G16B16A16_UNORM,
    Format::R10G10B10A2_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R16G16_UNORM,
    Format::R8G8_UNORM,
    Format::R16_UNORM,
    Format::R8_UNORM,
    Format::R16G16B16A16_SNORM,
    Format::R8G8B8A8_SNORM,
    Format::R16G16_SNORM,
    Format::R8G8_SNORM,
    Format::R16_SNORM,
    Format::R8_SNORM,
    Format::B8G8R8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B5G6R5_UNORM,
    Format::R8G8B8X8_UNORM,
    Format::A8_UNORM,
};

constexpr const char* kRegisterFormats[] = {"auto", "f32", "f32", "f16",
                                            "s32",  "u32", "s16", "u16"};

bool has_halves(const std::string& format) {
    return format.ends_with("16");
}

std::string run_of(unsigned first, unsigned count) {
    std::string text = "@r" + std::to_string(first);
    for (unsigned i = 1; i < count; ++i)
        text += ":r" + std::to_string(first + i);
    return text;
}

/// Modifiers such as ".v3.f16", and the registers of such an access from `first` on.
struct Access {
    std::string modifiers;
    std::string run;
};
Access random_access(Random& random, unsigned first) {
    const unsigned count = 1 + random.below(4);
    const std::string format = kRegisterFormats[random.below(std::size(kRegisterFormats))];
    const unsigned registers = has_halves(format) ? (count + 1) / 2 : count;
    return {(count == 1 ? "" : ".v" + std::to_string(count)) + "." + format,
            run_of(first, registers)};
}

/// An image of random bytes, and a case whose key describes it.
struct ImageCase {
    exec::ImageDescriptor image;
    std::vector<uint8_t> bytes;
    MessageCase test;

    ImageCase(Random& random, const KindCase& kind, Format format) {
        const unsigned block = exec::format_info(format).block_bytes;
        image.kind = kind.kind;
        image.format = format;
        image.samples = static_cast<uint8_t>(kind.samples);
        image.width = 1 + random.below(kind.kind == TextureKind::Buffer ? 40 : 11);
        image.height = kind.has_y ? 1 + random.below(11) : 1;
        image.depth = kind.has_slices ? 1 + random.below(4) : 1;
        image.tiles_per_row = (image.width + 3) / 4;
        image.slice_bytes =
            uint64_t{image.tiles_per_row} * ((image.height + 3) / 4) * 16 * kind.samples * block;
        bytes.resize(image.slice_bytes * image.depth + 64);
        for (uint8_t& b : bytes)
            b = static_cast<uint8_t>(random.next());
        image.data = bytes.data();
        test.tables.images = &image;
        test.tables.image_count = 1;
        test.memory = bytes;
        test.vertex.image_units = test.fragment.image_units = 1;
        test.vertex.images[0] = test.fragment.images[0] = raster::image_key(image);
        test.pressure = random.one_in(3);
        if (random.one_in(2))
            test.lanes = static_cast<uint16_t>(random.next());
        const bool same = random.one_in(8);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            fill_place(random, kind, lane);
            if (same)
                for (unsigned k = 0; k < 2; ++k)
                    test.inputs[k].v[lane] = test.inputs[k].v[0];
            for (unsigned k = 2; k < 4; ++k)
                test.inputs[k].v[lane] = interesting_word(random);
        }
    }
    ImageCase(const ImageCase&) = delete;
    ImageCase& operator=(const ImageCase&) = delete;

private:
    /// A coordinate that is sometimes outside.
    static uint32_t below(Random& random, uint32_t size) {
        if (random.one_in(12))
            return random.one_in(2) ? 0xFFFF : size + random.below(3);
        return random.below(size);
    }
    void fill_place(Random& random, const KindCase& kind, unsigned lane) {
        const uint32_t x = below(random, image.width);
        const uint32_t y = kind.has_y ? below(random, image.height) : random.below(4);
        const uint32_t slice = kind.has_slices ? below(random, image.depth) : random.below(4);
        const uint32_t low = kind.kind == TextureKind::Tex3D ? slice
                             : kind.samples > 1              ? below(random, kind.samples)
                                                             : random.below(4);
        test.inputs[0].v[lane] = kind.kind == TextureKind::Buffer ? x : x | y << 16;
        test.inputs[1].v[lane] = low | slice << 16;
    }
};

constexpr const char* kUnit = ", r0, r1, index:0x0, table:0x5\n";

void check(ImageCase& c) {
    const std::string report = message_disagreement(c.test);
    if (!report.empty())
        FAIL_CHECK(report << "format " << exec::format_info(c.image.format).name << ", kind "
                          << int(c.image.kind) << ", " << c.image.width << "x" << c.image.height
                          << "x" << c.image.depth);
    CHECK_FALSE(calls_routine(c.test));
}

TEST_CASE("inline LD_TEX loads texels of every kind and format") {
    Random random(0x1D7E);
    for (unsigned round = 0; round < rounds(400); ++round) {
        const KindCase& kind = kKinds[round % std::size(kKinds)];
        ImageCase c(random, kind, kFormats[random.below(std::size(kFormats))]);
        const Access load = random_access(random, 8);
        c.test.body = "LD_TEX_IMM.slot0.wait0" + load.modifiers + " " + load.run + kUnit;
        check(c);
    }
}

TEST_CASE("inline ST_CVT stores texels of every kind and format") {
    Random random(0x57C7);
    for (unsigned round = 0; round < rounds(400); ++round) {
        const KindCase& kind = kKinds[round % std::size(kKinds)];
        ImageCase c(random, kind, kFormats[random.below(std::size(kFormats))]);
        const Access store = random_access(random, 4);
        c.test.body = "MOV.i32 r4, r2\nMOV.i32 r5, r3\nIADD.u32 r6, r2, r3\nISUB.u32 r7, r2, r3\n"
                      "LEA_TEX_IMM.slot0.wait0 @r12:r13:r14, r0, r1, table:0x5, index:0x0\n"
                      "ST_CVT.slot0.wait0" +
                      store.modifiers + " " + store.run + ", r12, r14, offset:0x0\n" +
                      "LD_TEX_IMM.slot0.wait0.v4.auto @r8:r9:r10:r11" + kUnit;
        check(c);
    }
}

/// Pixels of the lanes as programs usually name them: a row, or a block of a fragment warp.
enum class LaneShape : uint8_t { Row, Block };

/// Places the lanes in a shape, anywhere near the image; sometimes mirrors them, clamps them to its
/// edges, or moves a lane.
void place_lanes(Random& random, ImageCase& c, LaneShape shape) {
    const uint32_t step = shape == LaneShape::Block && random.one_in(2) ? 4 : 1;
    const bool clamps = random.one_in(3);
    const auto first = [&](uint32_t size) {
        const uint32_t at = random.below(size + 4) / step * step;
        return random.one_in(3) && at >= 4 ? at - 4 : at;
    };
    const uint32_t x = first(c.image.width);
    const uint32_t y = first(c.image.height);
    const uint32_t mirror = random.one_in(2) ? random.below(exec::kLanes) : 0;
    for (uint32_t lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t place = lane ^ mirror;
        const uint32_t dx = shape == LaneShape::Row ? lane : (place & 1) | (place >> 1 & 2);
        const uint32_t dy = shape == LaneShape::Row ? 0 : (place >> 1 & 1) | (place >> 2 & 2);
        const uint32_t column = clamps ? std::min(x + dx, c.image.width - 1) : x + dx;
        const uint32_t row = clamps ? std::min(y + dy, c.image.height - 1) : y + dy;
        c.test.inputs[0].v[lane] = column | row << 16;
    }
    if (random.one_in(4))
        c.test.inputs[0].v[random.below(exec::kLanes)] ^= 1U << random.below(18);
}

/// Images of which the lanes can be a row; those of one row of tiles end where their memory ends.
void make_wide(Random& random, ImageCase& c) {
    c.image.width = 8 + random.below(48);
    c.image.height = 1 + random.below(9);
    c.image.tiles_per_row = (c.image.width + 3) / 4 + random.below(2);
    c.image.slice_bytes = uint64_t{c.image.tiles_per_row} * ((c.image.height + 3) / 4) * 16 *
                          exec::format_info(c.image.format).block_bytes;
    c.bytes.resize(c.image.slice_bytes);
    for (uint8_t& b : c.bytes)
        b = static_cast<uint8_t>(random.next());
    c.image.data = c.bytes.data();
    c.test.memory = c.bytes;
}

constexpr Format kPixelFormats[] = {
    Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R8G8B8A8_UINT, Format::R8G8B8A8_SNORM,
    Format::R32_FLOAT,      Format::R32_UINT,       Format::R16G16_FLOAT,  Format::R11G11B10_FLOAT,
    Format::R8G8B8X8_UNORM, Format::R8G8B8A8_SRGB};

TEST_CASE("inline LD_TEX and ST_CVT of pixels that lie as lanes do") {
    Random random(0x1D81);
    for (unsigned round = 0; round < rounds(400); ++round) {
        const KindCase& kind = kKinds[random.one_in(4) ? 5 : 2];
        ImageCase c(random, kind, kPixelFormats[random.below(std::size(kPixelFormats))]);
        make_wide(random, c);
        place_lanes(random, c, round % 2 == 0 ? LaneShape::Row : LaneShape::Block);
        const Access load = random_access(random, 8);
        const Access store = random_access(random, 4);
        c.test.body = "LD_TEX_IMM.slot0.wait0" + load.modifiers + " " + load.run + kUnit;
        if (random.one_in(2))
            c.test.body +=
                "MOV.i32 r4, r2\nMOV.i32 r5, r3\nIADD.u32 r6, r2, r3\nISUB.u32 r7, r2, r3\n"
                "LEA_TEX_IMM.slot0.wait0 @r12:r13:r14, r0, r1, table:0x5, index:0x0\n"
                "ST_CVT.slot0.wait0" +
                store.modifiers + " " + store.run + ", r12, r14, offset:0x0\n";
        check(c);
    }
}

/// An atomic on the texels of LEA_TEX; its operands are in r4 and r5, its result in r6.
std::string row_atomic(Random& random) {
    constexpr const char* kAtomics[] = {"ATOM.i32.slot0.wait0.aumax @r4",
                                        "ATOM_RETURN.i32.slot0.wait0.aadd @r6, @r4",
                                        "ATOM_RETURN.i32.slot0.wait0.axor @r6, @r4",
                                        "ATOM_RETURN.i32.slot0.wait0.axchg @r6, @r4",
                                        "ATOM_RETURN.i32.slot0.wait0.compare.axchg @r6, @r4:r5",
                                        "ATOM1_RETURN.i32.slot0.wait0.ainc @r6"};
    return std::string(kAtomics[random.below(std::size(kAtomics))]) + ", r12, offset:0x0\n";
}

TEST_CASE("inline atomics on texels of pixels that lie as lanes do") {
    Random random(0xA70);
    for (unsigned round = 0; round < rounds(600); ++round) {
        ImageCase c(random, kKinds[2], random.one_in(2) ? Format::R32_UINT : Format::R32_SINT);
        make_wide(random, c);
        place_lanes(random, c, round % 4 == 0 ? LaneShape::Row : LaneShape::Block);
        c.test.body = "MOV.i32 r4, r2\nMOV.i32 r5, r3\n";
        for (unsigned n = 1 + random.below(3); n != 0; --n) {
            c.test.body += "LEA_TEX_IMM.slot0.wait0 @r12:r13:r14, r0, r1, table:0x5, index:0x0\n";
            if (random.one_in(6))  // no row of this address is noted
                c.test.body += "LEA_TEX_IMM.slot0.wait0 @r8:r9:r10, r2, r1, table:0x5, index:0x0\n";
            c.test.body += row_atomic(random);
        }
        check(c);
    }
}

/// Loads of texels of a row beside each other, as filters make them: from the lanes' x in r0 and y
/// in the upper half of r2. `between` is put between two of them.
std::string row_loads(Random& random, ImageCase& c, const std::string& between) {
    c.test.immediates = {c.image.width - 1};
    const bool clamps = random.one_in(2);
    const unsigned spread = random.one_in(3) ? 24 : 5;
    const unsigned divided = random.below(6);
    std::string body;
    for (unsigned k = 0; k < 6; ++k) {
        if (k == divided)
            body += between;
        c.test.immediates.push_back(random.below(spread) - spread / 2);
        body += "IADD.u32 r7, r0, u" + std::to_string(k + 1) + "\n";
        if (clamps)
            body += "CSEL.s32.gt r7, r7, 0x0, r7, 0x0\nCSEL.s32.lt r7, r7, u0, r7, u0\n";
        body += "LSHIFT_OR.i32 r7, r7, 0x0.b00, r2\n"
                "LD_TEX_IMM.slot0.wait0.v4.auto " +
                run_of(k == 0 ? 8 : 12, 4) + ", r7, r1, index:0x0, table:0x5\n";
        for (unsigned i = 0; i < 4 && k > 1; ++i)
            body += "IADD.u32 r" + std::to_string(8 + i) + ", r" + std::to_string(8 + i) + ", r" +
                    std::to_string(12 + i) + "\n";
        if (random.one_in(8))
            body += "LEA_TEX_IMM.slot0.wait0 @r4:r5:r6, r7, r1, table:0x5, index:0x0\n"
                    "ST_CVT.slot0.wait0.v4.auto @r12:r13:r14:r15, r4, r6, offset:0x0\n";
    }
    return body;
}

/// Puts the lanes into a row of a wide image, their x into r0 and y into the upper half of r2.
void place_row(Random& random, ImageCase& c) {
    make_wide(random, c);
    place_lanes(random, c, LaneShape::Row);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        uint32_t& x = c.test.inputs[0].v[lane];
        c.test.inputs[2].v[lane] = x & 0xFFFF0000;
        x &= 0xFFFF;
    }
}

TEST_CASE("inline LD_TEX of several texels of a row") {
    Random random(0x1D82);
    for (unsigned round = 0; round < rounds(400); ++round) {
        const KindCase& kind = kKinds[random.one_in(4) ? 5 : 2];
        ImageCase c(random, kind, kPixelFormats[random.below(std::size(kPixelFormats))]);
        place_row(random, c);
        c.test.body = row_loads(random, c, "");
        check(c);
    }
}

TEST_CASE("inline LD_TEX of several texels of a row, in a program of several blocks") {
    Random random(0x1D83);
    for (unsigned round = 0; round < rounds(200); ++round) {
        ImageCase c(random, kKinds[2], kPixelFormats[random.below(std::size(kPixelFormats))]);
        place_row(random, c);
        // Lanes whose r3 is negative wait for the others.
        c.test.body = "ICMP.s32.lt.m1 r7, r3, 0x0, 0x0\nBRANCHZ.reconverge r7.h0, offset:L0\n" +
                      row_loads(random, c, "") + "NOP.reconverge\nL0:\n" + row_loads(random, c, "");
        check(c);
    }
}

TEST_CASE("inline LD_TEX of several texels of a row, and a routine between them") {
    Random random(0x1D84);
    for (unsigned round = 0; round < rounds(200); ++round) {
        ImageCase c(random, kKinds[2], kPixelFormats[random.below(std::size(kPixelFormats))]);
        place_row(random, c);
        // Units that differ, and a handle of run time.
        c.test.vertex.image_units = c.test.fragment.image_units = 2;
        c.test.vertex.images[1] = c.test.fragment.images[1] = {};
        c.test.body = row_loads(random, c, "LD_TEX.slot0.wait0.v2.f32 @r4:r5, r0, r1, u0\n");
        INFO(message_disagreement(c.test));
        CHECK(message_disagreement(c.test).empty());
        CHECK(calls_routine(c.test));
    }
}

TEST_CASE("inline image messages by a handle of run time") {
    Random random(0x1D80);
    for (unsigned round = 0; round < rounds(200); ++round) {
        ImageCase c(random, kKinds[round % std::size(kKinds)],
                    kFormats[random.below(std::size(kFormats))]);
        std::array<exec::ImageDescriptor, 2> images{c.image, c.image};
        images[1].width = 1 + random.below(c.image.width);
        c.test.tables.images = images.data();
        c.test.tables.image_count = 2;
        c.test.vertex.image_units = c.test.fragment.image_units = 2;
        c.test.vertex.images[1] = c.test.fragment.images[1] = c.test.fragment.images[0];
        const auto table =
            random.one_in(8) ? exec::ResourceTable::Textures : exec::ResourceTable::Images;
        const uint32_t handle =
            exec::make_handle(table, random.one_in(8) ? 2 + random.below(9) : random.below(2));
        for (uint32_t& word : c.test.inputs[3].v)
            word = handle;
        const Access load = random_access(random, 8);
        const Access store = random_access(random, 4);
        c.test.body = "MOV.i32 r4, r2\nMOV.i32 r5, r3\nIADD.u32 r6, r2, r3\nISUB.u32 r7, r2, r3\n"
                      "LEA_TEX.slot0.wait0 @r12:r13:r14, r0, r1, r3\n"
                      "ST_CVT.slot0.wait0" +
                      store.modifiers + " " + store.run + ", r12, r14, offset:0x0\n" +
                      "LD_TEX.slot0.wait0" + load.modifiers + " " + load.run + ", r0, r1, r3\n";
        check(c);
    }
}

TEST_CASE("image handles that a register names, and units that the key leaves out, are routines") {
    Random random(0x1D7F);
    for (unsigned round = 0; round < 20; ++round) {
        ImageCase c(random, kKinds[2], Format::R8G8B8A8_UNORM);
        c.test.immediates = {exec::make_handle(exec::ResourceTable::Images, 0)};
        c.test.body = "LD_TEX.slot0.wait0.v4.f32 @r8:r9:r10:r11, r0, r1, u0\n";
        check(c);
        c.test.vertex.image_units = c.test.fragment.image_units = 0;
        CHECK(message_disagreement(c.test).empty());
        CHECK(calls_routine(c.test));
    }
}

}  // namespace
}  // namespace valkyr::test
