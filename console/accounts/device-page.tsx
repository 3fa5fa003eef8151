import { Button, Group, Loader, NativeSelect, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { DeviceLogin, Me, Org } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { useStore } from '../state/use-store.ts';
import { sessionAuthority } from '../session/authority.ts';
import { deleteCredentials, storedCredentials } from '../session/stored-credentials.ts';
import { formatFullTime } from '../components/text/format-time.ts';
import { AccountPage, StatusText } from './account-page.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

/** Session storage key of the device login's code, which must survive a sign-in at an identity provider. */
const CODE = 'parley.device-code';

/**
 * Page on which a person approves a device login, such as `parley login`. The page first asks the person to
 * sign in.
 * @param code user code in the URL; null if the URL has none
 */
export function DevicePage({ code }: { code: string | null }) {
  const credentials = useStore(storedCredentials);
  const [shown, setShown] = useState(code ?? sessionStorage.getItem(CODE) ?? '');
  useEffect(() => sessionStorage.setItem(CODE, shown), [shown]);
  return (
    <AccountPage title="Sign in on a device">
      {credentials === null || credentials.refreshToken === null ? (
        <>
          <Text>A device is requesting access to your account. Sign in to approve or deny it.</Text>
          <SignIn />
        </>
      ) : shown === '' ? (
        <CodeEntry onCode={setShown} />
      ) : (
        <Decision key={shown} code={shown} onOtherCode={() => setShown('')} />
      )}
    </AccountPage>
  );
}

function CodeEntry({ onCode }: { onCode(code: string): void }) {
  const [code, setCode] = useState('');
  return (
    <Form onSubmit={() => onCode(code.trim())}>
      <TextField
        name="user_code"
        label="Code"
        value={code}
        onChange={setCode}
        hint="The code that your device shows, for example WDJB-MJHT."
        maxLength={20}
        isRequired
        isFocused
      />
      <SubmitButton isWide isBusy={false}>
        Continue
      </SubmitButton>
    </Form>
  );
}

interface LoadedLogin {
  login: DeviceLogin;
  me: Me;
  /** Workspaces in which the person who approves the device login may create API keys. */
  orgs: readonly Org[];
}

async function loadLogin(client: Client, code: string): Promise<LoadedLogin> {
  const [login, me, orgs] = await Promise.all([
    client.get<DeviceLogin>(path`/api/ext/device-logins/${code}`),
    client.get<Me>('/api/auth/me'),
    client.get<Org[]>('/api/orgs'),
  ]);
  return { login, me, orgs: orgs.filter(({ role }) => role === 'owner' || role === 'admin') };
}

function Decision({ code, onOtherCode }: { code: string; onOtherCode(): void }) {
  const [client] = useState(() => new Client(sessionAuthority, deleteCredentials));
  const [loaded, setLoaded] = useState<LoadedLogin>();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const load = useCallback((): void => {
    setProblem(null);
    loadLogin(client, code).then(setLoaded, (error: unknown) => setProblem(toApiError(error)));
  }, [client, code]);
  useEffect(load, [load]);
  const finish = (): void => {
    sessionStorage.removeItem(CODE);
    load();
  };
  return (
    <>
      <ProblemMessage problem={problem} onRetry={load} />
      {loaded === undefined && problem === null && <Loader aria-label="Loading" size="sm" />}
      {loaded?.login.status === 'pending' && <DecisionForm client={client} {...loaded} onDecided={finish} />}
      {loaded !== undefined && loaded.login.status !== 'pending' && (
        <StatusText>
          {loaded.login.status === 'denied'
            ? 'Sign-in denied. You can close this page.'
            : 'Sign-in approved. Return to your device. You can close this page.'}
        </StatusText>
      )}
      <Button variant="subtle" color="gray" onClick={onOtherCode}>
        Enter another code
      </Button>
    </>
  );
}

interface DecisionFormProps extends LoadedLogin {
  client: Client;
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
    <div className="form-stack">
      <Text>
        Approve the sign-in only if you just started it yourself and your device shows the same code.
        Otherwise, someone else could get access to your workspace.
      </Text>
      <Facts
        facts={[
          ['Code', <strong key="code">{code}</strong>],
          ['Device', login.client_name],
          ['IP address', login.ip_address],
          ['Started', formatFullTime(login.created_at)],
          ['Your account', me.user.email],
        ]}
      />
      {orgs.length === 0 ? (
        <Text>Only workspace owners and admins can approve a device sign-in.</Text>
      ) : (
        <NativeSelect
          label="Workspace"
          description="The device gets an API key with your permissions in this workspace. You can revoke it at any time."
          value={orgId}
          onChange={({ currentTarget }) => setOrgId(currentTarget.value)}
          data={orgs.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <ProblemMessage problem={approve.problem ?? deny.problem} />
      <Group>
        {orgs.length > 0 && (
          <Button aria-disabled={approve.isBusy} onClick={() => approve.run()}>
            Approve
          </Button>
        )}
        <Button variant="default" aria-disabled={deny.isBusy} onClick={() => deny.run()}>
          Deny
        </Button>
      </Group>
    </div>
  );
}
