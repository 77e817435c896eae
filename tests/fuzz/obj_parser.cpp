// OBJ parser: compiles tinyobjloader from its header with the fuzzer's instrumentation.
// SPDX-License-Identifier: MIT
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
