# SPDX-License-Identifier: MIT
APP_STARTS := yes
APP_CFLAGS := -Wall -Wextra -Wshadow -Werror
