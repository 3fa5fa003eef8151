import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Vectors of passages, on any PostgreSQL: an index of the extension `vector` is made by the worker where that is installed. Vectors are
 * kept out of line however short they are, so that a search reads nothing but the bits.
 */
export class Embeddings1790000840000 implements MigrationInterface {
  name = 'Embeddings1790000840000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "embedding_sets" (
        "id" uuid NOT NULL CONSTRAINT "pk_embedding_sets" PRIMARY KEY,
        "org_id" uuid NOT NULL CONSTRAINT "fk_embedding_sets_org_id" REFERENCES "orgs" ("id") ON DELETE CASCADE,
        "bot_id" uuid NOT NULL CONSTRAINT "fk_embedding_sets_bot_id" REFERENCES "bots" ("id") ON DELETE CASCADE,
        "model" text NOT NULL,
        "dimensions" integer,
        "is_active" boolean NOT NULL DEFAULT false,
        "created_at" timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX "ux_embedding_sets_bot_model" ON "embedding_sets" ("bot_id", "model")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "ux_embedding_sets_active" ON "embedding_sets" ("bot_id") WHERE is_active`,
    );
    await runner.query(`CREATE INDEX "ix_embedding_sets_org_id" ON "embedding_sets" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_embedding_sets_model" ON "embedding_sets" ("model")`);
    await runner.query(`
      CREATE TABLE "chunk_vectors" (
        "chunk_id" uuid NOT NULL CONSTRAINT "fk_chunk_vectors_chunk_id" REFERENCES "chunks" ("id") ON DELETE CASCADE,
        "set_id" uuid NOT NULL CONSTRAINT "fk_chunk_vectors_set_id" REFERENCES "embedding_sets" ("id") ON DELETE CASCADE,
        "part" smallint NOT NULL,
        "org_id" uuid NOT NULL,
        "dimensions" smallint NOT NULL,
        "bits" bit varying NOT NULL,
        "vector" real[] NOT NULL,
        CONSTRAINT "pk_chunk_vectors" PRIMARY KEY ("chunk_id", "set_id", "part")
      ) WITH (toast_tuple_target = 128)`);
    await runner.query(`ALTER TABLE "chunk_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL`);
    await runner.query(`ALTER TABLE "chunk_vectors" ALTER COLUMN "bits" SET STORAGE PLAIN`);
    await runner.query(`CREATE INDEX "ix_chunk_vectors_set_id" ON "chunk_vectors" ("set_id")`);
    await runner.query(`
      CREATE TABLE "embedding_turns" (
        "document_id" uuid NOT NULL CONSTRAINT "pk_embedding_turns" PRIMARY KEY
          CONSTRAINT "fk_embedding_turns_document_id" REFERENCES "documents" ("id") ON DELETE CASCADE,
        "org_id" uuid NOT NULL CONSTRAINT "fk_embedding_turns_org_id" REFERENCES "orgs" ("id") ON DELETE CASCADE,
        "revision" integer NOT NULL,
        "due_at" timestamptz(3) NOT NULL,
        "position" integer NOT NULL DEFAULT 0,
        "failures" integer NOT NULL DEFAULT 0,
        "error" text
      )`);
    await runner.query(`CREATE INDEX "ix_embedding_turns_org_id" ON "embedding_turns" ("org_id")`);
    await runner.query(
      `CREATE INDEX "ix_documents_without_vectors" ON "documents" ("org_id", "id")
       WHERE embedding_model IS NULL AND chunk_count > 0 AND status IN ('indexed', 'failed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_documents_without_vectors"`);
    await runner.query(`DROP TABLE "embedding_turns"`);
    await runner.query(`DROP TABLE "chunk_vectors"`);
    await runner.query(`DROP TABLE "embedding_sets"`);
    await runner.query(`UPDATE "documents" SET embedding_model = NULL WHERE embedding_model IS NOT NULL`);
  }
}
