package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.SafeName;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who gets which files. A file belongs to the group that it is called after: by its whole name, or
 * by what follows an underscore in it. It goes to the contacts of that group who are in one of the
 * recipient groups, too; with the group among them these are all of its contacts.
 *
 * @param mails one a group, with all files of the group
 * @param ignored files that are called after no group
 * @param skipped groups with files and without anybody to get them
 * @param without recipient groups that there is no mail for
 */
record BatchPlan(List<Mail> mails, List<String> ignored, List<Tag> skipped, List<Tag> without) {

  /** The mail of one group. */
  record Mail(Tag tag, List<Address> to, List<Address> cc, List<String> files) {}

  /**
   * Makes the plan.
   *
   * @param files names in the directory
   * @param contacts everybody in any of the groups
   */
  static BatchPlan of(
      Collection<String> files,
      List<Tag> tags,
      List<Contact> contacts,
      Set<Long> recipientGroups,
      Set<Long> copyGroups) {
    var byName = new LinkedHashMap<String, Tag>();
    tags.forEach(tag -> byName.putIfAbsent(key(SafeName.of(tag.name())), tag));
    var ignored = new ArrayList<String>();
    var filesOf = new TreeMap<String, List<String>>();
    var tagOf = new LinkedHashMap<String, Tag>();
    for (var file : files.stream().sorted().toList()) {
      var tag = tag(file, byName);
      if (tag == null) {
        ignored.add(file);
      } else {
        tagOf.put(tag.name(), tag);
        filesOf.computeIfAbsent(tag.name(), name -> new ArrayList<>()).add(file);
      }
    }
    return sorted(filesOf, tagOf, tags, contacts, recipientGroups, copyGroups, ignored);
  }

  private static BatchPlan sorted(
      Map<String, List<String>> filesOf,
      Map<String, Tag> tagOf,
      List<Tag> tags,
      List<Contact> contacts,
      Set<Long> recipientGroups,
      Set<Long> copyGroups,
      List<String> ignored) {
    var mails = new ArrayList<Mail>();
    var skipped = new ArrayList<Tag>();
    var served = new LinkedHashSet<Long>();
    filesOf.forEach(
        (name, files) -> {
          var tag = tagOf.get(name);
          if (tag == null) {
            return;
          }
          var to = members(contacts, tag, recipientGroups);
          if (to.isEmpty()) {
            skipped.add(tag);
          } else {
            var cc = without(members(contacts, tag, copyGroups), to);
            mails.add(new Mail(tag, to, cc, List.copyOf(files)));
            served.addAll(groupsOf(contacts, tag, recipientGroups));
          }
        });
    var left =
        tags.stream()
            .filter(tag -> recipientGroups.contains(tag.id()) && !served.contains(tag.id()))
            .toList();
    return new BatchPlan(mails, ignored, skipped, left);
  }

  private static Stream<Contact> both(List<Contact> contacts, Tag tag, Set<Long> groups) {
    return contacts.stream()
        .filter(contact -> contact.tagIds().contains(tag.id()))
        .filter(contact -> contact.tagIds().stream().anyMatch(groups::contains));
  }

  private static List<Address> members(List<Contact> contacts, Tag tag, Set<Long> groups) {
    return distinct(both(contacts, tag, groups).map(Contact::address).toList());
  }

  private static List<Long> groupsOf(List<Contact> contacts, Tag tag, Set<Long> groups) {
    return both(contacts, tag, groups)
        .flatMap(contact -> contact.tagIds().stream())
        .filter(groups::contains)
        .toList();
  }

  /** Each mailbox once. */
  static List<Address> distinct(List<Address> all) {
    var once = new LinkedHashMap<String, Address>();
    all.forEach(address -> once.putIfAbsent(address.key(), address));
    return List.copyOf(once.values());
  }

  static List<Address> without(List<Address> some, List<Address> others) {
    var keys = others.stream().map(Address::key).toList();
    return some.stream().filter(address -> !keys.contains(address.key())).toList();
  }

  private static @Nullable Tag tag(String file, Map<String, Tag> byName) {
    int dot = file.lastIndexOf('.');
    var name = key(dot > 0 ? file.substring(0, dot) : file);
    for (int from = 0; ; ) {
      var tag = byName.get(name.substring(from));
      if (tag != null) {
        return tag;
      }
      int underscore = name.indexOf('_', from);
      if (underscore < 0) {
        return null;
      }
      from = underscore + 1;
    }
  }

  private static String key(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC).strip().toLowerCase(Locale.ROOT);
  }
}
