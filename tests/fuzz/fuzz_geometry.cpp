// Fuzz target: makes geometry shaders and stream output of bytes; devices that draw must agree.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/engines.hpp"
#include "tests/fuzz/primitive_draw.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/random_geometry.hpp"
#include "tests/support/random_patches.hpp"

#include <algorithm>
#include <array>

namespace valkyr::fuzz {

namespace {

using raster::Primitive;
using test::Choose;

constexpr uint32_t kMostVertices = 40;  ///< of a draw that assembles primitives
constexpr uint32_t kMostInstances = 3;
constexpr uint32_t kMostPatchVertices = 60;  ///< of a draw with instances of patches
constexpr uint16_t kRestart = 0xFFFF;

struct Kind {
    Primitive primitive;
    uint32_t vertices;  ///< of a primitive that a geometry shader takes
};
constexpr std::array kKinds{
    Kind{Primitive::Points, 1},
    Kind{Primitive::Lines, 2},
    Kind{Primitive::LineStrip, 2},
    Kind{Primitive::LineLoop, 2},
    Kind{Primitive::Triangles, 3},
    Kind{Primitive::TriangleStrip, 3},
    Kind{Primitive::TriangleFan, 3},
    Kind{Primitive::LinesAdjacency, 4},
    Kind{Primitive::LineStripAdjacency, 4},
    Kind{Primitive::TrianglesAdjacency, 6},
    Kind{Primitive::TriangleStripAdjacency, 6},
};

class RandomDraw {
public:
    /// patches  chooses the shaders of patches
    RandomDraw(const Choose& choose, const Choose& patches)
        : below_(choose) {
        const uint32_t vertices = one_in(2) ? add_patches(patches) : add_vertices();
        if (!one_in(5)) {
            const test::RandomGeometry made = test::random_geometry(below_, vertices);
            draw_.geometry = made.text;
            streams_ = made.streams;
        }
        draw_.info.instance_count = 1 + below_(kMostInstances);
        // Vertices by themselves lie anywhere, and are only captured.
        const bool placed = !draw_.geometry.empty() || !draw_.evaluation.empty();
        if (!placed || (!counts_ && one_in(2))) {
            draw_.discards = !placed || one_in(2);
            add_streams();
        }
    }

    [[nodiscard]] const PrimitiveDraw& draw() const { return draw_; }

private:
    bool one_in(uint32_t n) { return below_(n) == 0; }

    /// Returns the corners of the primitives that division makes.
    uint32_t add_patches(const Choose& patches) {
        const test::RandomPatches made = test::random_patches(patches);
        draw_.control = made.control;
        draw_.evaluation = made.evaluation;
        draw_.info.count = std::min(made.count, std::max(made.vertices, kMostPatchVertices));
        draw_.info.patch_vertices = made.vertices;
        draw_.provoking_first = made.provoking_first;
        draw_.outer = made.outer;
        draw_.inner = made.inner;
        counts_ = made.counts;
        return made.corners;
    }

    /// Returns the vertices of a primitive.
    uint32_t add_vertices() {
        const Kind& kind = kKinds[below_(kKinds.size())];
        draw_.primitive = kind.primitive;
        draw_.provoking_first = one_in(2);
        draw_.info.count = below_(kMostVertices);
        if (one_in(2)) {
            draw_.info.primitive_restart = true;
            draw_.info.restart_index = kRestart;
            for (uint32_t i = 0; i <= draw_.info.count; ++i)
                draw_.indices.push_back(
                    one_in(9) ? kRestart : static_cast<uint16_t>(below_(draw_.info.count + 1)));
        }
        return kind.vertices;
    }

    /// Captures outputs of a stream in each of some slots, which may be too small.
    void add_streams() {
        const uint32_t slots = 1 + below_(raster::kMaxStreamTargets);
        for (uint8_t slot = 0; slot < slots; ++slot) {
            const auto stream = static_cast<uint8_t>(below_(streams_));
            uint32_t words = 0;
            for (uint32_t n = below_(3); n < 3; ++n) {
                raster::StreamOutputElement element;
                element.buffer = slot;
                element.stream = stream;
                element.output = static_cast<uint8_t>(
                    stream == 0 ? below_(test::RandomGeometry::kOutputs) : 2U + stream);
                element.first_component = static_cast<uint8_t>(below_(4));
                element.components = static_cast<uint8_t>(1 + below_(4 - element.first_component));
                element.offset_words = static_cast<uint16_t>(words);
                words += element.components + (one_in(4) ? 1 : 0);
                draw_.captured.elements.push_back(element);
            }
            draw_.captured.stride_words[slot] = words;
            draw_.stream_words[slot] = one_in(3) ? below_(256) : 4096;
        }
    }

    const Choose& below_;
    PrimitiveDraw draw_;
    uint32_t streams_ = 1;
    bool counts_ = false;  ///< the evaluation shader does; capturing runs it once more
};

}  // namespace

void geometry(std::span<const uint8_t> bytes) {
    // Long shaders of patches would else leave no choices for what is behind them.
    const std::span<const uint8_t> behind = bytes.first(bytes.size() / 2);
    const Choose choose = test::choices_of(behind);
    const Choose patches = test::choices_of(bytes.subspan(behind.size()));
    const RandomDraw made(choose, patches);
    const PrimitiveDraw& draw = made.draw();
    check_engines(draw.control + draw.evaluation + draw.geometry,
                  [&](raster::Device& device) { return draw_primitives(device, draw); });
}

}  // namespace valkyr::fuzz
