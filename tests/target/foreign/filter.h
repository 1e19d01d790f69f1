/* SPDX-License-Identifier: MIT */
#ifndef FILTER_H
#define FILTER_H

#ifdef __cplusplus
extern "C" {
#endif

#define FILTER_TAPS 8
int filter(int *history, int sample);

#ifdef __cplusplus
}
#endif

#endif
