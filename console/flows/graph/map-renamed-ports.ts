import type { FlowNode } from './flow-draft.ts';

/**
 * Lists in the data of a flow's step whose items each have an output of the step, with the prefix of the
 * output's id.
 */
const lists = [
  ['options', 'option'],
  ['cases', 'case'],
] as const;

/** Maps old ids of a step's outputs to new ids, after a rename of the items on which the outputs depend. */
export function mapRenamedPorts(before: FlowNode, after: FlowNode): Map<string, string> {
  return new Map(
    lists.flatMap(([list, kind]) => {
      const [old, now] = [listItemIds(before, list), listItemIds(after, list)];
      if (old.length !== now.length) return [];
      const isMoved = new Set(old).size === old.length && now.every((id) => old.includes(id));
      if (isMoved) return [];
      return old.flatMap((id, at): [string, string][] =>
        id === now[at] ? [] : [[`${kind}:${id}`, `${kind}:${now[at]}`]],
      );
    }),
  );
}

function listItemIds({ data }: FlowNode, list: string): string[] {
  const items = data[list];
  return Array.isArray(items) ? items.map((item: { id: string }) => item.id) : [];
}
