# SPDX-License-Identifier: MIT
# INTERRUPT_ITEMS=n lets each source make n items.
INTERRUPT_ITEMS ?= 300
APP_CFLAGS := -Wall -Wextra -Wshadow -Werror -DITEMS=$(INTERRUPT_ITEMS)
