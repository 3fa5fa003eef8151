import { ActionIcon, Indicator, Menu } from '@mantine/core';
import { useBots } from '../../bots/use-bots.ts';
import { IconFilter, IconMark } from '../../shell/icons.ts';

export interface InboxFilterMenuProps {
  filters: Record<string, string>;
  onChange(changed: Record<string, string>): void;
}

const presences = [
  ['', 'All visitors'],
  ['present', 'Visitor online'],
] as const;

/** Menu that limits the inbox to a bot, or to visitors who are online. */
export function InboxFilterMenu({ filters: { state = '', bot = '' }, onChange }: InboxFilterMenuProps) {
  const bots = useBots();
  const botOptions = [['', 'All bots'] as const, ...bots.map(({ id, name }) => [id, name] as const)];
  const renderOptions = (
    options: readonly (readonly [string, string])[],
    chosen: string,
    onChoose: (value: string) => void,
  ) =>
    options.map(([value, name]) => (
      <Menu.RadioItem
        key={value}
        value={value}
        checked={value === chosen}
        checkIcon={<IconMark size={14} />}
        closeMenuOnClick
        onChange={onChoose}
      >
        {name}
      </Menu.RadioItem>
    ));
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Filter inbox">
          <Indicator disabled={state === '' && bot === ''} size={7} offset={-2}>
            <IconFilter size={16} />
          </Indicator>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="filter-options">
        <Menu.Label>Visitor</Menu.Label>
        {renderOptions(presences, state, (chosen) => onChange({ state: chosen }))}
        {bots.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>Bot</Menu.Label>
            {renderOptions(botOptions, bot, (chosen) => onChange({ bot: chosen }))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
