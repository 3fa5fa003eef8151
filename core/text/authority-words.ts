/**
 * Words that impostors use to pose as the security team of a service where the reader has an account. Covers
 * the languages of Parley's emails and some others.
 */
export const AUTHORITY = `security cybersecurity sicherheit seguridad securite sicurezza beveiliging seguranca bezpieczenstwo
  guvenlik sakerhet sikkerhed sikkerhet bezpecnost biztonsag turvallisuus tietoturva securitate segurtasun seguretat
  turvaosakond saugumo drosibas varnostna varnost sigurnosni sigurnost keamanan oryggisteymi bezbednost безбедност ความปลอดภัย सुरक्षा
  verification verifizierung
  verificacion verificacao verifica verificatie validation authentication authentifizierung password passwort contrasena
  motdepasse wachtwoord palavrapasse phishing antifraud postmaster mailerdaemon administrator administrador administrateur
  amministratore beheerder unauthorized compromised`;

/** Authority words that count only as whole words, because they also occur inside harmless words. */
export const WHOLE_WORD_AUTHORITY = `admin admins fraud fraude betrug abuse noreply donotreply secure sysadmin пароль пароля пароли`;

/** Words in senders' names that identify no person, such as "Support". */
export const IMPERSONAL_NAMES = `account accounts konto konten cuenta cuentas compte comptes conto conti conta contas rekening support help
  helpdesk hilfe ayuda aide aiuto hulp ajuda assistance asistencia assistenza service services servicio servizio servico dienst
  kundendienst kundenservice kunden klanten klantenservice customer customers client clients cliente clientes clienti care
  team teams equipo equipe squadra equipa desk center centre centro department dept abteilung departamento office billing
  rechnung facturacion facturation fatturazione facturatie faturacao payment payments zahlung pago paiement pagamento betaling
  invoice invoices finance legal mail mails email emails message messages system systems systeem notice notices notification
  notifications alert alerts update updates info information contact official offizielle staff operator operations moderator
  webmaster hostmaster root trust safety user users web online internal it hr bot bots assistant chat
  login logon protection verify
  служба поддержка поддержки команда центр отдел клиентов 客服 客服中心 サポート サポートセンター 고객센터
  безопасность безопасности безпека безпеки сигурност аккаунт аккаунта учетная запись
  ασφάλεια ασφάλειας λογαριασμός λογαριασμού υποστήριξη ομάδα
  أمان الأمان الأمن حساب الحساب الدعم فريق
  אבטחה אבטחת חשבון תמיכה צוות
  امنیت حساب پشتیبانی
  baomat taikhoan fiok ugyfelszolgalat kayttajatili asiakaspalvelu
  安全 安全部 安全团队 安全團隊 帐户 账户 帳戶 セキュリティ セキュリティ部 セキュリティチーム アカウント 보안 보안팀 보안부 계정`;

/**
 * Further words in senders' names that identify no person, but also occur in people's names, such as "Van
 * Le".
 */
export const FILLERS = `the your our my ihr unser dein su sus tu nuestro votre notre vostro nostro uw onze seu nosso
  of and for from by with und fur von der die das y de del la el los et du des le les e di il lo i en van het een o a os as`;

/** Words for a user's account. Such a word counts as a security claim only near a word of THREATS. */
export const ACCOUNTS = `account accounts login logins logon signin useraccount mailbox wallet konto kontos benutzerkonto zugang anmeldung cuenta
  compte conto conta rekening аккаунт аккаунта аккаунту учетная учетной учетную
  λογαριασμός λογαριασμού حساب الحساب حسابك חשבון חשבונך taikhoan fiok fiokja kayttajatili`;
/**
 * Words for identity. Such a word counts as a security claim only in names and titles: in prose, a notary may
 * ask to verify a person's identity.
 */
export const IDENTITIES = `identity identitat identidad identite identita identiteit identidade`;

/** Words that urge the reader to act on a user account, or claim that something happened to the account. */
export const THREATS = `verify verifies verified verifying confirm confirmation lock locked unlock blocked unblock suspend suspended suspension
  disabled restricted deactivated deactivation frozen hacked breach breached alert alerts warning expires expired reactivate suspicious unusual terminated terminate
  gesperrt sperrung sperre entsperren bestatigen deaktiviert eingeschrankt gehackt warnung
  verificar verifique confirmar confirme bloqueada bloqueado suspendida suspendido desactivada
  verifier verifiez confirmer confirmez bloque suspendu desactive alerte
  verificare verifichi confermare confermi bloccato sospeso disattivato
  verifieren bevestigen geblokkeerd opgeschort gedeactiveerd
  bloqueada suspensa desativada подтвердите заблокирован заблокирована безопасность безопасности
  ασφάλεια ασφάλειας κλειδώθηκε أمان الأمان אבטחה אבטחת baomat zarolva letiltva lukittu`;
/** Words in senders' names that describe a protective function, such as "Account Recovery". */
export const GUARDS = `review reset restore protection protect protector check checks checking defense defence guard monitor monitoring recovery schutz prufung uberprufung
  kontrolle proteccion comprobacion controle protezione controllo bescherming protecao защита защиты`;
/**
 * Words in senders' names that denote an organizational unit, such as “department” or “bank”. Together with a
 * word of SECURITY_WORDS, such a word claims authority, as in "security service".
 */
export const UNITS = `служба отдел центр команда банк банка`;
export const SECURITY_WORDS = `безопасность безопасности безпека безпеки`;

/** Words for secrets that only the account's owner knows. */
export const SECRETS = `pin passcode code cvv cvc otp tan`;
/** Words with which an impostor asks the reader to hand over a secret. */
export const REQUESTS = `reply send give tell provide share text antworten senden schicken`;
/** Possessives with which an impostor addresses the reader. */
export const YOUR_WORDS = `your deine ihre deinen ihren`;

/** Words of security claims, in scripts that do not put spaces between words. */
export const UNSPACED = {
  alone: ['密码', '密碼', 'パスワード', '비밀번호', '安全中心', 'セキュリティセンター', '보안센터'],
  accounts: ['帐户', '账户', '帳戶', '帐号', '账号', '帳號', 'アカウント', 'ログイン', '계정', '로그인'],
  threats: [
    '安全',
    '验证',
    '驗證',
    '保护',
    '保護',
    '锁定',
    '鎖定',
    '冻结',
    '凍結',
    '异常',
    '異常',
    '警告',
    '停用',
    'セキュリティ',
    '確認',
    'ロック',
    '停止',
    '보안',
    '확인',
    '보호',
    '잠금',
    '정지',
    '인증',
  ],
} as const;
