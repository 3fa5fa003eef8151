import type { Me } from '../../client/types.ts';
import { Section } from '../../components/page/section.tsx';
import { ChangePassword } from './change-password.tsx';
import { LinkedIdentities } from './linked-identities.tsx';
import { SecondFactor } from './second-factor.tsx';

export interface SecuritySectionProps {
  me: Me;
  /** Called after a change that signs the user out on all other devices. */
  onOthersEnded(): void;
}

/** Section with the password, the second factor and the linked identity providers. */
export function SecuritySection({ me, onOthersEnded }: SecuritySectionProps) {
  return (
    <Section title="Sign-in & security" description="How you sign in, and what protects your account.">
      <ChangePassword me={me} onOthersEnded={onOthersEnded} />
      <SecondFactor hasPassword={me.user.has_password} onOthersEnded={onOthersEnded} />
      <LinkedIdentities />
    </Section>
  );
}
