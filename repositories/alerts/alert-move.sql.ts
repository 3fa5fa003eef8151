import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';

const a = aliasTable(Alert, 'a');
const b = aliasTable(Alert, 'b');

/**
 * Drops pending alerts of the remaining alert policy that the merged policy has already sent. Parameters: $1
 * workspace, $2 merged policy, $3 remaining policy.
 */
export const DROP_SENT_ALERTS = defineStatement({
  name: 'drop-sent-alerts',
  because: 'Compares rows of two policies: UPDATE FROM.',
  text: `
    UPDATE ${b.from} SET ${b.bare('state')} = 'dropped', ${b.bare('reason')} = 'Another policy sent this alert to the chat.'
    FROM ${a.from}
    WHERE ${a('orgId')} = $1 AND ${b('orgId')} = $1 AND ${a('policyId')} = $2 AND ${b('policyId')} = $3
      AND ${a('eventId')} = ${b('eventId')} AND ${a('state')} = 'sent' AND ${b('state')} IN ('pending', 'held')`,
});

/**
 * Moves unsent alerts that only the merged alert policy has to the remaining policy. Parameters: $1
 * workspace, $2 merged policy, $3 remaining policy.
 */
export const MOVE_ALERTS = defineStatement({
  name: 'move-alerts',
  because: 'Moves only rows without a counterpart: NOT EXISTS in an UPDATE.',
  text: `
    UPDATE ${a.from} SET ${a.bare('policyId')} = $3, ${a.bare('messageId')} = NULL
    WHERE ${a('orgId')} = $1 AND ${a('policyId')} = $2 AND ${a('state')} IN ('pending', 'held')
      AND NOT EXISTS (SELECT FROM ${b.from} WHERE ${b('policyId')} = $3 AND ${b('eventId')} = ${a('eventId')})`,
});
