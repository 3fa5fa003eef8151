import assert from 'node:assert/strict';
import { AuthorityClaims } from '../../core/text/authority-claims.ts';
import { toLatinSkeleton } from '../../core/text/latin-skeleton.ts';

describe('AuthorityClaims:', () => {
  const claims = new AuthorityClaims(['Parley', 'Harbour Cloud']);

  const CLAIMED_NAMES = [
    'Account Protection Team',
    'Account Verify',
    'Login Alert',
    'Locked Account',
    'Sign-in Protection',

    'Identity Check',
    'Log in Alert',
    'Login Support',
    'Kontoschutz',
    'Konto-Sperrung',
    'Kontoüberprüfung',
    'Account Review Team',
    'Alerte de compte',

    'Служба безопасности',
    'Отдел безопасности банка',
    '帐户安全中心',
    '账号保护',
    'アカウント確認',
    '계정 보호',
    'The Support',
    'Su Cuenta',
    'Account Suspended',
    'Acme Par Ley',
    'Ask Par leysupport',
    'Account\u2800Verify',
    'Acc\u{e0100}ount Ver\u{e0100}ify',
    '客服中心',

    '보안팀',
    'セキュリティ',
    'Безопасность',
    'БЕЗОПАСНОСТЬ',
    'Служба Безопасности',
    'Ασφάλεια',
    'ΑΣΦΑΛΕΙΑ',
    'Ασφάλεια λογαριασμού',
    'Biztonság',
    'Turvallisuus',
    'أمان',
    'Bảo mật',
    'Bảo mật tài khoản',
    'אבטחה',
    'צוות אבטחה',
    'امنیت حساب',
    'ความปลอดภัยบัญชี',
    'सुरक्षा टीม',
    'Tietoturva',
    'Turvaosakond',
    'Saugumo komanda',
    'Drošības komanda',
    'Varnostna ekipa',
    'Sigurnosni tim',
    'Keamanan Akun',
    'Segurtasun taldea',
    'Seguretat del compte',
    'Öryggisteymi',
    'Безбедност тим',

    'Parlcy',
    'PARLEV',
    'Parely Support',
    'Harbour Clovd',
  ];
  for (const name of CLAIMED_NAMES)
    it(`occurInName finds ${name}`, () => assert.equal(claims.occurInName(name), true));

  const LOOKALIKES = [
    'Ꮲarley',
    '₱arley',
    'Parłey',
    'Parlǝy',
    'ᑭarley',
    'Sекurity',
    '🇵🇦🇷🇱🇪🇾',
    '🅟🅐🅡🅛🅔🅨',
    '𝓟𝓪𝓻𝓵𝓮𝔂',
    'Рагӏеу',
    'ᴘᴀʀʟᴇʏ',
    'Ｐａｒｌｅｙ',
    'P@rl3y',
    'Þarley',
    'Ƥarley',
    'Harbour Ꮯloud',

    '§ecurity',
    'Se⊂urity',
    'Ƨecurity',
    'Sᥱcurity',
    'Se(urity',
    'Sec∪rity Team',
    'Pʌrley',
    'ᖘarley',
    '𐓀arley',
    // Look-alikes of Latin letters that no table of look-alikes lists.
    'P△rley',
    'Рагʟ⟐у',
    'Harb☐ur Cloud',
    'Passw◯rd',
  ];
  for (const name of LOOKALIKES)
    it(`occurIn finds the look-alike ${name}`, () => assert.equal(claims.occurIn(name), true));

  const REPEATED = [
    'Paarley',
    'Parrley',
    'Parleyyy Billing',
    'Haarbour Cloud',
    'Seccurity',
    'Passsword',
    'Pʌrrley',
    'Acccount Verify',
    'Suppport Team',
  ];
  for (const name of REPEATED)
    it(`occurInName finds the claim in ${name} despite its repeated letter`, () =>
      assert.equal(claims.occurInName(name), true));

  const HONEST_NAMES = [
    'Lock & Key',
    'The Locked Room',
    'Login Fitness',
    'Identity Studio',
    'Alster Insurance Account Services',

    'Konto & Co. Steuerberatung',
    'Praxis Dr. Kontos',
    'Blocked Drains London',
    'Child Protection Society',

    'Check-in Hostel',
    'Health Check Clinic',
    'Smith Accountants',
    'Accounting Check GmbH',
    'Warning Records',

    'Van Le',
    'My Le',
    'Das',
    'Joe Root',
    'Suspended Ceilings Ltd',
    'Gaspar Leyva',
    'SPAR Leyland',

    'Frozen Yoghurt Bar',
    'Schlüsseldienst Krause',
    'Пожарная безопасность Плюс',
    '安全家居',
    '株式会社',
    'Łódź Bakery',

    'Verify Labs',
    'Alert Alarm Systems',
    'Protection Civile Marseille',
    'Zoë’s Café',
    'Acme Support',
    'Kasse & Bank',

    'Spa Arley Hall',
    'Steve (Arley)',
    'D’Arley',
    'Rot & Weiß',
    'Barley & Hops',
    'Harley Dealers',
    'Marley’s Coffee',
    'Farley & Sons',
    'Charley Brown',
    'Parsley Kitchen',
    'Paley Studio',
    'Purley Dental',
    'Parle Bakery',
    'Perley Books',
    'Parlay Games',
    'Mat Bao',
    '東京セキュリティ株式会社',
    'Harbour Cloth',
    'Pearly Dental',
    'Paisley Prints',
    'Mosel Weine (Trier)',

    'Müller & Söhne (Köln)',
    'Bäckerei Weißkopf',
    'L’Atelier n° 5',
    'H₂O Systems',
    '3M Deutschland',
    'C++ Training [Berlin]',
    'Кафе «Пушкин»',
    'Ελληνική Ταβέρνα',
    '日本 Motors（東京）',
  ];
  for (const name of HONEST_NAMES)
    it(`occurInName returns false for ${name}`, () => assert.equal(claims.occurInName(name), false));

  const CLAIMS = [
    'Account locked: action required',
    'Verify your account now',
    'We have locked your account. Reply with your PIN.',
    'Please send us your PIN by text.',
    'Reply with your code.',
    'There was a suspicious login.',
    'Ihr Konto wurde gesperrt.',
    'Su cuenta ha sido bloqueada.',
    'Ваш аккаунт заблокирован',
    '您的帐户已被锁定',
    '您在本店的账户有新消息。今天的新菜单已经上线，欢迎光临。请注意：账户已冻结',
    `${'\u{e0100}'.repeat(2700)}Parley Security: your password was compromised`,
    `${'All is well with us. '.repeat(400)}Verify your account now`,
  ];
  for (const text of CLAIMS)
    it(`occurIn finds “${text.slice(-50)}”`, () => assert.equal(claims.occurIn(text), true));

  const HONEST_TEXTS = [
    'Viewing',
    'Please bring your passport so that we can verify your identity before the appointment.',
    'Your PIN for the door is 4711. Enter your PIN at the gate.',
    'I blocked the slot for you, and put the deposit on the account.',
    'Please confirm your appointment by Friday.',
    'Send us your discount code and we take it off.',
    'You can change the address in your account under Settings.',
    'Let me check your account.',
    'We looked at your account (see §4), and the balance is €12.',
    'Your order is on its way. It arrives on Tuesday.',
  ];
  for (const text of HONEST_TEXTS)
    it(`occurIn returns false for “${text}”`, () => assert.equal(claims.occurIn(text), false));

  it('toLatinSkeleton returns the same skeleton for look-alikes', () => {
    for (const alike of ['Ꮲаrłеу', 'PARLEY', 'p\u200ba\u0301rley', '₱arle¥'])
      assert.equal(toLatinSkeleton(alike), toLatinSkeleton('parley'), alike);
  });
});
