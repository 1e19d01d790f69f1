/* SPDX-License-Identifier: MIT */
#include "core/bytes.h"

#include <string.h>

void weft_writer_init(weft_writer *writer, uint8_t *bytes, size_t size_max)
{
    writer->bytes = bytes;
    writer->size_max = bytes ? size_max : SIZE_MAX;
    writer->size = 0;
    writer->status = WEFT_OK;
}

size_t weft_writer_room(const weft_writer *writer)
{
    return writer->size_max - writer->size;
}

void weft_writer_rollback(weft_writer *writer, size_t size)
{
    writer->size = size;
    writer->status = WEFT_OK;
}

void weft_write_bytes(weft_writer *writer, const uint8_t *bytes, size_t size)
{
    if (writer->status != WEFT_OK || size > weft_writer_room(writer)) {
        writer->status = WEFT_FULL;
        return;
    }
    if (writer->bytes && size)
        memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

void weft_write_u8(weft_writer *writer, uint8_t value)
{
    weft_write_bytes(writer, &value, 1);
}

static void write_little(weft_writer *writer, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    weft_write_bytes(writer, bytes, size);
}

void weft_write_u16(weft_writer *writer, uint16_t value)
{
    write_little(writer, value, 2);
}

void weft_write_u32(weft_writer *writer, uint32_t value)
{
    write_little(writer, value, 4);
}

void weft_write_u64(weft_writer *writer, uint64_t value)
{
    write_little(writer, value, 8);
}

void weft_write_varint(weft_writer *writer, uint32_t value)
{
    uint8_t bytes[WEFT_VARINT32_MAX];
    unsigned n = 0;
    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    weft_write_bytes(writer, bytes, n);
}

void weft_write_varint64(weft_writer *writer, uint64_t value)
{
    uint8_t bytes[WEFT_VARINT64_MAX];
    unsigned n = 0;
    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    weft_write_bytes(writer, bytes, n);
}

void weft_reader_init(weft_reader *reader, const uint8_t *bytes, size_t size)
{
    reader->bytes = bytes;
    reader->size = size;
    reader->at = 0;
    reader->status = WEFT_OK;
}

size_t weft_reader_left(const weft_reader *reader)
{
    return reader->status == WEFT_OK ? reader->size - reader->at : 0;
}

const uint8_t *weft_read_bytes(weft_reader *reader, size_t size)
{
    if (reader->status != WEFT_OK || size > reader->size - reader->at) {
        reader->status = WEFT_CORRUPT;
        return NULL;
    }
    const uint8_t *bytes = reader->bytes + reader->at;
    reader->at += size;
    return bytes;
}

static uint64_t read_little(weft_reader *reader, unsigned size)
{
    const uint8_t *bytes = weft_read_bytes(reader, size);
    uint64_t value = 0;
    for (unsigned i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint8_t weft_read_u8(weft_reader *reader)
{
    return (uint8_t)read_little(reader, 1);
}

uint16_t weft_read_u16(weft_reader *reader)
{
    return (uint16_t)read_little(reader, 2);
}

uint32_t weft_read_u32(weft_reader *reader)
{
    return (uint32_t)read_little(reader, 4);
}

uint64_t weft_read_u64(weft_reader *reader)
{
    return read_little(reader, 8);
}

/* Reads a varint of `bits` bits. A last byte with bits beyond them is corrupt. */
static uint64_t read_varint_of(weft_reader *reader, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < bits; shift += 7) {
        const uint8_t *byte = weft_read_bytes(reader, 1);
        if (!byte)
            return 0;
        uint64_t low = *byte & 0x7fu;
        if (bits - shift < 7 && low >> (bits - shift))
            break;
        value |= low << shift;
        if (!(*byte & 0x80))
            return value;
    }
    reader->status = WEFT_CORRUPT;
    return 0;
}

uint32_t weft_read_varint(weft_reader *reader)
{
    return (uint32_t)read_varint_of(reader, 32);
}

uint64_t weft_read_varint64(weft_reader *reader)
{
    return read_varint_of(reader, 64);
}

#if WEFT_CRC_BITS == 8
/* The table of polynomial 0xedb88320 for bytes, and the step over a byte that is already added to the sum. */
/* clang-format off: eight to a line */
static const uint32_t crc_table[256] = {
    0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f, 0xe963a535, 0x9e6495a3, 0x0edb8832,
    0x79dcb8a4, 0xe0d5e91e, 0x97d2d988, 0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91, 0x1db71064, 0x6ab020f2,
    0xf3b97148, 0x84be41de, 0x1adad47d, 0x6ddde4eb, 0xf4d4b551, 0x83d385c7, 0x136c9856, 0x646ba8c0, 0xfd62f97a,
    0x8a65c9ec, 0x14015c4f, 0x63066cd9, 0xfa0f3d63, 0x8d080df5, 0x3b6e20c8, 0x4c69105e, 0xd56041e4, 0xa2677172,
    0x3c03e4d1, 0x4b04d447, 0xd20d85fd, 0xa50ab56b, 0x35b5a8fa, 0x42b2986c, 0xdbbbc9d6, 0xacbcf940, 0x32d86ce3,
    0x45df5c75, 0xdcd60dcf, 0xabd13d59, 0x26d930ac, 0x51de003a, 0xc8d75180, 0xbfd06116, 0x21b4f4b5, 0x56b3c423,
    0xcfba9599, 0xb8bda50f, 0x2802b89e, 0x5f058808, 0xc60cd9b2, 0xb10be924, 0x2f6f7c87, 0x58684c11, 0xc1611dab,
    0xb6662d3d, 0x76dc4190, 0x01db7106, 0x98d220bc, 0xefd5102a, 0x71b18589, 0x06b6b51f, 0x9fbfe4a5, 0xe8b8d433,
    0x7807c9a2, 0x0f00f934, 0x9609a88e, 0xe10e9818, 0x7f6a0dbb, 0x086d3d2d, 0x91646c97, 0xe6635c01, 0x6b6b51f4,
    0x1c6c6162, 0x856530d8, 0xf262004e, 0x6c0695ed, 0x1b01a57b, 0x8208f4c1, 0xf50fc457, 0x65b0d9c6, 0x12b7e950,
    0x8bbeb8ea, 0xfcb9887c, 0x62dd1ddf, 0x15da2d49, 0x8cd37cf3, 0xfbd44c65, 0x4db26158, 0x3ab551ce, 0xa3bc0074,
    0xd4bb30e2, 0x4adfa541, 0x3dd895d7, 0xa4d1c46d, 0xd3d6f4fb, 0x4369e96a, 0x346ed9fc, 0xad678846, 0xda60b8d0,
    0x44042d73, 0x33031de5, 0xaa0a4c5f, 0xdd0d7cc9, 0x5005713c, 0x270241aa, 0xbe0b1010, 0xc90c2086, 0x5768b525,
    0x206f85b3, 0xb966d409, 0xce61e49f, 0x5edef90e, 0x29d9c998, 0xb0d09822, 0xc7d7a8b4, 0x59b33d17, 0x2eb40d81,
    0xb7bd5c3b, 0xc0ba6cad, 0xedb88320, 0x9abfb3b6, 0x03b6e20c, 0x74b1d29a, 0xead54739, 0x9dd277af, 0x04db2615,
    0x73dc1683, 0xe3630b12, 0x94643b84, 0x0d6d6a3e, 0x7a6a5aa8, 0xe40ecf0b, 0x9309ff9d, 0x0a00ae27, 0x7d079eb1,
    0xf00f9344, 0x8708a3d2, 0x1e01f268, 0x6906c2fe, 0xf762575d, 0x806567cb, 0x196c3671, 0x6e6b06e7, 0xfed41b76,
    0x89d32be0, 0x10da7a5a, 0x67dd4acc, 0xf9b9df6f, 0x8ebeeff9, 0x17b7be43, 0x60b08ed5, 0xd6d6a3e8, 0xa1d1937e,
    0x38d8c2c4, 0x4fdff252, 0xd1bb67f1, 0xa6bc5767, 0x3fb506dd, 0x48b2364b, 0xd80d2bda, 0xaf0a1b4c, 0x36034af6,
    0x41047a60, 0xdf60efc3, 0xa867df55, 0x316e8eef, 0x4669be79, 0xcb61b38c, 0xbc66831a, 0x256fd2a0, 0x5268e236,
    0xcc0c7795, 0xbb0b4703, 0x220216b9, 0x5505262f, 0xc5ba3bbe, 0xb2bd0b28, 0x2bb45a92, 0x5cb36a04, 0xc2d7ffa7,
    0xb5d0cf31, 0x2cd99e8b, 0x5bdeae1d, 0x9b64c2b0, 0xec63f226, 0x756aa39c, 0x026d930a, 0x9c0906a9, 0xeb0e363f,
    0x72076785, 0x05005713, 0x95bf4a82, 0xe2b87a14, 0x7bb12bae, 0x0cb61b38, 0x92d28e9b, 0xe5d5be0d, 0x7cdcefb7,
    0x0bdbdf21, 0x86d3d2d4, 0xf1d4e242, 0x68ddb3f8, 0x1fda836e, 0x81be16cd, 0xf6b9265b, 0x6fb077e1, 0x18b74777,
    0x88085ae6, 0xff0f6a70, 0x66063bca, 0x11010b5c, 0x8f659eff, 0xf862ae69, 0x616bffd3, 0x166ccf45, 0xa00ae278,
    0xd70dd2ee, 0x4e048354, 0x3903b3c2, 0xa7672661, 0xd06016f7, 0x4969474d, 0x3e6e77db, 0xaed16a4a, 0xd9d65adc,
    0x40df0b66, 0x37d83bf0, 0xa9bcae53, 0xdebb9ec5, 0x47b2cf7f, 0x30b5ffe9, 0xbdbdf21c, 0xcabac28a, 0x53b39330,
    0x24b4a3a6, 0xbad03605, 0xcdd70693, 0x54de5729, 0x23d967bf, 0xb3667a2e, 0xc4614ab8, 0x5d681b02, 0x2a6f2b94,
    0xb40bbe37, 0xc30c8ea1, 0x5a05df1b, 0x2d02ef8d,
};
/* clang-format on */
#define CRC_BYTE(crc) (crc_table[(crc)&0xff] ^ (crc) >> 8)
#else
/* The same for half bytes: 64 bytes of flash. */
static const uint32_t crc_table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};
#define CRC_NIBBLE(crc) (crc_table[(crc)&15] ^ (crc) >> 4)
#define CRC_BYTE(crc) CRC_NIBBLE(CRC_NIBBLE(crc))
#endif

static uint32_t crc_step(uint32_t crc)
{
    return CRC_BYTE(crc);
}

uint32_t weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    crc = ~crc;
    for (; size && (uintptr_t)bytes % 4; size--)
        crc = crc_step(crc ^ *bytes++);
    /* Aligned words: one load each. */
    for (; size >= 4; size -= 4, bytes += 4) {
        const uint8_t *word = __builtin_assume_aligned(bytes, 4);
        crc ^= word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24;
        crc = crc_step(crc_step(crc_step(crc_step(crc))));
    }
    for (; size; size--)
        crc = crc_step(crc ^ *bytes++);
    return ~crc;
}

