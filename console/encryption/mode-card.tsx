import { List, Title } from '@mantine/core';
import type { Team } from '../team/team.ts';
import { DialogButton } from '../components/dialogs/dialog-button.tsx';
import { modeNames, type EncryptionFacts, type Mode } from './encryption-facts.ts';
import { SwitchForm } from './switch-form.tsx';

export interface ModeCardProps {
  mode: Mode;
  facts: EncryptionFacts;
  team: Team;
  isOwner: boolean;
  hasService: boolean;
  onSwitched(): void;
}

/** Shows the consequences of an encryption mode, with a button that switches to the mode. */
export function ModeCard({ mode, facts, team, isOwner, hasService, onSwitched }: ModeCardProps) {
  const isCurrent = facts.mode === mode;
  const consequences = facts.consequences[mode];
  const name = `Switch to ${switchNames[mode]}`;
  const lacksService = mode === 'tenant' && !hasService;
  return (
    <section className="card" data-mode={mode} aria-labelledby={`mode-${mode}`}>
      <Title order={2} id={`mode-${mode}`}>
        {modeNames[mode]} {isCurrent && <span className="tag">Current</span>}
      </Title>
      <ConsequenceList lines={consequences} />
      {!isCurrent && isOwner && !lacksService && (
        <DialogButton name={name} title={`${name}?`} kind="danger">
          {(close) => (
            <SwitchForm mode={mode} name={name} workspace={team.name} onSwitched={onSwitched} close={close}>
              <ConsequenceList lines={consequences} />
            </SwitchForm>
          )}
        </DialogButton>
      )}
      {!isCurrent && isOwner && lacksService && <p className="hint">Configure your KMS below first.</p>}
    </section>
  );
}

const switchNames: Record<Mode, string> = {
  platform: 'platform-managed keys',
  tenant: 'customer-managed key',
};

function ConsequenceList({ lines }: { lines: readonly string[] }) {
  return (
    <List size="sm" spacing={4} listStyleType="disc">
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  );
}
