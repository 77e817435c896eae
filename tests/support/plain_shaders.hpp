// Plain shaders: a pair that draws with an attribute and a square root.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::test {

inline constexpr const char* kPlainVertex = "VERT\n"
                                            "DCL IN[0]\n"
                                            "DCL OUT[0], POSITION\n"
                                            "DCL OUT[1], GENERIC[0]\n"
                                            "  0: MOV OUT[0], IN[0]\n"
                                            "  1: MUL OUT[1], IN[0], IN[0]\n"
                                            "  2: END\n";
inline constexpr const char* kPlainFragment = "FRAG\n"
                                              "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                              "DCL OUT[0], COLOR\n"
                                              "  0: SQRT OUT[0].x, IN[0].xxxx\n"
                                              "  1: MOV OUT[0].yzw, IN[0]\n"
                                              "  2: END\n";

}  // namespace valkyr::test
