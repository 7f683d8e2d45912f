/**
 * Mail: accounts, groups and contacts of owners, and sendings that are prepared, then confirmed.
 */
@NullMarked
package io.fengyu.agent.tool.mail;

import org.jspecify.annotations.NullMarked;
