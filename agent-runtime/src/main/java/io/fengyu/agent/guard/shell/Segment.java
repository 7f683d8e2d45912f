package io.fengyu.agent.guard.shell;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One command of a text, with everything that rules may look at.
 *
 * @param text as written
 * @param normalised the innermost command, wrappers, paths and quotes taken away
 * @param names of every program it starts, wrappers among them
 * @param seen texts in which a deny or ask rule looks for its command; more than really runs
 * @param exact texts in which an allow rule looks; each runs nothing but what it says
 * @param writesFile true when it sends its output into a file
 * @param carries true when it does nothing but run other segments of the text
 * @param guessed true when it would run only if a variable still has the value it was given
 * @param floor why it always has to be asked about; null when it hasn't
 * @param hardFloor why it never runs; null when it may
 */
public record Segment(
    String text,
    String normalised,
    Set<String> names,
    List<String> seen,
    List<String> exact,
    boolean writesFile,
    boolean carries,
    boolean guessed,
    @Nullable String floor,
    @Nullable String hardFloor) {}
