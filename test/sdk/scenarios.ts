import type { Fault } from '../support/faulty-proxy.ts';

/**
 * A call of an SDK method, the same for each language. Names are those of the API description, values are
 * those in the API's JSON.
 */
export interface ScenarioCall {
  /** Resource and method, such as `bots.create`; each language converts the case. */
  method: string;
  /** Path parameters of the call. They may contain null, which the SDKs' types forbid. */
  path?: readonly (string | null)[];
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** A text file to send. */
  file?: { name: string; type: string; text: string };
  options?: { idempotency_key?: string; visitor_token?: string };
  /** Way in which the caller reads the result: as one value, item by item, or event by event. */
  take?: 'result' | 'items' | 'events';
}

export interface ScenarioOutcome {
  /** Value that the method returns, or the list of its items or events. */
  result?: unknown;
  error?: {
    /** Class of the error without `Api`, the same in each language. */
    class: string;
    status?: number;
    code?: string;
    retry_after?: number | null;
    fields?: readonly string[];
  };
}

export interface Scenario {
  name: string;
  /** Faults of the connection for the first requests; all later requests pass. */
  faults: readonly Fault[];
  client?: { api_key?: string; timeout_ms?: number; max_retries?: number };
  call: ScenarioCall;
  /** Expected outcome: the whole error, or the expected fields of the result and of each of its items. */
  outcome: ScenarioOutcome;
  /** Expected number of requests that the SDK sends. */
  requests: number;
  /** Whether each request, in order, has a Last-Event-ID header. */
  resumed?: readonly boolean[];
  /** Expected number of stored objects after the call. */
  effect?: { of: 'bots' | 'documents' | 'turns'; count: number };
  waitedMs?: number;
}

const GET_BOT: ScenarioCall = { method: 'bots.get', path: ['$bot_id'] };
const CREATE_BOT: ScenarioCall = { method: 'bots.create', body: { name: 'Harbour Bikes' } };
const SEND: ScenarioCall = {
  method: 'widget.streamMessage',
  path: ['$session_id'],
  body: { content: 'What does a day pass cost?' },
  options: { visitor_token: '$visitor_token' },
  take: 'events',
};
const UNAUTHENTICATED: ScenarioOutcome = {
  error: {
    class: 'AuthenticationError',
    status: 401,
    code: 'unauthenticated',
    retry_after: null,
    fields: [],
  },
};
const RESOLVE: ScenarioCall = {
  method: 'directory.resolve',
  path: ['$public_key'],
  body: { category: 'Uptown', choice: 'Dr. Rivera' },
};
const ANSWER = { result: ['message.started', 'delta', 'citations', 'done'] };
const UNAVAILABLE: Fault = {
  kind: 'answer',
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<h1>',
};

