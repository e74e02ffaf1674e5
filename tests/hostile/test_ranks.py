# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One system call fails on one of two ranks, at random places in all jobs."""

import os
import random
import re

import failing_rank
import hostile

PLACES = int(os.environ.get("RIVULET_HOSTILE_PLACES", "300"))


class Ranks(failing_rank.FailingRank):
    def test_one_call_fails(self):
        source = random.Random(hostile.SEED)
        counts, found = {}, []
        for _ in range(PLACES):
            deck, call, rank = (source.choice(one) for one in
                                (sorted(failing_rank.DECKS), failing_rank.CALLS, (0, 1)))
            key = deck, call, rank
            if key not in counts:
                counts[key] = self.call_count(*key)
            if counts[key] == 0:
                continue
            place = source.randint(1, counts[key])
            fault = self.fault(deck, call, place, rank)
            # Open MPI 4.1 does not check some allocations, and MPI_Init prints its own messages.
            if call == "malloc" and re.search("Segmentation fault|opal_", fault):
                print("Open MPI failed:", *key, place, flush=True)
            elif fault:
                found.append((deck, call, place, rank, fault))
                print(found[-1], flush=True)
        print(f"{len(found)} of {PLACES} places")
        self.assertEqual(found, [])
