import { useEffect, useState } from 'preact/hooks';
import { Client } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { DeviceLogin, Me, Org } from '../client/types.ts';
import { useStore } from '../hooks/store.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { sessionAuthority } from '../session/authority.ts';
import { deleteCredentials, storedCredentials } from '../session/stored-credentials.ts';
import { Facts } from '../ui/facts.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { AccountPage } from './account-page.tsx';
import { SignIn } from './sign-in.tsx';

/** Stores the code while the person signs in at an identity provider. */
const CODE = 'parley.device-code';

/**
 * Page on which a person approves a device login, such as `parley login`. It asks to sign in first.
 * @param code user code in the URL; null if the URL has none
 */
export function DevicePage({ code }: { code: string | null }) {
  const credentials = useStore(storedCredentials);
  const [shown, setShown] = useState(code ?? sessionStorage.getItem(CODE) ?? '');
  useEffect(() => sessionStorage.setItem(CODE, shown), [shown]);
  return (
    <AccountPage title="Log in a device">
      {credentials === null || credentials.refreshToken === null ? (
        <>
          <p>A device asks for access to Parley. Sign in with your account to decide.</p>
          <SignIn />
        </>
      ) : shown === '' ? (
        <CodeEntry onCode={setShown} />
      ) : (
        <Decision code={shown} onOtherCode={() => setShown('')} />
      )}
    </AccountPage>
  );
}

function CodeEntry({ onCode }: { onCode(code: string): void }) {
  const [code, setCode] = useState('');
  return (
    <Form class="stack" onSubmit={() => onCode(code.trim())}>
      <TextField
        label="Code"
        value={code}
        onChange={setCode}
        hint="Your device shows it, for example WDJB-MJHT."
        maxLength={20}
        isRequired
        isFocused
      />
      <button class="primary">Continue</button>
    </Form>
  );
}

function Decision({ code, onOtherCode }: { code: string; onOtherCode(): void }) {
  const [client] = useState(() => new Client(sessionAuthority, deleteCredentials));
  const loaded = useLoad(
    async (signal) => {
      const [login, me, orgs] = await Promise.all([
        client.get<DeviceLogin>(path`/api/ext/device-logins/${code}`, signal),
        client.get<Me>('/api/auth/me', signal),
        client.get<Org[]>('/api/orgs', signal),
      ]);
      return { login, me, orgs: orgs.filter(({ role }) => role === 'owner' || role === 'admin') };
    },
    [client, code],
  );
  const finish = (): void => {
    sessionStorage.removeItem(CODE);
    loaded.reload();
  };
  return (
    <>
      <LoadedView loaded={loaded}>
        {({ login, me, orgs }) =>
          login.status === 'pending' ? (
            <DecisionForm client={client} login={login} me={me} orgs={orgs} onDecided={finish} />
          ) : (
            <p role="status">
              {login.status === 'denied'
                ? 'The login is denied. You can close this page.'
                : 'The login is approved. Return to your device; you can close this page.'}
            </p>
          )
        }
      </LoadedView>
      <button type="button" onClick={onOtherCode}>
        Enter another code
      </button>
    </>
  );
}

interface DecisionFormProps {
  client: Client;
  login: DeviceLogin;
  me: Me;
  /** Workspaces in which the person may create API keys. */
  orgs: readonly Org[];
  onDecided(): void;
}

function DecisionForm({ client, login, me, orgs, onDecided }: DecisionFormProps) {
  const current = orgs.find(({ id }) => id === me.organization?.id) ?? orgs[0];
  const [orgId, setOrgId] = useState(current?.id ?? '');
  const { user_code: code } = login;
  const approve = useAction(async () => {
    await client.post(path`/api/ext/orgs/${orgId}/device-logins/${code}/approve`, {});
    onDecided();
  });
  const deny = useAction(async () => {
    await client.post(path`/api/ext/device-logins/${code}/deny`, undefined);
    onDecided();
  });
  return (
    <div class="card stack">
      <p>
        Approve this only if you have just started it yourself, and your device shows the same code. Otherwise
        a stranger gets access to your workspace.
      </p>
      <Facts
        facts={[
          ['Code', <strong>{code}</strong>],
          ['Device', login.client_name],
          ['IP address', login.ip_address],
          ['Started', <TimeText at={login.created_at} />],
          ['Your account', me.user.email],
        ]}
      />
      {orgs.length === 0 ? (
        <p>You need the role admin in a workspace to approve this.</p>
      ) : (
        <SelectField
          label="Workspace"
          value={orgId}
          onChange={setOrgId}
          options={orgs.map(({ id, name }) => [id, name] as const)}
          hint="The device gets an API key with your rights there, until you revoke the key."
        />
      )}
      <ProblemMessage problem={approve.problem ?? deny.problem} />
      <div class="row">
        {orgs.length > 0 && (
          <button type="button" class="primary" aria-disabled={approve.isBusy} onClick={() => approve.run()}>
            Approve
          </button>
        )}
        <button type="button" aria-disabled={deny.isBusy} onClick={() => deny.run()}>
          Deny
        </button>
      </div>
    </div>
  );
}
