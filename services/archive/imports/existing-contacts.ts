import type { OrgScope } from '../../../database/org-scope.ts';
import type {
  ContactIdentity,
  MergedContact,
} from '../../../repositories/archive/archive-import.repository.ts';
import type { ImportedContact } from '../../../repositories/archive/archive-import.sql.ts';

type Person = Pick<ContactIdentity, 'id' | 'identity' | 'botId' | 'browserId'>;

/** Existing contacts of the workspace that may be the same people as contacts of the archive. */
export class ExistingContacts {
  /** Ids that contacts of any workspace have or had, including erased contacts. */
  readonly #usedIds: ReadonlySet<string>;
  readonly #idsInWorkspace: ReadonlySet<string>;
  readonly #byFormerId = new Map<string, string>();
  readonly #byIdentity = new Map<string, string>();
  readonly #byBrowser = new Map<string, string>();

  /**
   * @param found.byId contacts of any workspace whose id occurs in the import's batch
   * @param found.similar contacts of this workspace that share an identity or a browser with the batch
   * @param found.merged contacts of the batch that were merged into contacts of this workspace
   */
  constructor(
    { orgId }: Pick<OrgScope, 'orgId'>,
    found: {
      byId: readonly ContactIdentity[];
      similar: readonly ContactIdentity[];
      merged: readonly MergedContact[];
    },
  ) {
    this.#usedIds = new Set(found.byId.map(({ id }) => id));
    const inWorkspace = found.byId.filter((each) => each.orgId === orgId && each.deletedAt === null);
    this.#idsInWorkspace = new Set(inWorkspace.map(({ id }) => id));
    for (const { formerId, id } of found.merged) addFirst(this.#byFormerId, formerId, id);
    for (const each of found.similar) this.#addPerson(each);
  }

  exists(ids: readonly string[]): boolean {
    return ids.some((id) => this.#idsInWorkspace.has(id));
  }

  isIdInUse(id: string): boolean {
    return this.#usedIds.has(id);
  }

  /**
   * Returns the id of the existing contact for the same person as an archived contact; undefined if no
   * contact exists.
   */
  findSamePerson(
    { identity, botId, browserId }: Pick<ImportedContact, 'identity' | 'botId' | 'browserId'>,
    ids: readonly string[],
  ): string | undefined {
    const merger = ids.find((id) => this.#byFormerId.has(id));
    if (merger !== undefined) return this.#byFormerId.get(merger);
    if (identity !== null) return this.#byIdentity.get(identity);
    return this.#byBrowser.get(browserKey(botId, browserId));
  }

  /** Adds a contact that the import inserts, with the ids of the contacts that were merged into it. */
  add({ formerIds, ...person }: Person & Pick<ImportedContact, 'formerIds'>): void {
    for (const formerId of formerIds) addFirst(this.#byFormerId, formerId, person.id);
    this.#addPerson(person);
  }

  /** Adds a contact of the workspace. If an identity or browser has several contacts, uses the first contact. */
  #addPerson({ id, identity, botId, browserId }: Person): void {
    if (identity !== null) addFirst(this.#byIdentity, identity, id);
    else addFirst(this.#byBrowser, browserKey(botId, browserId), id);
  }
}

function addFirst(map: Map<string, string>, key: string, id: string): void {
  if (!map.has(key)) map.set(key, id);
}

function browserKey(botId: string, browserId: string): string {
  return `${botId} ${browserId}`;
}
