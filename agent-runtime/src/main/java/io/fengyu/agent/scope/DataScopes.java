package io.fengyu.agent.scope;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** The scopes of conversations, and what calls confirm about their data. */
public interface DataScopes {

  /** Nothing is limited, and nothing is noted. */
  DataScopes NONE =
      new DataScopes() {
        @Override
        public DataScope of(String owner, @Nullable String sessionId) {
          return DataScope.EVERYTHING;
        }

        @Override
        public void succeeded(Place place, ToolSpec tool, ObjectNode args, String result) {}
      };

  /** The scope of a conversation as it is whenever it is asked. */
  DataScope of(String owner, @Nullable String sessionId);

  /**
   * Notes what a successful call says about the data of its conversation, so that the next call and
   * the next run know. Waits until it is stored; never fails.
   */
  void succeeded(Place place, ToolSpec tool, ObjectNode args, String result);

  /**
   * Where a call was made.
   *
   * @param work the run or turn; null for none
   */
  record Place(String owner, @Nullable String sessionId, @Nullable String work) {}
}
