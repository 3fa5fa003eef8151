import type { MigrationInterface, QueryRunner } from 'typeorm';
import { answersOf, IS_ANSWER } from './1791000030000-analytics.ts';

const INSERTION = 'tr_messages_analytics_insertion';

/** Many answers that are written by one statement are counted by one: an import was ten per cent slower otherwise. */
export class AnswersByStatement1791310000000 implements MigrationInterface {
  name = 'AnswersByStatement1791310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION note_new_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${answersOf('', 'added m JOIN conversations c ON c.id = m.conversation_id WHERE true')};
        RETURN NULL;
      END $$`);
    await runner.query(`DROP TRIGGER ${INSERTION} ON "messages"`);
    await runner.query(`CREATE TRIGGER ${INSERTION} AFTER INSERT ON "messages"
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_answers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER ${INSERTION} ON "messages"`);
    await runner.query(`CREATE TRIGGER ${INSERTION} AFTER INSERT ON "messages" FOR EACH ROW
      WHEN (${IS_ANSWER('NEW')}) EXECUTE FUNCTION note_changed_answers()`);
    await runner.query('DROP FUNCTION note_new_answers');
  }
}
