/* SPDX-License-Identifier: MIT */
/* What only a recorder with coders does, in a file of its own so that programs without coders do not link it. */
#include "core/own.h"
#include "core/recorder_parts.h"

/* Bytes of a coder's section at its least, and what COBS adds to them. */
static size_t section_max(size_t least)
{
    return least + least / 254 + 1;
}

static size_t buffer_more(const weft_recorder_config *config)
{
    size_t more = 0;
    if (config->control_coder)
        more = section_max(config->control_coder->size_min(config->control_coder_state));
    if (config->model_coder)
        more += section_max(config->model_coder->size_min(config->model_coder_state));
    return more;
}

static void init(weft_recorder *recorder)
{
    weft_recorder_config *config = &recorder->config;
    uint8_t *coders = recorder->coders;
    if (!config->control_paths_max)
        config->control_paths_max = WEFT_RECORDER_CODED_PATHS_MAX;
    if (config->control_coder)
        coders[WEFT_HEAD_CONTROL] = config->control_coder->id;
    if (config->bus_coder) {
        recorder->access = config->bus_coder->access;
        coders[WEFT_HEAD_BUS] = WEFT_BUS_BFCM;
        coders[WEFT_HEAD_SLOTS] = config->bus_coder->slots_log2(config->bus_coder_state);
    }
    if (config->model_coder) {
        recorder->access = config->model_coder->access;
        coders[WEFT_HEAD_BUS] |= WEFT_BUS_TRE;
    }
    if (config->value_coder) {
        coders[WEFT_HEAD_VALUE] = WEFT_VALUE_BFCM;
        coders[WEFT_HEAD_VALUE_SLOTS] = config->value_coder->slots_log2(config->value_coder_state);
    }
}

static size_t region_min(const weft_recorder_config *config, unsigned region, size_t least)
{
    if (region == WEFT_REGION_MODELS && config->model_coder)
        return config->model_coder->size_min(config->model_coder_state);
    if (region != WEFT_REGION_CONTROL || !config->control_coder)
        return least;
    size_t wanted = config->control_coder->size_min(config->control_coder_state);
    return wanted > least ? wanted : least;
}

static uint32_t models_share(const weft_recorder_config *config, uint32_t rest)
{
    if (!config->model_coder)
        return 0;
    size_t share = config->model_coder->size_wanted(config->model_coder_state) / ((rest >> 8) + 1) + 1;
    return share < 64 ? (uint32_t)share : 64;
}

/* A coder's view of its region. */
static void view(weft_writer *writer, const weft_region *region)
{
    weft_writer_init(writer, region->start, (size_t)(region->end - region->start));
}

static void deal(weft_recorder *recorder, uint8_t *never)
{
    const weft_recorder_config *config = &recorder->config;
    weft_region *regions = recorder->region;
    if (config->control_coder) {
        view(&recorder->control, &regions[WEFT_REGION_CONTROL]);
        regions[WEFT_REGION_CONTROL].limit = never; /* never the raw path */
    }
    if (config->value_coder)
        regions[WEFT_REGION_VALUES].limit = never; /* likewise */
    if (config->model_coder || config->bus_coder)
        regions[WEFT_REGION_BUS].limit = never;
}

static void begin(weft_recorder *recorder)
{
    const weft_model_coder *coder = recorder->config.model_coder;
    if (!coder)
        return;
    view(&recorder->models, &recorder->region[WEFT_REGION_MODELS]);
    coder->begin(recorder->config.model_coder_state, &recorder->models);
}

static void restart(const weft_recorder_config *config, bool frame)
{
    if (config->bus_coder)
        config->bus_coder->restart(config->bus_coder_state, frame);
    if (config->value_coder)
        config->value_coder->restart(config->value_coder_state, frame);
}

static bool put(weft_recorder *recorder, uint32_t symbol)
{
    const weft_recorder_config *config = &recorder->config;
    if (recorder->paths >= config->control_paths_max && !recorder->control_fresh)
        return false;
    if (config->control_coder->push(config->control_coder_state, symbol, &recorder->control) != WEFT_OK)
        return false;
    recorder->control_fresh = false;
    return true;
}

static void end(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    weft_region *regions = recorder->region;
    if (config->control_coder) {
        if (!recorder->control_fresh)
            config->control_coder->flush(config->control_coder_state, &recorder->control);
        recorder->control_fresh = true;
        regions[WEFT_REGION_CONTROL].at = recorder->control.bytes + recorder->control.size;
    }
    if (config->model_coder) {
        config->model_coder->flush(config->model_coder_state, &recorder->models);
        regions[WEFT_REGION_MODELS].at = recorder->models.bytes + recorder->models.size;
    }
}

static void stats(const weft_recorder_config *config, weft_writer *out)
{
    if (config->control_coder && config->control_coder->stats)
        config->control_coder->stats(config->control_coder_state, out);
    if (config->model_coder && config->model_coder->stats)
        config->model_coder->stats(config->model_coder_state, out);
}

const weft_coded_way weft_coded = {buffer_more, init, region_min, models_share, deal, begin, restart, put, end, stats};
