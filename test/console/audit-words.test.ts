import assert from 'node:assert/strict';
import { compileAudit } from '../../api/http/access/audit.ts';
import { operations } from '../../api/registry.ts';
import { buildAuditQuery } from '../../console/team/audit/build-audit-query.ts';
import { describeEvent, nameUnknown, sentences } from '../../console/team/audit/audit-words.ts';

const event = { operation: 'updateBot', action: null, resource_type: 'bot', changed_fields: [] as string[] };

describe('sentences of the audit log', () => {
  it('describe every operation that the log records', () => {
    const recorded = operations.filter((operation) => compileAudit(operation) !== undefined);
    assert.deepEqual(
      recorded.map(({ id }) => id).filter((id) => !(id in sentences)),
      [],
    );
  });

  it('name the changed fields by their labels', () => {
    const changed_fields = ['welcome_message', 'widget_theme', 'name'];
    assert.equal(
      describeEvent({ ...event, changed_fields }),
      'changed Welcome message, Appearance, and Name of {it}',
    );
    assert.equal(describeEvent(event), 'changed settings of {it}');
  });

  it('describe failed sign-ins, bulk changes and unknown operations', () => {
    assert.equal(
      describeEvent({ ...event, operation: 'login', resource_type: 'failed_sign_in' }),
      'failed to sign in',
    );
    assert.equal(
      describeEvent({ ...event, operation: 'bulkUpdateConversations', action: 'resolve' }),
      'resolved {it}',
    );
    assert.equal(describeEvent({ ...event, operation: 'meltBot' }), 'ran “Melt bot” on {it}');
  });

  it('name objects without a name by their kind', () => {
    assert.deepEqual(['bot', 'invitation', 'api_key', 'new_kind'].map(nameUnknown), [
      'a bot',
      'an invitation',
      'an API key',
      'a new kind',
    ]);
  });
});

describe('the query of the audit log', () => {
  it('has every filter, with the start of the day in the browser’s time zone', () => {
    const filters = { user_id: 'ada', resource_type: 'bot', operation: 'createBot', resource_id: 'shop' };
    const since = new Date(2026, 0, 31).toISOString();
    assert.deepEqual(buildAuditQuery({ ...filters, since: '2026-01-31' }), { ...filters, since });
    assert.deepEqual(buildAuditQuery(filters), { ...filters, since: undefined });
  });
});
