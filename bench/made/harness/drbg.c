/* drbg.c - runs one part of a call of CTR_DRBG instead of all of it, for the bench.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * This is the generator's own code, but for haechi_drbg_work, which has room for keys and blocks: here it runs only
 * the part that the bench selected.  The cost of a part is the difference to a call that runs none. */
#define haechi_drbg_work haechi_bench_work
#include "../../../src/drbg/ctr_drbg.c"
#undef haechi_drbg_work

uint8_t haechi_bench_part; /* the number of the part, in the order of bench/measured/drbg.py */
enum { NOTHING, DERIVE, SEED, EXTRACT, READ };

int haechi_drbg_work(struct haechi_drbg_job *j, haechi_key *k, size_t room, uint8_t *seed);
int haechi_drbg_work(struct haechi_drbg_job *j, haechi_key *k, size_t room, uint8_t *seed)
{
    j->k = k, j->room = room, j->seed = seed;
    switch (haechi_bench_part) {
    case DERIVE: seed_material(j); break;
    case SEED: seed_state(j); break;
    case EXTRACT: extract(j); break;
    case READ:
        extract(j);
        update(j);
        break;
    default: break;
    }
    return j->error;
}
