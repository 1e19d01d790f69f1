/* SPDX-License-Identifier: MIT */
/* A thermostat with a bug. It filters samples, corrects them by each sensor's calibration, and switches the heating.
 * The last set point that it prints is wrong; `weft wet why` finds the reason (README). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SENSORS = 4, SAMPLES = 200, NAME_SIZE = 8 };

struct sensor {
    char name[NAME_SIZE];
    int16_t offset; /* hundredths of a degree */
    int16_t filtered;
};

static struct sensor sensors[SENSORS];
static int32_t set_point, heating;

__attribute__((noinline)) static void sensor_init(struct sensor *sensor, const char *name, int offset)
{
    sensor->offset = (int16_t)offset;
    sensor->filtered = 2000;
    strcpy(sensor->name, name);
}

/* What the converter delivers: noise around 21 degrees. */
static int sample(int sensor, int time)
{
    static uint32_t random = 1;
    random = random * 1664525u + 1013904223u;
    return 2100 + sensor * 5 + time % 7 + (int)(random >> 28);
}

static void filter(struct sensor *sensor, int value)
{
    sensor->filtered = (int16_t)(sensor->filtered + (value - sensor->filtered) / 8);
}

static int32_t corrected(const struct sensor *sensor)
{
    return sensor->filtered + sensor->offset;
}

static void control(void)
{
    int32_t warmest = -30000;
    for (int i = 0; i < SENSORS; i++) {
        int32_t value = corrected(&sensors[i]);
        if (value > warmest)
            warmest = value;
    }
    heating = warmest < 2150;
    set_point = 2150 + (2150 - warmest) / 4;
}

int main(void)
{
    sensor_init(&sensors[0], "north", 12);
    sensor_init(&sensors[1], "south", -7);
    sensor_init(&sensors[2], "livingroom", 3);
    sensor_init(&sensors[3], "hall", 5);
    for (int time = 0; time < SAMPLES; time++) {
        for (int i = 0; i < SENSORS; i++)
            filter(&sensors[i], sample(i, time));
        control();
    }
    printf("thermostat: set point %ld, heating %s\n", (long)set_point, heating ? "on" : "off");
    return 0;
}