void weft_cobs_start(weft_cobs *cobs, uint8_t *out)
{
    cobs->out = cobs->code = out;
    cobs->to = out + 1;
}

/* Copies whole words up to the first one that holds a zero, and returns their bytes. The copy may overlap what is read
 * if `to` lies before it. Copies nothing where words must be aligned. */
static inline size_t nonzero_words(uint8_t *to, const uint8_t *in, size_t size)
{
    size_t done = 0;
#if defined(__ARM_FEATURE_UNALIGNED) || !defined(__arm__)
    for (uint32_t word; size - done >= sizeof word; done += sizeof word) {
        __builtin_memcpy(&word, in + done, sizeof word);
        if ((word - 0x01010101u) & ~word & 0x80808080u)
            break;
        __builtin_memcpy(to + done, &word, sizeof word);
    }
#else
    (void)to, (void)in, (void)size;
#endif
    return done;
}

void weft_cobs_put(weft_cobs *cobs, const uint8_t *in, size_t size)
{
    const uint8_t *end = in + size;
    uint8_t *to = cobs->to, *code = cobs->code;
    while (in != end) {
        if (!code)
            code = to++;
        size_t room = 255 - (size_t)(to - code);
        const uint8_t *limit = (size_t)(end - in) > room ? in + room : end;
        uint8_t byte = 1;
        size_t words = nonzero_words(to, in, (size_t)(limit - in));
        in += words;
        to += words;
        while (in != limit && (byte = *in++) != 0)
            *to++ = byte;
        if (byte == 0) {
            *code = (uint8_t)(to - code); /* the zero ends the group; another group follows, even if empty */
            code = to++;
        } else if (to - code == 255) {
            *code = 255; /* a full group: no zero follows it */
            code = NULL;
        }
    }
    cobs->to = to;
    cobs->code = code;
}

size_t weft_cobs_end(weft_cobs *cobs)
{
    if (cobs->code)
        *cobs->code = (uint8_t)(cobs->to - cobs->code);
    return (size_t)(cobs->to - cobs->out);
}

size_t weft_cobs_encode(uint8_t *out, const uint8_t *in, size_t size)
{
    weft_cobs cobs;
    weft_cobs_start(&cobs, out);
    weft_cobs_put(&cobs, in, size);
    return weft_cobs_end(&cobs);
}

bool weft_cobs_decode(uint8_t *out, size_t *out_size, const uint8_t *in, size_t size)
{
    size_t to = 0;
    size_t at = 0;
    while (at < size) {
        size_t code = in[at++];
        if (code == 0 || code - 1 > size - at)
            return false;
        for (size_t i = 1; i < code; i++, at++) {
            if (in[at] == 0)
                return false;
            out[to++] = in[at];
        }
        if (code < 0xff && at < size)
            out[to++] = 0;
    }
    *out_size = to;
    return size > 0;
}
