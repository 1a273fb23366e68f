/* drbg.c - one part of a call of CTR_DRBG instead of the whole, for the bench.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The generator as it is, but for what happens where its rooms are made: there the part that the bench chose is
 * done.  What a part costs is the difference to a call that does nothing there. */
#define haechi_drbg_work haechi_bench_work
#include "../../../src/drbg/ctr_drbg.c"
#undef haechi_drbg_work

uint8_t haechi_bench_part; /* bench/measured/drbg.py counts them */
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
