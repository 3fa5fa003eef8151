import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';

const e = aliasTable(AuditEvent, 'e');
const u = aliasTable(User, 'u');
const m = aliasTable(Membership, 'm');

/**
 * Inserts audit events about a failed sign-in. Parameters: $1 email address, $2 operation, $3 IP address, $4
 * user agent, $5 request id.
 */
export const INSERT_FAILED_SIGN_IN = defineStatement({
  name: 'insert-failed-sign-in',
  because: 'An address without an account causes the same work as one with an account (bench sign-in).',
  isPrepared: true,
  text: `
    WITH ${ASYNC_COMMIT}
    INSERT INTO ${e.table} (${e.bare('id', 'orgId', 'userId', 'operation', 'resourceType', 'changedFields', 'ip', 'userAgent', 'requestId')})
    SELECT gen_random_uuid(), ${m('orgId')}, ${u('id')}, $2, 'failed_sign_in', '{}', $3, $4, $5
    FROM async_commit, ${u.from} JOIN ${m.from} ON ${m('userId')} = ${u('id')} WHERE ${u('email')} = $1 AND ${u('isActive')}`,
});

/**
 * Inserts audit events. Parameters of each event: $1 ids; $2 workspaces; $3 resource types; $4 resources; $5
 * actions. Parameters of all events: $6 account; $7 key; $8 operation; $9 fields; $10 IP address; $11 user
 * agent; $12 request id.
 */
export const INSERT_AUDIT_EVENTS = defineStatement({
  name: 'insert-audit-events',
  because: 'A write to hundreds of resources adds one statement, sent with its COMMIT.',
  isPrepared: true,
  text: `
    INSERT INTO ${e.table} (${e.bare('id', 'orgId', 'resourceType', 'resourceId', 'action')},
                            ${e.bare('userId', 'keyId', 'operation', 'changedFields', 'ip', 'userAgent', 'requestId')})
    SELECT about.*, $6, $7, $8, $9, $10, $11, $12
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) AS about`,
});
