import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';

/** Every default that the specification gives a field, by the name of its schema. */
const defaults: Record<string, Record<string, unknown>> = {
  BotRead: { has_api_key: false },
  BotCreate: {
    llm_provider: 'platform',
    temperature: 0.7,
    max_tokens: 1024,
    thinking_enabled: false,
    thinking_budget_tokens: 2048,
    strict_kb_mode: false,
    language: 'auto',
    is_public: true,
    rate_limit_per_minute: 30,
    handoff_enabled: false,
  },
  LeadCaptureConfig: { enabled: false, trigger: 'manual', trigger_value: 2 },
  LeadCaptureField: { required: false, type: 'text' },
  ContactFieldDef: { type: 'text' },
  DirectoryConfig: {
    category_field: 'branch',
    category_label: 'Location',
    choice_field: 'preferred_specialist',
    choice_label: 'Specialist',
    result_field: 'booking_link',
    enabled: false,
  },
  DirectoryEntry: { category: '', link: '' },
  Gradient: { angle: 135 },
  BotGenerateRequest: { import_website: true, activate: false },
  BotGenerateResponse: { import_job_queued: false },
  ConversationRead: { consent: 'unknown', is_lead: false, message_count: 0, total_cost_usd: 0 },
  ConversationDetail: { consent: 'unknown', total_input_tokens: 0, total_output_tokens: 0 },
  MessageRead: { is_error: false },
  ContactRead: { conversation_count: 0, is_lead: false, message_count: 0 },
  InboxItem: { message_count: 0, visitor_present: false, waiting_seconds: 0 },
  DocumentCreate: { title: '', max_pages: 25 },
  DocumentRead: { chunk_count: 0, size_bytes: 0, token_count: 0 },
  OrgRead: { is_default: false },
  HierarchyNode: { children: [] },
  InvitationCreate: { role: 'member' },
  InvitationRead: { invited_by: '' },
  InvitationPreview: { has_account: false },
  CheckoutRequest: { quantity: 1 },
  PolicyRequest: { digest: 'none', digest_hour: 9, digest_weekday: 1, intensity: 'leads', label: '' },
  Message: { ok: true },
  WebhookTestResponse: { duration_ms: 0 },
  MfaChallengeResponse: { mfa_required: true, recovery_available: true },
  MfaStatus: { pending: false, recovery_codes_remaining: 0 },
};

describe('defaults of the specification', () => {
  const { components } = buildOpenApi(operations, 'http://localhost:3000') as {
    components: { schemas: Record<string, TSchema> };
  };

  for (const [name, fields] of Object.entries(defaults)) {
    it(`are declared by ${name}`, () => {
      assert.deepEqual(pickDefaults(components.schemas[name]!, Object.keys(fields)), fields);
    });
  }

  it('are not declared as `default` of a request’s field, since openapi-typescript would make the field required', () => {
    const requests = Object.entries(components.schemas).filter(([name]) =>
      /Create$|Request$|Update$/.test(name),
    );
    assert.ok(requests.length > 40, String(requests.length));
    for (const [name, schema] of requests)
      for (const [field, property] of Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>))
        assert.ok(!('default' in property), `${name}.${field}`);
  });

  it('are declared by every page', () => {
    const pages = Object.keys(components.schemas).filter((name) => name.startsWith('PaginatedResponse_'));
    assert.ok(pages.length > 4);
    for (const page of pages)
      assert.deepEqual(pickDefaults(components.schemas[page]!, ['has_more']), { has_more: false }, page);
  });
});

/**
 * Returns the default values of a schema's fields. Fields of requests declare theirs in `x-default` and in
 * the description.
 */
function pickDefaults(schema: TSchema, fields: string[]): Record<string, unknown> {
  const properties = schema['properties'] as Record<string, TSchema>;
  return Object.fromEntries(
    fields.map((field) => {
      const { description, default: value, 'x-default': ofRequest } = properties[field]!;
      if (ofRequest !== undefined) assert.match(description ?? '', /Defaults to|Empty by default/);
      return [field, value ?? ofRequest];
    }),
  );
}
