import type { Wording } from '../wording.ts';
import {
  ApiError,
  type ApiClient,
  type AskedInput,
  type ConversationStatus,
  type DirectoryResolveResponse,
  type HandoffState,
  type WidgetConfig,
  type WidgetSession,
} from './api-client.ts';
import { bookingsOf, type Bookings } from './bookings.ts';
import { ConversationState } from './conversation-state.ts';
import { Deliveries } from './deliveries.ts';
import { failureText } from './failure-text.ts';
import { handoffText } from './handoff-text.ts';
import { Hearing } from './hearing.ts';
import { LeadPrompt } from './lead-prompt.ts';
import { LiveFeed } from './live-feed.ts';
import { MessageReader } from './message-reader.ts';
import { OtherTabs } from './other-tabs.ts';
import { Session, type IdentitySource } from './session.ts';
import type { Store } from './store.ts';
import type { Credential } from './stored.ts';
import { Transcript, type ShownMessage } from './transcript.ts';
import { Unread } from './unread.ts';

export interface ChatDeps extends Wording {
  api: ApiClient;
  store: Store;
  config: WidgetConfig;
  visitorId: string | undefined;
  /** Called after every change. */
  changed(): void;
}

/** A conversation with a bot, or with the person who takes it over. */
export class Chat {
  isConnected = true;
  /** Message for the visitor about the last operation. */
  notice: string | null = null;
  /** Number of visitors that this page has had. Input that one of them has begun is discarded for the next. */
  visitorCount = 1;
  readonly lead: LeadPrompt;
  readonly bookings: Bookings;
  readonly #deps: ChatDeps;
  readonly #transcript = new Transcript();
  readonly #state = new ConversationState();
  readonly #unread: Unread;
  readonly #reader: MessageReader;
  readonly #session: Session;
  readonly #deliveries: Deliveries;
  readonly #feed: LiveFeed;
  readonly #otherTabs: OtherTabs;
  #requesting: Promise<void> | undefined;
  /** Session whose messages are displayed. */
  #sessionId: string | undefined;

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
      began: (credential) => this.#began(credential),
      removed: () => this.#removed(),
    });
    this.#session = session;
    this.#unread = new Unread(store, transcript);
    this.#reader = new MessageReader({ api, session, transcript });
    const hearing = new Hearing({
      store,
      transcript,
      unread: this.#unread,
      handedOver: (told) => this.#handedOver(told),
      ended: (isGone) => (isGone ? this.startAnew() : this.#ended()),
      changed,
    });
    const heard = hearing.heard.bind(hearing);
    this.bookings = bookingsOf(deps, session, this);
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
      look: () => void this.#catchUp(),
    });
    this.#otherTabs = new OtherTabs({
      pending: () => store.pending(),
      isOwn: (turn) => this.#deliveries.isOwn(turn),
      catchUp: () => this.#catchUp(),
      changed,
    });
    store.onChange(() => void this.#follow());
    document.addEventListener('visibilitychange', () => this.#listen(document.visibilityState === 'visible'));
    // Windows side by side are all visible, but only one has the focus.
    window.addEventListener('focus', () => this.#listen(true));
  }

  /** Identifies the visitor within this browser. */
  get visitor(): string | undefined {
    return this.#session.visitor;
  }

  /** Identifies the visitor's conversation, even before its session starts. */
  get conversation(): string {
    return `${this.visitor} ${this.#session.credential?.sessionId}\n`;
  }

  whenIdentified(): Promise<void> {
    return this.#session.whenIdentified();
  }

  get base(): string {
    return this.#deps.api.base;
  }

  get messages(): readonly ShownMessage[] {
    return this.#transcript.messages;
  }

  /** Input that the last message asks for or, before the first message, the flow's opening. */
  get asked(): AskedInput | null {
    const { asked = this.#deps.config.opening?.input ?? null } = this.#transcript;
    return this.status === 'active' && !this.#otherTabs.isWaiting ? asked : null;
  }

  /** True if the next message starts a new conversation after earlier ones. */
  get isBetweenSessions(): boolean {
    return this.#transcript.isBetweenSessions;
  }

  get status(): ConversationStatus {
    return this.#state.status;
  }

  get agentName(): string | null {
    return this.#state.agentName;
  }

  /** Text for a visitor who waits for a person. */
  get waitingText(): string {
    return handoffText(this.#state.handoffNotice, this.#deps);
  }

  get rating(): number | null {
    return this.#state.rating;
  }

  get unread(): number {
    return this.#unread.count;
  }

  /** True if messages exist before the displayed ones. */
  get hasEarlier(): boolean {
    return this.#reader.hasEarlier;
  }

  /** True while an answer is awaited and none of its text has arrived. */
  get isTyping(): boolean {
    const answer = this.#transcript.growing();
    return answer ? answer.content === '' && !this.#state.isHandoff : this.#otherTabs.isWaiting;
  }

  /** Displays the stored conversation, and resends messages that had no answer when the page was left. */
  async resume(identity: IdentitySource): Promise<void> {
    await this.#session.identify(identity);
    await this.#session.whenIdentified();
    await this.#showKept();
    for (const turn of this.#deps.store.pending())
      if (!this.#deliveries.isOwn(turn)) this.#deliveries.takeUp(turn);
  }

  async identify(identity: IdentitySource): Promise<void> {
    if (!(await this.#session.identify(identity))) return;
    this.visitorCount += 1;
    this.lead.reset();
    this.#reset();
  }

  /** Records whether the visitor sees the conversation. */
  show(isOpen: boolean): void {
    this.#unread.isOpen = isOpen;
    this.#unread.see();
    this.#listen(true);
    this.#deps.changed();
  }

  /** @param optionId option that the visitor picked */
  send(content: string, optionId?: string): void {
    this.notice = null;
    this.#listen(true);
    this.#deliveries.send(content, optionId);
  }

  retry(message: ShownMessage): void {
    this.#deliveries.retry(message);
  }

  /** Resends the last question after an answer that was an error. */
  askAgain(): void {
    const question = this.#transcript.lastOfVisitor();
    if (question) this.send(question.content);
  }

  /** Runs an operation that the visitor requested, and displays a notice if it fails. */
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
    const request = this.#session.useOpen((session) => api.change<WidgetSession>(session, 'handoff', {}));
    const asked = await request.catch((error: unknown) => this.#refusedNow(error));
    if (!asked) return;
    this.#tell(asked);
    // The stream of a new session may have missed messages that were written before it opened.
    await this.#catchUp();
  }

  /**
   * Displays the opening hours if handoff is disabled outside of them.
   * @throws the given error in any other case
   */
  async #refusedNow(error: unknown): Promise<null> {
    if (!(error instanceof ApiError) || error.code !== 'handoff_disabled') throw error;
    const state = await this.#session.useExisting((session) => this.#deps.api.session(session));
    if (!state?.handoff_notice || state.handoff_notice.accepts_requests) throw error;
    this.notice = handoffText(state.handoff_notice, this.#deps);
    return null;
  }

  async rate(rating: number): Promise<void> {
    const { api, texts } = this.#deps;
    const isRated = await this.#session.useExisting(async (session) => {
      await api.change(session, 'rating', { rating });
      return true;
    });
    if (isRated) this.#state.rating = rating;
    else this.#expired();
    this.notice = isRated ? texts.rated : texts.notRated;
  }

  readEarlier(): Promise<void> {
    return this.#reader.readEarlier();
  }

  /** Returns the link of a choice, and stores the choice with the visitor's details. */
  async resolve(category: string, choice: string): Promise<DirectoryResolveResponse> {
    const { api } = this.#deps;
    try {
      return await this.#session.use((current) => api.resolve(category, choice, current));
    } catch (error) {
      // If no further session may start, the visitor still gets the link.
      if (error instanceof ApiError && error.code === 'rate_limited') return api.resolve(category, choice);
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#session.useExisting((session) => this.#deps.api.change(session, 'end'));
    this.#ended();
  }

  startAnew(): void {
    this.#deps.store.update({ credential: undefined, history: [], pending: [], meetings: [] });
    this.#reset();
  }

  #began({ sessionId }: Credential): void {
    if (sessionId === this.#sessionId) return;
    const isRenewal = this.#sessionId !== undefined;
    this.#sessionId = sessionId;
    this.#reader.reset();
    if (isRenewal) this.#expired();
    this.#listen();
  }

  /** Clears the displayed messages after the conversation was deleted. Unsent messages start another conversation. */
  #removed(): void {
    this.#transcript.dropStored();
    this.bookings.reread();
    this.#reader.reset();
    this.#unread.count = 0;
  }

  /** Handles an expired session: messages stay displayed, and the next one starts a new session. */
  #expired(): void {
    this.#transcript.beginSession();
    this.#state.begin();
    this.#deps.changed();
  }

  #reset(): void {
    this.#deliveries.reset();
    this.#transcript.clear();
    this.bookings.reread();
    this.#sessionId = this.#session.credential?.sessionId;
    this.#reader.reset();
    this.#state.begin();
    this.#unread.count = 0;
    this.notice = null;
    this.isConnected = true;
    this.#listen();
    this.#deps.changed();
  }

  /** @param isAttended whether the visitor is using this page */
  #listen(isAttended = false): void {
    // Browsers limit connections to a server, so a hidden page with a closed panel opens none.
    const isWanted = this.#unread.isOpen || this.#state.isHandoff || document.visibilityState === 'visible';
    this.#feed.want(isWanted && this.status !== 'ended', isAttended);
  }

  async #showKept(): Promise<void> {
    this.bookings.reread();
    for (const message of this.#deps.store.read().history ?? []) this.#transcript.put(message);
    this.#sessionId = this.#session.credential?.sessionId;
    this.#deps.changed();
    if (this.#sessionId === undefined) this.#transcript.beginSession();
    else await this.#reload().catch(() => undefined);
    this.#listen();
  }

  /** Reads the session from the API; the browser's copy may be stale. */
  async #reload(): Promise<void> {
    const sessionId = this.#sessionId;
    const found = await this.#reader.readSession();
    if (found === null) {
      // Another tab may have started a new session meanwhile.
      if (this.#sessionId === sessionId) this.#expired();
      return;
    }
    this.#unread.countOf(found.messages);
    this.#tell(found.state);
  }

  /** Applies changes of another tab. */
  async #follow(): Promise<void> {
    this.bookings.reread();
    const { credential } = this.#session;
    // The history is empty after a new conversation or a change of visitor.
    const isKept = this.#sessionId === undefined || this.#deps.store.read().history?.length;
    if (isKept && this.#transcript.isUnfinished) {
      // Messages that this tab is sending continue in the current session.
      if (credential) this.#began(credential);
    } else if (credential?.sessionId !== this.#sessionId) {
      this.#reset();
      await this.#showKept();
    }
    await this.#otherTabs.follow();
  }

  async #catchUp(): Promise<void> {
    await this.#reader.readNewer().catch(() => undefined);
    this.#deps.changed();
  }

  async #delivered(): Promise<void> {
    if (!this.lead.mayBecomeDue) return;
    const { api } = this.#deps;
    const session = await this.#session.useExisting((current) => api.session(current)).catch(() => null);
    if (session) this.#tell(session);
  }

  #tell(session: WidgetSession): void {
    this.lead.tell(session);
    this.#state.rating = session.rating;
    if (session.status === 'ended') this.#ended();
    else this.#handedOver(session);
    this.#deps.changed();
  }

  #handedOver(told: HandoffState): void {
    if (!this.#state.handOver(told)) return;
    this.notice = null;
    this.#listen();
  }

  #ended(): void {
    this.#state.end();
    this.notice = null;
    this.#listen();
    this.#deps.changed();
  }

  #connected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) void this.#catchUp();
    this.#deps.changed();
  }
}
