/** What happens in turns: written down in order, shown while it happens, read again later. */
@NullMarked
package io.fengyu.chat.journal;

import org.jspecify.annotations.NullMarked;
