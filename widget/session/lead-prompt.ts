import type { ApiClient, WidgetConfig, WidgetSession } from './api-client.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';

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

  tell({ consent, lead_form_due: isDue }: WidgetSession): void {
    this.consent = consent;
    this.#isDue = isDue;
  }

  /** @throws ApiError when a value is refused */
  async submit(fields: Record<string, unknown>): Promise<void> {
    const { api, store, session } = this.#deps;
    store.update({ isRefused: false });
    await session.useOpen(async (current) => {
      await api.change(current, 'consent', { consent: 'granted' });
      await api.change(current, 'lead', { fields });
    });
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

  /** Said to the session that is there, or else to the one that begins next. */
  async setConsent(consent: 'granted' | 'denied' | 'withdrawn'): Promise<void> {
    const { api, store, session } = this.#deps;
    store.update({ isRefused: consent !== 'granted' });
    await session.useExisting((current) => api.change(current, 'consent', { consent }));
    this.consent = consent;
  }
}
