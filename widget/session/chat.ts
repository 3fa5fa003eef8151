import type { Wording } from '../wording.ts';
import {
  ApiError,
  type VisitorApi,
  type InputRequest,
  type ConversationStatus,
  type DirectoryResolveResponse,
  type HandoffState,
  type WidgetConfig,
  type WidgetSession,
} from './api-client.ts';
import type { IdentitySource } from '../../sdk/typescript/src/widget.ts';
import type { RatingDetails } from '../rating/contract.ts';
import { createBookings, type Bookings } from './bookings.ts';
import { ConversationState } from './conversation-state.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { describeFailure } from './failure-text.ts';
import { describeHandoff, describeTeam } from './handoff-text.ts';
import { StreamEventHandler } from './stream-event-handler.ts';
import { LeadPrompt } from './lead-prompt.ts';
import { LiveFeed } from './live-feed.ts';
import { MessageReader } from './message-reader.ts';
import { OtherTabs } from './other-tabs.ts';
import { Session } from './session.ts';
import type { Store } from './store.ts';
import type { Credential } from './stored-state.ts';
import { Transcript, type ShownMessage } from './transcript.ts';
import { Unread } from './unread.ts';

/** Milliseconds after which the widget updates the place in the queue of a visitor who waits for an agent. */
const QUEUE_REFRESH_MS = 20_000;

export interface ChatDeps extends Wording {
  api: VisitorApi;
  store: Store;
  config: WidgetConfig;
  visitorId: string | undefined;
  /** Aborted when the widget is removed from the page. */
  signal: AbortSignal;
  /** Called after every change of the conversation. */
  onChange(): void;
}

/** The visitor's conversation with a bot or an agent, as the widget displays it. */
export class Chat {
  isConnected = true;
  /** Message for the visitor about the last operation, such as an error. */
  notice: string | null = null;
  /**
   * Number of visitors on this page so far. When it changes, the panel discards what the previous visitor was
   * typing.
   */
  visitorCount = 1;
  readonly lead: LeadPrompt;
  readonly bookings: Bookings;
  readonly #deps: ChatDeps;
  readonly #transcript = new Transcript();
  readonly #state = new ConversationState();
  readonly #unread: Unread;
  readonly #reader: MessageReader;
  readonly session: Session;
  readonly #outgoing: OutgoingMessages;
  readonly #feed: LiveFeed;
  readonly #otherTabs: OtherTabs;
  #handoffRequest: Promise<void> | undefined;
  /** Id of the session whose messages are displayed. */
  #sessionId: string | undefined;

