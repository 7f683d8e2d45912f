package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A tool as a model sees it.
 *
 * @param schema JSON schema of its arguments
 */
public record ToolDefinition(String name, String description, ObjectNode schema) {}
