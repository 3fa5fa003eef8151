import type { PlanTier } from '../../core/billing/plans.ts';
import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { HIERARCHY_LEVELS, Org } from '../../entities/team/org.entity.ts';

/** A workspace in a hierarchy. */
export interface DescendantOrg {
  id: string;
  parentOrgId: string | null;
  name: string;
  slug: string;
  planTier: PlanTier;
  isActive: boolean;
  /** Steps from the workspace that has nothing above it. */
  depth: number;
}

const o = tableOf(Org, 'o');

/** $1 the first; rows of `above`, which are those above it, and the workspace itself. */
const ABOVE = `above AS (
  SELECT ${o('id')}, ${o('parentOrgId')} FROM ${o.from} WHERE ${o('id')} = $1
  UNION ALL
  SELECT ${o('id')}, ${o('parentOrgId')} FROM above a JOIN ${o.from} ON ${o('id')} = a.${o.bare('parentOrgId')}
)`;

/**
 * A workspace ($1) and all below it, with these of their columns. It takes a whole level at a time: a search of the index for
 * each workspace takes seven times as long as one for all of a level.
 */
function withBelow(columns: string): string {
  const level = (number: number) => `level_${number} AS (
    SELECT ${columns}, (SELECT count(*)::integer FROM above) + ${number - 1} AS depth
    FROM ${o.from} WHERE ${o('parentOrgId')} = ANY(ARRAY(SELECT id FROM level_${number - 1})))`;
  const levelsBelow = Array.from({ length: HIERARCHY_LEVELS - 1 }, (_, index) => index + 1);
  return `
    WITH RECURSIVE ${ABOVE}, level_0 AS (
      SELECT ${columns}, (SELECT count(*)::integer - 1 FROM above) AS depth
      FROM ${o.from} WHERE ${o('id')} = $1 AND ${o('deletedAt')} IS NULL
    ), ${levelsBelow.map(level).join(', ')}, below AS (
      ${[0, ...levelsBelow].map((number) => `SELECT * FROM level_${number}`).join(' UNION ALL ')}
    )`;
}

/** A row's `xmin` is the transaction that wrote it last. $1 a workspace */
export const HIERARCHY_MARK = statement<{ mark: string }>({
  name: 'hierarchy-mark',
  because: 'Levels hang on each other, and marks are of the rows’ own versions (bench hierarchy).',
  isPrepared: true,
  text: `${withBelow(`${o('id')}, o.xmin`)}
    SELECT format('%s.%s.%s', count(*), min(depth), bit_xor(hash_record_extended((id, xmin), 0))) AS mark FROM below`,
});

/** Ids are sorted by time. $1 a workspace */
export const HIERARCHY = statement<DescendantOrg>({
  name: 'hierarchy',
  because: 'Levels hang on each other, and 5,000 workspaces are read in one statement (bench hierarchy).',
  isPrepared: true,
  text: `${withBelow(o.as('id', 'parentOrgId', 'name', 'slug', 'planTier', 'isActive'))}
    SELECT * FROM below ORDER BY depth, id`,
});

/** $1 a workspace; from the top on, so that two that lock the same ones do it in the same order. */
export const LOCK_ABOVE = statement({
  name: 'lock-above',
  because: 'The workspaces above are found one by the other, and locked in the order of their ids.',
  text: `
    SELECT FROM ${o.from} WHERE ${o('id')} IN (
      WITH RECURSIVE ${ABOVE} SELECT id FROM above WHERE id <> $1
    ) ORDER BY ${o('id')} FOR SHARE`,
});
