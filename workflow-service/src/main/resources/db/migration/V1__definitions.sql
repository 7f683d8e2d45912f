-- Definitions, as they are edited, and the snapshots that publishing makes of them.

-- One row a workflow: its draft. The four documents are text, not json: they are given back exactly
-- as they came, down to the spelling of a number.
CREATE TABLE workflow.definition (
  id                 text        NOT NULL,  -- part of a tool name, hence only letters, digits and _
  owner              text        NOT NULL,
  name               text        NOT NULL,
  description        text        NOT NULL,
  input_schema       text        NOT NULL,
  plan               text        NOT NULL,
  layout             text        NOT NULL,
  graph              text        NOT NULL,  -- {} when saved without a canvas
  step_count         integer     NOT NULL,  -- steps of the plan; an empty one cannot be published
  document_bytes     integer     NOT NULL   -- lets a list bound its answer without reading documents
    GENERATED ALWAYS AS (octet_length(input_schema) + octet_length(plan)
                         + octet_length(layout) + octet_length(graph)) STORED,
  revision           integer     NOT NULL,
  published_revision integer,               -- the active snapshot; null while not published
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  CONSTRAINT definition_pkey PRIMARY KEY (id),
  CONSTRAINT definition_id_is_a_word CHECK (id ~ '^[A-Za-z0-9_]{1,64}$'),
  CONSTRAINT definition_name_length CHECK (char_length(name) BETWEEN 1 AND 160),
  CONSTRAINT definition_revision_counts_from_one CHECK (revision >= 1),
  CONSTRAINT definition_published_is_past CHECK (published_revision <= revision)
);

-- The library page: an owner's workflows, last changed first, read backwards page by page.
CREATE INDEX definition_by_owner ON workflow.definition (owner, updated_at, id);

-- One row a publication. Never changed; goes only with its workflow.
CREATE TABLE workflow.snapshot (
  workflow_id  text        NOT NULL,
  revision     integer     NOT NULL,
  name         text        NOT NULL,
  description  text        NOT NULL,
  input_schema text        NOT NULL,
  plan         text        NOT NULL,
  layout       text        NOT NULL,
  graph        text        NOT NULL,
  step_count   integer     NOT NULL,
  published_at timestamptz NOT NULL,
  CONSTRAINT snapshot_pkey PRIMARY KEY (workflow_id, revision),
  CONSTRAINT snapshot_of_definition FOREIGN KEY (workflow_id)
    REFERENCES workflow.definition (id) ON DELETE CASCADE,
  CONSTRAINT snapshot_has_steps CHECK (step_count > 0)
);

ALTER TABLE workflow.definition ADD CONSTRAINT definition_published_snapshot_exists
  FOREIGN KEY (id, published_revision) REFERENCES workflow.snapshot (workflow_id, revision);

CREATE FUNCTION workflow.refuse_snapshot_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a published snapshot is never changed';
END $$;

CREATE TRIGGER snapshot_is_immutable BEFORE UPDATE ON workflow.snapshot
  FOR EACH ROW EXECUTE FUNCTION workflow.refuse_snapshot_change();
