-- Tool calls that belong to no run. Their receipts carry the id of the batch where those of a run
-- carry the run's; a batch has a row here from its first call with an effect.

CREATE TABLE agent.tool_batch (
  id         uuid        PRIMARY KEY,
  owner      text        NOT NULL,
  session_id text,
  instance   uuid        NOT NULL,               -- the process that makes the calls
  until      timestamptz NOT NULL,               -- afterwards none of them is running
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz                         -- null while receipts may still be settled
);

-- What a dead process left behind; as small as what runs right now.
CREATE INDEX tool_batch_open ON agent.tool_batch (until) WHERE ended_at IS NULL;
