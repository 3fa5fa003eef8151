import type { Language } from '../../../core/languages.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { AuthorityClaims } from '../../../core/text/authority-claims.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { senderWords } from './sender-words.ts';
import { unlinked } from '../rendering/unlinked.ts';

export interface SenderChecksDeps {
  orgs: Pick<OrgRepository, 'getPlan'>;
  log: Logger;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom'>;
}

/** Labels of host names that name a service and not who offers it. */
const SERVICE_LABELS: ReadonlySet<string> = new Set(
  `www mail smtp chat help support app apps api cloud online test demo staging localhost local example internal`.split(
    ' ',
  ),
);

/**
 * What workspaces may call themselves in mails to strangers. Anybody can have one without a plan, so names and texts of those
 * that claim to be the operator, or to guard the reader's account, are left out.
 */
export class SenderChecks {
  readonly #deps: SenderChecksDeps;
  readonly #claims: AuthorityClaims;
  #flagged = 0;

  constructor(deps: SenderChecksDeps) {
    this.#deps = deps;
    this.#claims = new AuthorityClaims(['Parley', ...operatorNames(deps.settings)]);
  }

  /** How many mails of this process have left names or texts out. */
  get flagged(): number {
    return this.#flagged;
  }

  /** @param template of the mail, for operators */
  async open(scope: OrgScope, template: string): Promise<Sender> {
    const { planTier } = await this.#deps.orgs.getPlan(scope);
    return planTier === 'free' ? this.#unchecked(scope.orgId, template) : checked;
  }

  #unchecked(orgId: string, template: string): Sender {
    let isNoted = false;
    const flag = (): void => {
      if (isNoted) return;
      isNoted = true;
      this.#flagged += 1;
      this.#deps.log.warn(
        { orgId, template },
        'a workspace without a plan claims to be the operator or security in a mail to a stranger',
      );
    };
    return {
      name: (name, instead) => {
        if (!this.#claims.isClaimedBy(name)) return name;
        flag();
        return instead;
      },
      text: (text) => {
        if (!this.#claims.areIn(text)) return text;
        flag();
        return '';
      },
      withoutLinks: unlinked,
      notice: (language) => senderWords[language].notice,
    };
  }
}

/** Whoever a mail to a stranger comes from. */
export interface Sender {
  /** The name, or what stands in its place. */
  name(name: string, instead: string): string;
  /** The text, or nothing. */
  text(text: string): string;
  /** The text, which mail programs make no links of where nobody has checked the sender. */
  withoutLinks(text: string): string;
  /** What the reader is told of the sender; empty where there is nothing to tell. */
  notice(language: Language): string;
}

const checked: Sender = {
  name: (name) => name,
  text: (text) => text,
  withoutLinks: (text) => text,
  notice: () => '',
};

/** What readers know the operator by: the sender of mails, and the host. */
function operatorNames({ baseUrl, mailFrom }: Pick<Settings, 'baseUrl' | 'mailFrom'>): string[] {
  const [, display = '', domain = ''] = /^\s*([^<]*?)\s*<?[^\s<>@]*@([^\s<>@]+)>?\s*$/.exec(mailFrom) ?? [];
  const hosts = [domain, URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''];
  const labels = hosts.flatMap((host) => (/^[\d.:[\]]+$/.test(host) ? [] : host.split('.').slice(0, -1)));
  return [display, ...labels].filter((name) => !SERVICE_LABELS.has(name.toLowerCase()));
}
