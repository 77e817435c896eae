# Builds the first programs against an installed Valkyr: cmake -B build && cmake --build build
cmake_minimum_required(VERSION 3.16)
project(hello LANGUAGES CXX)

find_package(valkyr 0.1 REQUIRED)
find_path(STB_INCLUDE_DIR stb/stb_image_write.h REQUIRED)  # libstb-dev, for PNG files

foreach(program hello compute)
  add_executable(${program} ${program}.cpp png_file.cpp)
  target_include_directories(${program} PRIVATE "${STB_INCLUDE_DIR}")
  target_link_libraries(${program} PRIVATE valkyr::valkyr)
endforeach()
