/* SPDX-License-Identifier: MIT */
/* The registers of a device, from a CMSIS-SVD file: peripherals (also derived ones), clusters, registers, fields, the
 * names of values, arrays of all of these (dim). The file is read as a stream, without external entities; more than
 * SVD_REGISTERS_MAX registers are refused. */
#ifndef WEFT_TOOLS_LIB_INSPECT_SVD_H
#define WEFT_TOOLS_LIB_INSPECT_SVD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SVD_REGISTERS_MAX (1u << 20)

typedef struct svd_value {
    char *name;
    uint64_t value, mask; /* mask: the bits that it says something of */
} svd_value;

typedef struct svd_field {
    char *name;
    uint32_t first, width; /* bits */
    svd_value *value;
    size_t value_count, value_max;
    char *otherwise; /* the name of all other values; NULL: they have none */
} svd_field;

typedef struct svd_register {
    char *name;             /* PERIPHERAL.REGISTER, with clusters PERIPHERAL.CLUSTER.REGISTER */
    uint32_t address, size; /* bytes */
    bool loads, stores;     /* what it is for: of two at one address, one may be loaded, the other stored */
    const svd_field *field; /* by first bit; shared by the registers of an array */
    size_t field_count;
} svd_register;

typedef struct svd {
    svd_register *all; /* by address */
    size_t count;
    struct svd_own *own;
} svd;

/* NULL, and a message: it cannot be read, is not XML, or not an SVD file. */
svd *svd_open(const char *path, char *message, size_t message_size);
void svd_close(svd *s);
/* The register that holds an address; NULL: none. */
const svd_register *svd_at(const svd *s, uint32_t address);
/* The register that an access of `size` bytes is for: of several that hold the address one that may be accessed
 * so, begins there, and is as large, as far as there is one. NULL: none. */
const svd_register *svd_accessed(const svd *s, uint32_t address, uint32_t size, bool store);
/* The address at which another register begins, within `size` bytes from `address` on but not at it; address + size:
 * none does. */
uint32_t svd_next(const svd *s, uint32_t address, uint32_t size);
/* A field's bits of a register's value. */
uint64_t svd_bits(const svd_field *field, uint64_t value);
/* The name of a field's value; NULL: it has none. */
const char *svd_value_name(const svd_field *field, uint64_t bits);

#endif
