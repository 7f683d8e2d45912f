-- Processes that take tasks in and start them. Written under the queue's lock: the first of them
-- finds no other one alive, and knows that whatever is queued or running was left behind.
CREATE TABLE scheduler.task_replica (
  instance uuid PRIMARY KEY  -- of platform.instances, which tells whether it lives
);
