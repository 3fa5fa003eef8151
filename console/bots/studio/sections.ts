import type { ComponentType } from 'react';
import { getOwn } from '../../../browser/own-value.ts';
import type { IconProps } from '../../components/theme/icon.tsx';
import { IconAudit } from '../../shell/icons.ts';
import {
  IconAddress,
  IconAppearance,
  IconDeploy,
  IconFlows,
  IconHandoff,
  IconInstructions,
  IconKnowledge,
  IconLeads,
  IconOverview,
  IconTest,
} from '../icons.ts';

/** Sections of the bot studio, with their names and icons. */
export const sections = [
  ['overview', 'Overview', IconOverview],
  ['instructions', 'Instructions', IconInstructions],
  ['knowledge', 'Knowledge', IconKnowledge],
  ['appearance', 'Appearance', IconAppearance],
  ['handoff', 'Handoff', IconHandoff],
  ['leads', 'Lead form', IconLeads],
  ['directory', 'Directory', IconAddress],
  ['flows', 'Flows', IconFlows],
  ['test', 'Test', IconTest],
  ['deploy', 'Deploy', IconDeploy],
  ['versions', 'Versions', IconAudit],
] as const satisfies readonly (readonly [string, string, ComponentType<IconProps>])[];

export type SectionId = (typeof sections)[number][0];

/** Sections of the bot studio by the names that their URLs had in earlier releases. */
const earlierNames: Readonly<Record<string, SectionId>> = {
  draft: 'overview',
  settings: 'instructions',
  documents: 'knowledge',
  playground: 'test',
  search: 'test',
  embed: 'deploy',
};

/** Returns the section of the bot studio that a URL names; undefined if the URL names none. */
export function findSection(name: string): SectionId | undefined {
  return sections.find(([id]) => id === name)?.[0] ?? getOwn(earlierNames, name);
}
