/* SPDX-License-Identifier: MIT */
#define KERNEL_VERSION_NUMBER 0x30700
