import { Button } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { EmbedSnippet } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { Section } from '../../components/page/section.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { askForProof } from '../../session/fresh-proof.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';

export interface IdentitySecretProps {
  botId: string;
  embed: EmbedSnippet;
  onChange(): void;
}

const DESCRIPTION = 'Use this secret on your server to sign identity tokens. Never expose it in the browser.';

/**
 * Hours for which the previous secret stays valid after a rotation, so that websites can switch to the new
 * secret.
 */
const GRACE_HOURS = 24;

/**
 * Shows the secret with which the customer's website signs the identity of visitors. Users who may not change
 * the bot do not see it.
 */
export function IdentitySecret({ botId, embed, onChange }: IdentitySecretProps) {
  const { client } = useSession();
  const [isShown, setShown] = useState(false);
  const { identity_secret: secret, former_identity_secret_until: until } = embed;
  if (!usePermission()('bots:write', 'member')) return null;
  const rotate = async (graceHours: number): Promise<void> => {
    await client.patch(path`/api/bots/${botId}`, { rotate_identity_secret: { grace_hours: graceHours } });
    onChange();
  };
  return (
    <Section title="Identity verification" description={DESCRIPTION}>
      {secret === null || !isShown ? (
        <div>
          <RevealButton
            needsProof={secret === null}
            onProven={() => {
              setShown(true);
              if (secret === null) onChange();
            }}
          />
        </div>
      ) : (
        <>
          <CopyField label="Identity secret" value={secret} />
          {until !== null && (
            <p className="hint">
              The previous secret still works until <RelativeTime at={until} />.
            </p>
          )}
          <div className="button-row">
            <ConfirmButton
              question="Rotate the identity secret?"
              consequence={`The current secret keeps working for ${GRACE_HOURS} hours, so that you can update your servers.`}
              onConfirm={() => rotate(GRACE_HOURS)}
            >
              Rotate secret
            </ConfirmButton>
            <ConfirmButton
              question="Revoke the identity secret immediately?"
              consequence="The current secret stops working immediately. Visitors are anonymous until your servers use the new one."
              onConfirm={() => rotate(0)}
            >
              Revoke immediately
            </ConfirmButton>
          </div>
        </>
      )}
    </Section>
  );
}

/**
 * Button that shows the bot's identity secret. The API returns the secret only after a recent sign-in, so the
 * button may first ask the user to sign in again.
 */
function RevealButton({ needsProof, onProven }: { needsProof: boolean; onProven(): void }) {
  if (!needsProof)
    return (
      <Button variant="default" onClick={onProven}>
        Show secret
      </Button>
    );
  const proveAndShow = async (): Promise<void> => {
    if (await askForProof()) onProven();
  };
  return <ActionButton onAction={proveAndShow}>Show secret</ActionButton>;
}
