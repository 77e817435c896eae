// Random geometry: emits vertices and ends strips between the statements of a random body.
// SPDX-License-Identifier: MIT
#include "tests/support/random_geometry.hpp"

#include <array>

namespace valkyr::test {
namespace {

constexpr uint32_t kMostVertices = 12;    ///< that an invocation may emit
constexpr uint32_t kMostInvocations = 4;  ///< of a primitive
constexpr uint32_t kInputs = 3;           ///< registers of a vertex
constexpr const char* kGeometryRegisters =
    "DCL TEMP[0..15]\nDCL ADDR[0..1]\nIMM[2] UINT32 {63, 15, 3, 2}\n"
    "IMM[3] FLT32 {0.5, 0.015625, 0.25, -1.0}\nIMM[4] FLT32 {0.0, 0.0, 0.0, 1.0}\n";
constexpr std::array kStreamNumbers{"IMM[0].xxxx", "IMM[0].zzzz", "IMM[0].wwww", "IMM[1].xxxx"};

const char* input_name(uint32_t vertices) {
    switch (vertices) {
    case 1: return "POINTS";
    case 2: return "LINES";
    case 3: return "TRIANGLES";
    case 4: return "LINES_ADJACENCY";
    default: return "TRIANGLES_ADJACENCY";
    }
}

/// SV[0]: invocation. IN[][3]: number of the primitive.
class GeometryShader : RandomPhases {
public:
    GeometryShader(const Choose& choose, uint32_t vertices)
        : RandomPhases(choose)
        , vertices_(vertices)
        , made_(below_(3))
        , streams_(made_ == 0 && one_in(2) ? 2 + below_(3) : 1)
        , most_(1 + below_(kMostVertices))
        , invocations_(one_in(2) ? 1 : 1 + below_(kMostInvocations)) {
        body_ = "MOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[1].x, IN[3].xxxx\n"
                "MOV TEMP[2], IN[0][1]\nUADD TEMP[3], SV[0].xxxx, IMM[1]\n"
                "XOR TEMP[4], IN[0][2], IN[3].xxxx\nUADD TEMP[5], IN[3].xxxx, IMM[0]\n";
        block(kDepth, false);
        for (uint32_t n = below_(kMostVertices); n != 0; --n)
            one_in(4) ? store() : emit();
    }

    [[nodiscard]] std::string text() const {
        constexpr std::array kMade{"POINTS", "LINE_STRIP", "TRIANGLE_STRIP"};
        std::string head = std::string("GEOM\nPROPERTY GS_INPUT_PRIMITIVE ") +
                           input_name(vertices_) + "\nPROPERTY GS_OUTPUT_PRIMITIVE " +
                           kMade[made_] + "\nPROPERTY GS_MAX_OUTPUT_VERTICES " +
                           std::to_string(most_) + "\nPROPERTY GS_INVOCATIONS " +
                           std::to_string(invocations_) +
                           "\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
                           "DCL IN[][2], GENERIC[1]\nDCL IN[][3], PRIM_ID\n"
                           "DCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION\n"
                           "DCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n";
        for (uint32_t stream = 1; stream < streams_; ++stream) {
            const std::string number = std::to_string(stream);
            head += "DCL OUT[" + std::to_string(2 + stream) + "], GENERIC[" +
                    std::to_string(4 + stream) + "], STREAM(" + number + ", " + number + ", " +
                    number + ", " + number + ")\n";
        }
        return head + kImmediates + kGeometryRegisters + body_ + "END\n";
    }

    [[nodiscard]] uint32_t streams() const { return streams_; }

private:
    /// Invocations share nothing, so that phases only choose between reading and emitting.
    void barrier() override { reads_ = !reads_; }

    void load() override {
        const uint32_t kind = below_(6);
        if (kind < 1)
            take("IN[3].xxxx");
        else
            take("IN[" + any_vertex() + "][" + std::to_string(below_(kInputs)) + "]");
    }

    void store() override {
        const uint32_t kind = below_(8);
        if (kind < 4) {
            emit();
        } else if (kind < 5) {
            body_ += "ENDPRIM " + std::string(kStreamNumbers[below_(streams_)]) + "\n";
        } else {
            const std::string to = masked("OUT[" + std::to_string(1 + below_(1 + streams_)) + "]");
            body_ += "MOV " + to + ", " + value() + "\n";
        }
    }

    /// A vertex of the primitive: a number, or a computed one.
    std::string any_vertex() {
        if (one_in(2))
            return std::to_string(below_(vertices_));
        static constexpr std::array kCounts{
            "IMM[0].zzzz", "IMM[0].wwww", "IMM[1].xxxx", "IMM[1].yyyy", "", "IMM[1].yyyy"};
        body_ += "UMOD TEMP[6].x, " + value() + ", " + kCounts[vertices_ - 1] +
                 "\nUARL ADDR[1].x, TEMP[6].xxxx\n";
        return "ADDR[1].x";
    }

    void emit() {
        body_ += "AND TEMP[6].xy, " + value() +
                 ", IMM[2].xxxx\nU2F TEMP[6].xy, TEMP[6]\nAND TEMP[7].x, TEMP[1].xxxx, "
                 "IMM[2].zzzz\nUSHR TEMP[7].y, TEMP[1].xxxx, IMM[2].wwww\nAND TEMP[7].y, "
                 "TEMP[7].yyyy, IMM[2].zzzz\nU2F TEMP[7].xy, TEMP[7]\nMAD TEMP[7].xy, TEMP[6], "
                 "IMM[3].yyyy, TEMP[7]\nMAD OUT[0].xy, TEMP[7], IMM[3].xxxx, IMM[3].wwww\n"
                 "MOV OUT[0].zw, IMM[4]\n";
        if (one_in(2))
            body_ += "MOV OUT[1], " + value() + "\n";
        body_ += "EMIT " + std::string(kStreamNumbers[below_(streams_)]) + "\n";
    }

    uint32_t vertices_;
    uint32_t made_;  ///< 0 points, 1 lines, 2 triangles
    uint32_t streams_;
    uint32_t most_;
    uint32_t invocations_;
};

}  // namespace

RandomGeometry random_geometry(const Choose& below, uint32_t vertices) {
    const GeometryShader shader(below, vertices);
    return {shader.text(), shader.streams()};
}

}  // namespace valkyr::test
