// Shaders: hold the TGSI texts that many scenes share.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::scenes {

/// IN[0] clip position, IN[1] colour -> GENERIC[0].
inline constexpr char kVertexColor[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";

/// IN[0] clip position, IN[1] colour -> COLOR[0] (flat shading applies).
inline constexpr char kVertexShadeColor[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";

/// IN[0] position, transformed by the columns CONST[0..3]; IN[1] -> GENERIC[0].
inline constexpr char kVertexTransform[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0][0..3]
DCL TEMP[0]
  0: MUL TEMP[0], IN[0].xxxx, CONST[0][0]
  1: MAD TEMP[0], IN[0].yyyy, CONST[0][1], TEMP[0]
  2: MAD TEMP[0], IN[0].zzzz, CONST[0][2], TEMP[0]
  3: MAD OUT[0], IN[0].wwww, CONST[0][3], TEMP[0]
  4: MOV OUT[1], IN[1]
  5: END
)";

/// Outputs GENERIC[0], interpolated with perspective.
inline constexpr char kFragmentColor[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

inline constexpr char kFragmentLinear[] = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

inline constexpr char kFragmentFlat[] = R"(FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

/// Outputs COLOR[0], interpolated by the shade model.
inline constexpr char kFragmentShadeColor[] = R"(FRAG
DCL IN[0], COLOR, COLOR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

/// Samples texture 0 at GENERIC[0].xy.
inline constexpr char kFragmentTexture[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 2D
  1: END
)";

}  // namespace valkyr::scenes
