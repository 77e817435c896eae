# Compile options that every Valkyr target shares, and the helpers that make rooms and tests.

add_library(valkyr_options INTERFACE)
# -ffp-contract=off: both compilers otherwise fuse a*b+c where the target allows it, and the
# reference arithmetic would change from host to host. Fused only where the source says std::fma.
target_compile_options(valkyr_options INTERFACE
  -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Werror)
# GCC 12 warns with -O3 of overlapping copies in every `"text" + string` (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(valkyr_options INTERFACE -Wno-restrict)
endif()
# GCC copies and clears structures of more than 128 bytes by "rep movsq" and "rep stosq", whose start
# takes longer than the whole copy does in a loop of vectors (27 clocks and 7 for 256 bytes on Zen 5).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(valkyr_strategy vector_loop:1024:noalign,libcall:-1:noalign)
  target_compile_options(valkyr_options INTERFACE $<$<CONFIG:RelWithDebInfo,Release>:
    -mmemcpy-strategy=${valkyr_strategy};-mmemset-strategy=${valkyr_strategy}>)
endif()
# Includes are named from src, or from the top.
target_include_directories(valkyr_options INTERFACE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}")
# Optimised builds carry line tables only: names and lines in backtraces and profiles, which takes a
# third less time to compile. The debug preset has variables, too.
target_compile_options(valkyr_options INTERFACE $<$<CONFIG:RelWithDebInfo>:-g1>)

