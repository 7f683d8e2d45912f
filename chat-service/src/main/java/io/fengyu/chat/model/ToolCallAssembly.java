package io.fengyu.chat.model;

/** A tool call that is still coming in. */
record ToolCallAssembly(String id, String name, StringBuilder arguments) {

  ToolCallAssembly(String id, String name) {
    this(id, name, new StringBuilder());
  }

  String whole() {
    return arguments.toString().isBlank() ? "{}" : arguments.toString();
  }
}
