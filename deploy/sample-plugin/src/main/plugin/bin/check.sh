#!/bin/sh
# Denies notes that hold the word "forbidden"; says where it runs otherwise.
if grep -q forbidden; then
  echo "notes must not be forbidden" >&2
  exit 2
fi
echo "$PWD $FENGYU_PLUGIN_ROOT $FENGYU_HOOK_EVENT" > "$FENGYU_PLUGIN_DATA/checked"
