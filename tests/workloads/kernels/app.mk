# SPDX-License-Identifier: MIT
# KERNELS_SCALE=n repeats each kernel n times. Boards with little RAM take smaller data.
KERNELS_SCALE ?= 1
APP_CFLAGS := -Wall -Wextra -Wshadow -Werror -ffp-contract=off -DSCALE=$(KERNELS_SCALE) $(if $(filter microbit,$(BOARD)),-DSMALL)
