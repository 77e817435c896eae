// OBJ parser: compiles tinyobjloader from its header, for the fuzzer to see into it.
// SPDX-License-Identifier: MIT
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
