# Precompiled headers: two thirds of a cold build's time go into reading the standard library, so its
# headers are read once for all rooms, and once more with doctest for the tests.

# A compiler cache is faster still, and cannot see through a precompiled header. Clang refuses a header
# that was made at another level of optimisation.
set(VALKYR_PRECOMPILE AUTO CACHE STRING
  "Read the headers that all files share once: ON, OFF, or AUTO (with GCC, without a compiler cache)")
set(valkyr_precompiles ${VALKYR_PRECOMPILE})
if(VALKYR_PRECOMPILE STREQUAL AUTO)
  set(valkyr_precompiles OFF)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(valkyr_precompiles ON)
  endif()
endif()

if(valkyr_precompiles)
  # GCC takes a precompiled header only for the same kind of position-independent code.
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  # It takes lines of such a header for the system's, and GCC 12 then warns of moved strings. Builds
  # with a compiler cache, and Clang, look for these mistakes.
  target_compile_options(valkyr_options INTERFACE
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# Nothing here may change often: a change of one of these headers compiles everything again.
set(VALKYR_PRECOMPILED_HEADERS
  <algorithm> <array> <atomic> <bit> <bitset> <cmath> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring>
  <functional> <initializer_list> <limits> <map> <memory> <mutex> <new> <numeric> <optional> <set> <span>
  <string> <string_view> <tuple> <type_traits> <unordered_map> <unordered_set> <utility> <variant> <vector>
  "${CMAKE_SOURCE_DIR}/src/base/bits.hpp" "${CMAKE_SOURCE_DIR}/src/base/caught_error.hpp"
  "${CMAKE_SOURCE_DIR}/src/base/check.hpp" "${CMAKE_SOURCE_DIR}/src/base/float_bits.hpp"
  "${CMAKE_SOURCE_DIR}/src/base/result.hpp")

# valkyr_precompiled_target(NAME LIBRARIES ... HEADERS ...): makes the header that other targets reuse.
function(valkyr_precompiled_target name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  file(WRITE "${CMAKE_BINARY_DIR}/${name}.cpp" "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} valkyr_options)
  target_precompile_headers(${name} PRIVATE ${VALKYR_PRECOMPILED_HEADERS} ${ARG_HEADERS})
endfunction()

# valkyr_collect_targets(OUT FOLDER): all targets of a folder and of those below it.
function(valkyr_collect_targets out folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(lower IN LISTS below)
    valkyr_collect_targets(more "${lower}")
    list(APPEND targets ${more})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# valkyr_precompile(): every target with our options reuses one of the two headers. Files that are
# compiled for another processor say SKIP_PRECOMPILE_HEADERS. Called when all targets are there.
function(valkyr_precompile)
  if(NOT valkyr_precompiles)
    return()
  endif()
  valkyr_collect_targets(targets "${CMAKE_SOURCE_DIR}")
  valkyr_precompiled_target(valkyr_precompiled)
  if(VALKYR_BUILD_TESTS)
    valkyr_precompiled_target(valkyr_precompiled_tests LIBRARIES valkyr_test_options HEADERS <doctest/doctest.h>)
  endif()
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(used ${target} LINK_LIBRARIES)
    if(type STREQUAL INTERFACE_LIBRARY OR NOT "valkyr_options" IN_LIST used)
      continue()
    elseif("valkyr_test_options" IN_LIST used)
      target_precompile_headers(${target} REUSE_FROM valkyr_precompiled_tests)
    else()
      target_precompile_headers(${target} REUSE_FROM valkyr_precompiled)
    endif()
  endforeach()
endfunction()
