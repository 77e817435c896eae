# Precompiled headers: two thirds of a cold build's time go into reading the standard library, so its
# headers are read once for all rooms, and twice more with doctest for the tests: once for each level of
# optimisation.

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
  # GCC takes lines of such a header for those of system headers, and GCC 12 then warns of moved
  # strings without reason. Builds with a compiler cache, and with Clang, still have these warnings.
  target_compile_options(valkyr_options INTERFACE
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC looks for garbage whenever its heap has grown by a third; a gibibyte is enough for any file.
  target_compile_options(valkyr_options INTERFACE --param=ggc-min-heapsize=1048576)
endif()

# valkyr_precompiled_target(NAME HEADER [LIBRARIES ...]): makes the header that other targets reuse.
function(valkyr_precompiled_target name header)
  set(source "${CMAKE_BINARY_DIR}/${name}.cpp")
  if(NOT EXISTS "${source}")
    file(WRITE "${source}" "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(${name} PRIVATE ${ARGN} valkyr_options)
  target_precompile_headers(${name} PRIVATE "${CMAKE_SOURCE_DIR}/cmake/${header}")
endfunction()

# valkyr_compile_together(TARGET [APART ...] [ALONE ...]): GCC instantiates templates anew for each file,
# so builds without a compiler cache compile up to sixteen files of a target as one. APART: sources that
# are compiled as one, too, but not with the others, with whose names theirs clash. ALONE: sources
# whose names clash with all others, and sources whose inlining must not depend on their neighbours.
function(valkyr_compile_together target)
  cmake_parse_arguments(ARG "" "" "APART;ALONE" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${ARG_APART} ${ARG_ALONE})
  set(place 0)
  foreach(source IN LISTS sources)
    math(EXPR group "${place} / 16")
    math(EXPR place "${place} + 1")
    valkyr_join_source(${target} ${group} "${source}")
  endforeach()
  foreach(source IN LISTS ARG_APART)
    valkyr_join_source(${target} apart "${source}")
  endforeach()
  if(valkyr_precompiles)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# Builds with a compiler cache only list the groups, for tools/dev/check_joined.py.
file(WRITE "${CMAKE_BINARY_DIR}/joined_files.txt" "")
function(valkyr_join_source target group source)
  set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  get_filename_component(path "${source}" ABSOLUTE)
  file(APPEND "${CMAKE_BINARY_DIR}/joined_files.txt" "${target} ${group} ${path}\n")
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

# valkyr_precompile(): every target with our options reuses one of the three headers. Files that are
# compiled for another processor say SKIP_PRECOMPILE_HEADERS. Call it after all targets are made.
function(valkyr_precompile)
  if(NOT valkyr_precompiles)
    return()
  endif()
  valkyr_collect_targets(targets "${CMAKE_SOURCE_DIR}")
  valkyr_precompiled_target(valkyr_precompiled precompiled.hpp)
  if(VALKYR_BUILD_TESTS)
    valkyr_precompiled_target(valkyr_precompiled_tests precompiled_tests.hpp valkyr_test_options)
    valkyr_precompiled_target(valkyr_precompiled_unoptimized precompiled_tests.hpp valkyr_unoptimized_test_options)
  endif()
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(used ${target} LINK_LIBRARIES)
    if(type STREQUAL INTERFACE_LIBRARY OR NOT "valkyr_options" IN_LIST used)
      continue()
    elseif("valkyr_test_options" IN_LIST used)
      target_precompile_headers(${target} REUSE_FROM valkyr_precompiled_tests)
    elseif("valkyr_unoptimized_test_options" IN_LIST used)
      target_precompile_headers(${target} REUSE_FROM valkyr_precompiled_unoptimized)
    else()
      target_precompile_headers(${target} REUSE_FROM valkyr_precompiled)
    endif()
  endforeach()
endfunction()
