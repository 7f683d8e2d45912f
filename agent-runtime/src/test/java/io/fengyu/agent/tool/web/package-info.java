/** Tests of the tools for the public web. */
@NullMarked
package io.fengyu.agent.tool.web;

import org.jspecify.annotations.NullMarked;
