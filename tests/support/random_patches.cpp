// Random patches: makes control shaders with barriers, and evaluation shaders that read all of it.
// SPDX-License-Identifier: MIT
//
// An invocation of a control shader writes its own vertex, and the patch's output with its number.
// Component c of the levels belongs to invocation c modulo their number.
#include "tests/support/random_patches.hpp"

#include <algorithm>

namespace valkyr::test {
namespace {

constexpr uint32_t kMaxPatches = 16;
constexpr uint32_t kPatchOutputs = 3;
constexpr const char* kTemporaries =
    "DCL TEMP[0..15]\nDCL ADDR[0..1]\nIMM[2] UINT32 {7, 31, 3, 15}\n"
    "IMM[3] FLT32 {0.5, 0.75, 64.0, -1.0}\nIMM[4] FLT32 {0.0, 0.0, 0.0, 1.0}\n";

/// Statements of both stages: they read registers of any vertex and of the patch.
class PatchBody : protected RandomPhases {
protected:
    using RandomPhases::RandomPhases;

    /// An index of a vertex: a small number, or a computed one that may be too large.
    std::string any_vertex() {
        if (one_in(2))
            return std::to_string(below_(one_in(4) ? 32 : 3));
        body_ += "AND TEMP[6].x, " + value() + ", " + (one_in(4) ? "IMM[2].yyyy" : "IMM[2].xxxx") +
                 "\nUARL ADDR[1].x, TEMP[6].xxxx\n";
        return "ADDR[1].x";
    }

    /// A number of an output of the patch, the first of which is register `first`.
    std::string any_patch_output(uint32_t first) {
        if (one_in(2))
            return std::to_string(first + below_(kPatchOutputs));
        body_ += "UMOD TEMP[6].x, " + value() + ", IMM[2].zzzz\nUARL ADDR[1].x, TEMP[6].xxxx\n";
        return "ADDR[1].x+" + std::to_string(first);
    }
};

/// SV: invocation, vertices, number. ADDR[0].x is the invocation.
class ControlShader : PatchBody {
public:
    ControlShader(const Choose& choose, uint32_t vertices)
        : PatchBody(choose)
        , vertices_(vertices) {
        body_ = "MOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[1].x, SV[2].xxxx\nUARL ADDR[0].x, SV[0].xxxx\n"
                "UADD TEMP[2], SV[0].xxxx, IMM[1]\nMOV TEMP[3], IN[ADDR[0].x][1]\n"
                "XOR TEMP[4], SV[2].xxxx, IN[0][2]\nUADD TEMP[5], SV[1].xxxx, IMM[0]\n";
        block(kDepth, false);
        for (unsigned level = 0; level < 6; ++level)
            write_level(level);
    }

    [[nodiscard]] std::string text() const {
        return "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT " + std::to_string(vertices_) +
               "\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL IN[][2], GENERIC[1]\n"
               "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[2]\nDCL OUT[][2], GENERIC[5]\n"
               "DCL OUT[3], PATCH[0]\nDCL OUT[4], PATCH[1]\nDCL OUT[5], PATCH[2]\n"
               "DCL OUT[6], TESSOUTER\nDCL OUT[7].xy, TESSINNER\nDCL SV[0], INVOCATIONID\n"
               "DCL SV[1], VERTICESIN\nDCL SV[2], PRIM_ID\n" +
               kImmediates + kTemporaries + body_ + "END\n";
    }

private:
    void barrier() override {
        body_ += one_in(2) ? "BARRIER\n" : "BARRIER\nBARRIER\n";
        reads_ = !reads_;
    }

    void load() override {
        const uint32_t kind = below_(6);
        if (kind < 2)
            take("IN[" + any_vertex() + "][" + std::to_string(below_(3)) + "]");
        else if (kind < 4)
            take("OUT[" + any_vertex() + "][" + std::to_string(below_(3)) + "]");
        else if (kind < 5)
            take("OUT[" + any_patch_output(3) + "]");
        else
            take(one_in(2) ? "OUT[6]" : "OUT[7].xyxy");
    }

    void store() override {
        const std::string own = "OUT[ADDR[0].x][" + std::to_string(below_(3)) + "]";
        const uint32_t kind = below_(6);
        if (kind < 3) {
            const std::string to = masked(own);
            body_ += "MOV " + to + ", " + value() + "\n";
        } else if (kind < 4) {
            take(own);
        } else if (kind < 5) {
            const uint32_t output = below_(kPatchOutputs);
            const std::string to = masked("OUT[" + std::to_string(3 + output) + "]");
            body_ += "USEQ TEMP[6].x, TEMP[0].xxxx, IMM[0]." + std::string(4, "xzw"[output]) +
                     "\nUIF TEMP[6].xxxx\nMOV " + to + ", " + value() + "\nENDIF\n";
        } else {
            const std::string to = masked("OUT[ADDR[0].x+3]");
            body_ += "USLT TEMP[6].x, TEMP[0].xxxx, IMM[2].zzzz\nUIF TEMP[6].xxxx\nMOV " + to +
                     ", " + value() + "\nENDIF\n";
        }
    }

