import { useState } from 'react';
import type { FactorStatus, RecoveryCodes } from '../../client/types.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { Status } from '../../components/lists/status.tsx';
import { useApi } from '../../state/use-api.ts';
import { FactorSetup } from './factor-setup.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RegenerateCodes } from './regenerate-codes.tsx';
import { TurnFactorOff } from './turn-factor-off.tsx';

export interface SecondFactorProps {
  hasPassword: boolean;
  onOthersEnded(): void;
}

/** Setting that turns the second factor on or off: a code of an authenticator app at each sign-in. */
export function SecondFactor({ hasPassword, onOthersEnded }: SecondFactorProps) {
  const factor = useApi<FactorStatus>('/api/auth/mfa');
  const [codes, setCodes] = useState<RecoveryCodes | null>(null);
  const showCodes = (created: RecoveryCodes): void => {
    setCodes(created);
    factor.reload();
  };
  const handleEnabled = (created: RecoveryCodes): void => {
    showCodes(created);
    onOthersEnded();
  };
  const handleDisabled = (next: FactorStatus): void => {
    factor.set(next);
    onOthersEnded();
  };
  return (
    <>
      <SettingRow
        title={
          <>
            Two-factor authentication{' '}
            {factor.data?.enabled && (
              <Status tone="good" key="on">
                On
              </Status>
            )}
          </>
        }
        description={
          factor.data?.enabled ? (
            <FactorFacts factor={factor.data} hasPassword={hasPassword} />
          ) : (
            'Off. If you turn this on, sign-in requires a code from your authenticator app.'
          )
        }
      >
        {factor.data?.enabled === false && <FactorSetup onCodes={handleEnabled} />}
        {factor.data?.enabled && (
          <>
            <RegenerateCodes onCodes={showCodes} />
            {hasPassword && <TurnFactorOff onTurnedOff={handleDisabled} />}
          </>
        )}
      </SettingRow>
      <ProblemMessage problem={factor.problem} onRetry={factor.reload} />
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}

function FactorFacts({ factor, hasPassword }: { factor: FactorStatus; hasPassword: boolean }) {
  return (
    <>
      Turned on <RelativeTime at={factor.activated_at} /> · {factor.recovery_codes_remaining} recovery codes
      remaining, created <RelativeTime at={factor.recovery_generated_at} />
      {!hasPassword && '. Set a password to turn it off.'}
    </>
  );
}
