import { NativeSelect } from '@mantine/core';
import { buildHref, goTo } from '../../router.ts';
import { sections, type SectionId } from './sections.ts';

export interface StudioNavProps {
  botId: string;
  current: SectionId;
  /** Whether a section of the bot studio has unsaved changes. */
  isChanged: (section: SectionId) => boolean;
}

/** Links to the sections of the bot studio. On a phone, a field in which the user selects a section. */
export function StudioNav({ botId, current, isChanged }: StudioNavProps) {
  const toHref = (id: SectionId): string => buildHref(['bots', botId, id]);
  return (
    <>
      <nav className="studio-nav" aria-label="Sections of the bot">
        {sections.map(([id, name, Icon]) => (
          <a key={id} href={toHref(id)} aria-current={id === current ? 'page' : undefined}>
            <Icon />
            {name}
            {isChanged(id) && <span className="changed-dot" role="img" aria-label="Unsaved changes" />}
          </a>
        ))}
      </nav>
      <NativeSelect
        className="studio-select"
        aria-label="Section"
        value={current}
        data={sections.map(([id, name]) => ({ value: id, label: name }))}
        onChange={({ currentTarget }) => goTo(toHref(currentTarget.value as SectionId))}
      />
    </>
  );
}
