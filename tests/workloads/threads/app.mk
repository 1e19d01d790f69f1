# SPDX-License-Identifier: MIT
# THREAD_ROUNDS=n: each thread works n rounds.
THREAD_ROUNDS ?= 40
APP_CFLAGS := -Wall -Wextra -Wshadow -Werror -DROUNDS=$(THREAD_ROUNDS)
