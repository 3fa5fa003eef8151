import { Store } from '../client/store.ts';

const NAME = 'parley.tested';

/** Ids of workspaces in which a bot was tested in this browser. */
export const testedWorkspaces = new Store<readonly string[]>(readTested());

export function markTested(orgId: string): void {
  const tested = readTested();
  if (tested.includes(orgId)) return;
  testedWorkspaces.set([...tested, orgId]);
  localStorage.setItem(NAME, testedWorkspaces.value.join());
}

function readTested(): string[] {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(NAME);
  return stored === null ? [] : stored.split(',');
}
