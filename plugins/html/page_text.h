/* SPDX-License-Identifier: BSD-3-Clause */
/* The page without its data.  assemble.sh makes page_text.c from page.html, its
 * style and its scripts. */
#ifndef PDUMP_HTML_PAGE_TEXT_H
#define PDUMP_HTML_PAGE_TEXT_H

#include <stddef.h>

extern const char pdump_html_head[]; /* before the data */
extern const size_t pdump_html_head_len;
extern const char pdump_html_tail[]; /* after the data */
extern const size_t pdump_html_tail_len;

#endif
