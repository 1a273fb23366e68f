/* arrow.h - the structures of the Arrow C data interface and C stream interface, as the Arrow specification lays them
 * out (arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_ARROW_H
#define HAECHI_ARROW_H

#include <stdint.h>

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
enum { ARROW_NULLABLE = 2 };

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif
