import type { FeatureSchema } from './feature-schema.ts';

export const KNOWLEDGE: FeatureSchema = {
  tables: `
-- Vectors are stored out of line however short they are, so that a search reads nothing but the bits.
CREATE TABLE chunk_vectors (
  chunk_id uuid NOT NULL,
  set_id uuid NOT NULL,
  part smallint NOT NULL,
  org_id uuid NOT NULL,
  dimensions smallint NOT NULL,
  bits bit varying NOT NULL,
  vector real[] NOT NULL,
  CONSTRAINT pk_chunk_vectors PRIMARY KEY (chunk_id, set_id, part)
) WITH (toast_tuple_target='128');
ALTER TABLE chunk_vectors ALTER COLUMN bits SET STORAGE PLAIN;
ALTER TABLE chunk_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX ix_chunk_vectors_set_id ON chunk_vectors (set_id);

CREATE TABLE chunks (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  document_id uuid NOT NULL,
  "position" integer NOT NULL,
  headings text[] NOT NULL DEFAULT '{}',
  text text NOT NULL,
  token_count integer NOT NULL,
  search_config text NOT NULL,
  search tsvector NOT NULL,
  key_id uuid,
  CONSTRAINT pk_chunks PRIMARY KEY (id)
);
-- btree_gin lets one index find the chunks of a bot that contain a word.
CREATE INDEX ix_chunks_bot_search ON chunks USING gin (bot_id, search) WITH (fastupdate=off);
CREATE INDEX ix_chunks_document ON chunks (document_id, "position");
CREATE INDEX ix_chunks_org_bot ON chunks (org_id, bot_id);

CREATE TABLE documents (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  parent_id uuid,
  source_type text NOT NULL,
  title text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'pending',
  revision integer NOT NULL DEFAULT 1,
  chunk_count integer NOT NULL DEFAULT 0,
  token_count integer NOT NULL DEFAULT 0,
  embedding_model text,
  error_message text,
  mime_type text,
  size_bytes integer NOT NULL DEFAULT 0,
  source_url text,
  filename text,
  storage_key text,
  tags text[] NOT NULL DEFAULT '{}',
  max_pages integer NOT NULL DEFAULT 25,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  indexed_at timestamptz(3),
  crawl jsonb,
  failed_at timestamptz(3),
  refresh text NOT NULL DEFAULT 'none',
  fetched jsonb,
  indexed_sha256 text,
  text_sha256 text,
  crawl_revision integer,
  missed_crawls integer NOT NULL DEFAULT 0,
  gone jsonb,
  crawl_progress jsonb,
  key_id uuid,
  CONSTRAINT pk_documents PRIMARY KEY (id)
);
CREATE INDEX ix_documents_address ON documents USING hash (split_part(source_url, '#', 1));
CREATE INDEX ix_documents_bot_created ON documents (org_id, bot_id, created_at, id);
CREATE INDEX ix_documents_failed ON documents (failed_at) WHERE status = 'failed';
CREATE INDEX ix_documents_org_created ON documents (org_id, created_at, id);
CREATE INDEX ix_documents_originals ON documents (org_id, id) WHERE storage_key IS NOT NULL;
CREATE INDEX ix_documents_parent_id ON documents (parent_id);
CREATE INDEX ix_documents_refreshed ON documents (org_id, bot_id, id) WHERE refresh <> 'none';
CREATE INDEX ix_documents_status ON documents (bot_id, org_id, status, created_at, id);
CREATE INDEX ix_documents_unfinished ON documents (id) WHERE status IN ('pending', 'processing');
CREATE INDEX ix_documents_without_vectors ON documents (org_id, id)
  WHERE embedding_model IS NULL AND chunk_count > 0 AND status IN ('indexed', 'failed');

CREATE TABLE embedding_sets (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  model text NOT NULL,
  dimensions integer,
  is_active boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_embedding_sets PRIMARY KEY (id)
);
CREATE INDEX ix_embedding_sets_model ON embedding_sets (model);
CREATE INDEX ix_embedding_sets_org_id ON embedding_sets (org_id);
CREATE UNIQUE INDEX ux_embedding_sets_active ON embedding_sets (bot_id) WHERE is_active;
CREATE UNIQUE INDEX ux_embedding_sets_bot_model ON embedding_sets (bot_id, model);

CREATE TABLE embedding_turns (
  document_id uuid NOT NULL,
  org_id uuid NOT NULL,
  revision integer NOT NULL,
  due_at timestamptz(3) NOT NULL,
  "position" integer DEFAULT 0 NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  error text,
  CONSTRAINT pk_embedding_turns PRIMARY KEY (document_id)
);
CREATE INDEX ix_embedding_turns_org_id ON embedding_turns (org_id);

CREATE TABLE search_terms (
  bot_id uuid NOT NULL,
  lexeme text NOT NULL COLLATE "C",
  search_config text NOT NULL,
  chunk_count integer NOT NULL,
  CONSTRAINT pk_search_terms PRIMARY KEY (bot_id, lexeme, search_config)
);
`,

  references: `
ALTER TABLE chunk_vectors
  ADD CONSTRAINT fk_chunk_vectors_chunk_id FOREIGN KEY (chunk_id) REFERENCES chunks(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_chunk_vectors_set_id FOREIGN KEY (set_id) REFERENCES embedding_sets(id) ON DELETE CASCADE;

ALTER TABLE chunks
  ADD CONSTRAINT fk_chunks_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_chunks_document_id FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_chunks_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE documents
  ADD CONSTRAINT fk_documents_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_documents_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_documents_parent_id FOREIGN KEY (parent_id) REFERENCES documents(id) ON DELETE CASCADE;

ALTER TABLE embedding_sets
  ADD CONSTRAINT fk_embedding_sets_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_embedding_sets_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE embedding_turns
  ADD CONSTRAINT fk_embedding_turns_document_id FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_embedding_turns_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE search_terms
  ADD CONSTRAINT fk_search_terms_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;
`,
};
