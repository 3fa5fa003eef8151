import type { StripeAccount } from './account.ts';
import { declineSession, paySession } from './customer-actions.ts';
import { renderInvoicePdf } from './invoice-pdf.ts';
import { confirmPortal } from './resources/portal.ts';

export interface Page {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Renders Stripe's pages for customers: checkout, portal and invoices. */
export function renderHostedPage(account: StripeAccount, method: string, path: string): Page {
  const [, area, id = '', act] = new URL(path, account.url).pathname.split('/');
  if (!account.find(id)) return buildHtmlPage('There is no such page.', 404);
  if (area === 'invoice') return renderInvoicePage(account, id, act);
  if (area === 'portal')
    return method === 'POST' ? buildPageRedirect(confirmPortal(account, id)) : renderPortalPage(account, id);
  const { status, success_url: successUrl } = account.get('checkout.session', id);
  if (status !== 'open') return buildHtmlPage('<h1>This page has expired, or is paid already</h1>', 410);
  if (method === 'GET') return renderCheckoutPage(account, id);
  if (act === 'decline') {
    declineSession(account, id);
    return renderCheckoutPage(account, id, 'Your card was declined.');
  }
  paySession(account, id, act === 'pay-later');
  return buildPageRedirect((successUrl ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id));
}

function renderCheckoutPage(account: StripeAccount, id: string, problem = ''): Page {
  const session = account.get('checkout.session', id);
  const lines = account.orders
    .get(id)!
    .lines.map(({ description, quantity }) => `<li>${quantity} × ${escapeForHtml(description ?? '')}</li>`);
  const button = (act: string, label: string) =>
    `<form method="post" action="/checkout/${id}/${act}"><button>${label}</button></form>`;
  return buildHtmlPage(`<h1>Pay ${formatPrice(session.amount_total, session.currency)}</h1><ul>${lines.join('')}</ul>
    ${problem && `<p role="alert">${problem}</p>`}${button('pay', 'Pay')}${button('pay-later', 'Pay by bank debit')}
    ${button('decline', 'Pay with a card that is declined')}${renderBackLink(session.cancel_url)}`);
}

function renderPortalPage(account: StripeAccount, id: string): Page {
  const { flow, return_url: returnUrl } = account.get('billing_portal.session', id);
  const [item] = flow?.subscription_update_confirm?.items ?? [];
  const target = item && account.get('price', item.price);
  const confirm = target
    ? `<h1>Change to ${escapeForHtml(account.get('product', target.product).name)}, ${formatPrice(target.unit_amount, target.currency)} a month</h1>
      <form method="post"><button>Confirm</button></form>`
    : '<h1>Your subscription</h1>';
  return buildHtmlPage(`${confirm}${renderBackLink(returnUrl)}`);
}

function renderInvoicePage(account: StripeAccount, id: string, act: string | undefined): Page {
  const invoice = account.get('invoice', id);
  if (act !== 'pdf')
    return buildHtmlPage(`<h1>Invoice ${invoice.number}</h1><a href="${invoice.invoice_pdf}">Download</a>`);
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
  };
  return { status: 200, headers, body: renderInvoicePdf(invoice) };
}

function renderBackLink(url: string | null): string {
  return url === null ? '' : `<a href="${escapeForHtml(url)}">Back</a>`;
}

const STYLE = `body { font: 16px/1.5 sans-serif; background: #f6f9fc; color: #1a1f36 }
  main { max-width: 26rem; margin: 10vh auto; padding: 2rem; border-radius: 8px; background: #fff; box-shadow: 0 2px 12px #0002 }
  button { width: 100%; margin-top: .6rem; padding: .7rem; border: 0; border-radius: 6px; background: #635bff; color: #fff; font: inherit; cursor: pointer }
  form ~ form button { background: #e3e8ee; color: #1a1f36 } a { display: block; margin-top: 1rem } p { color: #b3093c }`;

function buildHtmlPage(content: string, status = 200): Page {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Stripe (a fake of it)</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function buildPageRedirect(location: string): Page {
  return { status: 303, headers: { location }, body: '' };
}

function formatPrice(amountCents: number | null, currency: string | null): string {
  return `${((amountCents ?? 0) / 100).toFixed(2)} ${(currency ?? '').toUpperCase()}`;
}

function escapeForHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
