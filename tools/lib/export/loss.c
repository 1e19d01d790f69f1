/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/loss.h"

#include <inttypes.h>
#include <stdio.h>

const char *export_loss_text(char text[EXPORT_LOSS_MAX], export_loss loss)
{
    if (loss.cut && loss.paths)
        snprintf(text, EXPORT_LOSS_MAX, "%s%" PRIu64 " paths lost, and the end of the recording",
                 loss.at_least ? "at least " : "", loss.paths);
    else if (loss.cut && loss.gaps > 1)
        snprintf(text, EXPORT_LOSS_MAX, "%" PRIu64 " gaps; " EXPORT_END_LOST, loss.gaps);
    else if (loss.cut)
        snprintf(text, EXPORT_LOSS_MAX, EXPORT_END_LOST);
    else if (!loss.paths && loss.gaps)
        snprintf(text, EXPORT_LOSS_MAX, "%" PRIu64 " gaps; no paths are known to be lost", loss.gaps);
    else
        snprintf(text, EXPORT_LOSS_MAX, "%s%" PRIu64 " paths lost", loss.paths && loss.at_least ? "at least " : "",
                 loss.paths);
    return text;
}
