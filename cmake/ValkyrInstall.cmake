# Installation: the library with its headers and package files, the command with its manual pages and
# completions, examples and documents, in the folders of the GNU conventions.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

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
# Debian has asmjit as a static library alone: Valkyr's shared library holds its code, hidden.
target_link_libraries(valkyr_shared PRIVATE "${ASMJIT_LIBRARY}" Threads::Threads valkyr_options)
if(ASMJIT_LIBRARY MATCHES "\\.a$")
  target_sources(valkyr_shared PRIVATE src/jit/asmjit_messages.cpp)
  target_include_directories(valkyr_shared SYSTEM PRIVATE "${ASMJIT_INCLUDE_DIR}")
  target_compile_definitions(valkyr_shared PRIVATE ASMJIT_STATIC)  # else it exports its functions
endif()
target_link_options(valkyr_shared PRIVATE LINKER:--exclude-libs,ALL LINKER:--no-undefined)
target_link_libraries(valkyr_static PRIVATE $<BUILD_INTERFACE:valkyr_options>
  INTERFACE $<INSTALL_INTERFACE:asmjit> Threads::Threads)
foreach(target valkyr_shared valkyr_static)
  target_include_directories(${target} INTERFACE
    "$<BUILD_INTERFACE:${VALKYR_HEADER_TREE}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
endforeach()

install(TARGETS valkyr_shared EXPORT valkyr
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS valkyr_static EXPORT valkyr
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY "${VALKYR_HEADER_TREE}/valkyr" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development)

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
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")  # path from there to the prefix
configure_file(cmake/valkyr.pc.in "${CMAKE_BINARY_DIR}/valkyr.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/valkyr.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

# The first programs, for a build against the installed library.
install(FILES examples/hello.cpp examples/compute.cpp examples/png_file.cpp examples/png_file.hpp
  DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT development)
install(FILES cmake/installed_examples.cmake DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
  RENAME CMakeLists.txt COMPONENT development)
install(FILES README.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" COMPONENT command)

if(VALKYR_BUILD_TOOLS)
  install(TARGETS valkyr RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  install(TARGETS valkyr_osmesa LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT osmesa)
  install(FILES src/osmesa/GL/osmesa.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/GL" COMPONENT osmesa)
  # Manual pages and completions are made from the command's --help, if it can run on this machine.
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
