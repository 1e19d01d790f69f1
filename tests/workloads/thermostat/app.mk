# SPDX-License-Identifier: MIT
APP_SRC := tests/workloads/thermostat/thermostat.c