set(VALKYR_SANITIZE "" CACHE STRING "Value for -fsanitize= (address,undefined or thread)")
if(VALKYR_SANITIZE)
  target_compile_options(valkyr_options INTERFACE
    -fsanitize=${VALKYR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(valkyr_options INTERFACE -fsanitize=${VALKYR_SANITIZE})
  # GCC warns of every fence, which its thread sanitizer does not see.
  if(VALKYR_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(valkyr_options INTERFACE -Wno-tsan)
  endif()
endif()

# libFuzzer is guided by the edges that an input reaches: all code that it runs must count them.
if(VALKYR_BUILD_FUZZERS)
  target_compile_options(valkyr_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The rooms of src and what each may use: cmake/rooms.txt.
set(VALKYR_ROOM_TABLE "${CMAKE_SOURCE_DIR}/cmake/rooms.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${VALKYR_ROOM_TABLE}")
file(STRINGS "${VALKYR_ROOM_TABLE}" VALKYR_ROOM_ROWS REGEX "^[a-z]")

# valkyr_room_target(OUT ROOM): the target of a room's own files. A room with rooms below it has two:
# valkyr_ROOM_own of its own files, valkyr_ROOM of them all. "ROOM/*" names the latter.
function(valkyr_room_target out room)
  string(REGEX REPLACE "/\\*$" "" name "${room}")
  string(REPLACE "/" "_" target "valkyr_${name}")
  if(room STREQUAL name AND VALKYR_ROOM_ROWS MATCHES "(^|;)${name}/")
    string(APPEND target _own)
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

# valkyr_room([SOURCES ...] [ALONE ...] [LIBRARIES ...]): the static library of the room in this folder.
# It links the rooms of its row in the table, and LIBRARIES from outside. ALONE: more sources
# (valkyr_compile_together).
function(valkyr_room)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;LIBRARIES" ${ARGN})
  file(RELATIVE_PATH room "${CMAKE_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
  set(row "${VALKYR_ROOM_ROWS}")
  list(FILTER row INCLUDE REGEX "^${room}:")
  if(NOT row)
    message(FATAL_ERROR "cmake/rooms.txt has no row for ${room}")
  endif()
  string(REGEX REPLACE "^[^:]*:" "" used "${row}")
  separate_arguments(used UNIX_COMMAND "${used}")
  set(targets)
  foreach(name IN LISTS used)
    valkyr_room_target(linked "${name}")
    list(APPEND targets ${linked})
  endforeach()
  valkyr_room_target(target "${room}")
  if(ARG_SOURCES OR ARG_ALONE)
    add_library(${target} STATIC ${ARG_SOURCES} ${ARG_ALONE})
    valkyr_compile_together(${target} ALONE ${ARG_ALONE})
    target_link_libraries(${target} PUBLIC ${targets} ${ARG_LIBRARIES} PRIVATE valkyr_options)
    target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}/src")
    if(NOT room MATCHES "^virgl")
      set_property(GLOBAL APPEND PROPERTY VALKYR_LIBRARY_ROOMS ${target})
    endif()
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${targets} ${ARG_LIBRARIES})
    target_include_directories(${target} INTERFACE "${CMAKE_SOURCE_DIR}/src")
  endif()
endfunction()

# valkyr_host_levels(TARGET PREFIX): adds PREFIX_LEVEL.cpp for each host level of this architecture,
# compiled for the level's instructions.
function(valkyr_host_levels target prefix)
  # Small loops over vector registers must be unrolled completely, or they go through memory.
  set(unrolled $<$<NOT:$<CONFIG:Debug>>:-O3>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(levels avx2 avx512)
    set(avx2 -mavx2 -mfma -mf16c ${unrolled})
    set(avx512 ${avx2} -mavx512f -mavx512dq -mavx512bw -mavx512vl)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 warns about the deliberately undefined operands inside its own AVX-512 intrinsics.
      list(APPEND avx512 -Wno-maybe-uninitialized -Wno-uninitialized)
    endif()
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(levels neon)
    set(neon ${unrolled})
  endif()
  foreach(level IN LISTS levels)
    target_sources(${target} PRIVATE ${prefix}_${level}.cpp)
    set_source_files_properties(${prefix}_${level}.cpp PROPERTIES
      COMPILE_OPTIONS "${${level}}" SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

# valkyr_rooms_below(ROOM): the interface library valkyr_ROOM of a room and all rooms below it.
function(valkyr_rooms_below room)
  string(REPLACE "/" "_" all "valkyr_${room}")
  add_library(${all} INTERFACE)
  foreach(row IN LISTS VALKYR_ROOM_ROWS)
    string(REGEX REPLACE ":.*" "" name "${row}")
    if(name MATCHES "^${room}(/|$)")
      valkyr_room_target(target "${name}")
      target_link_libraries(${all} INTERFACE ${target})
    endif()
  endforeach()
endfunction()

# valkyr_test(NAME SOURCES ... DEPENDS ... [APART ...] [ALONE ...] [ARGS ...] [EMULATED] [UNOPTIMIZED]): a
# doctest executable test_NAME, run by CTest. APART, ALONE: more sources (valkyr_compile_together).
# EMULATED: part of the short set for another architecture (label and target `emulated`). UNOPTIMIZED:
# compiled with -O0, for tests whose own code runs much shorter than it compiles, except with sanitizers
# and in cross builds, which run slowly anyway.
function(valkyr_test name)
  cmake_parse_arguments(ARG "EMULATED;UNOPTIMIZED" "TIMEOUT" "SOURCES;DEPENDS;APART;ALONE;ARGS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES} ${ARG_APART} ${ARG_ALONE})
  valkyr_compile_together(test_${name} APART ${ARG_APART} ALONE ${ARG_ALONE})
  set(options valkyr_test_options)
  if(ARG_UNOPTIMIZED AND NOT VALKYR_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    set(options valkyr_unoptimized_test_options)
  endif()
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} valkyr_doctest_main ${options} valkyr_options)
  add_test(NAME ${name} COMMAND test_${name} ${ARG_ARGS} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(CMAKE_CROSSCOMPILING)
    math(EXPR ARG_TIMEOUT "10 * ${ARG_TIMEOUT}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(ARG_EMULATED)
    valkyr_emulate(${name} ${name})
  endif()
endfunction()

# The CTest entry `name`, which runs the executable test_TEST, belongs to the short set. It takes a
# minute and a half at most; a test that hangs must not take the time of all others.
function(valkyr_emulate name test)
  if(CMAKE_CROSSCOMPILING)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS emulated)
  if(NOT TARGET emulated)
    add_custom_target(emulated)
  endif()
  add_dependencies(emulated test_${test})
endfunction()

# valkyr_emulated_cases(TEST ARGS...): in a cross build, some cases of a test as another entry, which
# belongs to the short set. ARGS: doctest's filters.
function(valkyr_emulated_cases test)
  if(CMAKE_CROSSCOMPILING)
    add_test(NAME ${test}_emulated COMMAND test_${test} ${ARGN}
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    valkyr_emulate(${test}_emulated ${test})
  endif()
endfunction()
