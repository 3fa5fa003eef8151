import { Button } from '@mantine/core';
import { ApiError } from '../../client/api-error.ts';
import { path } from '../../client/paths.ts';
import type { CalendarConnection, ConnectResponse } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { providerNames, type CalendarProvider } from './provider-names.ts';

const choices: readonly (readonly [CalendarProvider, string])[] = [
  ['google', "You'll choose a Google account. Keep all permissions checked."],
  [
    'caldav',
    "Nextcloud, Fastmail, iCloud and others. You'll need the URL, the user name and an app password.",
  ],
  ['local', 'Bookings stay in Parley. You can connect another calendar later.'],
];

/** Buttons that open a calendar provider's page, which redirects back to the console. */
export function ConnectCalendar({ connection }: { connection: CalendarConnection | null }) {
  const { client } = useSession();
  const connect = useAction(async (provider: CalendarProvider) => {
    const url = path`/api/calendar/${provider}/connect`;
    const { authorization_url: next } = await client.post<ConnectResponse>(url, undefined, {
      storesCookie: true,
    });
    assertRedirectsHere(next);
    window.location.assign(next);
  });
  const shownChoices = choices.filter(
    ([provider]) => provider !== 'local' || connection?.provider !== 'local',
  );
  return (
    <Section title={connection === null ? 'Connect calendar' : 'Connect another calendar'}>
      {connection !== null && <p className="hint">Your settings are kept.</p>}
      <ul className="stack">
        {shownChoices.map(([provider, hint]) => (
          <li key={provider} className="connect">
            <Button
              variant={connection?.provider === provider ? 'filled' : 'default'}
              aria-disabled={connect.isBusy}
              onClick={() => connect.run(provider)}
            >
              {describeConnect(provider, connection)}
            </Button>
            <span className="hint">{hint}</span>
          </li>
        ))}
      </ul>
      <ProblemMessage problem={connect.problem} />
    </Section>
  );
}

function describeConnect(provider: CalendarProvider, connection: CalendarConnection | null): string {
  if (connection?.provider === provider) return `Reconnect ${providerNames[provider]}`;
  return provider === 'local' ? 'Use built-in calendar' : `Connect ${providerNames[provider]}`;
}

/**
 * Checks that the calendar provider redirects to this origin. The cookie that binds the connection to this
 * browser exists only for this origin.
 * @throws ApiError for another origin
 */
function assertRedirectsHere(address: string): void {
  const { origin } = new URL(new URL(address).searchParams.get('redirect_uri') ?? address);
  if (origin === window.location.origin) return;
  throw new ApiError(`Open the console at ${origin}/console to connect a calendar.`);
}
