import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';

const a = tableOf(Alert, 'a');
const b = tableOf(Alert, 'b');

/** What one policy has told already, the other need not. $1 workspace, $2 the policy that goes, $3 the one that stays */
export const DROP_TOLD_ALERTS = statement({
  name: 'drop-told-alerts',
  because: 'Rows of a policy are compared with those of another one: UPDATE FROM.',
  text: `
    UPDATE ${b.from} SET ${b.bare('state')} = 'dropped', ${b.bare('reason')} = 'The chat was told by another policy.'
    FROM ${a.from}
    WHERE ${a('orgId')} = $1 AND ${b('orgId')} = $1 AND ${a('policyId')} = $2 AND ${b('policyId')} = $3
      AND ${a('eventId')} = ${b('eventId')} AND ${a('state')} = 'sent' AND ${b('state')} IN ('pending', 'held')`,
});

/** What only the one that goes was to tell. $1 workspace, $2 the policy that goes, $3 the one that stays */
export const MOVE_ALERTS = statement({
  name: 'move-alerts',
  because: 'Only rows without a counterpart are moved: NOT EXISTS in an UPDATE.',
  text: `
    UPDATE ${a.from} SET ${a.bare('policyId')} = $3, ${a.bare('messageId')} = NULL
    WHERE ${a('orgId')} = $1 AND ${a('policyId')} = $2 AND ${a('state')} IN ('pending', 'held')
      AND NOT EXISTS (SELECT FROM ${b.from} WHERE ${b('policyId')} = $3 AND ${b('eventId')} = ${a('eventId')})`,
});
