package io.fengyu.agent.scope;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;

/** The data that the calls of one conversation may be about. */
public interface DataScope {

  /** Of work that belongs to no conversation. */
  DataScope EVERYTHING = (tool, args) -> true;

  /**
   * True when everything that the call names by id may be used. May wait for the database, and only
   * for calls that name something; what can't be found out is not allowed.
   */
  boolean allows(ToolSpec tool, ObjectNode args);
}
