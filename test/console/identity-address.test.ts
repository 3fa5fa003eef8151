import { readMailsTo } from '../accounts/support.ts';
import type { TestParley } from '../support/parley.ts';
import { assertSignedInAs, useConsoles } from './support.ts';
import { useIssuer } from './use-issuer.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the sign-in page for an identity provider that verifies no address', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  useIssuer((started) => {
    parley = started.parley;
    started.signInAs('hidden');
  });

  itInSoak(
    'asks for the address and for the mailed code, and signs in from then on without them',
    async () => {
      const page = await consoles().visit(`${parley.baseUrl}/console#/bots`);
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      await button('Continue with acme').click();
      await page.getByText('acme does not confirm an e-mail address of yours.').waitFor();
      await page.getByLabel('E-mail address').fill('hedy@localhost');
      await button('Mail me a code').click();
      await page.getByText('email').first().waitFor();
      await page.getByLabel('E-mail address').fill('hedy@example.com');
      await button('Mail me a code').click();
      await page.getByText('A code was mailed to hedy@example.com.').waitFor();
      const code = (await readMailsTo(parley, 'hedy@example.com')).at(-1)!.values['code']!;
      await page.getByLabel('Code from the mail').fill(code === '000000' ? '000001' : '000000');
      await button('Sign in').click();
      await page.getByText('is wrong, was used or has expired').waitFor();
      await page.getByLabel('Code from the mail').fill(code);
      await button('Sign in').click();
      await assertSignedInAs(page, 'Hedy Hidden');
      await button('Sign out').click();
      await button('Continue with acme').click();
      await assertSignedInAs(page, 'Hedy Hidden');
    },
  );
});
