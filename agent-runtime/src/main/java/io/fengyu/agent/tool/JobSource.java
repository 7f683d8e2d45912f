package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Where jobs that a tool has accepted can be asked for, each time over a connection of its own. */
public interface JobSource {

  /**
   * The job as it is: {@code job_id}, {@code status} and the like, as its server says it.
   *
   * @param call the call that the job was accepted for
   * @param afterSeq progress up to there is known
   * @throws IOException when no answer came; asking again does no harm
   * @throws ToolException when the answer is that there is none
   */
  ObjectNode status(ToolCall call, String jobId, long afterSeq)
      throws IOException, ToolException, InterruptedException;

  /**
   * Asks for the end of the job, without waiting for it.
   *
   * @return false when its server knows no such request
   */
  boolean cancel(ToolCall call, String jobId)
      throws IOException, ToolException, InterruptedException;
}
