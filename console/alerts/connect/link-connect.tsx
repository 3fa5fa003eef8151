import { Alert, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AlertConnection, AlertLink } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { SafeLink } from '../../components/text/safe-link.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { channelNames, type AlertChannel } from '../alert-words.ts';
import { CapturedMessagesHint } from '../captured-messages-hint.tsx';
import { useConnection } from './use-connection.ts';

export interface LinkConnectProps {
  channel: AlertChannel;
  /** Link that was already created to connect a chat; null to create a link. */
  attempt: AlertLink | null;
  onAttempt(attempt: AlertLink): void;
  onConnected(connection: AlertConnection): void;
}

/**
 * Connects the chat that gets the alerts, by a link that the user opens in the messaging app. Creates the
 * link when the component mounts.
 */
export function LinkConnect({ channel, attempt, onAttempt, onConnected }: LinkConnectProps) {
  const { client } = useSession();
  const createLink = useAction(async () =>
    onAttempt(await client.post<AlertLink>(`/api/alerts/${channel}/connect`)),
  );
  useEffect(() => {
    if (attempt === null) createLink.run();
  }, []);
  return (
    <>
      <ProblemMessage problem={createLink.problem} onRetry={() => createLink.run()} />
      {attempt === null && createLink.isBusy && (
        <Text c="dimmed" role="status">
          Creating a link…
        </Text>
      )}
      {attempt !== null && (
        <>
          <OpenLink key={attempt.attempt_id} channel={channel} attempt={attempt} onConnected={onConnected} />
          <div>
            <Button variant="default" aria-disabled={createLink.isBusy} onClick={() => createLink.run()}>
              Create new link
            </Button>
          </div>
        </>
      )}
    </>
  );
}

interface OpenLinkProps extends Pick<LinkConnectProps, 'channel' | 'onConnected'> {
  attempt: AlertLink;
}

function OpenLink({ channel, attempt, onConnected }: OpenLinkProps) {
  const [recipient, setRecipient] = useState<'person' | 'group'>('person');
  const status = useConnection(channel, attempt, onConnected);
  if (status === 'expired') return <Alert color="red">The link expired before it was opened.</Alert>;
  const { link, group_link: groupLink } = attempt;
  return (
    <>
      {groupLink !== null && (
        <RadioChoices
          legend="Recipient"
          value={recipient}
          choices={[
            { value: 'person', title: 'One person' },
            { value: 'group', title: 'A group' },
          ]}
          onChange={setRecipient}
        />
      )}
      <LinkToOpen channel={channel} link={recipient === 'group' ? (groupLink ?? link) : link} />
      <Text role="status">
        {status === 'connected' ? (
          'Connected.'
        ) : (
          <>
            Waiting for the recipient to open the link. The link is valid until{' '}
            <TimeText at={attempt.expires_at} />.
          </>
        )}
      </Text>
    </>
  );
}

function LinkToOpen({ channel, link: url }: { channel: AlertChannel; link: string }) {
  const isCaptured = new URL(url).pathname.startsWith('/dev/mail/');
  const link = isCaptured ? toThisServer(url) : url;
  const name = channelNames[channel];
  return (
    <>
      <Text>
        {isCaptured
          ? 'Open the link in this browser and answer in the phone simulator.'
          : `Scan the QR code with the recipient's phone, or open the link there, then ${appInstructions[channel]}`}
      </Text>
      <QrCode text={link} label={`QR code for ${name}, with the link below`} />
      <CopyField label="Link" value={link} />
      <Text>
        <SafeLink href={link}>Open {isCaptured ? 'the phone simulator' : name}</SafeLink>
      </Text>
      {isCaptured && (
        <p className="hint">
          <CapturedMessagesHint>This server has no {name} account.</CapturedMessagesHint>
        </p>
      )}
    </>
  );
}

/** Instructions for connecting a chat, by messaging app. */
const appInstructions: Readonly<Record<AlertChannel, string>> = {
  telegram: 'press Start.',
  whatsapp: 'send the prepared message.',
};

/**
 * Replaces the origin of a link by the console's origin. Parley builds links with its public URL, whose
 * origin may differ.
 */
function toThisServer(link: string): string {
  const { pathname, search } = new URL(link);
  return `${window.location.origin}${pathname}${search}`;
}
