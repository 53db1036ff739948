# cairn_room(NAME [ROOMS ...] [LIBRARIES ...] [PRECOMPILE <header> ...]): one static library from src/NAME and, with tests on,
# one program from the *_test.cpp files beside the code.
function(cairn_room name)
  cmake_parse_arguments(ROOM "" "" "ROOMS;LIBRARIES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  # Tiers of other processors.
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER sources EXCLUDE REGEX "/(avx2|avx512vnni|amx)/")
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(FILTER sources EXCLUDE REGEX "/neon/")
  endif()

  list(TRANSFORM ROOM_ROOMS PREPEND cairn_)
  if(sources)
    add_library(cairn_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(cairn_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(cairn_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(cairn_${name} ${scope} ${ROOM_ROOMS} ${ROOM_LIBRARIES})

  # The kernels open target regions file by file and are optimised differently.
  if(CAIRN_UNITY AND sources AND NOT name STREQUAL "kernels")
    set_target_properties(cairn_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # In a file that others are included in, g++ takes their classes for a header's.
      target_compile_options(cairn_${name} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()

  if(name STREQUAL "kernels")
    # A header parsed at one level of optimisation does not serve another.
    target_compile_options(cairn_kernels PRIVATE $<$<CONFIG:Dev>:-O2>)
  elseif(ROOM_PRECOMPILE)
    cairn_precompile(cairn_${name} ${CAIRN_COMMON_HEADERS} ${ROOM_PRECOMPILE})
  else()
    cairn_share_precompiled(cairn_${name} cairn_base ${CAIRN_COMMON_HEADERS})
  endif()

  if(CAIRN_TESTS AND tests)
    cairn_test(${name}_test ROOM ${name} SOURCES ${tests})
  endif()
endfunction()

# cairn_test(NAME ROOM room SOURCES ...): a GoogleTest program. Tests find committed data under
# CAIRN_SOURCE_DIR and what was fetched for them under CAIRN_TEST_DATA_DIR.
set(CAIRN_TEST_DATA ${CMAKE_SOURCE_DIR}/build/test-data CACHE PATH "What tests/data/fetch brought")
function(cairn_test name)
  cmake_parse_arguments(TEST "" "ROOM" "SOURCES" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE cairn_${TEST_ROOM} GTest::gtest GTest::gmock
                                        GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(
    ${name} PRIVATE CAIRN_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                    CAIRN_TEST_DATA_DIR="${CAIRN_TEST_DATA}")
  cairn_share_precompiled(${name} base_test ${CAIRN_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# Headers that most files of a target read, parsed once. Only where CAIRN_PRECOMPILE says so: the
# release build and clang-tidy show that every file includes what it uses.
set(CAIRN_COMMON_HEADERS <algorithm> <functional> <map> <memory> <optional> <string> <variant>
                         <vector> <fmt/format.h>)
function(cairn_precompile target)
  get_target_property(type ${target} TYPE)
  if(CAIRN_PRECOMPILE AND NOT type STREQUAL "INTERFACE_LIBRARY")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# The same with the headers parsed once for all targets that share `owner`'s, which parses them.
function(cairn_share_precompiled target owner)
  get_target_property(type ${target} TYPE)
  if(target STREQUAL owner)
    cairn_precompile(${target} ${ARGN})
  elseif(CAIRN_PRECOMPILE AND NOT type STREQUAL "INTERFACE_LIBRARY")
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
