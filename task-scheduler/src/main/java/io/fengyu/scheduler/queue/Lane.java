package io.fengyu.scheduler.queue;

/** What waits in order of arrival: the tasks of one owner and one class. */
record Lane(String owner, Priority priority) {}