    /// A level of at most 8.25, often 0.75 or more.
    void write_level(unsigned level) {
        const char component = "xyzwxy"[level];
        const std::string to = std::string("OUT[") + (level < 4 ? "6" : "7") + "]." + component;
        body_ += "AND TEMP[6].x, " + value() + ", IMM[2].wwww\nU2F TEMP[6].x, TEMP[6].xxxx\n" +
                 "MAD TEMP[6].x, TEMP[6].xxxx, IMM[3].xxxx, " +
                 (one_in(8) ? "IMM[4].xxxx" : "IMM[3].yyyy") + "\n";
        constexpr std::array kOwners{"IMM[0].xxxx", "IMM[0].zzzz", "IMM[0].wwww", "IMM[1].xxxx"};
        body_ += std::string("USEQ TEMP[6].y, TEMP[0].xxxx, ") +
                 kOwners[level % std::min(vertices_, 4U)] + "\nUIF TEMP[6].yyyy\nMOV " + to +
                 ", TEMP[6].xxxx\nENDIF\n";
    }

    uint32_t vertices_;
};

/// SV: place, number, vertices, levels.
class EvaluationShader : PatchBody {
public:
    EvaluationShader(const Choose& choose, bool controlled, bool counts)
        : PatchBody(choose)
        , controlled_(controlled)
        , counts_(counts)
        , registers_(one_in(4) ? 2 : 3) {
        reads_ = true;
        mode_ = std::array{1, 4, 7}[below_(3)];
        spacing_ = below_(3);
        clockwise_ = one_in(3);
        point_mode_ = one_in(5);
        body_ = "MUL TEMP[6], SV[0], IMM[3].zzzz\nF2U TEMP[0], TEMP[6]\nMOV TEMP[1].x, SV[1].xxxx\n"
                "MOV TEMP[2], SV[0]\nMOV TEMP[3], IN[0][1]\nXOR TEMP[4], SV[1].xxxx, SV[3]\n"
                "UADD TEMP[5], SV[2].xxxx, IMM[0]\n";
        block(kDepth, false);
        body_ += "AND TEMP[6].x, SV[1].xxxx, IMM[2].zzzz\nUSHR TEMP[6].y, SV[1].xxxx, IMM[0].wwww\n"
                 "U2F TEMP[6].xy, TEMP[6]\nADD TEMP[7].xy, TEMP[6], SV[0]\n"
                 "MAD OUT[0].xy, TEMP[7], IMM[3].xxxx, IMM[3].wwww\nMOV OUT[0].zw, IMM[4]\n";
        body_ += "MOV OUT[1], " + value() + "\nMOV OUT[2], " + value() + "\n";
        constexpr std::array kOffsets{"IMM[0].xxxx", "IMM[1].yyyy", "IMM[1].wwww"};
        for (unsigned n = 0; counts && n < kOffsets.size(); ++n)
            body_ += std::string("ATOMUADD TEMP[7].x, BUFFER[0], ") + kOffsets[n] + ", " + value() +
                     "." + std::string(4, "xyz"[n]) + "\n";
    }

    [[nodiscard]] std::string text() const {
        const auto property = [](const char* name, unsigned number) {
            return std::string("PROPERTY ") + name + " " + std::to_string(number) + "\n";
        };
        return "TESS_EVAL\n" + property("TES_PRIM_MODE", mode_) +
               property("TES_SPACING", spacing_) +
               property("TES_VERTEX_ORDER_CW", clockwise_ ? 1 : 0) +
               property("TES_POINT_MODE", point_mode_ ? 1 : 0) + "DCL IN[][0], POSITION\n" +
               (controlled_ ? "DCL IN[][1], GENERIC[2]\n" : "DCL IN[][1], GENERIC[0]\n") +
               (registers_ < 3 ? ""
                : controlled_  ? "DCL IN[][2], GENERIC[5]\n"
                               : "DCL IN[][2], GENERIC[1]\n") +
               "DCL IN[3], PATCH[0]\nDCL IN[4], PATCH[1]\nDCL IN[5], PATCH[2]\n"
               "DCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\n"
               "DCL SV[3], TESSOUTER\nDCL SV[4], TESSINNER\nDCL OUT[0], POSITION\n"
               "DCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n" +
               (counts_ ? "DCL BUFFER[0]\n" : "") + kImmediates + kTemporaries + body_ + "END\n";
    }

    /// Corners of a primitive.
    [[nodiscard]] uint32_t corners() const { return point_mode_ ? 1 : mode_ == 1 ? 2 : 3; }

private:
    void barrier() override {}
    void store() override {}
    void load() override {
        const uint32_t kind = below_(8);
        if (kind < 4)
            take("IN[" + any_vertex() + "][" + std::to_string(below_(registers_)) + "]");
        else if (kind < 6)
            take("IN[" + any_patch_output(3) + "]");
        else if (kind < 7)
            take(one_in(2) ? "SV[3]" : "SV[4]");
        else
            take("SV[0]");
    }

    bool controlled_;
    bool counts_;
    uint32_t registers_;  ///< of a vertex
    unsigned mode_ = 0;
    unsigned spacing_ = 0;
    bool clockwise_ = false;
    bool point_mode_ = false;
};

}  // namespace

RandomPatches random_patches(const Choose& below) {
    const auto one_in = [&](uint32_t n) { return below(n) == 0; };
    const auto size = [&] { return 1 + below(one_in(3) ? 32 : 5); };
    RandomPatches made;
    made.vertices = size();
    made.count = made.vertices * (1 + below(kMaxPatches)) + below(made.vertices);
    made.provoking_first = one_in(2);
    made.counts = one_in(2);
    const bool controlled = !one_in(6);
    if (controlled)
        made.control = ControlShader(below, size()).text();
    for (float& level : made.outer)
        level = static_cast<float>(below(32)) / 4;
    for (float& level : made.inner)
        level = static_cast<float>(below(32)) / 4;
    const EvaluationShader evaluation(below, controlled, made.counts);
    made.evaluation = evaluation.text();
    made.corners = evaluation.corners();
    return made;
}

}  // namespace valkyr::test
