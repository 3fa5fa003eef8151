import type { Fault } from '../support/faulty-proxy.ts';

/** A call as each language makes it: names are those of the description of the API, values those of the wire. */
export interface ScenarioCall {
  /** `bots.create`; a language writes it in its own case. */
  method: string;
  /** Also without a value, which types forbid. */
  path?: readonly (string | null)[];
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** A file to send, of text. */
  file?: { name: string; type: string; text: string };
  options?: { idempotency_key?: string; visitor_token?: string };
  /** How the result is taken: as it is, item by item, or event by event. */
  take?: 'result' | 'items' | 'events';
}

export interface ScenarioOutcome {
  /** What was returned, or each item or event of it. */
  result?: unknown;
  error?: {
    /** The name of its class without `Api`, which is the same in each language. */
    class: string;
    status?: number;
    code?: string;
    retry_after?: number | null;
    fields?: readonly string[];
  };
}

export interface Scenario {
  name: string;
  /** Of the first requests; those after them pass. */
  faults: readonly Fault[];
  client?: { api_key?: string; timeout_ms?: number; max_retries?: number };
  call: ScenarioCall;
  /** All of the error; of the result what is named here, and of a list each item. */
  outcome: ScenarioOutcome;
  /** How many requests there were. */
  requests: number;
  /** What each request had as Last-Event-ID: whether none, or that of the last event that was let through. */
  resumed?: readonly boolean[];
  /** How many there are of them afterwards. */
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

/** What happens to calls on bad lines, in every language. `$bot_id` and its like stand for what each run makes for itself. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a write whose answer is lost is repeated by the same name, and done once',
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
    name: 'a name that the caller gives is the one that is sent',
    faults: [{ kind: 'refuse' }],
    call: { ...CREATE_BOT, options: { idempotency_key: 'order-17' } },
    outcome: { result: { name: 'Harbour Bikes' } },
    requests: 2,
    effect: { of: 'bots', count: 4 },
  },
  {
    name: 'an answer above 64 MB is not read, and not asked for again',
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
    name: 'a call is sent three times when no connection stands',
    faults: [{ kind: 'refuse' }, { kind: 'refuse' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 3,
  },
  {
    name: 'a call that fails a third time is given up',
    faults: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE],
    call: GET_BOT,
    outcome: { error: { class: 'ServerError', status: 503, code: 'unknown', retry_after: null, fields: [] } },
    requests: 3,
  },
  {
    name: 'a call that is not to be repeated is sent once',
    faults: [{ kind: 'refuse' }],
    client: { max_retries: 0 },
    call: GET_BOT,
    outcome: { error: { class: 'ConnectionError' } },
    requests: 1,
  },
  {
    name: 'an answer that breaks off is fetched again',
    faults: [{ kind: 'cut_body' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
  },
  {
    name: 'an answer that cannot be decompressed is fetched again',
    faults: [{ kind: 'answer', status: 200, headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
  },
  {
    name: 'a call that nobody answers is sent again when its time is over',
    faults: [{ kind: 'hang' }],
    client: { timeout_ms: 1000 },
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1000,
  },
  {
    name: 'a call that nobody answers at all ends with a time-out',
    faults: [{ kind: 'hang' }],
    client: { timeout_ms: 500, max_retries: 0 },
    call: GET_BOT,
    outcome: { error: { class: 'TimeoutError' } },
    requests: 1,
    waitedMs: 500,
  },
  {
    name: 'an answer that is late, but in time, is taken',
    faults: [{ kind: 'delay', ms: 300 }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 1,
  },
  {
    name: 'Retry-After is waited for',
    faults: [{ kind: 'answer', status: 429, headers: { 'retry-after': '1' } }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1000,
  },
  {
    name: 'a Retry-After may have parts of seconds',
    faults: [{ kind: 'answer', status: 429, headers: { 'retry-after': '1.5' } }],
    call: GET_BOT,
    outcome: { result: { name: 'Help desk' } },
    requests: 2,
    waitedMs: 1500,
  },
  {
    name: 'a redirect is no answer, though none of JSON is waited for',
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
    name: 'a write of which the first request still runs is asked for again',
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
    name: 'any other conflict is told at once',
    faults: [],
    call: { method: 'bots.update', path: ['$bot_id'], body: { status: 'draft' } },
    outcome: {
      error: { class: 'ConflictError', status: 409, code: 'conflict', retry_after: null, fields: [] },
    },
    requests: 1,
  },
  {
    name: 'what is not there is told at once',
    faults: [],
    call: { method: 'bots.get', path: ['0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b'] },
    outcome: {
      error: { class: 'NotFoundError', status: 404, code: 'not_found', retry_after: null, fields: [] },
    },
    requests: 1,
  },
  {
    name: 'fields that are not valid are named',
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
    name: 'a key that is not valid is told at once',
    faults: [],
    client: { api_key: 'parley_live_0' },
    call: GET_BOT,
    outcome: UNAUTHENTICATED,
    requests: 1,
  },
  {
    name: 'what a visitor does is not sent without the token of a session',
    faults: [],
    call: { method: 'widget.getSession', path: ['$session_id'] },
    outcome: { error: { class: 'ParleyError' } },
    requests: 0,
  },
  {
    name: 'what anybody may do is sent without a token where there is none',
    faults: [],
    call: RESOLVE,
    outcome: { result: { link: 'https://book.example.com/rivera' } },
    requests: 1,
  },
  {
    name: 'what anybody may do brings the token of a visitor where there is one',
    faults: [],
    call: { ...RESOLVE, options: { visitor_token: 'nobody' } },
    outcome: UNAUTHENTICATED,
    requests: 1,
  },
  {
    name: 'an empty id is not sent, since it would lead elsewhere',
    faults: [],
    call: { method: 'bots.delete', path: [''] },
    outcome: { error: { class: 'ParleyError' } },
    requests: 0,
  },
  {
    name: 'an id that is none is not sent',
    faults: [],
    call: { method: 'bots.get', path: [null] },
    outcome: { error: { class: 'ParleyError' } },
    requests: 0,
  },
  {
    name: 'fields and values that the SDK does not know are let through',
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
    name: 'a list is walked page by page, each asked for once',
    faults: [{ kind: 'pass' }, { kind: 'refuse' }],
    call: { method: 'versions.list', path: ['$bot_id'], query: { limit: 2 }, take: 'items' },
    outcome: { result: [{ note: 'Four' }, { note: 'Three' }, { note: 'Two' }, { note: 'One' }] },
    requests: 4,
  },
  {
    name: 'pages by cursor are walked to the last',
    faults: [],
    call: { method: 'bots.list', query: { page_size: 2 }, take: 'items' },
    outcome: { result: [{ name: 'South' }, { name: 'North' }, { name: 'Help desk' }] },
    requests: 2,
  },
  {
    name: 'a file whose receipt is lost is sent again, and taken once',
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
    name: 'a file without a title is called by its name until it is indexed',
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
    name: 'a stream may have the longest idempotency key that there is',
    faults: [],
    call: { ...SEND, options: { ...SEND.options, idempotency_key: 'k'.repeat(255) } },
    outcome: ANSWER,
    requests: 1,
    resumed: [false],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream that breaks off is read on from its last event, and the turn stays one',
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
    name: 'a stream that ends early is read on',
    faults: [{ kind: 'end_stream', after_events: 2 }],
    call: SEND,
    outcome: ANSWER,
    requests: 2,
    resumed: [false, true],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream whose opening is lost is asked for by the same name, and the turn stays one',
    faults: [{ kind: 'cut_stream', after_events: 0 }, { kind: 'refuse' }],
    call: SEND,
    outcome: ANSWER,
    requests: 3,
    resumed: [false, false, false],
    effect: { of: 'turns', count: 1 },
  },
  {
    name: 'a stream that cannot be read on is not asked for again',
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
    name: 'an event that the SDK does not know is let through',
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
