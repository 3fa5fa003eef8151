import { Store } from '../client/store.ts';

const NAME = 'parley.setup';

interface SetupMarks {
  /** Ids of workspaces in which this browser has tested a bot. */
  tested: readonly string[];
  /** Ids of workspaces whose checklist the user has dismissed. */
  dismissed: readonly string[];
}

/** Marks of the setup of workspaces, which this browser keeps. */
export const setupMarks = new Store<SetupMarks>(readMarks());

/** Remembers that the user has tested a bot of a workspace. */
export function markTested(orgId: string): void {
  addMark('tested', orgId);
}

export function dismissChecklist(orgId: string): void {
  addMark('dismissed', orgId);
}

function addMark(kind: keyof SetupMarks, orgId: string): void {
  const marks = readMarks();
  if (marks[kind].includes(orgId)) return;
  setupMarks.set({ ...marks, [kind]: [...marks[kind], orgId] });
  localStorage.setItem(NAME, JSON.stringify(setupMarks.value));
}

function readMarks(): SetupMarks {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(NAME);
  try {
    return { tested: [], dismissed: [], ...(JSON.parse(stored ?? '{}') as Partial<SetupMarks>) };
  } catch {
    return { tested: [], dismissed: [] };
  }
}
