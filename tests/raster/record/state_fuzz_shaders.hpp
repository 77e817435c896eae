// Fuzz shaders: hold the shaders of random draws (state_fuzz_test.cpp).
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::raster::test {

constexpr const char* kVertexTexts[] = {
    R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)",
    R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], COLOR
DCL OUT[3], BCOLOR
DCL OUT[4], PSIZE
DCL OUT[5], CLIPDIST
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MOV OUT[2], IN[1].yzwx
  3: MOV OUT[3], IN[1].wzyx
  4: MUL OUT[4].x, IN[1].xxxx, IN[1].yyyy
  5: MOV OUT[5], IN[1]
  6: END
)",
    R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0][0..1]
  0: MOV OUT[0], IN[0]
  1: ADD OUT[1], IN[1], CONST[0][0]
  2: END
)",
    // Takes layer and viewport from the bytes of the varying.
    R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], LAYER
DCL OUT[3], VIEWPORT_INDEX
DCL TEMP[0]
IMM[0] FLT32 { 5, 19, 0, 0 }
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MUL TEMP[0], IN[1], IMM[0]
  3: F2U OUT[2].x, TEMP[0].xxxx
  4: F2U OUT[3].x, TEMP[0].yyyy
  5: END
)",
    // Counts the invocations of every vertex.
    R"(VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 { 4, 1, 0, 0 }
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  3: ATOMUADD TEMP[0].x, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy
  4: END
)",
};

constexpr const char* kFragmentTexts[] = {
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL IN[1], COLOR, COLOR
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
  0: MOV OUT[0], IN[1]
  1: MOV OUT[1], IN[0]
  2: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 2D
  1: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE
DCL OUT[0], COLOR
DCL OUT[1], POSITION
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1].z, IN[0].xxxx
  2: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL CONST[0][0..1]
  0: ADD OUT[0], IN[0], CONST[0][1]
  1: KILL_IF IN[0]
  2: END
)",
};

constexpr const char* kTextureTexts[] = {
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], CUBE, FLOAT
  0: TXB OUT[0], IN[0], SAMP[0], CUBE
  1: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 3D, FLOAT
  0: TXL OUT[0], IN[0], SAMP[0], 3D
  1: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], SHADOW2D_ARRAY, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], SHADOW2D_ARRAY
  1: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 { 20, -3, 0, 0 }
  0: MAD TEMP[0], IN[0], IMM[0].xxxx, IMM[0].yyyy
  1: F2I TEMP[0], TEMP[0]
  2: TXF OUT[0], TEMP[0], SAMP[0], 2D
  3: END
)",
};

/// Shaders with side effects whose results do not depend on the order of pixels and primitives.
constexpr const char* kMemoryTexts[] = {
    R"(FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR
DCL TEMP[0..1]
  0: F2U TEMP[0], IN[0]
  1: UADD TEMP[1], TEMP[0].xxxx, TEMP[0].yyyy
  2: STORE IMAGE[0], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R32_UINT
  3: U2F OUT[0], TEMP[1]
  4: END
)",
    R"(FRAG
PROPERTY FS_EARLY_DEPTH_STENCIL 1
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL IMAGE[0..1], 2D_ARRAY, PIPE_FORMAT_R32_UINT, WR
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 { 4, 1, 31, 0 }
  0: F2U TEMP[0], IN[0]
  1: AND TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy
  2: ATOMUADD TEMP[1].x, IMAGE[1], TEMP[0], IMM[0].yyyy, 2D_ARRAY, PIPE_FORMAT_R32_UINT
  3: ATOMUMAX TEMP[1].x, IMAGE[0], TEMP[0], TEMP[0].xxxx, 2D_ARRAY, PIPE_FORMAT_R32_UINT
  4: AND TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz
  5: UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
  6: ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy
  7: MOV OUT[0], IMM[0].wwww
  8: END
)",
    R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL HWATOMIC[0..3]
DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR
DCL SAMP[0]
DCL SVIEW[0], BUFFER, FLOAT
DCL TEMP[0..1]
IMM[0] UINT32 { 0, 1, 2, 0 }
  0: ATOMUADD TEMP[0].x, HWATOMIC[2], IMM[0].xxxx, IMM[0].yyyy
  1: ATOMUADD TEMP[0].x, IMAGE[0], IMM[0].zzzz, IMM[0].yyyy, BUFFER, PIPE_FORMAT_R32_UINT
  2: KILL_IF IN[0]
  3: ATOMUADD TEMP[0].x, HWATOMIC[3], IMM[0].xxxx, IMM[0].zzzz
  4: TXF OUT[0], IMM[0].zzzz, SAMP[0], BUFFER
  5: END
)",
};

}  // namespace valkyr::raster::test
