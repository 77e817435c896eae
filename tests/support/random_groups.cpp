// Random groups: makes compute shaders with barriers and atomics that have no races.
// SPDX-License-Identifier: MIT
#include "tests/support/random_groups.hpp"

namespace valkyr::test {

namespace {

class GroupShader : RandomPhases {
public:
    explicit GroupShader(const Choose& choose)
        : RandomPhases(choose) {
        // TEMP[0]: number of the invocation in the group, its bytes, number in the grid, its bytes;
        // TEMP[1]: number of the group. TEMP[2] to TEMP[5] are values, TEMP[8] and on counters.
        body_ = "UMAD TEMP[0].x, SV[0].zzzz, SV[3].yyyy, SV[0].yyyy\n"
                "UMAD TEMP[0].x, TEMP[0].xxxx, SV[3].xxxx, SV[0].xxxx\n"
                "UMUL TEMP[0].y, TEMP[0].xxxx, IMM[1].wwww\n"
                "UMAD TEMP[1].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy\n"
                "UMAD TEMP[1].x, TEMP[1].xxxx, SV[2].xxxx, SV[1].xxxx\n"
                "UMUL TEMP[1].y, SV[3].xxxx, SV[3].yyyy\nUMUL TEMP[1].y, TEMP[1].yyyy, SV[3].zzzz\n"
                "UMAD TEMP[0].z, TEMP[1].xxxx, TEMP[1].yyyy, TEMP[0].xxxx\n"
                "SHL TEMP[0].w, TEMP[0].zzzz, IMM[1].yyyy\n"
                "UADD TEMP[2], TEMP[0].xzxy, IMM[1]\nXOR TEMP[3], TEMP[0], IMM[0]\n"
                "MOV TEMP[4], TEMP[0].yyxx\nMOV TEMP[5], IMM[1].wzyx\n";
        static constexpr std::array kAtomics{"UADD", "AND", "OR", "XOR", "UMIN", "IMAX"};
        atomic_ = kAtomics[below_(kAtomics.size())];
        block(kDepth, false);
        body_ += "STORE BUFFER[1], TEMP[0].wwww, " + value() + "\n";
    }

    [[nodiscard]] std::string text(const std::array<uint32_t, 3>& block_size) const {
        const auto size = [&](unsigned k) { return std::to_string(block_size[k]) + "\n"; };
        return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH " + size(0) +
               "PROPERTY CS_FIXED_BLOCK_HEIGHT " + size(1) + "PROPERTY CS_FIXED_BLOCK_DEPTH " +
               size(2) +
               "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\n"
               "DCL SV[3], BLOCK_SIZE\nDCL BUFFER[0..1]\nDCL MEMORY[1], SHARED\n"
               "DCL TEMP[0..15]\n" +
               kImmediates + body_ + "END\n";
    }

private:
    void barrier() override {
        body_ += "MEMBAR IMM[1].wwww\nBARRIER\n";
        reads_ = !reads_;
    }

    /// Any word, perhaps outside.
    void load() override {
        body_ += "UMAD TEMP[6].y, TEMP[0].yyyy, " + std::string(number()) + ", " + value() +
                 "\nAND TEMP[6].y, TEMP[6].yyyy, IMM[1].zzzz\nLOAD " + value() +
                 (one_in(2) ? ".xz" : "") + ", MEMORY[0], TEMP[6].yyyy\n";
    }

    /// Own words, or an atomic on one of 16 words that no store writes.
    void store() override {
        if (one_in(2)) {
            body_ += "STORE MEMORY[0]." + std::string(one_in(2) ? "x" : "xy") + ", TEMP[0].yyyy, " +
                     value() + "\n";
            return;
        }
        body_ += "AND TEMP[6].y, " + value() +
                 ", IMM[0].yyyy\nUMAD TEMP[6].y, TEMP[1].yyyy, IMM[1].wwww, TEMP[6].yyyy\nATOM" +
                 atomic_ + " TEMP[7].x, MEMORY[0], TEMP[6].yyyy, " + value() + "\n";
        if (one_in(4))
            body_ += "ATOM" + atomic_ + " TEMP[7].x, BUFFER[0], IMM[0].xxxx, " + value() + "\n";
    }

    std::string atomic_;
};

}  // namespace

RandomGroups random_groups(const Choose& below) {
    RandomGroups groups;
    const auto one_in = [&](uint32_t n) { return below(n) == 0; };
    if (one_in(16)) {
        groups.block = {64, 4, 4};
    } else {
        groups.block = {1 + below(20), 1 + below(4), 1 + below(2)};
        groups.grid = {1 + below(3), 1 + below(2), 1};
    }
    const uint32_t all = groups.block[0] * groups.block[1] * groups.block[2] * 8 + 64;
    groups.shared_bytes = one_in(4) ? below(all) : all;
    groups.text = GroupShader(below).text(groups.block);
    return groups;
}

}  // namespace valkyr::test
