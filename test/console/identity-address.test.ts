import { readMailsTo } from '../accounts/support.ts';
import type { TestParley } from '../support/parley.ts';
import { assertSignedInAs, signOut, useConsoles } from './support.ts';
import { useIssuer } from './use-issuer.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the sign-in page for an identity provider that does not verify addresses', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  useIssuer((started) => {
    parley = started.parley;
    started.signInAs('hidden');
  });

  itInSoak('asks for an address and for the emailed code, and later signs in without them', async () => {
    const page = await consoles().visit(`${parley.baseUrl}/console#/bots`);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Continue with Acme').click();
    await page.getByText("Acme didn't share a verified email.").waitFor();
    await page.getByLabel('Email', { exact: true }).fill('hedy@localhost');
    await button('Send code').click();
    await page.getByText('email').first().waitFor();
    await page.getByLabel('Email', { exact: true }).fill('hedy@example.com');
    await button('Send code').click();
    await page.getByText('We emailed a code to hedy@example.com.').waitFor();
    const code = (await readMailsTo(parley, 'hedy@example.com')).at(-1)!.values['code']!;
    await page.getByLabel('Verification code').fill(code === '000000' ? '000001' : '000000');
    await button('Sign in').click();
    await page.getByText('is wrong, was used or has expired').waitFor();
    await page.getByLabel('Verification code').fill(code);
    await button('Sign in').click();
    await assertSignedInAs(page, 'Hedy Hidden');
    await signOut(page);
    await button('Continue with Acme').click();
    await assertSignedInAs(page, 'Hedy Hidden');
  });
});
