/* SPDX-License-Identifier: MIT */
/* A TRACE frame in memory with a window of its control symbols, and places in it. */
#ifndef WEFT_TOOLS_LIB_RECORDING_WINDOW_H
#define WEFT_TOOLS_LIB_RECORDING_WINDOW_H

#include "tools/lib/recording/container.h"
#include "tools/lib/recording/symbols.h"

typedef struct frame_window {
    bool full;    /* a frame is loaded: */
    size_t index; /* its number in the container */
    container_frame frame;
    trace_body body;
    uint8_t *buffer;
    trace_symbols *decoder;
    uint32_t *symbol; /* the window: symbols `first` .. `first + count` of the frame */
    uint64_t first;
    size_t count;
} frame_window;

/* An empty window, for frames of a container. window_close frees what it holds. */
void window_open(frame_window *window, const container *file);
void window_close(frame_window *window);
/* Loads a TRACE frame of the container, if it is not the one that is there. */
void window_load(frame_window *window, const container *file, size_t index);
/* Symbol `number` of the frame. Going back before the window reads the section again. False: there are fewer. */
bool window_symbol(frame_window *window, uint64_t number, uint32_t *symbol);

/* A place in the control stream. */
typedef struct place {
    frame_window *window;
    uint64_t symbol; /* the number of the next symbol in the frame */
    trace_stretches stretches;
    trace_stretch stretch; /* the one that it is in */
    weft_reader marks;     /* before the next mark */
} place;

/* The place before the frame's first symbol. False: its contexts are damaged. */
bool place_start(place *at, frame_window *window);

#endif
