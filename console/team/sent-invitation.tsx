import { WhereMailIs } from '../accounts/where-mail-is.tsx';
import type { Invitation } from '../client/types.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';

export interface SentInvitationProps {
  /** As the API answers whoever has just sent it, with a link that is shown this once. */
  invitation: Invitation;
  onClose(): void;
}

/** What was mailed, and a link to hand on where the mail does not arrive. */
export function SentInvitation({ invitation: { email, link }, onClose }: SentInvitationProps) {
  return (
    <Section title={`${email} is invited`}>
      <p role="status">The mail has a link to join; links that were sent before work no more.</p>
      <WhereMailIs />
      {link !== null && (
        <>
          <CopyField label="Link to hand on" value={link} />
          <p class="hint">
            Shown this once. It does not show whose address it is, so it takes a confirmed account of {email};
            the mailed link needs none.
          </p>
        </>
      )}
      <button type="button" onClick={onClose}>
        Done
      </button>
    </Section>
  );
}