/**
 * Expected behavior of SDKs on faulty connections in every language. Placeholders such as `$bot_id` stand for
 * values that each run creates.
 */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a write whose response is lost is retried with the same idempotency key, and done once',
    faults: [{ kind: 'lose_answer' }],
    call: CREATE_BOT,
    outcome: { result: { name: 'Harbour Bikes' } },
    requests: 2,
    effect: { of: 'bots', count: 4 },
  },
  {
    name: 'a write that arrives twice is done once',
    faults: [{ kind: 'duplicate' }],
    call: CREATE_BOT,
    outcome: { result: { name: 'Harbour Bikes' } },
    requests: 1,
    effect: { of: 'bots', count: 4 },
  },
  {
    name: 'an idempotency key of the caller is sent',
    faults: [{ kind: 'refuse' }],
    call: { ...CREATE_BOT, options: { idempotency_key: 'order-17' } },
    outcome: { result: { name: 'Harbour Bikes' } },
    requests: 2,
    effect: { of: 'bots', count: 4 },
  },
  {
    name: 'a response above 64 MB is neither read nor requested again',
    faults: [
      {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: ' '.repeat(65 << 20),
      },
    ],
    call: GET_BOT,
    outcome: { error: { class: 'ParleyError' } },
    requests: 1,
  },
  {
    name: 'a call is sent three times if connections fail',
    faults: [{ kind: 'refuse' }, { kind: 'refuse' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 3,
  },
  {
    name: 'a call fails after the third attempt',
    faults: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE],
    call: GET_BOT,
    outcome: { error: { class: 'ServerError', status: 503, code: 'unknown', retry_after: null, fields: [] } },
    requests: 3,
  },
  {
    name: 'a call with max_retries 0 is sent once',
    faults: [{ kind: 'refuse' }],
    client: { max_retries: 0 },
    call: GET_BOT,
    outcome: { error: { class: 'ConnectionError' } },
    requests: 1,
  },
  {
    name: 'a truncated response is requested again',
    faults: [{ kind: 'cut_body' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
  },
  {
    name: 'a response that cannot be decompressed is requested again',
    faults: [{ kind: 'answer', status: 200, headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
  },
  {
    name: 'a call without a response is retried after its timeout',
    faults: [{ kind: 'hang' }],
    client: { timeout_ms: 1000 },
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1000,
  },
  {
    name: 'a call that never gets a response ends with a timeout',
    faults: [{ kind: 'hang' }],
    client: { timeout_ms: 500, max_retries: 0 },
    call: GET_BOT,
    outcome: { error: { class: 'TimeoutError' } },
    requests: 1,
    waitedMs: 500,
  },
  {
    name: 'a late response within the timeout is returned',
    faults: [{ kind: 'delay', ms: 300 }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 1,
  },
  {
    name: 'a retry waits for Retry-After',
    faults: [{ kind: 'answer', status: 429, headers: { 'retry-after': '1' } }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1000,
  },
  {
    name: 'a Retry-After may have fractions of a second',
    faults: [{ kind: 'answer', status: 429, headers: { 'retry-after': '1.5' } }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1500,
  },
  {
    name: 'a redirect is an error, even for a call without a JSON response',
    faults: [{ kind: 'answer', status: 301, headers: { location: 'https://parley.test/' }, body: '<h1>' }],
    call: { method: 'contacts.export' },
    outcome: { error: { class: 'Error', status: 301, code: 'unknown', retry_after: null, fields: [] } },
    requests: 1,
  },
  {
    name: 'a Retry-After of more than a minute is left to the caller',
    faults: [{ kind: 'answer', status: 429, headers: { 'retry-after': '61' } }],
    call: GET_BOT,
    outcome: {
      error: { class: 'RateLimitError', status: 429, code: 'unknown', retry_after: 61, fields: [] },
    },
    requests: 1,
  },
  {
    name: 'a write whose first request is still running is retried',
    faults: [
      {
        kind: 'answer',
        status: 409,
        headers: { 'retry-after': '0' },
        body: '{"error":{"code":"idempotency_in_progress","message":"Wait."}}',
      },
    ],
    call: CREATE_BOT,
    outcome: { result: { name: 'Harbour Bikes' } },
    requests: 2,
    effect: { of: 'bots', count: 4 },
  },
  {
    name: 'any other conflict is an error at once',
    faults: [],
    call: { method: 'bots.update', path: ['$bot_id'], body: { status: 'draft' } },
    outcome: {
      error: { class: 'ConflictError', status: 409, code: 'conflict', retry_after: null, fields: [] },
    },
    requests: 1,
  },
  {
    name: 'a slash in an id of a path is encoded',
    faults: [],
    call: {
      method: 'knowledge.put',
      path: ['$bot_id', 'docs/intro.md'],
      body: { source_type: 'raw_text', raw_text: 'A week pass costs 60 euros.' },
    },
    outcome: { result: { external_id: 'docs/intro.md', outcome: 'created' } },
    requests: 1,
    effect: { of: 'documents', count: 2 },
  },
  {
    name: 'a 404 is an error at once',
    faults: [],
    call: { method: 'bots.get', path: ['0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b'] },
    outcome: {
      error: { class: 'NotFoundError', status: 404, code: 'not_found', retry_after: null, fields: [] },
    },
    requests: 1,
  },
  {
    name: 'a 412 is an error at once',
    faults: [
      {
        kind: 'answer',
        status: 412,
        headers: { 'content-type': 'application/problem+json' },
        body: JSON.stringify({ error: { code: 'precondition_failed', message: 'The bot has changed.' } }),
      },
    ],
    call: { method: 'bots.update', path: ['$bot_id'], body: { name: 'South' } },
    outcome: {
      error: {
        class: 'PreconditionFailedError',
        status: 412,
        code: 'precondition_failed',
        retry_after: null,
        fields: [],
      },
    },
    requests: 1,
  },
  {
    name: 'invalid fields are named',
    faults: [],
    call: { method: 'bots.create', body: { name: '', temperature: 9 } },
    outcome: {
      error: {
        class: 'ValidationError',
        status: 422,
        code: 'validation_error',
        retry_after: null,
        fields: ['name', 'temperature'],
      },
    },
    requests: 1,
  },
  {
    name: 'an invalid key is an error at once',
    faults: [],
    client: { api_key: 'parley_live_0' },
    call: GET_BOT,
    outcome: UNAUTHENTICATED,
    requests: 1,
  },
  {
    name: 'a visitor call is not sent without a visitor token',
    faults: [],
    call: { method: 'widget.getSession', path: ['$session_id'] },
    outcome: { error: { class: 'MissingCredentialError' } },
    requests: 0,
  },
  {
    name: 'a public call is sent without a visitor token if there is none',
    faults: [],
    call: RESOLVE,
    outcome: { result: { link: 'https://book.example.com/rivera' } },
    requests: 1,
  },
  {
    name: 'a public call is sent with the visitor token if there is one',
    faults: [],
    call: { ...RESOLVE, options: { visitor_token: 'nobody' } },
    outcome: UNAUTHENTICATED,
    requests: 1,
  },
  {
    name: 'a call with an empty id is not sent, since its path would change',
    faults: [],
    call: { method: 'bots.delete', path: [''] },
    outcome: { error: { class: 'InvalidArgumentError' } },
    requests: 0,
  },
  {
    name: 'a call with id null is not sent',
    faults: [],
    call: { method: 'bots.get', path: [null] },
    outcome: { error: { class: 'InvalidArgumentError' } },
    requests: 0,
  },
  {
    name: 'unknown fields and values are returned',
    faults: [
      {
        kind: 'answer',
        status: 200,
        body: '{"id":"1","name":"Help desk","status":"hibernating","mood":"calm"}',
      },
    ],
    call: GET_BOT,
    outcome: { result: { status: 'hibernating', mood: 'calm' } },
    requests: 1,
  },
  {
    name: 'a list is read page by page, each requested once',
    faults: [{ kind: 'pass' }, { kind: 'refuse' }],
    call: { method: 'versions.list', path: ['$bot_id'], query: { limit: 2 }, take: 'items' },
    outcome: { result: [{ note: 'Four' }, { note: 'Three' }, { note: 'Two' }, { note: 'One' }] },
    requests: 4,
  },
  {
    name: 'pages by cursor are read to the last',
    faults: [],
    call: { method: 'bots.list', query: { page_size: 2 }, take: 'items' },
    outcome: { result: [{ name: 'South' }, { name: 'North' }, { name: 'Help desk' }] },
    requests: 2,
  },
  {
    name: 'an upload whose response is lost is retried, and stored once',
    faults: [{ kind: 'lose_answer' }],
    call: {
      method: 'knowledge.upload',
      path: ['$bot_id'],
      file: { name: 'prices "2026".md', type: 'text/markdown', text: '# Prices\n\nA day pass costs 12 €.' },
      body: { title: 'Prices' },
    },
    outcome: { result: { title: 'Prices', source_type: 'file', mime_type: 'text/markdown' } },
    requests: 2,
    effect: { of: 'documents', count: 2 },
  },
  {
    name: 'a file without a title is titled by its name until it is indexed',
    faults: [],
    call: {
      method: 'knowledge.upload',
      path: ['$bot_id'],
      file: { name: 'prices.md', type: 'text/markdown', text: '# Prices\n\nA day pass costs 12 €.' },
    },
    outcome: { result: { title: 'prices.md', source_type: 'file' } },
    requests: 1,
    effect: { of: 'documents', count: 2 },
  },
  {
    name: 'a stream is read to its last event',
    faults: [],
    call: SEND,
    outcome: ANSWER,
    requests: 1,
    resumed: [false],
  },
  {
    name: 'a stream accepts an idempotency key of maximum length',
    faults: [],
    call: { ...SEND, options: { ...SEND.options, idempotency_key: 'k'.repeat(255) } },
    outcome: ANSWER,
    requests: 1,
    resumed: [false],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'an interrupted stream resumes after its last event, in the same turn',
    faults: [
      { kind: 'cut_stream', after_events: 1 },
      { kind: 'cut_stream', after_events: 1 },
    ],
    call: SEND,
    outcome: ANSWER,
    requests: 3,
    resumed: [false, true, true],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream that ends early is resumed',
    faults: [{ kind: 'end_stream', after_events: 2 }],
    call: SEND,
    outcome: ANSWER,
    requests: 2,
    resumed: [false, true],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream whose start is lost is requested with the same key, in the same turn',
    faults: [{ kind: 'cut_stream', after_events: 0 }, { kind: 'refuse' }],
    call: SEND,
    outcome: ANSWER,
    requests: 3,
    resumed: [false, false, false],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream that cannot resume is not requested again',
    faults: [{ kind: 'cut_stream', after_events: 1 }],
    call: {
      method: 'bots.tryStreaming',
      path: ['$bot_id'],
      body: { message: 'What does a day pass cost?' },
      take: 'events',
    },
    outcome: { error: { class: 'StreamInterruptedError' } },
    requests: 1,
    resumed: [false],
  },
  {
    name: 'an unknown event is returned',
    faults: [
      {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'id: a:1:0\nevent: mood\ndata: {"calm":true}\n\nid: a:2:0\nevent: done\ndata: {}\n\n',
      },
    ],
    call: SEND,
    outcome: { result: ['mood', 'done'] },
    requests: 1,
    resumed: [false],
  },
];
