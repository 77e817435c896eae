# Installation: the library with its headers and package files, the command with its manual pages and
# completions, examples and documents, where the GNU conventions say.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that programs may include. Headers that these include are here, too; tests/install compiles each alone.
set(VALKYR_PUBLIC_HEADERS
  base/cancellation.hpp base/caught_error.hpp base/check.hpp base/export.hpp base/host_level.hpp base/result.hpp
  exec/abi.hpp exec/atest_datum.hpp exec/blend_descriptor.hpp exec/calls.hpp exec/descriptors.hpp
  exec/entry_registers.hpp exec/environment.hpp exec/float_environment.hpp exec/format.hpp
  exec/formats.inc exec/handle.hpp exec/program.hpp exec/state_keys.hpp exec/vertex_record.hpp
  gpu/create_device.hpp
  jit/host_level.hpp jit/recompiler.hpp
  raster/device.hpp raster/message_calls.hpp raster/state.hpp raster/state_groups.hpp
  raster/timeline.hpp
  tgsi/limits.hpp tgsi/opcodes.inc tgsi/shader.hpp
  tgsi/rules/verifier.hpp tgsi/text/parser.hpp tgsi/text/printer.hpp
  valhall/compiler/ir/compiler.hpp valhall/compiler/ir/debug_info.hpp
  valhall/isa/decode.hpp valhall/isa/encode.hpp valhall/isa/instr.hpp valhall/isa/isa.hpp
  valhall/isa/program.hpp
  valhall/text/assemble.hpp valhall/text/disassemble.hpp valhall/text/listing.hpp
  valhall/validator/validate.hpp)

# One library of all rooms up to the devices, shared and static.
get_property(rooms GLOBAL PROPERTY VALKYR_LIBRARY_ROOMS)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(valkyr_shared SHARED ${objects})
add_library(valkyr_static STATIC ${objects})
# Until 1.0 every minor version may change the interface.
set_target_properties(valkyr_shared PROPERTIES
  OUTPUT_NAME valkyr EXPORT_NAME valkyr
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(valkyr_static PROPERTIES OUTPUT_NAME valkyr)
# Debian has asmjit as a static library alone: the shared one holds what it needs of it, hidden.
target_link_libraries(valkyr_shared PRIVATE "${ASMJIT_LIBRARY}" Threads::Threads valkyr_options)
if(ASMJIT_LIBRARY MATCHES "\\.a$")
  target_sources(valkyr_shared PRIVATE src/jit/asmjit_messages.cpp)
  target_include_directories(valkyr_shared SYSTEM PRIVATE "${ASMJIT_INCLUDE_DIR}")
  target_compile_definitions(valkyr_shared PRIVATE ASMJIT_STATIC)  # else its header shows them
endif()
target_link_options(valkyr_shared PRIVATE LINKER:--exclude-libs,ALL LINKER:--no-undefined)
target_link_libraries(valkyr_static PRIVATE $<BUILD_INTERFACE:valkyr_options>
  INTERFACE $<INSTALL_INTERFACE:asmjit> Threads::Threads)
foreach(target valkyr_shared valkyr_static)
  target_include_directories(${target} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/valkyr>)
  target_compile_features(${target} INTERFACE cxx_std_20)
endforeach()

install(TARGETS valkyr_shared EXPORT valkyr
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS valkyr_static EXPORT valkyr
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
foreach(header IN LISTS VALKYR_PUBLIC_HEADERS)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "src/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/valkyr/${folder}"
    COMPONENT development)
endforeach()
install(FILES "${CMAKE_BINARY_DIR}/src/valhall/isa/generated/valhall_isa_gen.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/valkyr" COMPONENT development)

# For find_package(valkyr) and pkg-config.
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/valkyr")
install(EXPORT valkyr NAMESPACE valkyr:: FILE valkyr-targets.cmake DESTINATION "${package_folder}"
  COMPONENT development)
configure_package_config_file(cmake/valkyr-config.cmake.in "${CMAKE_BINARY_DIR}/valkyr-config.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/valkyr-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/valkyr-config.cmake" "${CMAKE_BINARY_DIR}/valkyr-config-version.cmake"
  DESTINATION "${package_folder}" COMPONENT development)
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")  # the prefix from there
configure_file(cmake/valkyr.pc.in "${CMAKE_BINARY_DIR}/valkyr.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/valkyr.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

# The first program, to be built against what is installed.
install(FILES examples/hello.cpp examples/image_io.cpp examples/image_io.hpp
  DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT development)
install(FILES cmake/installed_examples.cmake DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
  RENAME CMakeLists.txt COMPONENT development)
install(FILES README.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" COMPONENT command)

if(VALKYR_BUILD_TOOLS)
  install(TARGETS valkyr RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  # Manual pages and completions from what the command says of itself, where it can run.
  if(NOT CMAKE_CROSSCOMPILING)
    set(reference "${CMAKE_BINARY_DIR}/reference")
    add_custom_command(OUTPUT "${reference}/done"
      COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tools/packaging/reference.py"
              $<TARGET_FILE:valkyr> "${reference}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${reference}/done"
      DEPENDS valkyr "${CMAKE_SOURCE_DIR}/tools/packaging/reference.py"
      COMMENT "Writing manual pages and completions")
    add_custom_target(valkyr_manual ALL DEPENDS "${reference}/done")
    install(DIRECTORY "${reference}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT command)
    set(completions "${CMAKE_INSTALL_DATAROOTDIR}")
    install(FILES "${reference}/valkyr.bash" RENAME valkyr
      DESTINATION "${completions}/bash-completion/completions" COMPONENT command)
    install(FILES "${reference}/_valkyr" DESTINATION "${completions}/zsh/site-functions" COMPONENT command)
    install(FILES "${reference}/valkyr.fish"
      DESTINATION "${completions}/fish/vendor_completions.d" COMPONENT command)
  endif()
endif()
