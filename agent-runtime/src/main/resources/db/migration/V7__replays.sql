-- Runs that take over the plan of an earlier one: resumed, forked or rewound.
ALTER TABLE agent.run
  ADD COLUMN ancestor uuid,  -- whose plan it took over, and whose receipts are asked; may be gone
  ADD COLUMN home     uuid,  -- the run whose folders it works in; null for its own
  ADD COLUMN instance uuid;  -- the process that took it up last; while that lives, a pause is nobody else's

-- The sweep of folders: whether a later run still works in them.
CREATE INDEX run_at_home ON agent.run (home) WHERE home IS NOT NULL;
