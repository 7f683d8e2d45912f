/** What the edge serves itself: the start page, the merged OpenAPI document and its viewer. */
@NullMarked
package io.fengyu.console.page;

import org.jspecify.annotations.NullMarked;
