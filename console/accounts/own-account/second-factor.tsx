import { useState } from 'react';
import type { FactorStatus, RecoveryCodes } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { FactorSetupForm } from './factor-setup-form.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RenewRecoveryCodes } from './renew-recovery-codes.tsx';
import { SwitchFactorOff } from './switch-factor-off.tsx';

export interface SecondFactorProps {
  hasPassword: boolean;
  onOthersEnded(): void;
}

/** Enables or disables the second factor: a code of an authenticator app at each sign-in. */
export function SecondFactor({ hasPassword, onOthersEnded }: SecondFactorProps) {
  const { client } = useSession();
  const status = useLoad((signal) => client.get<FactorStatus>('/api/auth/mfa', signal), [client]);
  const [codes, setCodes] = useState<RecoveryCodes | null>(null);
  const showCodes = (made: RecoveryCodes): void => {
    setCodes(made);
    status.reload();
  };
  const handleEnabled = (made: RecoveryCodes): void => {
    showCodes(made);
    onOthersEnded();
  };
  const handleDisabled = (next: FactorStatus): void => {
    status.set(next);
    onOthersEnded();
  };
  return (
    <Section title="Second factor">
      <LoadedView loaded={status}>
        {(factor) =>
          factor.enabled ? (
            <>
              <FactorFacts factor={factor} />
              <div className="row">
                <RenewRecoveryCodes onCodes={showCodes} />
                {hasPassword && <SwitchFactorOff onOff={handleDisabled} />}
              </div>
              {!hasPassword && <p className="hint">To switch it off, set a password first.</p>}
            </>
          ) : (
            <FactorSetupForm onCodes={handleEnabled} />
          )
        }
      </LoadedView>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

function FactorFacts({ factor }: { factor: FactorStatus }) {
  return (
    <Facts
      facts={[
        ['State', <Badge key="state" state="on" />],
        ['Since', <TimeText key="since" at={factor.activated_at} />],
        ['Recovery codes', `${factor.recovery_codes_remaining} are left`],
        ['Made', <TimeText key="made" at={factor.recovery_generated_at} />],
      ]}
    />
  );
}
