# SPDX-License-Identifier: MIT
# SEEDED=1: each run gets a seed, and so an input of its own (tests/workloads/seeded.c).
ifeq ($(SEEDED),1)
APP_SRC += tests/workloads/seeded.c
APP_CFLAGS += -DWORKLOAD_SEEDED -Dmain=workload
endif
