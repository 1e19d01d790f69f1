# SPDX-License-Identifier: MIT
# find_package(Weft) gives
#
#     weft_trace(TARGET [PROBES paths|mem|values] [SINK ring|semihost|hook] [START main|manual|own]
#                [CODER raw|loops|grammar] [BUS plain|bfcm] [DELIVERY direct|ring] [DERIVE path|activation|none]
#                [MACHINE NAME] [LIBRARIES TARGET...] [PLUGIN_OPTIONS OPTION...] [DEFINES NAME=VALUE...])
#
# TARGET, firmware for Cortex-M, is compiled with the compiler plugin, and the engine with it; so are the LIBRARIES,
# without the engine. What the words mean stands at the head of weft.mk beside this package's sources. The program is
# recorded from main on, without a change to it.
cmake_minimum_required(VERSION 3.15)
get_filename_component(WEFT_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(WEFT_SHARE "${WEFT_PREFIX}/share/weft")
set(WEFT_PLUGIN "${WEFT_PREFIX}/lib/weft/weft_gcc.so")
set(Weft_VERSION "@VERSION@")

function(weft_check_ name value)
    if(NOT "${value}" IN_LIST ARGN)
        string(REPLACE ";" ", " choices "${ARGN}")
        message(FATAL_ERROR "weft_trace: there is no ${name} ${value}; there are: ${choices}")
    endif()
endfunction()

function(weft_trace target)
    cmake_parse_arguments(W "" "PROBES;SINK;START;CODER;BUS;DELIVERY;DERIVE;MACHINE" "LIBRARIES;PLUGIN_OPTIONS;DEFINES"
        ${ARGN})
    if(W_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "weft_trace: what is ${W_UNPARSED_ARGUMENTS}?")
    endif()
    foreach(choice PROBES:mem:paths:values SINK:ring:semihost:hook START:main:manual:own CODER:raw:loops:grammar
            BUS:plain:bfcm DELIVERY:direct:ring DERIVE:path:activation:none)
        string(REPLACE ":" ";" choice ${choice})
        list(GET choice 0 name)
        list(GET choice 1 default)
        list(REMOVE_AT choice 0)
        if(NOT W_${name})
            set(W_${name} ${default})
        endif()
        weft_check_(${name} ${W_${name}} ${choice})
    endforeach()

    set(flags -fplugin=${WEFT_PLUGIN} -fplugin-arg-weft_gcc-probes=${W_PROBES} -fplugin-arg-weft_gcc-derive=${W_DERIVE})
    foreach(option ${W_PLUGIN_OPTIONS})
        list(APPEND flags -fplugin-arg-weft_gcc-${option})
    endforeach()
    foreach(traced ${target} ${W_LIBRARIES})
        target_compile_options(${traced} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:${flags};-g>")
        target_include_directories(${traced} SYSTEM PRIVATE ${WEFT_PREFIX}/include)
    endforeach()

    string(TOUPPER "SINK_${W_SINK} CODER_${W_CODER} BUS_${W_BUS}" words)
    string(REPLACE " " ";" words "${words}")
    set(text "/* Made by weft_trace(). */\n")
    foreach(word ${words})
        string(APPEND text "#define WEFT_AUTO_${word}\n")
    endforeach()
    set(numbers "WEFT_AUTO=1")
    foreach(choice START:own:WEFT_AUTO=0 START:main:WEFT_AUTO_WRAP=1 PROBES:paths:WEFT_AUTO_ACCESSES=0
            PROBES:values:WEFT_AUTO_VALUES=1 DELIVERY:ring:WEFT_RING_DELIVERY=1)
        string(REPLACE ":" ";" choice ${choice})
        list(GET choice 0 name)
        list(GET choice 1 value)
        list(GET choice 2 define)
        if(W_${name} STREQUAL value)
            list(APPEND numbers ${define})
        endif()
    endforeach()
    if(W_MACHINE)
        list(APPEND numbers WEFT_AUTO_MACHINE=${W_MACHINE})
    endif()
    foreach(define ${numbers} ${W_DEFINES})
        string(REPLACE "=" " " define ${define})
        string(REGEX MATCH "^[A-Za-z_0-9]+" name ${define})
        string(APPEND text "#undef ${name}\n#define ${define}\n")
    endforeach()
    set(engine "${CMAKE_CURRENT_BINARY_DIR}/weft-${target}.c")
    file(GENERATE OUTPUT "${engine}" CONTENT "${text}#include <${WEFT_SHARE}/weft.c>\n")
    set_source_files_properties("${engine}" PROPERTIES GENERATED TRUE)
    add_library(weft-${target} OBJECT "${engine}")
    target_compile_options(weft-${target} PRIVATE
        "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,EXCLUDE,^-fplugin>" -w)
    target_include_directories(weft-${target} SYSTEM PRIVATE / ${WEFT_SHARE})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:weft-${target}>)
    # -flto compiles at the link, so the plugin stands there too.
    target_link_options(${target} PRIVATE ${flags})
    if(W_START STREQUAL main)
        target_link_options(${target} PRIVATE -Wl,--wrap=main)
    endif()
endfunction()
