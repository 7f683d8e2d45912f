/** Stories about servers that offer tools, good ones and others. */
package io.fengyu.agent.mcp;
