import type { Language } from '../../../core/languages.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { AuthorityClaims } from '../../../core/text/authority-claims.ts';
import { readsAsMessage } from '../../../core/text/reads-as-message.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { senderWords } from './sender-words.ts';
import { preventAutoLinking } from '../rendering/prevent-auto-linking.ts';

export interface SenderChecksDeps {
  orgs: Pick<OrgRepository, 'getPlan'>;
  log: Logger;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom'>;
}

/**
 * Labels of host names that do not identify the operator, such as `www`. Names of workspaces may contain
 * them.
 */
const SERVICE_LABELS: ReadonlySet<string> = new Set(
  `www mail smtp chat help support app apps api cloud online test demo staging localhost local example internal`.split(
    ' ',
  ),
);

/**
 * Checks names and texts of workspaces in emails to people without an account. Anyone can create a free
 * workspace. Its emails must not pretend to come from the operator or to protect the reader's account.
 */
export class SenderChecks {
  readonly #deps: SenderChecksDeps;
  readonly #claims: AuthorityClaims;
  #flagged = 0;

  constructor(deps: SenderChecksDeps) {
    this.#deps = deps;
    this.#claims = new AuthorityClaims(['Parley', ...listOperatorNames(deps.settings)]);
  }

  /** Number of emails from which this process has removed a name or text of a workspace. */
  get flagged(): number {
    return this.#flagged;
  }

  /** @param template name of the email's template, for the log */
  async createSender(scope: OrgScope, template: string): Promise<Sender> {
    const { planTier } = await this.#deps.orgs.getPlan(scope);
    return planTier === 'free' ? this.#createUncheckedSender(scope.orgId, template) : CHECKED_SENDER;
  }

  #createUncheckedSender(orgId: string, template: string): Sender {
    let isFlagged = false;
    const flag = (): void => {
      if (isFlagged) return;
      isFlagged = true;
      this.#flagged += 1;
      this.#deps.log.warn(
        { orgId, template },
        'omitting words from email to a stranger: a workspace without a plan poses as the operator or a security team, or uses a message as a name',
      );
    };
    return {
      name: (name, instead) => {
        if (!this.#claims.occurInName(name) && !readsAsMessage(name)) return name;
        flag();
        return instead;
      },
      text: (text) => {
        if (!this.#claims.occurIn(text)) return text;
        flag();
        return '';
      },
      withoutLinks: preventAutoLinking,
      maySendLinks: false,
      notice: (language) => senderWords[language].notice,
    };
  }
}

/**
 * Sender of an email to a person without an account. If the sender is a workspace that Parley has not
 * checked, its methods filter the workspace's texts.
 */
export interface Sender {
  /** Returns the sender's name, or `instead` if the name pretends to be the operator or is a message. */
  name(name: string, instead: string): string;
  /** Returns the sender's text, or an empty string if the text makes a false claim. */
  text(text: string): string;
  /**
   * Returns the sender's text. For an unchecked sender, changes it so that mail clients turn no part of it
   * into a link.
   */
  withoutLinks(text: string): string;
  /** Whether the sender's emails may contain links to pages of the workspace. */
  maySendLinks: boolean;
  /** Returns a warning that Parley has not checked the sender; empty for a checked sender. */
  notice(language: Language): string;
}

const CHECKED_SENDER: Sender = {
  name: (name) => name,
  text: (text) => text,
  withoutLinks: (text) => text,
  maySendLinks: true,
  notice: () => '',
};

/** Lists the names by which recipients know the operator: the sender of its emails, and its host names. */
function listOperatorNames({ baseUrl, mailFrom }: Pick<Settings, 'baseUrl' | 'mailFrom'>): string[] {
  const [, display = '', domain = ''] = /^\s*([^<]*?)\s*<?[^\s<>@]*@([^\s<>@]+)>?\s*$/.exec(mailFrom) ?? [];
  const hosts = [domain, URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''];
  const labels = hosts.flatMap((host) => (/^[\d.:[\]]+$/.test(host) ? [] : host.split('.').slice(0, -1)));
  return [display, ...labels].filter((name) => !SERVICE_LABELS.has(name.toLowerCase()));
}
