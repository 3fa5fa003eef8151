import type { ApiClient, WidgetConfig, WidgetSession } from './api-client.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';
import type { Choice } from './stored.ts';

export interface LeadPromptDeps {
  api: ApiClient;
  store: Store;
  session: Session;
  form: WidgetConfig['lead_capture'];
  changed(): void;
}

/** Whether the visitor is to be asked for contact details, and what they say to that. */
export class LeadPrompt {
  consent: WidgetSession['consent'] = 'unknown';
  readonly #deps: LeadPromptDeps;
  #isDue: boolean;

  constructor(deps: LeadPromptDeps) {
    this.#deps = deps;
    this.#isDue = this.isFirst;
  }

  /** The form comes before the first message. */
  get isFirst(): boolean {
    return this.#deps.form?.['trigger'] === 'before_chat';
  }

  get isDue(): boolean {
    return this.#deps.form !== null && this.#isDue && this.#deps.store.read().isLeadSettled !== true;
  }

  /** Only the API knows when so many messages are there. */
  get mayBecomeDue(): boolean {
    return this.#deps.form?.['trigger'] === 'after_n_messages' && !this.isDue;
  }

  /** The visitor is another one. */
  reset(): void {
    this.consent = 'unknown';
    this.#isDue = this.isFirst;
  }

  tell({ consent, lead_form_due: isDue }: WidgetSession): void {
    this.consent = consent;
    this.#isDue = isDue;
  }

  /** @throws ApiError when a value is refused */
  async submit(fields: Record<string, unknown>): Promise<void> {
    const { api, store, session } = this.#deps;
    store.update({ isRefused: false, untoldConsent: 'granted' });
    await session.useOpen((current) => api.change(current, 'lead', { fields }));
    this.consent = 'granted';
    this.settle();
  }

  /** No contact details are given, and none may be stored. */
  async refuse(): Promise<void> {
    this.settle();
    await this.setConsent('denied');
  }

  /** The visitor is not asked again. */
  settle(): void {
    this.#deps.store.update({ isLeadSettled: true });
    this.#deps.changed();
  }

  /** Takes back whatever the visitor has left, in this conversation and earlier ones. */
  withdraw(): Promise<void> {
    return this.setConsent(this.#deps.session.isKnown ? 'withdrawn' : 'denied');
  }

  /** Said at once where the visitor is known, and else before anything else to the session that begins. */
  async setConsent(consent: Choice): Promise<void> {
    const { store, session } = this.#deps;
    store.update({ isRefused: consent !== 'granted', untoldConsent: consent });
    if (session.isKnown) await session.use(async () => undefined);
    this.consent = consent;
  }
}
