# SPDX-License-Identifier: MIT
# Firmware: compiles core, port, a board and an application for the target.
