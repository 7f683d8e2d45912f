/** The public web for looking things up: pages as readable text, and lists of results. */
@NullMarked
package io.fengyu.agent.tool.web;

import org.jspecify.annotations.NullMarked;
