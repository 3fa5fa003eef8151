import { fill, type Texts } from '../texts.ts';
import type {
  ApiClient,
  ConversationStatus,
  DirectoryResolveResponse,
  VisitorMessageRead,
  WidgetConfig,
  WidgetEvent,
  WidgetSession,
} from './api-client.ts';
import { Deliveries } from './deliveries.ts';
import { failureText } from './failure-text.ts';
import { LeadPrompt } from './lead-prompt.ts';
import { LiveFeed } from './live-feed.ts';
import { OtherTabs } from './other-tabs.ts';
import { Session, type IdentitySource } from './session.ts';
import type { Store } from './store.ts';
import { Transcript, type ShownMessage } from './transcript.ts';

export interface ChatDeps {
  api: ApiClient;
  store: Store;
  config: WidgetConfig;
  texts: Texts;
  visitorId: string | undefined;
  /** Told of every change. */
  changed(): void;
}

const READ_AGAIN = 20;

/** A conversation with a bot, and with whoever takes it over. */
export class Chat {
  status: ConversationStatus = 'active';
  agentName: string | null = null;
  rating: number | null = null;
  isConnected = true;
  /** What the visitor should know of what has just happened. */
  notice: string | null = null;
  unread = 0;
  readonly lead: LeadPrompt;
  readonly #deps: ChatDeps;
  readonly #transcript = new Transcript();
  readonly #session: Session;
  readonly #deliveries: Deliveries;
  readonly #feed: LiveFeed;
  readonly #otherTabs: OtherTabs;
  #isOpen = false;
  #requesting: Promise<void> | undefined;
  /** Whose messages are shown. */
  #sessionId: string | undefined;
  /** Where reading goes on. */
  #readTo: string | undefined;

