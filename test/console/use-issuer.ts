import { findFreePorts } from '../../scripts/launcher/ports.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIssuer,
  type IssuerOptions,
  type TestIssuer,
} from '../support/openid-issuer.ts';
import { startParley, type TestParley } from '../support/parley.ts';

export interface ParleyWithIssuer {
  parley: TestParley;
  acme: TestIssuer;
  /**
   * Selects the person whom the identity provider signs in: `grace`, or `hidden`, whose email address it does
   * not reveal.
   */
  signInAs(subject: 'grace' | 'hidden'): void;
}

/**
 * Starts a Parley whose identity provider `acme` signs every person in as Grace Hopper, around the
 * tests of a `describe`.
 */
export function useIssuer(onStarted: (started: ParleyWithIssuer) => void): void {
  let started: ParleyWithIssuer | undefined;
  before(async () => {
    started = await startParleyWithIssuer();
    onStarted(started);
  });
  after(async () => {
    await started?.parley.stop();
    await started?.acme.stop();
  });
}

async function startParleyWithIssuer(): Promise<ParleyWithIssuer> {
  const [port] = await findFreePorts(1);
  const baseUrl = `http://127.0.0.1:${port}`;
  const options: IssuerOptions = {
    redirectUri: `${baseUrl}/sign-in/acme`,
    people: {
      grace: { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' },
      hidden: { name: 'Hedy Hidden' },
    },
    visitor: 'grace',
  };
  const acme = await startIssuer(options);
  const provider = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, issuer: acme.issuer };
  const parley = await startParley({
    PORT: String(port),
    PARLEY_BASE_URL: baseUrl,
    PARLEY_IDENTITY_PROVIDERS: JSON.stringify({ acme: provider }),
  });
  return { parley, acme, signInAs: (subject) => void (options.visitor = subject) };
}
