/* SPDX-License-Identifier: MIT */
/* A word that is read rarely: eleven times in 100,000 rounds. These are several of the stretches by which snapshots
 * list what was read (WET_BATCH windows each). */
volatile unsigned rare = 7, round_number, sum;

int main(void)
{
    for (round_number = 0; round_number < 100000; round_number++)
        if (round_number % 9973 == 5)
            sum += rare;
    return 0;
}
