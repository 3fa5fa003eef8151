import { Button } from '@mantine/core';
import { MailLocation } from '../components/mail-location.tsx';
import type { Invitation } from '../client/types.ts';
import { CopyField } from '../components/copy-field.tsx';
import { Section } from '../components/section.tsx';

export interface SentInvitationProps {
  /** Invitation with its link, which only the response to its creation contains. */
  invitation: Invitation;
  onClose(): void;
}

/**
 * Confirms that an invitation was sent. Shows its link, which the user can send in another way if the mail
 * does not arrive.
 */
export function SentInvitation({ invitation: { email, link }, onClose }: SentInvitationProps) {
  return (
    <Section title={`${email} is invited`}>
      <p role="status">The mail has a link to join; links that were sent before work no more.</p>
      <MailLocation />
      {link !== null && (
        <>
          <CopyField label="Link to hand on" value={link} />
          <p className="hint">
            Shown this once. It does not show whose address it is, so it takes a confirmed account of {email};
            the mailed link needs none.
          </p>
        </>
      )}
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </Section>
  );
}
