import { errorCodes, type ErrorCode } from '../../core/error-codes.ts';

export function presentErrorPage(code: ErrorCode) {
  const { status, title, help } = errorCodes[code];
  return { code, status, title, help };
}

export function renderErrorPage({ code, status, title, help }: ReturnType<typeof presentErrorPage>): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${code}: ${title}</title>
</head>
<body>
  <h1>${title}</h1>
  <p><code>${code}</code>, HTTP status ${status}</p>
  <p>${help}</p>
</body>
</html>
`;
}
