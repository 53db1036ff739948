# One place for what the compiler is told. No instruction set is named here: a build runs on every
# x86-64 machine, and tiers open their own target regions (Y02).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# Most of a CI run is compiling; only kernels, which the tests of whole models wait for, need -O2.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1")
set(CMAKE_CXX_FLAGS_SANITIZED "-O1 -g1 -fno-omit-frame-pointer")

add_compile_definitions(CAIRN_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The sanitizer builds hold to g++'s reading of -Wconversion; large tables need deep brackets.
  add_compile_options(-Wno-sign-conversion -Wno-string-conversion -fbracket-depth=1024)
endif()
# The exact class is defined operation by operation: nothing may be contracted or reassociated.
add_compile_options(-ffp-contract=off -fno-fast-math)

if(CAIRN_SANITIZE)
  add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CAIRN_SANITIZE})
endif()

find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE)
  # What ccache needs to know a file again that was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros ${CAIRN_CCACHE})
endif()
if(CAIRN_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # For ccache. And g++ 12 forgets that the standard library is a system header when it comes
  # precompiled, so its false alarms about moved strings show; the release build has these on.
  add_compile_options(-fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                      -Wno-stringop-overread)
endif()
