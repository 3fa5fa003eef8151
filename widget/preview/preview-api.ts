import { generateBrowserId } from '../../browser/new-id.ts';
import {
  ApiError,
  type DirectoryResolveResponse,
  type VisitorApi,
  type VisitorMessageRead,
  type WidgetConfig,
  type WidgetEvent,
  type WidgetSession,
} from '../session/api-client.ts';
import type { MessagePage } from '../session/message-reader.ts';

/** Part of an answer in the preview: more of its text, or the complete message. */
export type AnswerPart = { text: string } | { content: string; citations: VisitorMessageRead['citations'] };

/** A message of the preview's conversation. */
export interface PreviewTurn {
  role: 'user' | 'assistant';
  content: string;
}

/** Answers a visitor's question in the preview. */
export type PreviewAnswer = (
  question: string,
  history: readonly PreviewTurn[],
  signal: AbortSignal,
) => AsyncIterable<AnswerPart>;

const SESSION_ID = 'preview';
const DEFAULT_FORM_MESSAGES = 2;

/** Answers the calls of the widget in the browser, so that a preview stores nothing. */
export class PreviewApi implements VisitorApi {
  readonly base = '';
  config: WidgetConfig;
  readonly #answer: PreviewAnswer;
  #messages: VisitorMessageRead[] = [];
  #stop = new AbortController();
  #state: Pick<WidgetSession, 'status' | 'consent' | 'rating'> = {
    status: 'active',
    consent: 'unknown',
    rating: null,
  };

  constructor(config: WidgetConfig, answer: PreviewAnswer) {
    this.config = config;
    this.#answer = answer;
  }

  readBot<T>(): Promise<T> {
    return Promise.reject(createFailure());
  }

  async startSession() {
    this.#messages = [];
    this.#state = { status: 'active', consent: 'unknown', rating: null };
    return {
      session_id: SESSION_ID,
      visitor_id: SESSION_ID,
      visitor_secret: SESSION_ID,
      visitor_token: SESSION_ID,
      expires_in: Number.MAX_SAFE_INTEGER,
    };
  }

  async resolveChoice(category: string, choice: string): Promise<DirectoryResolveResponse> {
    return { category, choice, link: '' };
  }

  async readSession(): Promise<WidgetSession> {
    return {
      session_id: SESSION_ID,
      visitor_id: SESSION_ID,
      handoff_enabled: this.config.handoff_enabled,
      agent_name: null,
      lead_form_due: this.#isFormDue(),
      consent_at: null,
      message_count: this.#messages.length,
      ...this.#state,
    };
  }

  async readMessages(): Promise<MessagePage> {
    return { messages: this.#messages, hasMore: false };
  }

  async postToSession<T>(_credential: unknown, operation: string, body: object = {}): Promise<T> {
    if (operation === 'handoff') this.#state.status = 'waiting_human';
    if (operation === 'end') this.#state.status = 'ended';
    if (operation === 'lead') this.#state.consent = 'granted';
    Object.assign(this.#state, body, { fields: undefined });
    return (await this.readSession()) as T;
  }

  rateAnswer(): Promise<unknown> {
    return Promise.resolve();
  }

  async stopAnswer(): Promise<void> {
    this.#stop.abort();
  }

  async *streamAnswer(
    _credential: unknown,
    { content }: { content: string },
    _lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WidgetEvent> {
    const history = this.#messages.map(({ role, content: text }): PreviewTurn => ({
      role: role === 'user' ? 'user' : 'assistant',
      content: text,
    }));
    const question = this.#addMessage('user', content);
    const answerId = generateBrowserId();
    yield {
      id: undefined,
      event: 'message.started',
      data: { message_id: answerId, reply_to_id: question.id },
    };
    const stop = new AbortController();
    this.#stop = stop;
    let text = '';
    try {
      for await (const part of this.#answer(content, history, AbortSignal.any([signal, stop.signal]))) {
        if ('text' in part) {
          text += part.text;
          yield { id: undefined, event: 'delta', data: part };
          continue;
        }
        const message = this.#addMessage('assistant', part.content, answerId, part.citations);
        yield { id: undefined, event: 'done', data: { message } };
        return;
      }
      throw createFailure();
    } catch {
      if (stop.signal.aborted) {
        const message = this.#addMessage('assistant', text, answerId);
        message.stopped_at = message.created_at;
        yield { id: undefined, event: 'done', data: { message } };
        return;
      }
      // Remove the question: an error without a status would count as a lost connection, and the widget would
      // ask again.
      this.#messages = this.#messages.filter(({ id }) => id !== question.id);
      throw createFailure();
    }
  }

  async *streamEvents(
    _credential: unknown,
    _lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WidgetEvent> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    yield* [];
  }

  #addMessage(
    role: VisitorMessageRead['role'],
    content: string,
    id = generateBrowserId(),
    citations: VisitorMessageRead['citations'] = null,
  ): VisitorMessageRead {
    const message: VisitorMessageRead = {
      id,
      role,
      content,
      citations,
      author_name: null,
      event: null,
      input: null,
      is_error: false,
      error_code: null,
      created_at: new Date().toISOString(),
    };
    this.#messages.push(message);
    return message;
  }

  #isFormDue(): boolean {
    const { lead_capture: form } = this.config;
    if (form === null) return false;
    if (form['trigger'] === 'before_chat') return true;
    const after = Number(form['trigger_value'] ?? DEFAULT_FORM_MESSAGES);
    const written = this.#messages.filter(({ role }) => role === 'user');
    return form['trigger'] === 'after_n_messages' && written.length >= after;
  }
}

function createFailure(): ApiError {
  return new ApiError(new Response(null, { status: 422 }), {});
}
