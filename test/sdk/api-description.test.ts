import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { camelCase, toMethodName, pascalCase, snakeCase } from '../../scripts/generate/sdk/names.ts';

describe('the description from which SDKs are generated', () => {
  const api = describeApi();
  const methods = api.resources.flatMap(({ name, methods }) =>
    methods.map((method) => ({ ...method, fullName: `${name}.${method.name}` })),
  );
  const findMethod = (name: string) => {
    const found = methods.find(({ fullName }) => fullName === name);
    assert.ok(found, name);
    return found;
  };

  it('has a method for every operation, with a unique name in camelCase and snake_case', () => {
    const ids = new Set(methods.map(({ operationId }) => operationId));
    assert.deepEqual([...ids].sort(), operations.map(({ id }) => id).sort());
    assert.equal(new Set(methods.map(({ fullName }) => fullName)).size, methods.length);
    assert.equal(new Set(methods.map(({ fullName }) => snakeCase(fullName))).size, methods.length);
  });

  it('names methods after their verb, without the noun of their resource', () => {
    const names = Object.fromEntries(methods.map(({ operationId, fullName }) => [operationId, fullName]));
    for (const [operationId, fullName] of Object.entries({
      updateBot: 'bots.update',
      uploadDocument: 'knowledge.upload',
      restoreBotVersion: 'versions.restore',
      bulkUpdateConversations: 'conversations.bulkUpdate',
      createWidgetBooking: 'bookings.createWidgetBooking',
      resolveWidgetDirectory: 'directory.resolve',
      streamWidgetMessage: 'widget.streamMessage',
      createApiKey: 'apiKeys.create',
      getEmailPreferences: 'emailPreferences.get',
      listAlertPolicies: 'alerts.list',
      listOrgs: 'orgs.list',
    }))
      assert.equal(names[operationId], fullName);
    assert.equal(toMethodName('listToolInvocations', 'tool-invocations'), 'list');
  });

  it('converts names to each case', () => {
    assert.equal(camelCase('message.started'), 'messageStarted');
    assert.equal(pascalCase('api-keys'), 'ApiKeys');
    assert.equal(snakeCase('getDownload'), 'get_download');
    assert.equal(snakeCase('ConversationStartedEvent'), 'conversation_started_event');
  });

  it('distinguishes pages, keyset lists and streams, and describes how each continues', () => {
    assert.deepEqual(findMethod('bots.list').answer, {
      kind: 'pages',
      item: { kind: 'model', name: 'BotRead' },
    });
    assert.deepEqual(findMethod('versions.list').answer, {
      kind: 'keyset',
      item: { kind: 'model', name: 'BotVersionRead' },
      parameter: 'before',
      field: 'version',
      defaultLimit: 50,
    });
    assert.deepEqual(findMethod('widget.streamMessage').answer, {
      kind: 'stream',
      union: 'WidgetEvent',
      resume: 'lastEventId',
    });
    assert.deepEqual(findMethod('inbox.stream').answer, {
      kind: 'stream',
      union: 'InboxEvent',
      resume: 'again',
    });
    assert.deepEqual(findMethod('bots.tryStreaming').answer, {
      kind: 'stream',
      union: 'PlaygroundEvent',
      resume: 'never',
    });
    assert.deepEqual(findMethod('bots.try').answer, {
      kind: 'json',
      type: { kind: 'model', name: 'PlaygroundReply' },
    });
  });

  it('declares each method’s credential, idempotency and body', () => {
    assert.equal(findMethod('bots.get').auth, 'key');
    assert.equal(findMethod('apiKeys.create').auth, 'session');
    assert.equal(findMethod('widget.sendMessage').auth, 'visitor');
    assert.equal(findMethod('directory.resolve').auth, 'visitorIfAny');
    assert.equal(findMethod('auth.login').auth, 'none');
    assert.equal(findMethod('bots.get').takesIdempotencyKey, false);
    assert.equal(findMethod('bots.update').takesIdempotencyKey, true);
    const { body } = findMethod('knowledge.upload');
    assert.ok(body?.kind === 'multipart');
    assert.equal(body.fileField, 'file');
    assert.deepEqual(
      body.fields.map(({ name }) => name),
      ['title', 'encoding'],
    );
    assert.equal(findMethod('billing.receiveEvent').body?.kind, 'raw');
  });

  it('leaves enums open in responses, and closes them in models that are only sent', () => {
    const toType = (model: string, field: string) =>
      api.models.find(({ name }) => name === model)?.fields.find(({ name }) => name === field)?.type;
    const values = ['draft', 'active', 'paused', 'archived'];
    assert.deepEqual(toType('BotRead', 'status'), { kind: 'enum', values, isOpen: true });
    assert.deepEqual(toType('BotUpdate', 'status'), {
      kind: 'nullable',
      of: { kind: 'enum', values, isOpen: false },
    });
    // These are the only models that are both received and sent.
    assert.deepEqual(
      api.models.filter(({ isSent, isReceived }) => isSent && isReceived).map(({ name }) => name),
      ['DirectoryConfig', 'DirectoryEntry'],
    );
  });

  it('has every webhook event with its data', () => {
    const [started] = api.webhookEvents;
    assert.equal(started?.event, 'conversation.started');
    assert.deepEqual(started?.data, { kind: 'model', name: 'ConversationStartedEventData' });
    const data = api.models.find(({ name }) => name === 'ConversationStartedEventData');
    assert.deepEqual(
      data?.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      ['conversation_id', 'bot_id', 'visitor_id', 'page_url', 'started_at', 'event_id', 'occurred_at'],
    );
  });
});
