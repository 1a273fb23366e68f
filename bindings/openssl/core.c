/* core.c - errors and parameters by the functions that libcrypto passes to its providers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "core.h"

#include <string.h>

/* core_vset_error takes a va_list; the reason's text needs no further words, so the list stays empty. */
static void set_reason(const struct core *core, uint32_t reason, ...)
{
    va_list none;

    va_start(none, reason);
    core->vset_error(core->handle, reason, NULL, none);
    va_end(none);
}

int haechi_ossl_fail(const struct core *core, enum reason reason, const char *file, int line, const char *function)
{
    if (core->new_error != NULL && core->set_error_debug != NULL && core->vset_error != NULL) {
        core->new_error(core->handle);
        core->set_error_debug(core->handle, file, line, function);
        set_reason(core, (uint32_t)reason);
    }
    return 0;
}

const OSSL_PARAM *haechi_ossl_find_const(const OSSL_PARAM *params, const char *name)
{
    for (; params != NULL && params->key != NULL; params++)
        if (haechi_ossl_is(params, name)) return params;
    return NULL;
}

OSSL_PARAM *haechi_ossl_find(OSSL_PARAM *params, const char *name)
{
    return (OSSL_PARAM *)haechi_ossl_find_const(params, name);
}

int haechi_ossl_get(const OSSL_PARAM *param, size_t *value)
{
    uint64_t found;

    if (param->data == NULL) return 0;
    if (param->data_size == sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, param->data, sizeof word);
        found = word;
        if (param->data_type == OSSL_PARAM_INTEGER && word >> 31) return 0;
    } else if (param->data_size == sizeof(uint64_t)) {
        memcpy(&found, param->data, sizeof found);
        if (param->data_type == OSSL_PARAM_INTEGER && found >> 63) return 0;
    } else {
        return 0;
    }
    if (param->data_type != OSSL_PARAM_INTEGER && param->data_type != OSSL_PARAM_UNSIGNED_INTEGER) return 0;
    if (found > SIZE_MAX) return 0;
    *value = (size_t)found;
    return 1;
}

int haechi_ossl_put(OSSL_PARAM *params, const char *name, size_t value)
{
    OSSL_PARAM *const p = haechi_ossl_find(params, name);

    if (p == NULL) return 1;
    if (p->data_type != OSSL_PARAM_INTEGER && p->data_type != OSSL_PARAM_UNSIGNED_INTEGER) return 0;
    p->return_size = p->data == NULL ? sizeof value : p->data_size;
    if (p->data == NULL) return 1;
    if (p->data_size == sizeof(uint32_t)) {
        const uint32_t word = (uint32_t)value;
        if (word != value || (p->data_type == OSSL_PARAM_INTEGER && word >> 31)) return 0;
        memcpy(p->data, &word, sizeof word);
    } else if (p->data_size == sizeof(uint64_t)) {
        const uint64_t word = value;
        memcpy(p->data, &word, sizeof word);
    } else {
        return 0;
    }
    return 1;
}

int haechi_ossl_put_octets(OSSL_PARAM *params, const char *name, const void *value, size_t size)
{
    OSSL_PARAM *const p = haechi_ossl_find(params, name);

    if (p == NULL) return 1;
    p->return_size = size;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        if (p->data != NULL) *(const void **)p->data = value;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING) return 0;
    if (p->data == NULL) return 1;
    if (p->data_size < size) return 0;
    memcpy(p->data, value, size);
    return 1;
}

int haechi_ossl_put_text(OSSL_PARAM *params, const char *name, const char *value)
{
    OSSL_PARAM *const p = haechi_ossl_find(params, name);
    const size_t size = strlen(value);

    if (p == NULL) return 1;
    p->return_size = size;
    if (p->data_type == OSSL_PARAM_UTF8_PTR) {
        if (p->data != NULL) *(const char **)p->data = value;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_UTF8_STRING) return 0;
    if (p->data == NULL) return 1;
    if (p->data_size < size) return 0;
    memcpy(p->data, value, p->data_size > size ? size + 1 : size); /* its end, where there is room */
    return 1;
}
