# Packages: Debian packages of the command, the library and its headers; an archive of all.
set(CPACK_PACKAGE_VENDOR "The Valkyr authors")
set(CPACK_PACKAGE_CONTACT "The Valkyr authors <valkyr@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL command library development osmesa)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME valkyr)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libgl1")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "xvfb")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "software GPU: command and documents
 Runs OpenGL programs without a GPU (valkyr run), renders demo scenes, and shows how shaders are
 compiled to Arm Valhall and to host code, with the same bits on every machine.")

set(library_package "libvalkyr${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "${library_package}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "software GPU: shared library
 Renders in software what programs describe by TGSI shaders and plain state.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libvalkyr-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libasmjit-dev, libstb-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "software GPU: headers and static library
 What programs that render with libvalkyr are built with.")

set(CPACK_DEBIAN_OSMESA_PACKAGE_NAME valkyr-osmesa)
set(CPACK_DEBIAN_OSMESA_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_OSMESA_PACKAGE_SHLIBDEPS OFF)  # libGL.so.1 need not be installed to build this
set(CPACK_DEBIAN_OSMESA_PACKAGE_DEPENDS
  "valkyr (= ${PROJECT_VERSION}), libc6, libstdc++6, libgl1, libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_OSMESA_PACKAGE_PROVIDES "libosmesa6 (= 25.0), libosmesa6-dev (= 25.0)")
set(CPACK_DEBIAN_OSMESA_PACKAGE_CONFLICTS "libosmesa6, libosmesa6-dev")
set(CPACK_DEBIAN_OSMESA_PACKAGE_REPLACES "libosmesa6, libosmesa6-dev")
set(CPACK_DEBIAN_OSMESA_DESCRIPTION "software GPU: OSMesa
 Renders by OpenGL into memory of a program, without a display: libOSMesa.so.8 and its header.")

set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
include(CPack)