  constructor(deps: ChatDeps) {
    const { api, store, visitorId, texts, config, changed } = deps;
    this.#deps = deps;
    const transcript = this.#transcript;
    const connected = (isConnected: boolean) => this.#connected(isConnected);
    const session = new Session({
      api,
      store,
      visitorId,
      connected,
      began: (...args) => this.#began(...args),
    });
    const heard = (event: WidgetEvent, question?: ShownMessage) => this.#heard(event, question);
    this.#session = session;
    this.lead = new LeadPrompt({ api, store, session, form: config.lead_capture, changed });
    this.#deliveries = new Deliveries({
      api,
      store,
      session,
      transcript,
      texts,
      heard,
      connected,
      changed,
      delivered: () => this.#delivered(),
    });
    this.#feed = new LiveFeed({
      api,
      session,
      heard,
      connected,
      newestId: () => transcript.newestId(),
      expired: () => this.#expired(),
    });
    this.#otherTabs = new OtherTabs({
      pending: () => store.pending(),
      isOwn: (turn) => this.#deliveries.isOwn(turn),
      catchUp: () => this.#catchUp(),
      changed,
    });
    store.onChange(() => void this.#follow());
    document.addEventListener('visibilitychange', () => this.#listen());
  }

  get messages(): readonly ShownMessage[] {
    return this.#transcript.messages;
  }

  get isHandoff(): boolean {
    return this.status === 'waiting_human' || this.status === 'human';
  }

  /** An answer is awaited of which nothing is there yet. */
  get isTyping(): boolean {
    const answer = this.#transcript.growing();
    return answer ? answer.content === '' && !this.isHandoff : this.#otherTabs.isWaiting;
  }

  /** Shows the conversation that was kept, and goes on with what had no answer when the page was left. */
  async resume(identity: IdentitySource): Promise<void> {
    await this.#session.identify(identity);
    await this.#showKept();
    for (const turn of this.#deps.store.pending()) this.#deliveries.takeUp(turn);
  }

  async identify(identity: IdentitySource): Promise<void> {
    if (await this.#session.identify(identity)) this.#reset();
  }

  /** The visitor sees the conversation, or does not any more. */
  show(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#seen();
    this.#listen();
    this.#deps.changed();
  }

  send(content: string): void {
    this.notice = null;
    this.#deliveries.send(content);
  }

  retry(message: ShownMessage): void {
    this.#deliveries.retry(message);
  }

  /** Asks again what was answered with an error. */
  askAgain(): void {
    const question = this.#transcript.lastOfVisitor();
    if (question) this.send(question.content);
  }

  /** Does what the visitor has asked for; what goes wrong is told. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this.notice = null;
    try {
      await work();
    } catch (error) {
      this.notice = failureText(error, this.#deps.texts);
    }
    this.#deps.changed();
  }

  requestPerson(): Promise<void> {
    this.#requesting ??= this.#requestPerson().finally(() => (this.#requesting = undefined));
    return this.#requesting;
  }

  async #requestPerson(): Promise<void> {
    const { api } = this.#deps;
    this.#tell(await this.#session.useOpen((session) => api.change<WidgetSession>(session, 'handoff', {})));
  }

  async rate(rating: number): Promise<void> {
    await this.#session.useExisting((session) => this.#deps.api.change(session, 'rating', { rating }));
    this.rating = rating;
    this.notice = this.#deps.texts.rated;
  }

  resolve(category: string, choice: string): Promise<DirectoryResolveResponse> {
    return this.#deps.api.resolve(category, choice);
  }

  async end(): Promise<void> {
    await this.#session.useExisting((session) => this.#deps.api.change(session, 'end'));
    this.#ended();
  }

  startAnew(): void {
    this.#deps.store.update({ credential: undefined, history: [], pending: [] });
    this.#reset();
  }

  #began({ sessionId }: { sessionId: string }, isRenewal: boolean): void {
    this.#sessionId = sessionId;
    this.#readTo = undefined;
    if (isRenewal) this.#expired();
    this.#listen();
  }

  /** The session is over; what was said stays, and the next message begins another one. */
  #expired(): void {
    this.#transcript.beginSession();
    Object.assign(this, { status: 'active', agentName: null, rating: null });
    this.#deps.changed();
  }

  #reset(): void {
    this.#deliveries.reset();
    this.#transcript.clear();
    this.#sessionId = this.#session.credential?.sessionId;
    this.#readTo = undefined;
    Object.assign(this, { status: 'active', agentName: null, rating: null, notice: null, unread: 0 });
    this.isConnected = true;
    this.#listen();
    this.#deps.changed();
  }

  #listen(): void {
    // Browsers allow few connections to a server: a page that nobody sees needs none for a closed panel.
    const isWanted = this.#isOpen || this.isHandoff || document.visibilityState === 'visible';
    this.#feed.want(isWanted && this.status !== 'ended');
  }

  async #showKept(): Promise<void> {
    for (const message of this.#deps.store.read().history ?? []) this.#transcript.put(message);
    this.#sessionId = this.#session.credential?.sessionId;
    this.#deps.changed();
    if (this.#sessionId === undefined) this.#transcript.beginSession();
    else await this.#reload().catch(() => undefined);
    this.#listen();
  }

  /** Reads the session as the API has it: what the browser keeps of it may be old. */
  async #reload(): Promise<void> {
    const { api } = this.#deps;
    const found = await this.#session.useExisting((session) =>
      Promise.all([api.session(session), api.messages(session, undefined)]),
    );
    if (found === null) return this.#expired();
    const [state, messages] = found;
    this.#read(messages);
    this.#transcript.markSession(messages[0]?.id);
    const { seenId } = this.#deps.store.read();
    const unseen = messages.slice(messages.findIndex(({ id }) => id === seenId) + 1);
    this.unread = unseen.filter(({ role }) => role === 'agent').length;
    this.#seen();
    this.#tell(state);
  }

  /** Shows what another tab has done. */
  async #follow(): Promise<void> {
    if (this.#session.credential?.sessionId !== this.#sessionId) {
      this.#reset();
      await this.#showKept();
    }
    await this.#otherTabs.follow();
  }

  async #catchUp(): Promise<void> {
    const { api } = this.#deps;
    const messages = await this.#session
      .useExisting((session) => api.messages(session, this.#readTo))
      .catch(() => null);
    this.#read(messages ?? []);
    this.#deps.changed();
  }

  /** What is stored at the same time is not there to be read in its order: the last ones are read again. */
  #read(messages: VisitorMessageRead[]): void {
    for (const message of messages) this.#transcript.put(message);
    this.#readTo = messages.at(-READ_AGAIN)?.id ?? this.#readTo;
  }

  /** What is shown in an open panel is not new any more. */
  #seen(): void {
    if (!this.#isOpen) return;
    this.unread = 0;
    const seenId = this.#transcript.newestId();
    const { store } = this.#deps;
    if (store.read().seenId !== seenId) store.update({ seenId });
  }

  async #delivered(): Promise<void> {
    if (!this.lead.mayBecomeDue) return;
    const { api } = this.#deps;
    const session = await this.#session.useExisting((current) => api.session(current)).catch(() => null);
    if (session) this.#tell(session);
  }

  #tell(session: WidgetSession): void {
    this.lead.tell(session);
    this.rating = session.rating;
    if (session.status === 'ended') this.#ended();
    else this.#handedOver(session);
    this.#deps.changed();
  }

  #handedOver({ status, agent_name: agentName }: Pick<WidgetSession, 'status' | 'agent_name'>): void {
    const { texts } = this.#deps;
    const isReleased = this.isHandoff && status === 'active';
    const isNews = status !== this.status || agentName !== this.agentName;
    this.status = status;
    this.agentName = agentName;
    if (!isNews) return;
    if (status === 'waiting_human') this.notice = texts.waiting;
    else if (status === 'human')
      this.notice = agentName ? fill(texts.joined, { name: agentName }) : texts.joinedNobody;
    else this.notice = isReleased ? texts.released : null;
    this.#listen();
  }

  #ended(): void {
    Object.assign(this, { status: 'ended', agentName: null, notice: null });
    this.#listen();
    this.#deps.changed();
  }

  /** An event of an answer, or of the conversation. */
  #heard(event: WidgetEvent, question?: ShownMessage): void {
    switch (event.event) {
      case 'message.started':
        if (question) this.#transcript.stored(question, event.data.reply_to_id);
        this.#transcript.grow(event.data.message_id);
        break;
      case 'delta': {
        const answer = this.#transcript.growing();
        if (answer) answer.content += event.data.text;
        break;
      }
      case 'handoff':
        this.#handedOver(event.data);
        break;
      case 'ended':
        this.#ended();
        break;
      case 'done':
      case 'message':
        this.#said(event.data.message, question);
        break;
      case 'citations':
      case 'error':
        // The message that is stored follows, and has them.
        break;
    }
    this.#deps.changed();
  }

  #said(said: VisitorMessageRead, question?: ShownMessage): void {
    const isKnown = this.#transcript.find(said.id)?.state === 'whole';
    // A question stands before its answer, for as long as nobody has told when it was stored.
    if (question) question.createdAt ??= said.created_at;
    if (question && said.role === 'user') {
      // Nobody answers it now: a person has the conversation.
      this.#transcript.dropGrowing();
      this.#transcript.stored(question, said.id);
    } else {
      this.#transcript.put(said);
    }
    if (!isKnown && said.role !== 'user' && !this.#isOpen) this.unread += 1;
    this.#deps.store.update({ history: this.#transcript.history() });
    this.#seen();
  }

  #connected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) void this.#catchUp();
    this.#deps.changed();
  }
}
