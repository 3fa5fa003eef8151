import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import {
  buildResources,
  createCaller,
  buildOperationPath,
  buildOperationRequest,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { readStoredState } from '../support/snapshot.ts';

/** Operations on resources of a workspace, whose ids are in the path. */
const onResources = operations.filter(({ auth, path }) => auth === 'member' && path.includes('{'));
const visitorOperations = operations.filter(({ auth }) => auth === 'visitor');

/** Kind of the resource to which a query parameter refers, if the name of the parameter does not say it. */
const queryKinds: Record<string, string> = {
  'listWebhookDeliveries id': 'delivery_id',
  'listFlows before': 'flow_id',
  'listReceipts before': 'receipt_id',
  'listTestResults compare_to': 'run_id',
  'listToolInvocations api_key_id': 'key_id',
  'listRequests api_key_id': 'key_id',
  'listDocuments parent_id': 'document_id',
  'listInbox assigned_to': 'user_id',
  'listConversationMessages after': 'message_id',
  'listConversationMessages before': 'message_id',
  'listAuditEvents before': 'event_id',
};

/** Query parameters that look like ids but name no resource of a workspace. */
const NO_RESOURCES: Record<string, string> = {
  'listRequests request_id': 'A request, which may be of no workspace.',
  'listAuditEvents resource_id': 'What was deleted is looked for, too.',
  'listBookingSlots booking_calendar_id': 'An id at the calendar’s provider.',
  'listBookingSlots calendar_ids': 'Ids at the calendar’s provider.',
  'listWidgetMessages after': 'A position in the visitor’s own session.',
  'listWidgetMessages before': 'A position in the visitor’s own session.',
};

const NAMES_OF_IDS = /(^|_)(ids?|before|after)$/;
const PATTERN_OF_IDS = '{8}(-';

/** Operations that members of a workspace call, whose path may name another workspace. */
const operationsOfMembers = operations.filter(({ auth }) => auth !== 'public' && auth !== 'visitor');

describe('ids of other workspaces', () => {
  let parley: TestParley;
  let mine: Resources;
  let foreign: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    [mine, foreign] = await Promise.all([buildResources(parley), buildResources(parley)]);
    await addRows(mine);
    await addRows(foreign);
    untouched = await readStoredState(parley);
  });
  after(() => parley.stop());

  /** Adds resources that operations name only in query parameters. */
  async function addRows({ orgId, ids }: Resources): Promise<void> {
    const { database } = parley;
    const message = { id: newId(), orgId, conversationId: ids['conversation_id']!, content: 'Hi' };
    await database.repository(Message).insert({ ...message, role: 'user', state: 'complete' });
    const delivery = { id: newId(), orgId, webhookId: ids['id']!, eventId: newId(), payload: {} };
    await database.repository(WebhookDelivery).insert({ ...delivery, event: 'lead.captured' });
    const event = { id: newId(), orgId, userId: newId(), operation: 'updateBot', changedFields: [] };
    await database
      .repository(AuditEvent)
      .insert({ ...event, resourceType: 'bot', ip: '127.0.0.1', requestId: 'req_1' });
    Object.assign(ids, {
      message_id: message.id,
      event_id: event.id,
      delivery_id: delivery.id,
      webhook_id: ids['id'],
      bot_ids: ids['bot_id'],
      default_org_id: ids['org_id'],
    });
  }

  async function callWithIds(operation: Operation, ids: Resources['ids'], query = '', asked?: object) {
    const path = buildOperationPath(operation, ids) + query;
    const response = await createCaller(operation, mine, parley).fetch(
      path,
      buildOperationRequest(operation, asked),
    );
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    const body = isCsv ? readCsvRows(await response.text()) : await response.json();
    return { status: response.status, body };
  }

  for (const operation of onResources) {
    for (const { name } of findIdProperties(operation.params)) {
      it(`are refused by ${operation.id} as ${name}, and unknown ids are not found`, async () => {
        const unknown = await callWithIds(operation, { ...mine.ids, [name]: newId() });
        assert.equal(formatOutcome(unknown), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        const refused = await callWithIds(operation, { ...mine.ids, [name]: foreign.ids[name] });
        assert.equal(formatOutcome(refused), '403 forbidden');
        assert.deepEqual(await readStoredState(parley), untouched);
      });
    }
  }

  for (const operation of operationsOfMembers) {
    for (const [index, { name }] of findBodyIds(operation).entries()) {
      it(`are refused by ${operation.id} as ${name} of its body, and unknown ids are not found`, async () => {
        // Build the body again, because the valid body is only known once its workspace exists.
        const { withId } = findBodyIds(operation)[index]!;
        const callWithBodyId = (id: string) => callWithIds(operation, mine.ids, '', withId(id));
        assert.equal(formatOutcome(await callWithBodyId(newId())), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        assert.equal(formatOutcome(await callWithBodyId(foreign.ids[name])), '403 forbidden');
        assert.deepEqual(await readStoredState(parley), untouched);
      });
    }
  }

  for (const operation of operations) {
    for (const name of listIdParameters(operation)) {
      const place = `${operation.id} ${name}`;
      if (place in NO_RESOURCES) continue;
      it(`are refused by ${operation.id} as ${name} of its query, and unknown ids are not found`, async () => {
        const kind = queryKinds[place] ?? name;
        assert.ok(foreign.ids[kind] && mine.ids[kind], `build a ${kind} for this test`);
        const callWithQueryId = (id: string) => callWithIds(operation, mine.ids, `?${name}=${id}`);
        assert.equal(formatOutcome(await callWithQueryId(newId())), '404 not_found');
        assert.equal(formatOutcome(await callWithQueryId(foreign.ids[kind])), '403 forbidden');
        assert.deepEqual(await readStoredState(parley), untouched);
        assert.equal((await callWithQueryId(mine.ids[kind])).status, 200);
        // Read the stored state again, because an export queues emails to the owners.
        if (operation.notifies) untouched = await readStoredState(parley);
      });
    }
  }

  it('are tested in existing parameters only: queryKinds and NO_RESOURCES list no other parameters', () => {
    const places = operations.flatMap((each) => listIdParameters(each).map((name) => `${each.id} ${name}`));
    for (const place of [...Object.keys(queryKinds), ...Object.keys(NO_RESOURCES)])
      assert.ok(places.includes(place), place);
  });

  for (const operation of visitorOperations) {
    it(`are refused by ${operation.id} as session_id, whether or not the session exists`, async () => {
      const visitor = parley.client(mine.visitorToken);
      for (const id of [foreign.ids['session_id']!, newId(), 'none']) {
        const response = await visitor.fetch(
          buildOperationPath(operation, { ...mine.ids, session_id: id }),
          buildOperationRequest(operation),
        );
        assert.equal(
          formatOutcome({ status: response.status, body: await response.json() }),
          '403 forbidden',
        );
      }
      assert.deepEqual(await readStoredState(parley), untouched);
    });
  }
});

/** Returns query parameters that may be ids. */
function listIdParameters({ query }: Operation): string[] {
  const properties = Object.entries((query?.['properties'] ?? {}) as Record<string, TSchema>);
  return properties.flatMap(([name, { type, format, pattern = '' }]) => {
    const isId = format === 'uuid' || NAMES_OF_IDS.test(name) || String(pattern).includes(PATTERN_OF_IDS);
    return type === 'string' && isId ? [name] : [];
  });
}

/** Returns the rows of a CSV file without its header. */
function readCsvRows(text: string): string[] {
  return text.trim().split('\r\n').slice(1);
}

interface BodyId {
  name: string;
  /** Returns the whole request object, valid except for this id. */
  withId(id: string): object;
}

/** Returns the properties of a request object that are ids of resources. */
function findIdProperties(schema: TSchema | undefined, base: object = {}): BodyId[] {
  const properties = Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>);
  return properties.flatMap(([name, property]): BodyId[] => {
    if (property['format'] === 'uuid') return [{ name, withId: (id) => ({ ...base, [name]: id }) }];
    const items = property['items'] as TSchema | undefined;
    if (items?.['format'] === 'uuid') return [{ name, withId: (id) => ({ ...base, [name]: [id] }) }];
    return findIdProperties(property).map((inner) => ({
      name: inner.name,
      withId: (id) => ({ ...base, [name]: inner.withId(id) }),
    }));
  });
}

function findBodyIds(operation: Operation): BodyId[] {
  const { body } = operation;
  return body && !isMultipart(body) && !isRaw(body) ? findIdProperties(body, buildValidBody(operation)) : [];
}
