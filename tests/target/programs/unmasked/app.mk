# SPDX-License-Identifier: MIT
APP_STARTS := yes
# CALM=1: no interrupt comes while a probe works.
APP_CFLAGS := -Wall -Wextra -Wshadow -Werror $(CALM:%=-DCALM)
