import type { VisitorApi, WidgetConfig, WidgetSession } from './api-client.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';
import type { ConsentChoice } from './stored-state.ts';

export interface LeadPromptDeps {
  api: VisitorApi;
  store: Store;
  session: Session;
  form: WidgetConfig['lead_capture'];
  onChange(): void;
}

/** Decides whether to ask the visitor for contact details, and stores what the visitor chose. */
export class LeadPrompt {
  consent: WidgetSession['consent'] = 'unknown';
  readonly #deps: LeadPromptDeps;
  #isDue: boolean;

  constructor(deps: LeadPromptDeps) {
    this.#deps = deps;
    this.#isDue = this.isBeforeChat;
  }

  /** True if the visitor must complete or dismiss the form for contact details before the first message. */
  get isBeforeChat(): boolean {
    return this.#deps.form?.['trigger'] === 'before_chat';
  }

  get isDue(): boolean {
    return this.#isDue && this.canBeOffered;
  }

  /** True if the visitor has neither completed nor dismissed the form for contact details. */
  get canBeOffered(): boolean {
    return this.#deps.form !== null && this.#deps.store.read().isLeadSettled !== true;
  }

  /**
   * True if the form for contact details is not due yet, because it is shown after some messages of the
   * visitor. The API counts them.
   */
  get mayBecomeDue(): boolean {
    return this.#deps.form?.['trigger'] === 'after_n_messages' && !this.isDue;
  }

  /** Resets the state of the form when another visitor is identified. */
  reset(): void {
    this.consent = 'unknown';
    this.#isDue = this.isBeforeChat;
  }

  applySession({ consent, lead_form_due: isDue }: WidgetSession): void {
    this.consent = consent;
    this.#isDue = isDue;
  }

  /** @throws ApiError if the API rejects a value of the form */
  async submit(fields: Record<string, unknown>): Promise<void> {
    const { api, store, session } = this.#deps;
    store.update({ isRefused: false, untoldConsent: 'granted' });
    await session.useActive((current) => api.postToSession(current, 'lead', { fields }));
    this.consent = 'granted';
    this.dismiss();
  }

  /** Stores that this visitor must not be asked for contact details again. */
  dismiss(): void {
    this.#deps.store.update({ isLeadSettled: true });
    this.#deps.onChange();
  }

  /**
   * Withdraws the visitor's consent to the storage of contact details, for this conversation and earlier
   * conversations.
   */
  withdraw(): Promise<void> {
    return this.setConsent(this.#deps.session.isKnown ? 'withdrawn' : 'denied');
  }

  /**
   * Stores the visitor's choice whether contact details may be stored. Sends it at once if the API knows the
   * visitor; otherwise, with the next session.
   */
  async setConsent(consent: ConsentChoice): Promise<void> {
    const { store, session } = this.#deps;
    store.update({ isRefused: consent !== 'granted', untoldConsent: consent });
    if (session.isKnown) await session.use(async () => undefined);
    this.consent = consent;
  }
}
