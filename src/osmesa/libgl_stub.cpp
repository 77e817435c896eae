// Stub: names libGL.so.1 to the linker, which need not be installed where this is built.
// SPDX-License-Identifier: MIT
namespace valkyr::osmesa {}
