import type { StripeAccount } from './account.ts';
import { declineSession, paySession } from './acts.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { confirmPortal } from './resources/portal.ts';

export interface Page {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Stripe's own pages, to which customers are sent: of a checkout, of the portal, and invoices. */
export function hostedPage(account: StripeAccount, method: string, path: string): Page {
  const [, area, id = '', act] = new URL(path, account.url).pathname.split('/');
  if (!account.find(id)) return html('There is no such page.', 404);
  if (area === 'invoice') return invoicePage(account, id, act);
  if (area === 'portal')
    return method === 'POST' ? redirect(confirmPortal(account, id)) : portalPage(account, id);
  if (method === 'GET') return checkoutPage(account, id);
  if (act === 'decline') {
    declineSession(account, id);
    return checkoutPage(account, id, 'Your card was declined.');
  }
  const { success_url: successUrl } = paySession(account, id, act === 'pay-later');
  return redirect((successUrl ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id));
}

function checkoutPage(account: StripeAccount, id: string, problem = ''): Page {
  const session = account.get('checkout.session', id);
  if (session.status !== 'open') return html('<h1>This page has expired or is already paid</h1>');
  const lines = account.orders
    .get(id)!
    .lines.map(({ description, quantity }) => `<li>${quantity} × ${escaped(description ?? '')}</li>`);
  const button = (act: string, label: string) =>
    `<form method="post" action="/checkout/${id}/${act}"><button>${label}</button></form>`;
  return html(`<h1>Pay ${price(session.amount_total, session.currency)}</h1><ul>${lines.join('')}</ul>
    <p role="alert">${problem}</p>${button('pay', 'Pay')}${button('pay-later', 'Pay by bank debit')}
    ${button('decline', 'Pay with a card that is declined')}
    ${session.cancel_url === null ? '' : `<a href="${escaped(session.cancel_url)}">Back</a>`}`);
}

function portalPage(account: StripeAccount, id: string): Page {
  const { flow, return_url: returnUrl } = account.get('billing_portal.session', id);
  const [item] = flow?.subscription_update_confirm?.items ?? [];
  const target = item && account.get('price', item.price);
  const confirm = target
    ? `<h1>Change to ${escaped(account.get('product', target.product).name)}, ${price(target.unit_amount, target.currency)} a month</h1>
      <form method="post"><button>Confirm</button></form>`
    : '<h1>Your subscription</h1>';
  return html(`${confirm}${returnUrl === null ? '' : `<a href="${escaped(returnUrl)}">Back</a>`}`);
}

function invoicePage(account: StripeAccount, id: string, act: string | undefined): Page {
  const invoice = account.get('invoice', id);
  if (act !== 'pdf')
    return html(`<h1>Invoice ${invoice.number}</h1><a href="${invoice.invoice_pdf}">Download</a>`);
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
  };
  return { status: 200, headers, body: invoicePdf(invoice) };
}

function html(content: string, status = 200): Page {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Stripe (a fake of it)</title><body style="font: 16px sans-serif; max-width: 30rem; margin: 2rem auto">${content}`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function redirect(location: string): Page {
  return { status: 303, headers: { location }, body: '' };
}

function price(amountCents: number | null, currency: string | null): string {
  return `${((amountCents ?? 0) / 100).toFixed(2)} ${(currency ?? '').toUpperCase()}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
