# Public headers: makes the tree of cmake/public_headers.txt, in which they include each other as <valkyr/...>, and
# valkyr_headers, which gives that tree to a target of this build.
set(VALKYR_HEADER_TREE "${CMAKE_BINARY_DIR}/include")
set(header_stamp "${CMAKE_BINARY_DIR}/public_headers.done")
get_property(isa_gen_dir GLOBAL PROPERTY VALKYR_ISA_GENERATED)
set(header_table "${CMAKE_SOURCE_DIR}/cmake/public_headers.txt")
set(header_script "${CMAKE_SOURCE_DIR}/tools/packaging/public_headers.py")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header_table}")

set(header_sources)
set(header_copies)
file(STRINGS "${header_table}" header_rows REGEX "^[a-z]")
foreach(row IN LISTS header_rows)
  string(REGEX REPLACE ":.*" "" header "${row}")
  string(REGEX REPLACE ".*: *" "" name "${row}")
  if(header MATCHES "/")
    list(APPEND header_sources "${CMAKE_SOURCE_DIR}/src/${header}")
  else()
    list(APPEND header_sources "${isa_gen_dir}/${header}")
  endif()
  list(APPEND header_copies "${VALKYR_HEADER_TREE}/valkyr/${name}")
endforeach()
add_custom_command(OUTPUT "${header_stamp}" BYPRODUCTS ${header_copies}
  COMMAND Python3::Interpreter "${header_script}" "${header_table}" "${VALKYR_HEADER_TREE}/valkyr"
          "${CMAKE_SOURCE_DIR}/src" "${isa_gen_dir}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${header_stamp}"
  DEPENDS ${header_sources} "${header_table}" "${header_script}"
  COMMENT "Writing the public headers"
  VERBATIM)
add_custom_target(valkyr_header_tree ALL DEPENDS "${header_stamp}")
add_dependencies(valkyr_header_tree valkyr_valhall_isa)  # makes the generated one

add_library(valkyr_headers INTERFACE)
target_include_directories(valkyr_headers INTERFACE "${VALKYR_HEADER_TREE}")
add_dependencies(valkyr_headers valkyr_header_tree)
