/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the installed modules, for `pdump info`. */
#ifndef PDUMP_MODULE_LIST_H
#define PDUMP_MODULE_LIST_H

#include "config/settings.h"

void module_list_print(const struct pdump_settings *set);

#endif
