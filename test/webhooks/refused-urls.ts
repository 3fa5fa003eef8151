/** Spellings of private hosts to which Parley must not send webhooks, none of them on the tests’ allow list. */
export const privateHosts = `
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376
  0 0.0.0.0 0x0 0300.0250.1 192.168.257 0xc0.0xa8.0.1 ①⓪.0.0.1 192。168。0。1 %31%30.0.0.1 10.0.0.1. 012.0.0.1
  [::1] [::] [0:0:0:0:0:0:0:1] [fe80::1] [febf::1] [fc00::1] [fd00:ec2::254] [fec0::1] [::ffff:10.0.0.1] [::ffff:a00:1]
  [::10.0.0.1] [::ffff:0:10.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a00:1] [2002:a00:1::]
  [2001::a00:1] [2001:db8::1] [ff02::1] [100::1] [3fff::1] [5f00::1] 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1
  198.51.100.7 203.0.113.7 224.0.0.1 240.0.0.1 255.255.255.255
`
  .trim()
  .split(/\s+/);

/** Invalid URLs of a webhook endpoint whose host is not private. */
export const refusedUrls = [
  'http://example.com/hook',
  'http://nowhere.invalid/hook',
  'http://8.8.8.8/hook',
  'https://user:pass@example.com/hook',
  'https://user@example.com/hook',
  'https://:pass@example.com/hook',
  'https://example.com%40nowhere.invalid@10.0.0.1/',
  'https://8.8.8.8:22/hook',
  'https://8.8.8.8:25/hook',
  'https://8.8.8.8:6667/hook',
  'https://8.8.8.8:10080/hook',
  'https://[2606:4700:4700::1111]:6000/hook',
  'https://8.8.8.8:99999/hook',
  'https://',
  'https://exa mple.com/',
  'https://exa<mple>.com/',
  'https://1.2.3.4.5/',
  'https://[::1/',
  `https://${'a'.repeat(64)}.com/`,
  `https://${'a.'.repeat(126)}com/`,
  'https://a..b.com/',
  'ftp://example.com/hook',
  'ws://example.com/hook',
  'file:///etc/passwd',
  'data:text/plain,hook',
  'javascript:alert(1)',
  '//example.com/hook',
  '/hook',
  'example.com',
  'hook',
  ' ',
] as const;
