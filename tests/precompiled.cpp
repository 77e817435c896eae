// The file that the tests' precompiled headers belong to: CMake wants one.
// SPDX-License-Identifier: MIT
