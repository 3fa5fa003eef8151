import { path } from '../client/paths.ts';
import type { EmbedSnippet } from '../client/types.ts';
import { askForProof } from '../session/fresh-proof.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../components/action-button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { CopyField } from '../components/copy-field.tsx';
import { TimeText } from '../components/time-text.tsx';

export interface IdentitySecretProps {
  botId: string;
  embed: EmbedSnippet;
  onChange(): void;
}

/**
 * Button that shows the secret. It first asks the user to sign in again, because the API returns the secret
 * only after a recent sign-in.
 */
function HiddenSecret({ onProven }: { onProven(): void }) {
  const showAfterProof = async (): Promise<void> => {
    if (await askForProof()) onProven();
  };
  return (
    <section className="card stack">
      <h2>Who your visitors are</h2>
      <p>Your server signs identity tokens with a secret. It is hidden, as you have signed in a while ago.</p>
      <div className="row">
        <ActionButton onAction={showAfterProof}>Show the secret</ActionButton>
      </div>
    </section>
  );
}

/**
 * Hours for which the previous secret stays valid after a rotation, so that websites can switch to the new
 * one.
 */
const GRACE_HOURS = 24;

/**
 * Shows the secret with which the customer's website signs the identity of visitors. Users who may not change
 * the bot do not see it.
 */
export function IdentitySecret({ botId, embed, onChange }: IdentitySecretProps) {
  const { client } = useSession();
  const { identity_secret: secret, former_identity_secret_until: until } = embed;
  const mayConfigure = usePermission()('bots:write', 'member');
  if (secret === null) return mayConfigure ? <HiddenSecret onProven={onChange} /> : null;
  const rotate = async (graceHours: number): Promise<void> => {
    await client.patch(path`/api/bots/${botId}`, { rotate_identity_secret: { grace_hours: graceHours } });
    onChange();
  };
  return (
    <section className="card stack">
      <h2>Who your visitors are</h2>
      <p>
        Your server signs identity tokens with this. With it, anyone can pose as any visitor: never put it on
        a page.
      </p>
      <CopyField label="Identity secret" value={secret} />
      {until !== null && (
        <p className="hint">
          The secret before this one is good until <TimeText at={until} />.
        </p>
      )}
      <div className="row">
        <ConfirmButton
          question="Make a new identity secret?"
          consequence={`The present one goes on for ${GRACE_HOURS} hours beside it, until your servers know the new one.`}
          onConfirm={() => rotate(GRACE_HOURS)}
        >
          Rotate the secret
        </ConfirmButton>
        <ConfirmButton
          question="Replace the identity secret at once?"
          consequence="The present one stops at once: until your servers know the new one, visitors are anonymous."
          onConfirm={() => rotate(0)}
        >
          It has leaked
        </ConfirmButton>
      </div>
    </section>
  );
}
