// Tiny glTF: includes the library tinygltf as the glTF reader needs it.
// SPDX-License-Identifier: MIT
#pragma once

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#include <tiny_gltf.h>