  constructor(deps: ChatDeps) {
    const { api, store, visitorId, texts, config, signal, onChange } = deps;
    this.#deps = deps;
    const transcript = this.#transcript;
    const setConnected = (isConnected: boolean) => this.#setConnected(isConnected);
    const session = new Session({
      api,
      store,
      visitorId,
      setConnected,
      onStarted: (credential) => this.#onSessionStarted(credential),
      onRemoved: () => this.#onConversationDeleted(),
    });
    this.session = session;
    this.#unread = new Unread(store, transcript);
    this.#reader = new MessageReader({ api, session, transcript });
    const eventHandler = new StreamEventHandler({
      store,
      transcript,
      unread: this.#unread,
      onHandoff: (state) => this.#onHandoff(state),
      onEnded: (isGone) => (isGone ? this.startNewConversation() : this.#onEnded()),
      onChange,
    });
    const handleEvent = eventHandler.handle.bind(eventHandler);
    this.bookings = createBookings(deps, session, this);
    this.lead = new LeadPrompt({ api, store, session, form: config.lead_capture, onChange });
    this.#outgoing = new OutgoingMessages({
      api,
      store,
      session,
      transcript,
      texts,
      handleEvent,
      setConnected,
      onChange,
      onDelivered: () => this.#refreshLead(),
    });
    this.#feed = new LiveFeed({
      api,
      session,
      handleEvent,
      setConnected,
      newestId: () => transcript.newestId(),
      onExpired: () => this.#onSessionExpired(),
      poll: () => void this.#catchUp(),
    });
    this.#otherTabs = new OtherTabs({
      pending: () => store.pending(),
      isFromThisTab: (pending) => this.#outgoing.isFromThisTab(pending),
      catchUp: () => this.#catchUp(),
      onChange,
    });
    store.onChange(() => void this.#applyOtherTabs());
    document.addEventListener('visibilitychange', () => this.#updateFeed(!document.hidden), { signal });
    // Listen to `focus` as well: of several windows side by side, all are visible, but only one window has
    // the focus.
    window.addEventListener('focus', () => this.#updateFeed(true), { signal });
    // Close the stream: browsers keep a page in the back/forward cache only if it has no open connections.
    window.addEventListener('pagehide', () => this.#feed.setNeeded(false, false), { signal });
    window.addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (!persisted) return;
        void this.#applyOtherTabs();
        this.#updateFeed(true);
      },
      { signal },
    );
    const queueTimer = setInterval(() => {
      if (this.status === 'waiting_human' && !document.hidden) void this.#refreshSession();
    }, QUEUE_REFRESH_MS);
    signal.addEventListener('abort', () => {
      clearInterval(queueTimer);
      this.#feed.setNeeded(false, false);
    });
  }

  /** Key that identifies the visitor within this browser; undefined before identification. */
  get visitorKey(): string | undefined {
    return this.session.visitorKey;
  }

  /** Key that identifies the visitor's conversation, even before its session has started. */
  get conversationKey(): string {
    return `${this.visitorKey} ${this.session.credential?.sessionId}\n`;
  }

  waitUntilIdentified(): Promise<void> {
    return this.session.waitUntilIdentified();
  }

  get language(): string {
    return this.#deps.language;
  }

  get base(): string {
    return this.#deps.api.base;
  }

  get messages(): readonly ShownMessage[] {
    return this.#transcript.messages;
  }

  /**
   * The input that the conversation's last message asks for. Before the first message, the input that the
   * flow's opening asks for.
   */
  get inputRequest(): InputRequest | null {
    const { inputRequest = this.#deps.config.opening?.input ?? null } = this.#transcript;
    return this.status === 'active' && !this.#otherTabs.isAwaitingAnswer ? inputRequest : null;
  }

  /**
   * True if the displayed messages belong to earlier conversations, and the next message starts a new
   * conversation.
   */
  get isBetweenSessions(): boolean {
    return this.#transcript.isBetweenSessions;
  }

  get status(): ConversationStatus {
    return this.#state.status;
  }

  get agentName(): string | null {
    return this.#state.agentName;
  }

  /**
   * Text below the bot's name: the agent's name or, before an agent joins, when the team is back or how soon
   * it replies.
   */
  get subtitle(): string {
    const { config, texts } = this.#deps;
    if (this.status === 'human') return this.agentName ?? texts.team;
    return this.status === 'ended' ? '' : describeTeam(config.team, this.#deps);
  }

  /** Text for a visitor who waits for an agent. */
  get waitingText(): string {
    return describeHandoff(this.#state, this.#deps);
  }

  get rating(): number | null {
    return this.#state.rating;
  }

  get unread(): number {
    return this.#unread.count;
  }

  /** True if the conversation has earlier messages than the displayed messages. */
  get hasEarlier(): boolean {
    return this.#reader.hasEarlier;
  }

  /** True from the visitor's message until its answer is complete. */
  get isAwaitingAnswer(): boolean {
    const isRunning = this.messages.some(({ state }) => state === 'sending' || state === 'growing');
    return isRunning || this.#otherTabs.isAwaitingAnswer;
  }

  /** True while an answer is generated that the visitor is allowed to stop. */
  get canStop(): boolean {
    return this.#transcript.findGrowing() !== undefined && !this.#state.isHandoff;
  }

  /** True while the visitor waits for an answer and none of its text has arrived. */
  get isTyping(): boolean {
    const answer = this.#transcript.findGrowing();
    return answer ? answer.content === '' && !this.#state.isHandoff : this.#otherTabs.isAwaitingAnswer;
  }

  /** Displays the stored conversation, and resends messages that had no answer when the page was left. */
  async resume(identity: IdentitySource): Promise<void> {
    await this.session.identify(identity);
    await this.session.waitUntilIdentified();
    await this.#restoreConversation();
    for (const pending of this.#deps.store.pending())
      if (!this.#outgoing.isFromThisTab(pending)) this.#outgoing.resume(pending);
  }

  async identify(identity: IdentitySource): Promise<void> {
    if (!(await this.session.identify(identity))) return;
    this.visitorCount += 1;
    this.lead.reset();
    this.#reset();
  }

  /** Sets whether the panel with the conversation is open. */
  setOpen(isOpen: boolean): void {
    this.#unread.isOpen = isOpen;
    this.#unread.markSeen();
    this.#updateFeed(true);
    this.#deps.onChange();
  }

  /**
   * Sends a message of the visitor.
   * @param optionId id of the option that the visitor has picked, if a flow offers options
   * @param clientId id under which files were uploaded for the message
   */
  send(content: string, optionId?: string, clientId?: string): void {
    this.notice = null;
    this.#updateFeed(true);
    this.#outgoing.send(content, optionId, clientId);
  }

  retry(message: ShownMessage): void {
    this.#outgoing.retry(message);
  }

  /** Sends the last question again, after its answer was an error or was stopped. */
  askAgain(): void {
    const question = this.#transcript.findLastOfVisitor();
    if (question) this.send(question.content);
  }

  /** Stops the answer that is generated. Its stream then ends with the text so far. */
  stopAnswer(): Promise<void> {
    return this.attempt(async () => {
      const id = this.#transcript.findGrowing()?.id;
      if (id) await this.session.useExisting((session) => this.#deps.api.stopAnswer(session, id));
    });
  }

  /** Runs an operation that the visitor requested, and displays a notice to the visitor if it fails. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this.notice = null;
    try {
      await work();
    } catch (error) {
      this.notice = describeFailure(error, this.#deps.texts);
    }
    this.#deps.onChange();
  }

  requestPerson(): Promise<void> {
    this.#handoffRequest ??= this.#requestPerson().finally(() => (this.#handoffRequest = undefined));
    return this.#handoffRequest;
  }

  async #requestPerson(): Promise<void> {
    const { api } = this.#deps;
    const request = this.session.useActive((session) =>
      api.postToSession<WidgetSession>(session, 'handoff', {}),
    );
    const state = await request.catch((error: unknown) => this.#explainRefusal(error));
    if (!state) return;
    this.#applySession(state);
    // Load missed messages: agents may have written some before the stream of the new session was open.
    await this.#catchUp();
  }

  /**
   * If the API refuses a handoff to an agent outside the opening hours, displays these hours.
   * @throws the given error in any other case
   */
  async #explainRefusal(error: unknown): Promise<null> {
    if (!(error instanceof ApiError) || error.code !== 'handoff_disabled') throw error;
    const state = await this.session.useExisting((session) => this.#deps.api.readSession(session));
    if (!state?.handoff_notice || state.handoff_notice.accepts_requests) throw error;
    this.notice = describeHandoff(state, this.#deps);
    return null;
  }

  async rate(rating: number): Promise<void> {
    const { api, texts } = this.#deps;
    const isRated = await this.session.useExisting(async (session) => {
      await api.postToSession(session, 'rating', { rating });
      return true;
    });
    if (isRated) Object.assign(this.#state, { rating, isRatedHere: true });
    else this.#onSessionExpired();
    this.notice = isRated ? texts.rated : texts.notRated;
  }

  /**
   * Stores the visitor's rating of an answer; null removes the rating. The buttons show it at once.
   * @param details the visitor’s reason and words
   */
  async rateAnswer(
    message: ShownMessage,
    rating: ShownMessage['rating'],
    details?: RatingDetails,
  ): Promise<void> {
    const { api, store, texts, onChange } = this.#deps;
    const { rating: previous, isRatedHere } = message;
    const restore = () => Object.assign(message, { rating: previous, isRatedHere });
    Object.assign(message, { rating, isRatedHere: true });
    onChange();
    try {
      const isRated = await this.session.useExisting(async (session) => {
        await api.rateAnswer(session, message.id ?? '', { rating, ...details });
        return true;
      });
      if (isRated) store.update({ history: this.#transcript.toHistory() });
      else {
        restore();
        this.#onSessionExpired();
        this.notice = texts.notRated;
      }
    } catch (error) {
      restore();
      throw error;
    }
  }

  readEarlier(): Promise<void> {
    return this.#reader.readEarlier();
  }

  /** Returns the link that belongs to a choice of the directory, and stores the choice for the team. */
  async resolveChoice(category: string, choice: string): Promise<DirectoryResolveResponse> {
    const { api } = this.#deps;
    try {
      return await this.session.use((current) => api.resolveChoice(category, choice, current));
    } catch (error) {
      // If the visitor may not start another session now, get the link without storing the choice.
      if (error instanceof ApiError && error.code === 'rate_limited')
        return api.resolveChoice(category, choice);
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.session.useExisting((session) => this.#deps.api.postToSession(session, 'end'));
    this.#onEnded();
  }

  startNewConversation(): void {
    this.#deps.store.update({ credential: undefined, history: [], pending: [], meetings: [] });
    this.#reset();
  }

  #onSessionStarted({ sessionId }: Credential): void {
    if (sessionId === this.#sessionId) return;
    const isRenewal = this.#sessionId !== undefined;
    this.#sessionId = sessionId;
    this.#reader.reset();
    if (isRenewal) this.#onSessionExpired();
    this.#updateFeed();
  }

  /**
   * Clears the displayed messages after the conversation was deleted. Unsent messages are sent in a new
   * conversation.
   */
  #onConversationDeleted(): void {
    this.#transcript.dropStored();
    this.bookings.reload();
    this.#reader.reset();
    this.#unread.count = 0;
  }

  /**
   * Called when the visitor's session has expired. The displayed messages stay, and the next message starts a
   * new session.
   */
  #onSessionExpired(): void {
    this.#transcript.beginSession();
    this.#state.reset();
    this.#deps.onChange();
  }

  #reset(): void {
    this.#outgoing.reset();
    this.#transcript.clear();
    this.bookings.reload();
    this.#sessionId = this.session.credential?.sessionId;
    this.#reader.reset();
    this.#state.reset();
    this.#unread.count = 0;
    this.notice = null;
    this.isConnected = true;
    this.#updateFeed();
    this.#deps.onChange();
  }

  /**
   * Opens or closes the stream of the conversation's events, as needed.
   * @param isAttended whether the visitor is using this page now
   */
  #updateFeed(isAttended = false): void {
    // Keep no stream open for a hidden page with a closed panel, because browsers limit the connections to a
    // server.
    const isNeeded = this.#unread.isOpen || this.#state.isHandoff || !document.hidden;
    this.#feed.setNeeded(isNeeded && this.status !== 'ended', isAttended);
  }

  async #restoreConversation(): Promise<void> {
    this.bookings.reload();
    for (const message of this.#deps.store.read().history ?? []) this.#transcript.put(message);
    this.#sessionId = this.session.credential?.sessionId;
    this.#deps.onChange();
    if (this.#sessionId === undefined) this.#transcript.beginSession();
    else await this.#reloadSession().catch(() => undefined);
    this.#updateFeed();
  }

  /** Loads the visitor's session from the API, because the copy in the browser may be outdated. */
  async #reloadSession(): Promise<void> {
    const sessionId = this.#sessionId;
    const snapshot = await this.#reader.readSession();
    if (snapshot === null) {
      // Do nothing if another tab has started a new session during the request.
      if (this.#sessionId === sessionId) this.#onSessionExpired();
      return;
    }
    this.#unread.recount(snapshot.messages);
    this.#applySession(snapshot.state);
  }

  /** Applies the changes of the conversation that another tab, or a later page of this tab, has stored. */
  async #applyOtherTabs(): Promise<void> {
    this.bookings.reload();
    const { credential } = this.session;
    // The stored history is empty after the conversation was deleted or the visitor has changed.
    const isSameConversation = this.#sessionId === undefined || this.#deps.store.read().history?.length;
    if (isSameConversation && this.#transcript.isUnfinished) {
      // Messages that this tab is sending stay displayed: they are sent in the current session.
      if (credential) this.#onSessionStarted(credential);
    } else if (credential?.sessionId !== this.#sessionId) {
      this.#reset();
      await this.#restoreConversation();
    }
    await this.#otherTabs.pollUntilAnswered();
  }

  async #catchUp(): Promise<void> {
    await this.#reader.readNewer().catch(() => undefined);
    this.#deps.onChange();
  }

  async #refreshLead(): Promise<void> {
    if (this.lead.mayBecomeDue) await this.#refreshSession();
  }

  async #refreshSession(): Promise<void> {
    const { api } = this.#deps;
    const session = await this.session.useExisting((current) => api.readSession(current)).catch(() => null);
    if (session) this.#applySession(session);
  }

  #applySession(session: WidgetSession): void {
    this.lead.applySession(session);
    if (!this.#state.isRatedHere) this.#state.rating = session.rating;
    if (session.status === 'ended') this.#onEnded();
    else this.#onHandoff(session);
    this.#deps.onChange();
  }

  #onHandoff(state: HandoffState): void {
    if (!this.#state.updateHandoff(state)) return;
    this.notice = null;
    this.#updateFeed();
  }

  #onEnded(): void {
    this.#state.markEnded();
    this.notice = null;
    this.#updateFeed();
    this.#deps.onChange();
  }

  #setConnected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) void this.#catchUp();
    this.#deps.onChange();
  }
}
