import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { authorize } from '../../api/http/access/rights.ts';
import { getCheckedSchema } from '../../api/http/operation.ts';
import { compileCheck } from '../../api/http/schemas/validate.ts';
import { readFileFields } from '../../api/knowledge/external-documents.schemas.ts';
import { operations } from '../../api/registry.ts';
import type { Holder } from '../../repositories/accounts/credential-holder.ts';

const find = (id: string) => operations.find((operation) => operation.id === id) ?? assert.fail(id);

function describeFaults(id: string, where: 'query' | 'body', value: object): string[] {
  const { query, body, unknownFieldHints } = find(id);
  const schema = where === 'query' ? query : getCheckedSchema(body);
  const check = compileCheck(schema ?? assert.fail(id), where, where === 'body' ? unknownFieldHints : {});
  return check(value).map(({ field, message }) => `${field} ${message}`);
}

describe('messages about invalid fields', () => {
  it('list all parameters of a query, on every operation', () => {
    for (const { id, query } of operations) {
      const schema: TSchema | undefined = query;
      if (schema?.['additionalProperties'] !== false) continue;
      const names = Object.keys(schema['properties'] as object);
      const found = describeFaults(id, 'query', { zzzzzzzzzz: '1' }).filter((fault) =>
        fault.startsWith('zzz'),
      );
      assert.deepEqual(found, [`zzzzzzzzzz is not a known field (known fields: ${names.join(', ')})`], id);
    }
    const [fault] = describeFaults('listConversations', 'query', { created_after: '2026-01-01' });
    assert.match(fault!, /^created_after is not a known field \(.*\bfrom\b/);
  });

  it('suggest a field or parameter that other APIs name differently', () => {
    const renamed: [id: string, where: 'query' | 'body', typed: string, known: string][] = [
      ['listBots', 'query', 'query', 'q'],
      ['listBots', 'query', 'search', 'q'],
      ['listBots', 'query', 'limit', 'page_size'],
      ['listConversations', 'query', 'since', 'from'],
      ['createBot', 'body', 'instructions', 'system_prompt'],
      ['createBot', 'body', 'greeting', 'welcome_message'],
      ['createDocument', 'body', 'content', 'raw_text'],
      ['sendWidgetMessage', 'body', 'message', 'content'],
      ['searchKnowledge', 'body', 'top_k', 'limit'],
      ['createWebhook', 'body', 'endpoint', 'url'],
    ];
    for (const [id, where, typed, known] of renamed)
      assert.ok(
        describeFaults(id, where, { [typed]: 'x' }).includes(
          `${typed} is not a known field (did you mean ${known}?)`,
        ),
        `${id} ${typed}`,
      );
  });

  it('say that only responses have a field', () => {
    const { body } = find('updateBot');
    const check = compileCheck(getCheckedSchema(body)!, 'body', {}, ['id', 'public_key']);
    assert.deepEqual(
      check({ id: 'x', public_key: 'pk_1', surprise: 1 }).map(({ field, message }) => `${field} ${message}`),
      [
        'id cannot be set; only responses contain this field',
        'public_key cannot be set; only responses contain this field',
        'surprise is not a known field',
      ],
    );
  });

  it('suggest the value that a mistyped value resembles, and name JSON that is encoded twice', () => {
    assert.deepEqual(
      describeFaults('updateBot', 'body', { status: 'Active', widget_theme: '{"position":"left"}' }),
      [
        'status must be one of "draft", "active", "paused", "archived" (did you mean "active"?)',
        'widget_theme must be an object or null, not a string of JSON: encode the value once',
      ],
    );
  });

  it('say that a parameter takes one value, if it lists several', () => {
    const [several] = describeFaults('listBots', 'query', { status: 'active,draft' });
    const [wrong] = describeFaults('listBots', 'query', { status: 'live,draft' });
    assert.match(several!, /^status must be one of "draft", .+; specify only one of them$/);
    assert.match(wrong!, /^status must be one of "draft", [^;]+$/);
  });

  it('name the operation that takes the field', () => {
    assert.deepEqual(describeFaults('uploadDocument', 'body', { tags: '["a"]' }), [
      'tags is not a known field (putDocumentFile takes tags, and updateDocument sets them later)',
    ]);
    assert.deepEqual(describeFaults('updateWebhook', 'body', { events: [] }), [
      'events is not a known field (replaceWebhookEvents, PUT /api/webhooks/{id}/events, replaces them)',
    ]);
    for (const id of ['putDocumentFile', 'updateDocument', 'replaceWebhookEvents']) find(id);
  });

  it('show how a form sends tags', () => {
    const message = 'tags must be a JSON array of texts in one field, such as tags=["a","b"]';
    for (const tags of ['a', 'a,b', '"a"', '{}'])
      assert.throws(() => readFileFields({ tags }), { code: 'validation_error', message });
    assert.deepEqual(readFileFields({ tags: '["a","b"]' }).tags, ['a', 'b']);
  });

  it('name the command that creates a key, if createApiKey is called with a key', () => {
    const refused = 'This operation requires a signed-in person; an API key cannot call it.';
    const holder = { keyId: 'k1', scopes: [], signedInSecondsAgo: null } as unknown as Holder;
    assert.throws(() => authorize(find('createApiKey'), holder), {
      message: `${refused} Operators create keys with \`npm run parley -- create-key\`.`,
    });
    assert.throws(() => authorize(find('listApiKeys'), holder), { message: refused });
  });
});
